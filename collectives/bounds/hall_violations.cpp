// Nodes with too few links, or too few neighbours, for what they need (docs/optimality.md, entrances, few-senders and
// flow-in-time). A set of nodes needs q packets over links (from neighbours) that bring nothing in the first w steps: T
// is at least the least number with the sum of max(0, T - w) >= q, whatever the set; by Hall's theorem some set says
// all that such counting can say, and flows find it (collectives/graphs/hall.hpp).

#include "base/sizes.hpp"
#include "collectives/bounds/searches.hpp"

#include "base/numbers.hpp"
#include "collectives/bounds/uneven.hpp"
#include "collectives/graphs/hall.hpp"
#include "collectives/graphs/unrolled_flow.hpp"

#include <dcube/topology.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dcube {

namespace {

using Kind = Argument::Kind;
using detail::Shortage;

// Flows count in 64 bits.
constexpr std::uint64_t most_flow = std::uint64_t{1} << 40;

// The number of looks at arcs that takes about a second, and of looks at each arc in one flow, which repeats them.
constexpr std::uint64_t most_looks_of_flows = 50'000'000;
constexpr std::uint64_t looks_of_flow = 100;

// Arcs times steps, of the networks that are unrolled in time.
constexpr std::uint64_t most_unrolled = 100'000;

std::string nodes_text(const Topology& topology, const Shortage& shortage)
{
    const auto nodes = std::ranges::count(shortage.nodes, true);
    const auto first = static_cast<NodeId>(std::ranges::find(shortage.nodes, true) - shortage.nodes.begin());
    return nodes == 1 ? fmt::format("node {}", topology.original(first)) : fmt::format("{} nodes", nodes);
}

// "17 x 7": the packets of each, and the nodes.
std::vector<std::uint64_t> factors_of(const Shortage& shortage)
{
    const auto nodes = static_cast<std::uint64_t>(std::ranges::count(shortage.nodes, true));
    return {nodes, shortage.packets / nodes};
}

// Read backwards, links wait at the end: what leaves so late does not arrive.
Argument entrances(const SearchCase& one, const Shortage& shortage, NodeId root)
{
    const bool outwards = traits(one.problem.collective).origin == Who::all;
    const std::uint64_t links = shortage.waits.size();
    std::string reason =
        fmt::format("{} {} have to {} {} over {}", grouped(shortage.packets),
                    is_reduction(one.problem.collective) ? "sums" : "packets", outwards ? "leave" : "reach",
                    nodes_text(one.topology, shortage), grouped(links, "link"));
    if (const std::uint64_t wait = shortage.waits.front(); wait > 0)
        reason += fmt::format(", {} {} from node {}", links == 1 ? "which is" : "the nearest", grouped(wait, "link"),
                              one.topology.original(root));
    return {.kind = Kind::entering,
            .name = "entrances",
            .reason = std::move(reason),
            .factors = factors_of(shortage),
            .node = root,
            .cut = {std::nullopt, shortage.nodes},
            .waits = shortage.waits,
            .outwards = outwards};
}

Argument few_senders(const SearchCase& one, const Shortage& shortage)
{
    const bool outwards = is_reduction(one.problem.collective);
    const std::uint64_t senders = shortage.waits.size();
    return {.kind = Kind::senders,
            .name = "few-senders",
            .reason = fmt::format("{} must {} {} packets, and only {} can {} them, one per step",
                                  nodes_text(one.topology, shortage), outwards ? "send" : "receive",
                                  grouped(shortage.packets), grouped(senders, "node"), outwards ? "receive" : "send"),
            .factors = factors_of(shortage),
            .node = one.problem.root,
            .cut = {std::nullopt, shortage.nodes},
            .waits = shortage.waits,
            .outwards = outwards};
}

bool fits(const SearchCase& one)
{
    const std::uint64_t pairs = std::uint64_t{one.topology.nodes()} * one.topology.nodes();
    return dcube::most_packets(one.problem) <= most_flow / pairs;
}

}  // namespace

void search_entrances(const SearchCase& one, LargestArgument& most)
{
    if (!fits(one))
        return;
    // Where all others have, or need, packets of every node: as many nodes as can be afforded.
    const std::uint64_t affordable = most_looks_of_flows / (looks_of_flow * std::max(1U, one.arcs.size()));
    const std::vector<NodeId> roots = has_root(one.problem.collective)
                                          ? std::vector{one.problem.root}
                                          : nodes_with_fewest_links(one, as_size(affordable));
    for (const NodeId root : roots)
        if (const auto shortage = detail::shortage_of_links(one.arcs, root, one.problem.packets, most.value()))
            most.add(entrances(one, *shortage, root));
}

void search_flows_in_time(const SearchCase& one, LargestArgument& most)
{
    if (!fits(one))
        return;
    const std::uint64_t others = one.arcs.members().size() - 1;
    const bool even = one.problem.counts.empty();
    const detail::PacketsByNode packets =
        even ? detail::PacketsByNode(one.problem.packets) : detail::PacketsByNode(one.problem.counts);
    std::vector<std::uint64_t> factors{others, one.problem.packets};
    if (!even)
        factors = {packets_of_uneven(one.topology, one.problem)};
    const std::uint64_t all = std::reduce(factors.begin(), factors.end(), std::uint64_t{1}, std::multiplies());
    std::uint64_t steps = std::max(most.value(), detail::scatter_bound(one.arcs, one.problem.root, packets));
    for (; steps <= most_unrolled / one.arcs.size(); ++steps)
        if (detail::unrolled_scatter(one.arcs, one.problem.root, packets, static_cast<Step>(steps)))
            break;
    most.add({.kind = Kind::unrolled,
              .name = "flow-in-time",
              .reason = fmt::format("in {} no flow brings {} packets {} {} other nodes, step by step",
                                    counted(steps - 1, "step"), grouped(all),
                                    is_reversed(one.problem.collective) ? "from" : "to", grouped(others)),
              .factors = std::move(factors),
              .far = steps,
              .node = one.problem.root});
}

void search_senders(const SearchCase& one, LargestArgument& most)
{
    if (!fits(one))
        return;
    const NodeId n = one.arcs.nodes();
    std::vector<std::uint64_t> need(n, 0);
    std::vector<std::uint64_t> waits(n, 0);
    const bool rooted = has_root(one.problem.collective);
    for (const NodeId node : one.arcs.members()) {
        need[node] = one.problem.packets * (rooted ? 1 : one.arcs.members().size() - 1);
        waits[node] = rooted ? one.topology.distance(one.problem.root, node) : 0;
    }
    if (rooted)
        need[one.problem.root] = 0;
    if (const auto shortage = detail::shortage_of_senders(one.arcs, need, waits, most.value()))
        most.add(few_senders(one, *shortage));
}

}  // namespace dcube
