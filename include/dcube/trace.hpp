#pragma once
/// @file
/// Traces: the transmissions of a run, and whose bytes each of them moves.

#include <dcube/contributors.hpp>
#include <dcube/graph.hpp>
#include <dcube/link.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup judge
/// @{

/// The bytes that a traced packet carries: a stretch of a message. `origin` is empty for a partial sum, `target` if
/// every node gets them.
struct Piece {
    std::optional<NodeId> origin;  ///< the node whose bytes these are
    std::optional<NodeId> target;  ///< the node that they are for
    std::uint64_t offset = 0;      ///< in the message from origin to target
    std::uint64_t length = 0;      ///< in bytes
    /// The contributors of a partial sum; null: unknown. A trace knows what nodes combine with Node::receive and
    /// Node::combine. If a program changes a sum's bytes itself (adds to them by hand, say), contributors of all sums
    /// are unknown from the step on in which these bytes are sent.
    std::shared_ptr<const Contributors> sum_of{};

    /// Contributors of sums are compared where both sides list them.
    friend bool operator==(const Piece& a, const Piece& b)
    {
        return a.origin == b.origin && a.target == b.target && a.offset == b.offset && a.length == b.length &&
               same_sum(a, b);
    }
    /// Whether both are sums of the same nodes' contributions, as far as known.
    friend bool same_sum(const Piece& a, const Piece& b)
    {
        return a.sum_of == b.sum_of || (a.sum_of && b.sum_of && *a.sum_of == *b.sum_of);
    }
};

/// One transmission of a trace.
struct Transmission {
    Step step = 0;                  ///< when; the first is 1
    NodeId from = 0;                ///< the sender
    NodeId to = 0;                  ///< the receiver
    Port port = 0;                  ///< the sender's port
    std::uint64_t bytes = 0;        ///< the packet's
    Time start = 0;                 ///< in ticks, under the link-bound model
    Time end = 0;                   ///< in ticks, when it has arrived
    std::span<const Piece> pieces;  ///< the bytes' pieces, in order; shown until the sink returns
    std::string_view phase{};       ///< the sender's, if it is in one (Node::phase); shown until the sink returns
    bool lost = false;              ///< it was sent over a link that had failed, and does not arrive
};

/// Receives the transmissions of a traced run, sorted by (step, from, port), on one thread at a time.
using TraceSink = std::function<void(const Transmission&)>;

/// A stretch of a node's memory and the piece that it holds when the run starts.
struct Label {
    std::span<const std::byte> bytes;  ///< the stretch
    Piece piece;                       ///< the bytes' piece of a message
};

/// @}

}  // namespace dcube
#pragma GCC visibility pop
