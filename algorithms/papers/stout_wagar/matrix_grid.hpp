#pragma once
// The square grid of submatrices on a cube of 2c dimensions (Stout & Wagar 1990, section 7.2): node a 2^c + b is in row
// a and column b.

#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/routing.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/matrix.hpp>

#include <cstddef>
#include <functional>

namespace dcube::detail {

// Position p is bit p of both a and b: dimension p is b's, c + p is a's.
struct MatrixGrid {
    unsigned c;

    [[nodiscard]] NodeId row(NodeId node) const { return node >> c; }
    [[nodiscard]] NodeId column(NodeId node) const { return node & (bit(c) - 1); }
    [[nodiscard]] NodeId both(unsigned p) const { return bit(p) | bit(c + p); }
    // The dimension that leads one hop forward on the 4-cycle 00 -> 01 -> 11 -> 10 of position p, or back.
    [[nodiscard]] Port along(NodeId node, unsigned p, bool forward) const
    {
        const bool equal = has_bit(node, p) == has_bit(node, c + p);
        return equal == forward ? p : c + p;
    }
};

// The bytes that lie at a node when a movement begins.
using StringAt = std::function<Fragments(NodeId)>;

// A routing between the nodes of the grid, each of which sends all it has to one other.
Routing grid_routing(const Topology& topology, const Problem& problem,
                     const std::function<void(RoutingTable&, const MatrixGrid&, const StringAt&)>& write);

// The bytes of a node's elements.
std::size_t matrix_bytes(const Topology& topology, const Problem& problem);
// The target of all elements of `origin`, if they go to one node.
NodeId only_target(const MatrixMove& move, NodeId origin);

bool in_rows(MatrixLayout layout);

// Completes a head: the routing's packets are messages that are packed before and unpacked after.
Entry matrix_entry(Entry head, MakeRouting routing, RoutingKind kind = {});

}  // namespace dcube::detail
