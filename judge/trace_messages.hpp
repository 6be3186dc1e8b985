#pragma once
// TraceMessages: messages as the pieces of a trace name them, by origin and target, of which the collective fixes some.

#include "judge/trace_line.hpp"

#include <dcube/collective.hpp>
#include <dcube/matrix.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>
#include <dcube/trace.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dcube {

/// The bytes [begin, end) of a message, all of which one of its packets has.
struct PacketBytes {
    std::uint64_t message;  ///< its number
    std::uint64_t packet;
    std::uint64_t begin;
    std::uint64_t end;
};

/// Numbers the messages of a problem and cuts them into packets: a key stands for one packet of one message.
class TraceMessages {
public:
    TraceMessages(const Problem& problem, const Topology& topology);

    /// Fills in what a piece leaves out and the collective determines: the only possible origin or target, and the
    /// length up to the end of the message.
    void complete(Piece& piece) const;

    /// Throws TraceError unless the piece is a stretch of a message that the collective has, and "sum_of" a set of
    /// nodes, which only sums may have.
    void require_valid(const Record& record, const Piece& piece) const;

    [[nodiscard]] std::uint64_t count() const { return origins_ * targets_; }
    /// The packets of a message of most bytes; a packet of a matrix is a whole message.
    [[nodiscard]] std::uint64_t packets() const { return packets_; }
    /// The packets of one message.
    [[nodiscard]] std::uint64_t packets_of_message(std::uint64_t number) const
    {
        return length(number) == 0 ? 0 : (length(number) - 1) / packet_bytes_ + 1;
    }
    [[nodiscard]] PacketBytes whole_packet(std::uint64_t number, std::uint64_t packet) const;
    /// Whether a node has to send this message: it has bytes, and leads from a node to another, none of them missing.
    [[nodiscard]] bool is_sent(std::uint64_t number) const;
    /// The piece that is these bytes.
    [[nodiscard]] Piece piece(const PacketBytes& bytes) const;
    /// Whether a message is for one node, which is then its target().
    [[nodiscard]] bool has_target() const { return target_ != Who::nobody; }

    /// Calls `work` with the part of a valid piece that lies in each packet, as PacketBytes.
    template <class Work>
    void visit_packets(const Piece& piece, const Work& work) const
    {
        const std::uint64_t message = number(piece);
        const std::uint64_t end = piece.offset + piece.length;
        for (std::uint64_t at = piece.offset; at < end;) {
            const std::uint64_t packet = at / packet_bytes_;
            const std::uint64_t stop = std::min(end, (packet + 1) * packet_bytes_);
            work(PacketBytes{message, packet, at, stop});
            at = stop;
        }
    }

    /// One number for a node and a packet, below nodes x count() x packets().
    [[nodiscard]] std::uint64_t key(NodeId node, const PacketBytes& bytes) const
    {
        return (node * count() + bytes.message) * packets_ + bytes.packet;
    }

    /// The origin of a message: the root if no node is named.
    [[nodiscard]] NodeId origin(std::uint64_t number) const;
    /// The target of a message, if that is one node.
    [[nodiscard]] NodeId target(std::uint64_t number) const;

    /// The numbers of the messages or sums that `node` must hold in the end; not for point-to-point collectives.
    [[nodiscard]] std::vector<std::uint64_t> held_by(NodeId node) const;

    /// Says which message that is: "the message from node 3 to node 5".
    [[nodiscard]] std::string describe(std::uint64_t number) const;

private:
    /// The number of a valid piece's message.
    [[nodiscard]] std::uint64_t number(const Piece& piece) const;
    /// The message's length in bytes; those of a matrix, and uneven ones, have different lengths, and some of them
    /// none.
    [[nodiscard]] std::uint64_t length(std::uint64_t number) const;
    void require_contributors(const Record& record, const Piece& piece) const;
    [[nodiscard]] bool fits(Who end, std::optional<NodeId> given, NodeId origin) const;
    [[nodiscard]] std::string allowed(Who end, NodeId origin) const;
    [[nodiscard]] NodeId target_of(NodeId origin) const;
    [[nodiscard]] std::vector<std::uint64_t> from_all_to(NodeId node) const;

    Problem problem_;
    Who origin_;
    Who target_;
    Topology topology_;
    std::uint64_t origins_;
    std::uint64_t targets_;
    std::uint64_t length_;
    std::uint64_t packets_;
    std::uint64_t packet_bytes_;
    std::optional<MatrixMove> move_;
};

}  // namespace dcube
