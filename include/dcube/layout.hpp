#pragma once
/// @file
/// Layout: where every node's data lie in memory before and after a collective.

#include <dcube/problem.hpp>
#include <dcube/world.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

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
/// | scan           | N vectors (`packets` blocks of `bytes`) | N vectors: node n's is the sum of 0's to n's |
/// | exscan         | N vectors (`packets` blocks of `bytes`) | the same without n's; the first's stays as it was |
/// | all-to-all     | N x N messages: origin, target          | N x N messages: target, origin            |
/// | send           | the root's message                      | the peer's copy of it                     |
/// | exchange       | two messages: the smaller id's, the other's | the same places: what each has received |
/// | permute        | N messages, one per node                | N messages, one per node                  |
/// | barrier        | nothing                                 | nothing                                   |
/// | matrix         | a node's elements, its rows in ascending order, or its block row by row | the same    |
///
/// Uneven messages (Problem::counts) lie one behind the other as well, so that displacements are the sums of the counts
/// before: from_input() and into_output() say where each one begins.
///
/// In place (Problem::in_place) there is one array for both, laid out as the larger of the two. The other one's
/// messages are in it: all-gather finds the message of node n where it is to be in n's output, and reduce-scatter
/// leaves n's sum where n's message for itself was.
///
/// Where groups do it (Problem::within), "N" is the size of a group, numbers of messages are ranks, and each group has
/// its own root, peers, or ends: their parts lie by their nodes' ids.
///
/// The slots of missing nodes, from them and for them, exist but are unused.
struct Layout {
    /// The layout of a problem on a network. Throws InvalidArgument: more than 2^56 bytes (2^30 where std::size_t has
    /// 32 bits), or a matrix that the nodes cannot hold (MatrixShape).
    Layout(const Problem& problem, const Topology& topology);

    std::size_t message;           ///< bytes of one message, of uneven ones the longest; matrices: one node's elements
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

    /// The place of the message for `target` within a node's part of the input; it is the whole part where a node has
    /// only one message.
    [[nodiscard]] Part from_input(NodeId node, NodeId target) const { return within(node, target, inputs); }
    /// The place of the message from `origin` within a node's part of the output.
    [[nodiscard]] Part into_output(NodeId node, NodeId origin) const { return within(node, origin, outputs); }

    /// The layout where only these nodes' parts lie in memory, one after the other: sizes are theirs, offsets are
    /// counted from the first of them, and only they may be asked for.
    [[nodiscard]] Layout of(NodeRange nodes) const;

private:
    /// Where uneven messages lie in one of the two arrays, in bytes.
    struct Displacements {
        std::vector<std::size_t> places;    ///< by node, and the end: of its place in all nodes' data
        std::vector<Part> parts;            ///< by node; in place the smaller one lies within its place
        std::vector<std::size_t> messages;  ///< within a part, and its end: a row for each rank, or one for all

        /// Where the row of a node begins that is one of so many.
        [[nodiscard]] std::size_t row_of(NodeId rank, NodeId together) const
        {
            const std::size_t row = std::size_t{together} + 1;
            return messages.size() == row ? 0 : rank * row;
        }
    };
    enum class Which : std::uint8_t { input, output };
    /// One of the two arrays.
    struct Side {
        Who holders;
        Share share;
        std::size_t per_node;   ///< from one node's part to the next one's
        std::size_t bytes;      ///< bytes of a node's part
        std::size_t shift = 0;  ///< node n's part begins n times as far within its n-th place
        std::shared_ptr<const Displacements> uneven{};
    };
    [[nodiscard, gnu::visibility("hidden")]] Displacements displacements(const Problem& problem,
                                                                         const Topology& topology, Which which) const;
    [[gnu::visibility("hidden")]] void make_uneven(const Problem& problem, const Topology& topology);

    [[nodiscard]] Part within(NodeId node, NodeId other, const Side& side) const
    {
        if (side.share != Share::message_per_node)
            return {0, side.uneven ? side.uneven->parts[node].bytes : side.bytes};
        if (!side.uneven)
            return {other * message, message};
        const std::vector<std::size_t>& all = side.uneven->messages;
        const NodeId together = groups ? groups->size() : network.nodes();
        const std::size_t at = side.uneven->row_of(rank_of(node), together) + other;
        return {all[at], all[at + 1] - all[at]};
    }
    [[nodiscard]] Part part(NodeId node, const Side& side, std::size_t first) const
    {
        if (side.uneven)
            return {side.uneven->parts[node].offset - first, side.uneven->parts[node].bytes};
        if (side.holders == Who::all)
            return {node * side.per_node + (side.shift == 0 ? 0 : rank_of(node) * side.shift) - first,
                    network.is_member(node) ? side.bytes : 0};
        const NodeId rank = rank_of(node);
        const bool holds = (rank == root && side.holders != Who::peer) || (rank == peer && side.holders != Who::root);
        if (!holds)
            return {0, 0};
        return {holders_before(node, side.holders) * side.per_node - first, side.bytes};
    }
    [[nodiscard]] NodeId rank_of(NodeId node) const { return groups ? groups->rank(node) : node; }
    /// How many of the nodes that hold data, which are not all, have smaller ids.
    [[nodiscard]] std::size_t holders_before(NodeId node, Who holders) const;

    Topology network;
    std::shared_ptr<const Group> groups;  // null: all nodes are one
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
