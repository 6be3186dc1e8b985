#pragma once
/// @file
/// Problem: what is to be achieved.

#include <dcube/collective.hpp>
#include <dcube/elements.hpp>
#include <dcube/group.hpp>
#include <dcube/link.hpp>
#include <dcube/matrix.hpp>
#include <dcube/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup collective
/// @{

/// The choices of a link-bound algorithm that a caller may fix; what is left open is chosen by formula.
struct Tuning {
    std::size_t groups = 0;         ///< g of the pipelined algorithms, X of the transpose of submatrices; 0: the best
    std::size_t detour_groups = 0;  ///< g of the part of ARBITRARY SEND 3 that takes the longer paths; 0: the best
    std::string waves{};            ///< of DISTRIBUTE 2, such as "432|1"; empty: the best
    std::optional<unsigned> halvings{};  ///< q of all-reduce; empty: the best
};

/// The task of a run: the collective, its sizes, and who takes part. The default is an all-to-all of 64 bytes.
struct Problem {
    Collective collective = Collective::all_to_all;  ///< the collective
    std::size_t bytes = 64;                          ///< bytes per packet; a whole number of elements in reductions
    /// Packets per message; all-reduce and scans: blocks of the vector. On links that take time algorithms may cut a
    /// message of one packet into several.
    std::size_t packets = 1;
    NodeId root = 0;                        ///< broadcast, reduce, scatter, gather; send: the source; exchange: one end
    Operation operation = Operation::sum;   ///< reductions: the operation
    ElementType type = ElementType::uint8;  ///< reductions and matrices: the type of the elements
    NodeId peer = 0;                        ///< send: the destination; exchange: the other end
    /// Permute: where each node's message goes; missing nodes map to themselves.
    std::vector<NodeId> permutation{};
    /// Uneven messages (may_be_uneven()): the packets of each, in place of `packets`, which is then 1. All-to-all: N x
    /// N, row by row, a row for each origin; all-gather and gather: by origin; scatter and reduce-scatter: by target. 0
    /// is allowed, and needed for missing nodes. Empty: all messages have `packets` packets.
    std::vector<std::uint32_t> counts{};
    std::size_t rows = 0;     ///< matrices; `bytes` and `packets` have no meaning there, nor have they in a barrier
    std::size_t columns = 0;  ///< matrices
    MatrixLayout layout = MatrixLayout::rows_blocked;     ///< matrices: before; except for matrix_relayout also after
    MatrixLayout to_layout = MatrixLayout::rows_blocked;  ///< matrix_relayout: after
    /// A node's input and output are one array: what it gets takes the place of what it gave. For collectives that are
    /// is_in_place_possible(); Layout says where both lie.
    bool in_place = false;
    LinkModel link{};  ///< the machine's links, to which algorithms may adapt themselves
    Tuning tuning{};   ///< choices of link-bound algorithms
    /// Reductions: in place of the operation; the type then only says what kind of data a seed makes.
    std::optional<OwnOperation> own_operation{};
    /// The dimensions or factors within which groups of nodes do it, all at the same time (Group::of); empty: all nodes
    /// together. Roots, peers, permutations and counts are of ranks then, the same in every group. Not for matrices.
    std::vector<unsigned> within{};
};

/// The function that combines elements in a reduction: the caller's own operation, if there is one, and for avg that of
/// the sum. Throws InvalidArgument for an operation that the type does not have.
Combine combiner(const Problem& problem);
/// True of reductions by avg, whose nodes divide the sum that they get.
bool is_average(const Problem& problem);
/// The operation's name in reports: "sum", or the name of the caller's own operation.
std::string_view operation_name(const Problem& problem);
/// Bytes per element: of the type, or of the caller's own operation.
std::size_t element_size(const Problem& problem);

/// Bytes per packet where all have the same: Problem::bytes, in a barrier 0.
std::size_t packet_size(const Problem& problem);

/// The groups that do the problem; null if all nodes do it together. Throws InvalidArgument where Group::of() does.
std::shared_ptr<const Group> groups_of(const Problem& problem, const Topology& topology);
/// The same problem as each group does it, on its own network.
Problem in_group(Problem problem);

/// True of all-gather, reduce-scatter, all-reduce, the scans, all-to-all, exchange, permute, and the matrix_
/// collectives.
bool is_in_place_possible(Collective collective);
/// The same problem with input and output apart.
Problem out_of_place(Problem problem);

/// True if its messages have 0 bytes: no packets, or packets of 0 bytes. Then no algorithm takes a step. Never true of
/// a barrier, which has no messages.
bool moves_nothing(const Problem& problem);

/// The packets of the message from `origin` to `target`; what has no meaning there (the origin of a sum, the target of
/// a message for all) is not looked at.
std::uint64_t packets_between(const Problem& problem, const Topology& topology, NodeId origin, NodeId target);
/// The packets of the longest message.
std::uint64_t most_packets(const Problem& problem);
/// The packets of all messages together that one node has for every node, or gets from every node. Of an all-to-all
/// those of all nodes.
std::uint64_t all_packets(const Problem& problem, const Topology& topology);

/// Throws InvalidArgument, which says what was given and what is allowed, unless the problem can be done on the
/// network.
void validate(const Problem& problem, const Topology& topology);

/// @}

}  // namespace dcube
#pragma GCC visibility pop
