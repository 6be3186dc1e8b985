// The least time in which one node can have the packets of another, all ports (docs/optimality.md, disjoint-paths). T
// is the least with the sum of max(0, T - l_i + 1) >= m, where l_i are the lengths of the successive shortest
// augmenting paths between the two (Ford and Fulkerson).

#include "collectives/bounds/searches.hpp"

#include "base/memo.hpp"
#include "base/numbers.hpp"
#include "collectives/graphs/quickest_flow.hpp"

#include <dcube/topology.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace dcube {

namespace {

using detail::Arcs;

// The paths from one node to this one.
struct PathsTo {
    NodeId to;
    std::vector<std::uint32_t> lengths;  // the successive shortest augmenting paths'
};

// More looks at arcs would take seconds: then only the paths to the nodes with the fewest links are looked for, and of
// those to the farthest.
constexpr std::uint64_t most_looks = 20'000'000;

std::vector<NodeId> targets_from(const Topology& topology, const Arcs& arcs, NodeId from)
{
    std::vector<NodeId> targets;
    std::ranges::copy_if(arcs.members(), std::back_inserter(targets), [&](NodeId node) { return node != from; });
    std::ranges::stable_sort(targets, {}, [&](NodeId node) {
        return std::tuple(arcs.degree(node), -static_cast<int>(topology.distance(from, node)));
    });
    std::uint64_t looks = 0;
    std::size_t affordable = 0;
    while (affordable < targets.size() && looks < most_looks)
        looks += std::uint64_t{arcs.degree(targets[affordable++])} * arcs.size();
    targets.resize(affordable);
    return targets;
}

std::shared_ptr<const std::vector<PathsTo>> paths_from(const SearchCase& one, NodeId from)
{
    static detail::Memo<std::pair<Topology, NodeId>, std::vector<PathsTo>> memo(16);
    return memo.get({one.topology, from}, [&] {
        std::vector<PathsTo> all;
        for (const NodeId to : targets_from(one.topology, one.arcs, from))
            all.push_back({to, detail::augmenting_lengths(one.arcs, from, to)});
        return all;
    });
}

// "3 paths without a common link have 11 links together"
std::string paths_text(std::span<const std::uint64_t> waits)
{
    std::uint64_t links = 0;
    for (const std::uint64_t wait : waits)
        links += wait + 1;
    if (waits.size() == 1)
        return fmt::format("only one path is short enough, with {}", grouped(links, "link"));
    return fmt::format("{} paths without a common link have {} links together", waits.size(), grouped(links));
}

std::string reason_of(const SearchCase& one, const Argument& paths)
{
    const NodeId from = one.topology.original(paths.other);
    const NodeId to = one.topology.original(paths.node);
    const std::uint64_t steps = paths.value() - 1;
    std::uint64_t fit = 0;
    for (const std::uint64_t wait : paths.waits)
        fit += steps > wait ? steps - wait : 0;
    const std::string after = fmt::format("after {} at most {} of", grouped(steps, "step"), grouped(fit));
    if (is_reduction(one.problem.collective))
        return fmt::format("{} {} sums can have node {}'s share at node {}: {}", after, grouped(one.problem.packets),
                           from, to, paths_text(paths.waits));
    return fmt::format("{} node {}'s {} packets can be at node {}: {}", after, from, grouped(one.problem.packets), to,
                       paths_text(paths.waits));
}

// Lists only those paths that bring something in time.
Argument along(const SearchCase& one, NodeId from, NodeId to, const std::vector<std::uint32_t>& lengths)
{
    const std::uint64_t steps = detail::quickest_steps(lengths, one.problem.packets);
    Argument paths{.kind = Argument::Kind::paths,
                   .name = "disjoint-paths",
                   .factors = {one.problem.packets},
                   .node = to,
                   .other = from};
    for (const std::uint32_t length : lengths)
        if (length <= steps)
            paths.waits.push_back(length - 1);
    paths.reason = reason_of(one, paths);
    return paths;
}

void add_paths_from(const SearchCase& one, NodeId from, LargestArgument& most)
{
    const std::shared_ptr<const std::vector<PathsTo>> all = paths_from(one, from);
    for (const auto& [to, lengths] : *all)
        if (detail::quickest_steps(lengths, one.problem.packets) > most.value())
            most.add(traits(one.problem.collective).after.nodes == Who::root
                         ? along(one, to, from, lengths)  // backwards they are as long
                         : along(one, from, to, lengths));
}

void add_paths_between(const SearchCase& one, NodeId from, NodeId to, LargestArgument& most)
{
    if (from == to)
        return;
    const std::vector<std::uint32_t> lengths = detail::augmenting_lengths(one.arcs, from, to);
    if (detail::quickest_steps(lengths, one.problem.packets) > most.value())
        most.add(along(one, from, to, lengths));
}

// Every message of a permutation; of large networks those that go farthest.
void add_paths_of_permutation(const SearchCase& one, LargestArgument& most)
{
    const std::vector<NodeId>& to = one.problem.permutation;
    std::vector<NodeId> from(one.arcs.members().begin(), one.arcs.members().end());
    std::ranges::stable_sort(from, {},
                             [&](NodeId node) { return -static_cast<int>(one.topology.distance(node, to[node])); });
    std::uint64_t looks = 0;
    for (const NodeId node : from) {
        if (looks >= most_looks)
            return;
        looks += std::uint64_t{one.arcs.degree(node)} * one.arcs.size();
        add_paths_between(one, node, to[node], most);
    }
}

}  // namespace

void search_paths(const SearchCase& one, LargestArgument& most)
{
    constexpr std::size_t most_starts = 6;
    if (one.topology.is_hypercube())
        return;  // where the distances of the ends' neighbours say as much
    const Collective collective = one.problem.collective;
    if (has_root(collective))
        add_paths_from(one, one.problem.root, most);
    else if (has_permutation(collective))
        add_paths_of_permutation(one, most);
    else if (has_peer(collective))
        add_paths_between(one, one.problem.root, one.problem.peer, most);
    else
        for (const NodeId node : nodes_with_fewest_links(one, most_starts))
            add_paths_from(one, node, most);
}

}  // namespace dcube
