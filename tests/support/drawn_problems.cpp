#include "tests/support/drawn_problems.hpp"

#include <dcube/random.hpp>

#include <numeric>
#include <utility>

namespace dcube::test {

Problem drawn_problem(const Topology& topology, Collective collective, std::size_t packets, std::uint64_t seed)
{
    Random random(seed, packets);
    const NodeId nodes = topology.members();
    Problem problem{.collective = collective, .bytes = 2, .packets = packets};
    problem.root = static_cast<NodeId>(random.below(nodes));
    problem.peer = (problem.root + 1 + static_cast<NodeId>(random.below(nodes - 1))) % nodes;
    if (!has_peer(collective))
        problem.peer = 0;
    if (!has_root(collective) && !has_peer(collective))
        problem.root = 0;
    problem.root = topology.member(problem.root);
    problem.peer = topology.member(problem.peer);
    if (has_permutation(collective)) {
        problem.permutation.resize(topology.nodes());
        std::iota(problem.permutation.begin(), problem.permutation.end(), NodeId{0});
        for (NodeId left = nodes; left > 1; --left)
            std::swap(problem.permutation[topology.member(left - 1)],
                      problem.permutation[topology.member(static_cast<NodeId>(random.below(left)))]);
    }
    return problem;
}

}  // namespace dcube::test
