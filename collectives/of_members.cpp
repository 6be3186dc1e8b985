#include "collectives/of_members.hpp"

namespace dcube::detail {

std::vector<NodeId> member_list(const Topology& topology)
{
    std::vector<NodeId> members;
    for (NodeId number = 0; number < topology.members(); ++number)
        members.push_back(topology.member(number));
    return members;
}

Problem of_members(const Problem& problem, const Topology& topology)
{
    Problem numbered = problem;
    if (!topology.lacks_nodes() || !topology.fabric().switches.empty())
        return numbered;
    // A collective without a root may name a node that is missing.
    const auto number_of = [&](NodeId node) { return topology.is_member(node) ? topology.member_number(node) : 0; };
    numbered.root = number_of(problem.root);
    numbered.peer = number_of(problem.peer);
    numbered.counts =
        with_nodes(problem, topology, topology.members(), [&](NodeId number) { return topology.member(number); });
    if (!has_permutation(problem.collective))
        return numbered;
    numbered.permutation.clear();
    for (NodeId number = 0; number < topology.members(); ++number)
        numbered.permutation.push_back(topology.member_number(problem.permutation[topology.member(number)]));
    return numbered;
}

}  // namespace dcube::detail
