#pragma once
/// @file
/// Layout: where every node's data lie in memory before and after a collective.

#include <dcube/problem.hpp>
#include <dcube/world.hpp>

#include <algorithm>
#include <cstddef>
#include <span>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup collective
/// @{

/// The layout of all nodes' data in memory. A message is `packets` packets of `bytes` each, one after the other.
///
/// | collective     | input, node after node                  | output, node after node                   |
/// | -------------- | --------------------------------------- | ----------------------------------------- |
/// | broadcast      | the root's message                      | N copies of it                            |
/// | reduce         | N messages                              | the root's: their sum                     |
/// | scatter        | the root's N messages, by target        | N messages, one per node                  |
/// | gather         | N messages, one per node                | the root's N messages, by origin          |
/// | all-gather     | N messages, one per node                | N x N messages: node, origin              |
/// | reduce-scatter | N x N messages: node, target            | N messages: node n's is the sum of all for n |
/// | all-reduce     | N vectors (`packets` blocks of `bytes`) | N times their sum                         |
/// | all-to-all     | N x N messages: origin, target          | N x N messages: target, origin            |
/// | send           | the root's message                      | the peer's copy of it                     |
/// | exchange       | two messages: the smaller id's, the other's | the same places: what each has received |
/// | permute        | N messages, one per node                | N messages, one per node                  |
/// | matrix         | a node's elements, its rows in ascending order, or its block row by row | the same    |
///
/// In place (Problem::in_place) there is one array for both, laid out as the larger of the two. The other one's
/// messages are in it: all-gather finds the message of node n where it is to be in n's output, and reduce-scatter
/// leaves n's sum where n's message for itself was.
///
/// The slots of missing nodes, from them and for them, exist but are unused.
struct Layout {
    /// The layout of a problem on a network. Throws InvalidArgument: more than 2^56 bytes (2^30 where std::size_t has
    /// 32 bits), or a matrix that the nodes cannot hold (MatrixShape).
    Layout(const Problem& problem, const Topology& topology);

    std::size_t message;           ///< bytes of one message; matrices: of one node's elements
    std::size_t input_bytes;       ///< all nodes' together; in place this is the one array, and so is the next
    std::size_t output_bytes;      ///< all nodes' together
    std::size_t first_input = 0;   ///< where the first byte in memory stands in all nodes' data; see of()
    std::size_t first_output = 0;  ///< the same of the output

    /// The bytes of input and output together; in place those of the one array.
    [[nodiscard]] std::size_t bytes() const { return in_place ? output_bytes : input_bytes + output_bytes; }

    /// The place of one node's part, and its length (0 for a node that holds nothing).
    struct Part {
        std::size_t offset;  ///< in bytes, from the array's begin
        std::size_t bytes;   ///< its length
    };
    /// A node's part of the input.
    [[nodiscard]] Part input(NodeId node) const { return part(node, inputs, first_input); }
    /// A node's part of the output.
    [[nodiscard]] Part output(NodeId node) const { return part(node, outputs, first_output); }

    /// The layout where only these nodes' parts lie in memory, one after the other: sizes are theirs, offsets are
    /// counted from the first of them, and only they may be asked for.
    [[nodiscard]] Layout of(NodeRange nodes) const;

private:
    /// One of the two arrays.
    struct Side {
        Who holders;
        std::size_t per_node;   ///< from one node's part to the next one's
        std::size_t bytes;      ///< bytes of a node's part
        std::size_t shift = 0;  ///< node n's part begins n times as far within its n-th place
    };
    [[nodiscard]] Part part(NodeId node, const Side& side, std::size_t first) const
    {
        if (side.holders == Who::all)
            return {node * (side.per_node + side.shift) - first, network.is_member(node) ? side.bytes : 0};
        const bool holds = (node == root && side.holders != Who::peer) || (node == peer && side.holders != Who::root);
        if (!holds)
            return {0, 0};
        const bool second = side.holders == Who::ends && node > std::min(root, peer);
        return {(second ? side.per_node : 0) - first, side.bytes};
    }

    Topology network;
    NodeId root;
    NodeId peer;
    bool in_place;
    Side inputs;
    Side outputs;
};

/// One node's view of its data.
struct NodeData {
    std::span<const std::byte> input;  ///< its initial data
    std::span<std::byte> output;       ///< the place of its result; in place the same bytes
};
/// A node's parts of what `input` and `output` hold as the layout says.
NodeData node_data(const Layout& layout, std::span<const std::byte> input, std::span<std::byte> output, NodeId node);

/// @}

}  // namespace dcube
#pragma GCC visibility pop
