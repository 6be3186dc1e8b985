#pragma once
// Tracer: knows whose bytes every stretch of every node's memory holds, because it follows them: labels travel with the
// bytes that are sent and received. So a trace tells what moved, not what a program says that it moved.

#include <dcube/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace dcube::detail {

class Tracer {
public:
    Tracer(const Topology& topology, std::uint64_t directed_links, std::size_t channel_places,
           const RunOptions& options);

    // What it takes at least; the labels come on top.
    static std::size_t bytes(const Topology& topology, std::uint64_t directed_links, std::size_t channel_places);

    // Called by the worker that runs the node. `link` numbers directed links.
    using Parts = std::span<const std::span<const std::byte>>;
    void sent(std::uint64_t link, Transmission transmission, Parts parts);
    void received(NodeId node, std::uint64_t link, Parts into);
    void copied(NodeId node, std::span<const std::byte> into, std::span<const std::byte> from);

    // Hands the step's transmissions to the sink, sorted by node and port.
    void flush();

private:
    struct Labelled {
        std::size_t bytes;
        Piece piece;
    };
    using Labels = std::map<const std::byte*, Labelled>;
    using Pieces = std::vector<Piece>;
    struct Sent {
        Transmission transmission;
        Pieces pieces;
    };
    // The labels of the packets in a channel: a ring like the channel's own.
    struct UnderWay {
        std::vector<Pieces> ring;
        std::size_t sent = 0;
        alignas(64) std::size_t received = 0;  // the receiver's
    };

    static void write(Labels& labels, const std::byte* begin, const Pieces& pieces, std::size_t bytes);
    static void erase(Labels& labels, const std::byte* begin, std::size_t bytes);
    static Pieces read(const Labels& labels, Parts parts);
    static bool read(const Labels& labels, std::span<const std::byte> bytes, Pieces& pieces);
    static Pieces take(const Pieces& pieces, std::size_t offset, std::size_t bytes);

    const TraceSink* sink_;
    std::vector<Labels> labels_;           // of every node's memory
    std::vector<std::vector<Sent>> sent_;  // by every node in the running step
    std::vector<UnderWay> under_way_;      // on every directed link
};

}  // namespace dcube::detail
