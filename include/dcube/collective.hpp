#pragma once
/// @file
/// The collectives, and the traits of each: what each node holds before and after, and the origins of messages.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup collective
/// @{

/// The collective operations. layout.hpp has a table of what the nodes hold before and after each.
enum class Collective : std::uint8_t {
    broadcast,            ///< every node gets the root's message
    reduce,               ///< the root gets the sum of all nodes' messages
    scatter,              ///< every node gets its own message from the root
    gather,               ///< the root gets every node's message
    all_gather,           ///< every node gets every node's message
    reduce_scatter,       ///< every node gets the sum of all messages for it
    all_reduce,           ///< every node gets the sum of all nodes' vectors
    scan,                 ///< every node gets the sum of the vectors of all nodes up to it, in their order
    exscan,               ///< every node gets the sum of the vectors of all nodes before it, in their order
    all_to_all,           ///< every node gets a message from every node: the total exchange
    send,                 ///< one message, from the root to the peer
    exchange,             ///< two messages, between the root and the peer
    permute,              ///< every node n sends one message to permutation[n]
    barrier,              ///< every node knows that all have begun it; its packets are empty
    matrix_transpose,     ///< element (r, c) goes to (c, r)
    matrix_quarter_turn,  ///< element (r, c) goes to (c, rows - 1 - r)
    matrix_half_turn,     ///< element (r, c) goes to (rows - 1 - r, columns - 1 - c)
    matrix_relayout,      ///< element (r, c) stays (r, c), and its row goes to the node that `to` says
};
/// The number of collectives.
inline constexpr std::size_t collective_count = static_cast<std::size_t>(Collective::matrix_relayout) + 1;

/// All of them, in the enumeration's order.
inline constexpr auto all_collectives = [] {
    std::array<Collective, collective_count> all{};
    for (std::size_t i = 0; i < collective_count; ++i)
        all[i] = static_cast<Collective>(i);
    return all;
}();

/// Which nodes hold data, or which node a message may come from or go to.
enum class Who : std::uint8_t {
    nobody,   ///< no one node: a sum has no origin, data for all nodes have no target
    root,     ///< Problem::root
    peer,     ///< Problem::peer
    ends,     ///< the root and the peer
    partner,  ///< a target that follows from the origin: the other end, or permutation[origin]
    all,      ///< every node
};

/// The data that a node holds, if it holds any.
enum class Share : std::uint8_t {
    message,           ///< one message
    message_per_node,  ///< a message for every node, or from every node
    elements,          ///< its share of a matrix
    nothing,           ///< no bytes: that it has begun, or that all have
};

/// The nodes that hold data, and the data that each of them holds.
struct Holding {
    Who nodes = Who::all;          ///< the nodes
    Share share = Share::message;  ///< the data of each of them
};

/// How a matrix' elements change places.
enum class Turn : std::uint8_t {
    none,       ///< they stay in their row and column
    transpose,  ///< (r, c) goes to (c, r)
    quarter,    ///< (r, c) goes to (c, rows - 1 - r): clockwise
    half,       ///< (r, c) goes to (rows - 1 - r, columns - 1 - c)
};

/// The nodes whose contributions are in the sum that a node gets.
enum class Terms : std::uint8_t {
    all,     ///< all nodes
    up_to,   ///< those whose ids are not larger than its own
    before,  ///< those whose ids are smaller; the first node gets nothing
};

/// All that dcube knows about a collective without an algorithm: there is one row of these for each.
struct CollectiveTraits {
    std::string_view name;                      ///< "all-to-all"
    std::array<std::string_view, 3> aliases{};  ///< the papers' names; empty ones do not count
    std::string_view idea{};                    ///< its meaning, and what decides how long it takes
    std::string_view beware{};                  ///< a common misconception about it
    Who origin = Who::all;                      ///< of a message; Who::nobody: messages are sums
    Who target = Who::all;                      ///< of a message; Who::nobody: every node gets it
    Holding before{};                           ///< the nodes' data before the first step
    Holding after{};                            ///< the nodes' data after the last step
    Turn turn = Turn::none;                     ///< matrices
    Terms terms = Terms::all;                   ///< sums
    std::string_view title{};                   ///< of a figure or a page: "Total exchange"
    /// A description for reports. Names in braces stand for a run's numbers.
    std::string_view sentence{};
    /// The data before the first step, described for pages and films. Names in braces stand for a run's numbers.
    std::string_view start{};
};
/// The row of a collective.
const CollectiveTraits& traits(Collective collective);

/// The nodes whose data have to get to which nodes. A collective and its dual (the same steps backwards in time, with
/// sums for copies: scatter and gather, say) have one pattern. Follows from the traits.
enum class Pattern : std::uint8_t {
    one_to_all,    ///< the root's message to every node: broadcast; reversed: reduce
    one_to_each,   ///< the root's messages, one for each node: scatter; reversed: gather
    each_to_all,   ///< every node's message to every node: all-gather; reversed: reduce-scatter
    each_to_each,  ///< a message for each pair of nodes: all-to-all
    sums_to_all,   ///< every node's share of every sum, and every sum to every node: all-reduce
    prefix_sums,   ///< every node's share to all nodes after it: scan and exscan
    pairs,         ///< messages with one origin and one target: send, exchange and permute
    signals,       ///< no data: every node hears of every other: barrier
    elements,      ///< a matrix' elements: the matrix_ collectives
};
/// The pattern of a collective.
Pattern pattern_of(Collective collective);
/// True if the data move as the pattern says but backwards: reduce, gather and reduce-scatter.
bool is_reversed(Collective collective);

/// "all-to-all". Parsing also takes the papers' names ("total exchange" or "total-exchange"); it throws
/// InvalidArgument.
std::string_view name(Collective collective);
/// The collective of that name, or of one of its aliases. Throws InvalidArgument, with the names there are.
Collective parse_collective(std::string_view text);

/// True if messages are combined: reduce, reduce-scatter, all-reduce, scan and exscan.
bool is_reduction(Collective collective);
/// True if no data move, and all that counts is which nodes have heard of which: barrier.
bool is_barrier(Collective collective);
/// True if a node's sum has the contributions of the nodes before it only, in their order: scan and exscan.
bool is_scan(Collective collective);
/// True if messages may have different numbers of packets (Problem::counts): all-to-all, all-gather, reduce-scatter,
/// gather and scatter.
bool may_be_uneven(Collective collective);
/// True if one node is the origin or the target of all messages: broadcast, reduce, scatter and gather.
bool has_root(Collective collective);
/// True if the problem names a peer, and the root is the other end: send and exchange.
bool has_peer(Collective collective);
/// True if the problem names a permutation: permute.
bool has_permutation(Collective collective);
/// True if every message has one origin and one target that follows from it: send, exchange and permute.
bool is_point_to_point(Collective collective);
/// True of the matrix_ collectives.
bool is_matrix(Collective collective);
/// True if the problem names a layout for afterwards: matrix-relayout.
bool is_relayout(Collective collective);

/// @}

}  // namespace dcube
#pragma GCC visibility pop
