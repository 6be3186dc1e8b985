#pragma once
// One try of a spread: its state, its random numbers, and what it chooses packets by. Its steps are planned by
// spread_all_ports.cpp and spread_one_port.cpp.

#include "algorithms/any_network/spread.hpp"
#include "algorithms/any_network/spread_state.hpp"

#include <dcube/random.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace dcube::detail {

// How far packets have still to go: from a node the longest path along which a packet gets farther from all that have
// it. A packet that lags behind on such a path is late for those at its end.
class SpreadChains {
public:
    // Only of packets that somebody has received since the last time; at hubs those are few in a step.
    void measure(const SpreadState& state);
    [[nodiscard]] std::uint32_t beyond(NodeId node, std::uint32_t packet) const
    {
        return lengths_[packet * nodes_ + node];
    }

private:
    void measure(const SpreadState& state, std::uint32_t packet);

    std::size_t nodes_ = 0;
    std::vector<std::uint32_t> lengths_;  // by packet and node
    std::vector<std::uint32_t> measured_copies_;
    std::vector<std::uint32_t> hops_;
    std::vector<NodeId> reached_;
};

// One of so many tries.
struct SpreadTurn {
    unsigned number;
    unsigned of;
};

class SpreadTry {
public:
    // A hop more of a packet's chain counts as much as copies at `chain_tenths` / 10 of all nodes.
    SpreadTry(const SpreadState& start, SpreadTurn turn, std::uint64_t seed, unsigned chain_tenths)
        : state(start), random(seed, chain_tenths), turn_(turn), chain_tenths_(chain_tenths),
          all_(static_cast<double>(start.missing()))
    {
    }

    // Says how far planning is; may throw Interrupted.
    void tell() const;

    void begin_step()
    {
        if (chain_tenths_ > 0)
            chains_.measure(state);
    }
    // The one of these packets that the receiver should have first; no_packet if there are none. Packets of which there
    // are few copies first, and those that have far to go from there.
    std::uint32_t choose(PacketBits candidates, NodeId receiver);

    SpreadState state;
    Random random;

private:
    SpreadTurn turn_;
    unsigned chain_tenths_;
    double all_;  // moves
    SpreadChains chains_;
};

// Appends the moves of a step, which have not arrived yet. None: nothing can move.
using PlanSpreadStep = void(SpreadTry&, Step, std::vector<SpreadMove>&);
PlanSpreadStep plan_on_all_ports;
PlanSpreadStep plan_on_one_port;

}  // namespace dcube::detail
