// One port: a node whose removal disconnects the network handles one packet per step of all that pass
// (docs/optimality.md, cut-node).

#include "collectives/bounds/searches.hpp"

#include "base/numbers.hpp"
#include "collectives/graphs/cut_nodes.hpp"
#include "collectives/of_members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace dcube {

namespace {

using detail::WithoutNode;

// Packets that a node sends (receives), one per step, and the steps before the first and after the last of them.
struct Passing {
    std::vector<std::uint64_t> factors;
    std::uint64_t before_and_after = 0;
};

Argument junction(const Topology& topology, const WithoutNode& rest, Passing passing)
{
    Argument all{.kind = Argument::Kind::junction,
                 .name = "cut-node",
                 .factors = std::move(passing.factors),
                 .far = passing.before_and_after + 1,
                 .node = rest.node,
                 .parts = rest.parts.size()};
    all.reason = fmt::format("without node {} the network falls into {} parts: it has {} packets to move, one per step",
                             topology.original(rest.node), rest.parts.size(), grouped(all.packets().str()));
    return all;
}

// The last packet for a part that is not the root's has its farthest node to reach; the nearest such part counts.
std::uint32_t least_depth(const WithoutNode& rest, std::uint32_t but_part)
{
    std::uint32_t least = detail::unreachable;
    for (std::uint32_t part = 0; part < rest.parts.size(); ++part)
        if (part != but_part)
            least = std::min(least, rest.parts[part].far);
    return least;
}

// m (k - 1) packets, or m k if the node is the root, where k parts are left without it: the node sends every packet to
// every part but the one that it came from. Reduce is this backwards.
Passing of_broadcast(const WithoutNode& rest, const Problem& problem)
{
    const std::uint32_t home = rest.part[problem.root];
    const std::uint64_t parts = rest.parts.size() - (home == detail::no_part ? 0 : 1);
    return {{parts, problem.packets}, rest.hops[problem.root] + least_depth(rest, home) - 1};
}

// m (n (k - 1) + 1) packets: those of all n nodes go to all k parts but their own, those of the node itself to all.
Passing of_all_gather(const WithoutNode& rest, const Problem& problem, std::uint64_t nodes)
{
    return {{nodes * (rest.parts.size() - 1) + 1, problem.packets}, least_depth(rest, detail::no_part) - 1U};
}

// The packets that a node has to send, or receive: for messages between the parts, and for those that begin or end at
// it.
class MessagesThrough {
public:
    explicit MessagesThrough(const WithoutNode& rest) : rest_(rest) {}

    void add(NodeId from, NodeId to)
    {
        if (rest_.part[from] == rest_.part[to])
            return;
        if (to != rest_.node)
            sent_.add(rest_.hops[from], rest_.hops[to]);
        if (from != rest_.node)
            received_.add(rest_.hops[from], rest_.hops[to]);
    }

    [[nodiscard]] Passing most(std::uint64_t packets) const
    {
        const Moves& more = sent_.steps(packets) >= received_.steps(packets) ? sent_ : received_;
        if (more.messages == 0)
            return {{0}, 0};
        return {{more.messages, packets}, more.steps(packets) - more.messages * packets};
    }

private:
    // The first packet comes from so far, and the last one has so far to go.
    struct Moves {
        std::uint64_t messages = 0;
        std::uint64_t soonest = detail::unreachable;
        std::uint64_t latest = detail::unreachable;

        void add(std::uint64_t come, std::uint64_t go)
        {
            ++messages;
            soonest = std::min(soonest, come);
            latest = std::min(latest, go);
        }
        [[nodiscard]] std::uint64_t steps(std::uint64_t packets) const
        {
            return messages == 0 ? 0 : messages * packets + soonest + latest - 1;
        }
    };

    const WithoutNode& rest_;
    Moves sent_;
    Moves received_;
};

Passing of_messages(const WithoutNode& rest, const SearchCase& one)
{
    MessagesThrough messages(rest);
    detail::for_each_message(one.problem, one.topology,
                             [&](NodeId from, NodeId to, std::uint64_t) { messages.add(from, to); });
    return messages.most(one.problem.packets);
}

Passing passing(const WithoutNode& rest, const SearchCase& one)
{
    switch (pattern_of(one.problem.collective)) {
    case Pattern::one_to_all: return of_broadcast(rest, one.problem);
    case Pattern::each_to_all: return of_all_gather(rest, one.problem, one.arcs.members().size());
    case Pattern::pairs: return of_messages(rest, one);
    case Pattern::sums_to_all:  // junction_bounds.cpp says more
    case Pattern::prefix_sums:
    case Pattern::signals:
    case Pattern::one_to_each:
    case Pattern::each_to_each:
    case Pattern::elements: break;
    }
    return {{0}, 0};
}

}  // namespace

void search_cut_nodes(const SearchCase& one, LargestArgument& most)
{
    if (one.topology.dimension() > 1 || one.topology.symmetric())
        return;  // a product of two graphs has none, nor has a Cayley graph of three nodes and more
    for (const NodeId node : detail::cut_nodes(one.arcs)) {
        const WithoutNode rest = detail::without_node(one.arcs, node);
        if (Passing all = passing(rest, one); all.factors.front() > 0)
            most.add(junction(one.topology, rest, std::move(all)));
    }
}

}  // namespace dcube
