#pragma once
// Problems without the missing nodes: bounds are found and schedules planned for the members alone, which then have
// their numbers as ids (Topology::of_members). And the messages between members.

#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

namespace dcube::detail {

// The problem as it is for topology.of_members(): the same if no node is missing.
Problem of_members(const Problem& problem, const Topology& topology);

// Calls add(origin, target) for every message of a point-to-point problem; of other problems for none.
template <class Add>
void for_each_message(const Problem& problem, const Topology& topology, const Add& add)
{
    if (has_permutation(problem.collective))
        for (NodeId number = 0; number < topology.members(); ++number)
            add(topology.member(number), problem.permutation[topology.member(number)]);
    if (has_peer(problem.collective))
        add(problem.root, problem.peer);
    if (traits(problem.collective).origin == Who::ends)
        add(problem.peer, problem.root);
}

}  // namespace dcube::detail
