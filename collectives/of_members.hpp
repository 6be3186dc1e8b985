#pragma once
// Problems without the missing nodes: bounds are found and schedules planned for the members alone, which then have
// their numbers as ids (Topology::of_members). And the messages between members.

#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dcube::detail {

// The members in ascending order.
std::vector<NodeId> member_list(const Topology& topology);

// The problem as it is for topology.of_members(): the same if that is the network itself.
Problem of_members(const Problem& problem, const Topology& topology);

// The counts of a problem as they are where its nodes have other numbers: number n there is node of(n) here.
template <class Of>
std::vector<std::uint32_t> with_nodes(const Problem& problem, const Topology& topology, NodeId nodes, const Of& of)
{
    std::vector<std::uint32_t> counts;
    const bool each = pattern_of(problem.collective) == Pattern::each_to_each;
    if (problem.counts.empty())
        return counts;
    for (NodeId origin = 0; origin < nodes; ++origin)
        if (!each)
            counts.push_back(problem.counts[of(origin)]);
        else
            for (NodeId target = 0; target < nodes; ++target)
                counts.push_back(problem.counts[std::size_t{of(origin)} * topology.nodes() + of(target)]);
    return counts;
}

// Calls add(origin, target, amount) for every message of a point-to-point problem, and of an all-to-all with counts; of
// other problems for none. The amount is in messages of Problem::packets.
template <class Add>
void for_each_message(const Problem& problem, const Topology& topology, const Add& add)
{
    if (has_permutation(problem.collective))
        for (NodeId number = 0; number < topology.members(); ++number)
            add(topology.member(number), problem.permutation[topology.member(number)], std::uint64_t{1});
    if (has_peer(problem.collective))
        add(problem.root, problem.peer, std::uint64_t{1});
    if (traits(problem.collective).origin == Who::ends)
        add(problem.peer, problem.root, std::uint64_t{1});
    if (!problem.counts.empty() && pattern_of(problem.collective) == Pattern::each_to_each)
        for (NodeId origin = 0; origin < topology.nodes(); ++origin)
            for (NodeId target = 0; target < topology.nodes(); ++target)
                add(origin, target, packets_between(problem, topology, origin, target));
}

}  // namespace dcube::detail
