#pragma once
// One try of a spread: its state, its random numbers, and what it chooses packets by. Its steps are planned by
// spread_all_ports.cpp and spread_one_port.cpp.

#include "algorithms/beyond/any_network/spread.hpp"
#include "collectives/graphs/arcs.hpp"

#include <dcube/random.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dcube::detail {

// SpreadState: who has which packets while a spread is planned, step by step.

// A set of packets, a bit each.
using PacketBits = std::span<const std::uint64_t>;

inline bool has_packet(PacketBits bits, std::uint32_t packet)
{
    return (bits[packet / 64] >> packet % 64 & 1) != 0;
}

template <class Work>
void for_each_packet(PacketBits bits, const Work& work)
{
    for (std::size_t word = 0; word < bits.size(); ++word)
        for (std::uint64_t rest = bits[word]; rest != 0; rest &= rest - 1)
            work(static_cast<std::uint32_t>(word * 64 + static_cast<unsigned>(std::countr_zero(rest))));
}

class SpreadState {
public:
    static constexpr std::uint32_t no_packet = ~std::uint32_t{0};
    static constexpr std::uint32_t no_level = ~std::uint32_t{0};

    SpreadState(const Arcs& arcs, std::span<const std::vector<NodeId>> holders);

    [[nodiscard]] const Arcs& arcs() const { return *arcs_; }
    [[nodiscard]] std::uint32_t packets() const { return static_cast<std::uint32_t>(copies_.size()); }
    [[nodiscard]] std::size_t words() const { return words_; }  // per set of packets

    [[nodiscard]] PacketBits held(NodeId node) const { return std::span(held_).subspan(node * words_, words_); }
    [[nodiscard]] bool has(NodeId node, std::uint32_t packet) const { return has_packet(held(node), packet); }
    // Packets that a node lacks; that all nodes lack together.
    [[nodiscard]] std::uint32_t missing(NodeId node) const { return missing_[node]; }
    [[nodiscard]] std::uint64_t missing() const { return all_missing_; }
    // Packets that an arc's sender has and its receiver lacks.
    [[nodiscard]] std::uint32_t surplus(ArcId arc) const { return surplus_[arc]; }
    // Whether the node has a packet of which no other node has a copy.
    [[nodiscard]] bool is_sole_holder(NodeId node) const { return sole_[node] > 0; }

    // Copies that are there, or are planned to be after this step.
    [[nodiscard]] std::uint32_t copies(std::uint32_t packet) const { return copies_[packet]; }
    // The least copies of these packets; no_level if there are none.
    [[nodiscard]] std::uint32_t least_copies(PacketBits candidates) const;
    // One that has the least copies, each as likely as the others; no_packet if there are none.
    std::uint32_t rarest(PacketBits candidates, Random& random) const;

    // Counts a copy that is to be made in this step; then, when the step ends, the node has it.
    void plan(std::uint32_t packet);
    void arrive(NodeId node, std::uint32_t packet);

private:
    [[nodiscard]] PacketBits level(std::uint32_t copies) const
    {
        return std::span(levels_).subspan(copies * words_, words_);
    }
    // The least number of copies that is no less than this and that some packet has; no_level if there is none.
    [[nodiscard]] std::uint32_t next_level(std::uint32_t copies) const;
    void move_to_level(std::uint32_t packet, std::uint32_t copies);
    void count_missing();

    const Arcs* arcs_;
    std::size_t words_;
    std::vector<std::uint64_t> held_;  // by node: bits
    std::vector<std::uint32_t> missing_;
    std::uint64_t all_missing_ = 0;
    std::vector<std::uint32_t> surplus_;
    std::vector<std::uint32_t> sole_;
    std::vector<NodeId> only_holder_;  // by packet, if it had only one at the start
    std::vector<std::uint32_t> copies_;
    std::vector<std::uint64_t> levels_;      // by copies: bits
    std::vector<std::uint32_t> level_size_;  // by copies
    std::vector<std::uint64_t> used_levels_;
};

// The hops that packets still have to go: from a node, the longest path along which a packet gets farther from all
// nodes that have it. A packet that lags behind on such a path is late for the nodes at its end.
class SpreadChains {
public:
    // Measures only packets that some node has received since the last call; at hubs those are few in a step.
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

// The number of a try, and of all tries.
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

    // Reports the progress of planning; may throw Interrupted.
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
using PlanSpreadStep = void(SpreadTry&, Step, std::vector<TimedMove>&);
PlanSpreadStep plan_on_all_ports;
PlanSpreadStep plan_on_one_port;

}  // namespace dcube::detail
