#include "collectives/renamed.hpp"

#include "collectives/of_members.hpp"

namespace dcube::detail {

const Recognition* known_for(const Topology& topology, const Problem& problem)
{
    const Recognition* const known = topology.recognised();
    const bool in_order =
        is_matrix(problem.collective) || is_scan(problem.collective) ||
        (is_reduction(problem.collective) && problem.own_operation && !problem.own_operation->commutative);
    return known && in_order && known->renames() ? nullptr : known;
}

// The problem with the nodes' numbers there. A number that is no node's stays, so that it can be refused.
Problem renamed(const Problem& problem, const Recognition& known)
{
    const auto there = [&](NodeId node) { return node < known.there.size() ? known.there[node] : node; };
    Problem asked = problem;
    if (has_root(problem.collective) || has_peer(problem.collective))
        asked.root = there(problem.root);
    if (has_peer(problem.collective))
        asked.peer = there(problem.peer);
    if (has_permutation(problem.collective) && problem.permutation.size() == known.there.size())
        for (NodeId node = 0; node < known.there.size(); ++node)
            asked.permutation[there(node)] = there(problem.permutation[node]);
    asked.counts =
        with_nodes(problem, known.network, known.network.nodes(), [&](NodeId node) { return known.here[node]; });
    return asked;
}

}  // namespace dcube::detail
