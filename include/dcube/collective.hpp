#pragma once
/// Collectives, and the traits of each: who holds what before and after, and whose messages they are.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dcube {

enum class Collective : std::uint8_t {
    broadcast,
    reduce,
    scatter,
    gather,
    all_gather,
    reduce_scatter,
    all_reduce,
    all_to_all,
    send,                 ///< one message, from the root to the peer
    exchange,             ///< two messages, between the root and the peer
    permute,              ///< every node n sends one message to permutation[n]
    matrix_transpose,     ///< element (r, c) goes to (c, r)
    matrix_quarter_turn,  ///< element (r, c) goes to (c, rows - 1 - r)
    matrix_half_turn,     ///< element (r, c) goes to (rows - 1 - r, columns - 1 - c)
    matrix_relayout,      ///< element (r, c) stays (r, c), and its row goes to the node that `to` says
};
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
    nobody,  ///< no one node: a sum has no origin, what all nodes get has no target
    root,
    peer,
    ends,     ///< the root and the peer
    partner,  ///< a target that follows from the origin: the other end, or permutation[origin]
    all,      ///< every node
};

/// How much a node holds that holds anything.
enum class Share : std::uint8_t {
    message,           ///< one message
    message_per_node,  ///< a message for every node, or from every node
    elements,          ///< its share of a matrix
};

struct Holding {
    Who nodes = Who::all;
    Share share = Share::message;
};

/// How a matrix' elements change places.
enum class Turn : std::uint8_t { none, transpose, quarter, half };

/// All that the rest of dcube asks of a collective; there is one row of these for each.
struct CollectiveTraits {
    std::string_view name;                      ///< "all-to-all"
    std::array<std::string_view, 2> aliases{};  ///< the papers' names; empty ones do not count
    Who origin = Who::all;                      ///< of a message; nobody: messages are sums
    Who target = Who::all;                      ///< of a message; nobody: every node gets it
    Holding before{};
    Holding after{};
    Turn turn = Turn::none;  ///< matrices
    /// What happens, as a report says it: a format string with the named arguments that cli/text/describe.cpp gives.
    std::string_view sentence{};
};
const CollectiveTraits& traits(Collective collective);

/// "all-to-all". Parsing also takes the papers' names ("total exchange" or "total-exchange"); it throws
/// InvalidArgument.
std::string_view name(Collective collective);
Collective parse_collective(std::string_view text);

/// Messages are combined: reduce, reduce-scatter and all-reduce.
bool is_reduction(Collective collective);
/// One node is the origin or the target of all messages: broadcast, reduce, scatter and gather.
bool has_root(Collective collective);
/// The problem names a peer, and the root is the other end: send and exchange.
bool has_peer(Collective collective);
/// The problem names a permutation.
bool has_permutation(Collective collective);
/// Every message has one origin and one target that follows from it: send, exchange and permute.
bool is_point_to_point(Collective collective);
/// The matrix_ collectives.
bool is_matrix(Collective collective);

}  // namespace dcube
