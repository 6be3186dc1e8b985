#include "collectives/of_members.hpp"

namespace dcube::detail {

Problem of_members(const Problem& problem, const Topology& topology)
{
    Problem numbered = problem;
    if (!topology.lacks_nodes())
        return numbered;
    numbered.root = topology.member_number(problem.root);
    numbered.peer = topology.member_number(problem.peer);
    if (!has_permutation(problem.collective))
        return numbered;
    numbered.permutation.clear();
    for (NodeId number = 0; number < topology.members(); ++number)
        numbered.permutation.push_back(topology.member_number(problem.permutation[topology.member(number)]));
    return numbered;
}

}  // namespace dcube::detail
