#include "algorithms/dimakopoulos/farthest_first.hpp"

#include "algorithms/search/port_matching.hpp"

#include <dcube/bounds.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace dcube::detail {

namespace {

class Try {
public:
    Try(const Topology& topology, std::uint64_t seed) : topology_(topology), random_(seed), waiting_(topology.nodes())
    {
        for (NodeId origin = 0; origin < topology.nodes(); ++origin) {
            waiting_[origin].resize(topology.diameter() + 1);
            for (NodeId target = 0; target < topology.nodes(); ++target)
                if (target != origin)
                    wait_at(origin, {origin, target, 0});
        }
        left_ = std::uint64_t{topology.nodes()} * (topology.nodes() - 1);
    }

    // The schedule, or that much of it that takes `most` steps.
    Schedule run(std::uint64_t most)
    {
        while (left_ != 0 && schedule_.steps < most)
            make_step();
        return std::move(schedule_);
    }

private:
    void wait_at(NodeId node, const PacketName& packet)
    {
        waiting_[node][topology_.distance(node, packet.target)].push_back(packet);
    }

    // All nodes choose before anything arrives.
    void make_step()
    {
        ++schedule_.steps;
        const std::size_t first = schedule_.hops.size();
        for (NodeId node = 0; node < topology_.nodes(); ++node)
            send_from(node);
        for (std::size_t i = first; i < schedule_.hops.size(); ++i) {
            const Hop& hop = schedule_.hops[i];
            const NodeId to = topology_.neighbour(hop.from, hop.port);
            if (to == hop.packet.target)
                --left_;
            else
                wait_at(to, hop.packet);
        }
    }

    void send_from(NodeId node)
    {
        matching_.reset(topology_.ports(node));
        sent_.clear();
        for (std::size_t distance = waiting_[node].size() - 1; distance != 0; --distance)
            choose_from(node, waiting_[node][distance]);
        for (std::size_t i = 0; i < sent_.size(); ++i)
            schedule_.hops.push_back({schedule_.steps, node, matching_.port_of(i), sent_[i]});
    }

    // Goes through the packets in random order as long as one may be taken.
    void choose_from(NodeId node, std::vector<PacketName>& packets)
    {
        for (std::size_t refused = 0; refused < packets.size() && !matching_.full();) {
            std::swap(packets[refused + random_() % (packets.size() - refused)], packets.back());
            if (matching_.add(shortest_ports(node, packets.back().target))) {
                sent_.push_back(packets.back());
                packets.pop_back();
            } else {
                std::swap(packets[refused++], packets.back());
            }
        }
    }

    // In random order.
    const std::vector<Port>& shortest_ports(NodeId node, NodeId target)
    {
        ports_.clear();
        const unsigned distance = topology_.distance(node, target);
        for (Port port = 0; port < topology_.ports(node); ++port)
            if (topology_.distance(topology_.neighbour(node, port), target) < distance)
                ports_.push_back(port);
        for (std::size_t i = ports_.size(); i > 1; --i)
            std::swap(ports_[i - 1], ports_[random_() % i]);
        return ports_;
    }

    const Topology& topology_;
    std::mt19937_64 random_;
    std::vector<std::vector<std::vector<PacketName>>> waiting_;  // by node and hops left
    std::uint64_t left_ = 0;                                     // packets
    PortMatching matching_;
    std::vector<PacketName> sent_;  // by the node whose turn it is, as matched
    std::vector<Port> ports_;
    Schedule schedule_{Symmetry::none, 0, {}};
};

}  // namespace

Schedule greedy_exchange(const Topology& topology, unsigned tries)
{
    constexpr unsigned first_seed = 100;  // any will do
    const std::uint64_t bound = steps_bound(topology, PortModel::all, {Collective::all_to_all}).value;
    Schedule best = Try(topology, first_seed).run(std::numeric_limits<std::uint64_t>::max());
    for (unsigned i = 1; i < tries && best.steps > bound; ++i) {
        Schedule next = Try(topology, first_seed + i).run(best.steps);
        if (next.steps < best.steps)
            best = std::move(next);
    }
    return best;
}

}  // namespace dcube::detail
