#include "collectives/example.hpp"

namespace dcube {

Problem example_problem(Collective collective, const Topology& topology)
{
    const NodeId nodes = topology.members();
    Problem problem{.collective = collective, .bytes = 8, .root = topology.member(0)};
    if (has_peer(collective))
        problem.peer = topology.member(nodes / 2);
    if (has_permutation(collective))
        for (NodeId node = 0; node < topology.nodes(); ++node)
            problem.permutation.push_back(
                topology.is_member(node) ? topology.member(nodes - 1 - topology.member_number(node)) : node);
    if (is_matrix(collective)) {
        problem.rows = std::size_t{2} * nodes;
        problem.columns = nodes;
        problem.type = ElementType::uint16;
        problem.to_layout = MatrixLayout::rows_striped;
    }
    return problem;
}

}  // namespace dcube
