#pragma once
/// Traces: the transmissions of a run, and whose bytes each of them moves.

#include <dcube/graph.hpp>
#include <dcube/link.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

namespace dcube {

/// Whose bytes a traced packet carries. `origin` is empty for a partial sum, `target` where every node gets them.
struct Piece {
    std::optional<NodeId> origin;
    std::optional<NodeId> target;
    std::uint64_t offset = 0;  ///< in the message from origin to target
    std::uint64_t length = 0;

    friend bool operator==(const Piece&, const Piece&) = default;
};

/// One transmission, as a trace tells it.
struct Transmission {
    Step step = 0;
    NodeId from = 0;
    NodeId to = 0;
    Port port = 0;
    std::uint64_t bytes = 0;
    Time start = 0;  ///< in ticks, under the link-bound model
    Time end = 0;
    std::span<const Piece> pieces;
    std::string_view phase{};  ///< the sender's, if it is in one (Node::phase); shown until the sink returns
};

/// Receives the transmissions of a traced run, sorted by (step, from, port), on one thread at a time.
using TraceSink = std::function<void(const Transmission&)>;

/// A stretch of a node's memory and whose bytes it holds when the run starts.
struct Label {
    std::span<const std::byte> bytes;
    Piece piece;
};

}  // namespace dcube
