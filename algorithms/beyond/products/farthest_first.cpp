// farthest-first: in every step every node matches the packets that it has to its ports, those with most hops left
// first, ties by chance. The usual greedy method, on all ports of any network; dcube's, goes beyond Dimakopoulos &
// Dimopoulos 1998. Nothing is proved of it.
//
// Steps: found by search, the fewest of some tries, each with chance of its own; often 20 to 30 % above the best known.
// Transmissions: the sum of all distances. A try takes memory as its hops, and time as the packets that are looked at:
// a node looks on in random order until all its ports are taken.

#include "algorithms/papers/dimakopoulos/exchanges.hpp"

#include "algorithms/families.hpp"
#include "algorithms/papers/dimakopoulos/entries.hpp"
#include "algorithms/papers/dimakopoulos/path_ports.hpp"
#include "base/planning.hpp"
#include "collectives/graphs/port_matching.hpp"

#include <dcube/bounds.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

class Try {
public:
    Try(const Topology& topology, const PathPorts& path_ports, std::uint64_t seed)
        : topology_(topology), path_ports_(path_ports), random_(seed), waiting_(topology.nodes()),
          left_at_(topology.nodes())
    {
        for (NodeId origin = 0; origin < topology.nodes(); ++origin) {
            waiting_[origin].resize(topology.diameter() + 1);
            for (NodeId target = 0; target < topology.nodes(); ++target)
                if (target != origin)
                    wait_at(origin, {origin, target, 0});
        }
        left_ = std::uint64_t{topology.nodes()} * (topology.nodes() - 1);
    }

    // The schedule, if it takes fewer than `steps` steps and at most `looks` looks, which are taken off `looks`.
    std::optional<Schedule> run(std::uint64_t steps, std::uint64_t& looks)
    {
        while (left_ != 0) {
            if (schedule_.steps + std::uint64_t{1} >= steps || looks == 0)
                return std::nullopt;
            planning("farthest first", 0);
            make_step();
            looks -= std::min(looks, std::exchange(looks_, 0));
        }
        return std::move(schedule_);
    }

private:
    void wait_at(NodeId node, const PacketName& packet)
    {
        waiting_[node][topology_.distance(node, packet.target)].push_back(packet);
        ++left_at_[node];
    }

    // All nodes choose before anything arrives.
    void make_step()
    {
        ++schedule_.steps;
        const std::size_t first = schedule_.hops.size();
        for (NodeId node = 0; node < topology_.nodes(); ++node)
            if (left_at_[node] != 0)
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
        looks_ += topology_.ports(node);
        sent_.clear();
        for (std::size_t distance = waiting_[node].size() - 1; distance != 0; --distance)
            choose_from(node, waiting_[node][distance]);
        left_at_[node] -= sent_.size();
        for (std::size_t i = 0; i < sent_.size(); ++i)
            schedule_.hops.push_back({schedule_.steps, node, matching_.port_of(i), sent_[i]});
    }

    // Goes through the packets in random order as long as one may be taken.
    void choose_from(NodeId node, std::vector<PacketName>& packets)
    {
        for (std::size_t refused = 0; refused < packets.size() && !matching_.full(); ++looks_) {
            std::swap(packets[refused + random_() % (packets.size() - refused)], packets.back());
            if (matching_.add(shuffled_ports(node, packets.back().target))) {
                sent_.push_back(packets.back());
                packets.pop_back();
            } else {
                std::swap(packets[refused++], packets.back());
            }
        }
    }

    const std::vector<Port>& shuffled_ports(NodeId node, NodeId target)
    {
        const std::span<const Port> ports = path_ports_.of(node, target);
        ports_.assign(ports.begin(), ports.end());
        for (std::size_t i = ports_.size(); i > 1; --i)
            std::swap(ports_[i - 1], ports_[random_() % i]);
        return ports_;
    }

    const Topology& topology_;
    const PathPorts& path_ports_;
    std::mt19937_64 random_;
    std::vector<std::vector<std::vector<PacketName>>> waiting_;  // by node and hops left
    std::vector<std::size_t> left_at_;                           // packets at every node
    std::uint64_t left_ = 0;                                     // packets
    std::uint64_t looks_ = 0;                                    // in this step
    PortMatching matching_;
    std::vector<PacketName> sent_;  // by the node whose turn it is, as matched
    std::vector<Port> ports_;
    Schedule schedule_{Symmetry::none, 0, {}};
};

}  // namespace

std::optional<Schedule> farthest_first_within(const Topology& topology, unsigned tries, std::uint64_t looks)
{
    constexpr unsigned first_seed = 100;  // any will do
    const std::uint64_t bound = steps_bound(topology, PortModel::all, {Collective::all_to_all}).value;
    const PathPorts path_ports(topology);
    std::optional<Schedule> best;
    for (unsigned i = 0; i < tries && !(best && best->steps <= bound); ++i)
        if (auto found = Try(topology, path_ports, first_seed + i).run(best ? best->steps : no_limit, looks))
            best = std::move(found);
    return best;
}

Schedule farthest_first(const Topology& topology)
{
    constexpr unsigned tries = 8;
    return *farthest_first_within(topology, tries, no_limit);
}

Entry farthest_first_entry()
{
    return exchange_entry(
        {{.collective = Collective::all_to_all,
          .name = "farthest-first",
          .ports = PortModel::all,
          .networks = Networks::products},
         {.aliases = {"greedy"},
          .paper = "beyond Dimakopoulos & Dimopoulos 1998",
          .origin = Origin::dcube,
          .summary = "every link carries the packet that has farthest to go; for comparison",
          .idea = "The usual greedy rule, for comparison: in every step every node gives each link the packet that "
                  "has most hops left. Nearly good, seldom optimal: 5 steps where 4 suffice on the 3-cube.",
          .formula = as_planned,
          .paper_note = "A rule that is often used, in none of the papers.",
          .automatic = false}},
        found_by("farthest-first", PortModel::all, farthest_first,
                 {"farthest first", "In every step every node matches the packets that it has to its ports, "
                                    "those with most hops left first and ties by chance."},
                 [](const Topology& topology) { return too_large(topology, 128); }));
}

}  // namespace dcube::detail
