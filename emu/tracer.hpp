#pragma once
// Tracer: knows whose bytes every stretch of every node's memory holds, because it follows them: labels travel with the
// bytes that are sent and received, and become labels of sums where bytes are combined. So a trace shows what really
// moved, not what a program claims to have moved.

#include "base/cache_line.hpp"
#include "emu/byte_stream.hpp"

#include <dcube/machine.hpp>
#include <dcube/trace.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace dcube::detail {

using Pieces = std::vector<Piece>;
using Parts = std::span<const std::span<const std::byte>>;

class MemoryLabels {
public:
    // Labels as many bytes from `begin` anew. Pieces that do not cover them leave the rest without a label.
    void write(const std::byte* begin, const Pieces& pieces, std::size_t bytes);

    // The node's own bytes of this label are now there. From now on it is noticed if anything else changes them; the
    // contributors of the sum are unknown then.
    void keep(std::span<const std::byte> bytes);

    // The labels of a packet's bytes. Empty unless all are labelled.
    [[nodiscard]] Pieces read(Parts parts);

    // Whether anything else was found to have changed bytes of a sum.
    [[nodiscard]] bool changed() const { return changed_; }

private:
    struct Labelled {
        std::size_t bytes;
        Piece piece;
        std::shared_ptr<const std::byte> kept;  // the bytes' former values; for sums with known contributors
    };

    void erase(const std::byte* begin, std::size_t bytes);
    bool read(std::span<const std::byte> bytes, Pieces& pieces);
    static Labelled part(const Labelled& whole, std::size_t skipped, std::size_t bytes);

    std::map<const std::byte*, Labelled> labels_;
    bool changed_ = false;
};

class Tracer {
public:
    // Traces the nodes of this range.
    Tracer(const Topology& topology, NodeRange own, std::uint64_t directed_links, std::size_t channel_places,
           const RunOptions& options);

    // The least memory that a tracer takes; the labels come on top.
    static std::uint64_t bytes(const Topology& topology, std::uint64_t directed_links, std::size_t channel_places);

    // Called by the worker that runs the node. `link` numbers directed links.
    void sent(std::uint64_t link, Transmission transmission, Parts parts);
    void received(NodeId node, std::uint64_t link, Parts into);
    void copied(NodeId node, std::span<const std::byte> into, std::span<const std::byte> from);

    // The same for sums, before the bytes of `into` change.
    void received_sum(NodeId node, std::uint64_t link, std::span<const std::byte> into,
                      std::span<const std::byte> base);
    void combined(NodeId node, std::span<const std::byte> into, std::span<const std::byte> base,
                  std::span<const std::byte> from);

    // After each of these, when the node's own bytes have been written.
    void written(NodeId node, std::span<const std::byte> into) { labels_[node].keep(into); }

    // Writes whose bytes the newest packet on the link carries, for the rank that it goes to; and notes the same for a
    // packet that has come from another rank.
    void write_newest(std::uint64_t link, ValueWriter& message) const;
    void note_arrival(std::uint64_t link, ValueReader& message);

    // Hands the step's transmissions to the sink, sorted by node and port.
    void flush(World& world);

private:
    struct Sent {
        Transmission transmission;
        Pieces pieces;
    };
    // The labels of the packets in a channel: a ring like the channel's own.
    struct UnderWay {
        std::vector<Pieces> ring;
        std::size_t sent = 0;
        alignas(cache_line) std::size_t received = 0;  // the receiver's
    };

    const Pieces& arrived(std::uint64_t link);
    static void forget_sums(Pieces& pieces);
    std::vector<Sent> take_sent();
    void hand_over(std::vector<Sent>& sent);

    const TraceSink* sink_;
    std::vector<MemoryLabels> labels_;     // by node, of its memory
    std::vector<std::vector<Sent>> sent_;  // by every node in the running step
    std::vector<UnderWay> under_way_;      // on every directed link
    bool sums_are_known_ = true;           // until a program is seen to change them by itself
};

}  // namespace dcube::detail
