// Turns of a matrix stored by submatrices, ours: Stout & Wagar 1990 name them in section 10. d = 2c, m bytes per node,
// node (a, b) of the grid; a quarter turn takes (a, b) to (b, ~a), through the Gray code to (b, a ^ top).
//
//   collective   name          layout            time
//   quarter turn one-way       submatrices       c (tau m/c + beta)                              tau m + c beta
//   quarter turn three-to-one  submatrices       3c (tau m/(4c) + beta)                          3/4 tau m + 3c beta
//   quarter turn two-halves    submatrices-gray  at most 2 max((X+1)(tau m/(4X) + beta), 3/8 tau m + 3 beta)
//   half turn    inversion     all               |D| (tau ceil(m/|D|) + beta), |D| = d; Gray: 1 in rows, 2 else
//
// In each position p the bits (a_p, b_p) run round the 4-cycle 00 -> 01 -> 11 -> 10, one hop forward for a quarter
// turn. 3/4 tau m is the least: a byte that does not go one hop forward goes three hops back. A half turn is the
// INVERSION of section 6: every node has one partner, the same XOR away. Exact if the sizes divide. Planning: a table
// of all packets, c to 6c for each node (two-halves: 2 X c), in time and memory; the half turn plans nothing.

#include "algorithms/beyond/cubes/turns.hpp"

#include "algorithms/papers/stout_wagar/all_to_all.hpp"
#include "algorithms/papers/stout_wagar/matrix_grid.hpp"
#include "algorithms/papers/stout_wagar/opposite_corner_send.hpp"
#include "algorithms/papers/stout_wagar/transpose.hpp"
#include "algorithms/programs/cut.hpp"

#include <dcube/matrix.hpp>

#include <algorithm>

namespace dcube::detail {

// Part i crosses the positions i, i + 1, .., cyclically, one hop forward in each.
void turn_one_way(RoutingTable& table, const MatrixGrid& grid, const StringAt& string_at)
{
    for (NodeId node = 0; node < bit(2 * grid.c); ++node) {
        for (unsigned i = 0; i < grid.c; ++i) {
            NodeId at = node;
            for (unsigned s = 0; s < grid.c; ++s) {
                const Port port = grid.along(at, (i + s) % grid.c, true);
                table.add(s, at, port, part_of(string_at(node), grid.c, i));
                at ^= bit(port);
            }
        }
    }
}

namespace {

// Three quarters of a string go one hop forward in position p, the last one three hops back, in three steps.
NodeId turn_position(RoutingTable& table, const MatrixGrid& grid, NodeId node, unsigned p, const Fragments& string,
                     Step first)
{
    const Port forward = grid.along(node, p, true);
    for (Step quarter = 0; quarter < 3; ++quarter)
        table.add(first + quarter, node, forward, part_of(string, 4, quarter));
    NodeId at = node;
    for (Step hop = 0; hop < 3; ++hop) {
        const Port back = grid.along(at, p, false);
        table.add(first + hop, at, back, part_of(string, 4, 3));
        at ^= bit(back);
    }
    return node ^ bit(forward);
}

}  // namespace

// Part i crosses the positions as turn_one_way's does, three steps each.
void turn_three_to_one(RoutingTable& table, const MatrixGrid& grid, const StringAt& string_at)
{
    for (NodeId node = 0; node < bit(2 * grid.c); ++node) {
        for (unsigned i = 0; i < grid.c; ++i) {
            NodeId at = node;
            for (unsigned s = 0; s < grid.c; ++s)
                at = turn_position(table, grid, at, (i + s) % grid.c, part_of(string_at(node), grid.c, i), 3 * s);
        }
    }
}

Step both_halves_turned(const LogicalInversion& transpose)
{
    return std::max<Step>(3, transpose.pace() * static_cast<Step>(transpose.x) + 1);
}

namespace {

// Through the Gray code: half of the message transposes the lower positions and then turns the top one, the other half
// does it in the other order, on other links.
void two_halves(RoutingTable& table, const MatrixGrid& grid, std::size_t x, const StringAt& string_at)
{
    const unsigned top = grid.c - 1;
    const LogicalInversion transpose{grid, top, x};
    const Step second = both_halves_turned(transpose);
    const auto half_at = [&](unsigned half) {
        return [&string_at, half](NodeId node) { return part_of(string_at(node), 2, half); };
    };
    const auto turn_all = [&](const StringAt& string, Step first) {
        for (NodeId node = 0; node < bit(2 * grid.c); ++node)
            turn_position(table, grid, node, top, string(node), first);
    };

    transpose.write(table, half_at(0), 0);
    turn_all([&](NodeId node) { return half_at(0)(transpose.transposed(node)); }, second);  // transposing undoes itself
    turn_all(half_at(1), 0);
    transpose.write(
        table, [&](NodeId node) { return half_at(1)(node ^ bit(grid.along(node, top, false))); }, second);
}

}  // namespace

Routing two_halves_routing(const Topology& topology, const Problem& problem)
{
    return grid_routing(topology, problem, [&](RoutingTable& table, const MatrixGrid& grid, const StringAt& string_at) {
        if (grid.c == 1)
            turn_three_to_one(table, grid, string_at);
        else
            two_halves(table, grid, packets_for(grid.c - 1, Exact(matrix_bytes(topology, problem)) / 2, problem),
                       string_at);
    });
}

Routing matrix_inversion(const Topology& topology, const Problem& problem)
{
    const NodeId mask = only_target(MatrixMove(problem, topology), 0);
    const std::size_t bytes = matrix_bytes(topology, problem);
    return complete_send(topology, one_positions(mask), {mask},
                         [n = std::uint64_t{topology.nodes()}, bytes](NodeId source, NodeId target) {
                             return Fragment{source * n + target, 0, bytes};
                         });
}

}  // namespace dcube::detail
