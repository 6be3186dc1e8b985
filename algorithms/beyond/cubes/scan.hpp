#pragma once
// Scan and exscan on hypercubes: every node gets the sum of the nodes before it, in the order of their ids.

#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/scan_moves.hpp"

#include <dcube/algorithm.hpp>
#include <dcube/layout.hpp>
#include <dcube/node.hpp>
#include <dcube/problem.hpp>
#include <dcube/task.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dcube::detail {

// Whether no node comes after the subcube of the node's bits from k on: nobody needs the sum of such a subcube.
constexpr bool is_last_subcube(NodeId node, unsigned k, unsigned d)
{
    return node >> k == (bit(d) - 1) >> k;
}

// Whether no node comes before it.
constexpr bool is_first_subcube(NodeId node, unsigned k)
{
    return node >> k == 0;
}

// ---- scan.cpp: one port; q halvings, an exchange of what is left, q doublings ----

Task scan_halving(Node& me, unsigned halvings, const Problem& problem, NodeData data);
Cost halving_cost(unsigned d, unsigned halvings, std::uint64_t blocks);
// The number of halvings that takes the fewest steps, and of several the fewest transmissions.
unsigned best_halvings(unsigned d, std::uint64_t blocks);

// ---- scan_up_down.cpp: all ports; up two trees and down again ----

Task scan_up_down(Node& me, const Problem& problem, NodeData data);
Cost up_down_cost(unsigned d, std::uint64_t blocks);
// The first step in which something goes down; none if nothing does.
Step first_step_down(unsigned d, std::uint64_t blocks);
std::vector<ScanMove> up_down_moves(const Topology& cube, std::size_t blocks);

}  // namespace dcube::detail
