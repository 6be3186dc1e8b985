#pragma once
// Small problems on hypercubes, one for each collective.

#include "collectives/example.hpp"

#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstddef>

namespace test_support {

/// The example with messages of `bytes` bytes, and another root than node 0; matrices have elements of one byte, and
/// messages of that size too.
inline dcube::Problem example(dcube::Collective collective, unsigned d, std::size_t bytes = 4)
{
    const dcube::NodeId nodes = 1U << d;
    dcube::Problem problem = dcube::example_problem(collective, dcube::Topology::hypercube(d));
    problem.bytes = bytes;
    if (dcube::has_root(collective) || dcube::has_peer(collective))
        problem.root = d == 0 ? 0 : nodes - 2 + d % 2;
    if (dcube::has_peer(collective))
        problem.peer = problem.root ^ (nodes - 1);
    if (!dcube::is_matrix(collective))
        return problem;
    problem.type = dcube::ElementType::uint8;
    if (collective == dcube::Collective::matrix_half_turn || collective == dcube::Collective::matrix_relayout) {
        problem.rows = collective == dcube::Collective::matrix_half_turn ? nodes : std::size_t{nodes} * nodes;
        problem.columns = bytes;
    } else {
        problem.rows = nodes * bytes;
        problem.columns = nodes;
    }
    return problem;
}

/// Whether `example` is possible on one node.
inline bool needs_two(dcube::Collective collective)
{
    return dcube::has_peer(collective);
}

}  // namespace test_support
