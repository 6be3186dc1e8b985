#pragma once
// TraceMessages as the pieces of a trace name them: by origin and target, of which a collective fixes some.

#include "judge/trace_reader.hpp"

#include <dcube/matrix.hpp>
#include <dcube/problem.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dcube {

/// Numbers the messages of a problem and cuts them into packets: a key stands for one packet of one message.
class TraceMessages {
public:
    TraceMessages(const Problem& problem, const Topology& topology);

    /// Throws TraceError unless the piece is a stretch of a message that the collective has.
    void require_valid(const Record& record, const Record::Piece& piece) const;

    /// Valid pieces only.
    [[nodiscard]] std::uint64_t number(const Record::Piece& piece) const;

    [[nodiscard]] std::uint64_t count() const { return origins_ * targets_; }
    /// In bytes; the messages of a matrix may have different lengths, and some of them none.
    [[nodiscard]] std::uint64_t length(std::uint64_t number) const;
    /// Of a message of most bytes; a packet of a matrix is a whole message.
    [[nodiscard]] std::uint64_t packets() const { return packets_; }
    [[nodiscard]] std::uint64_t packet_bytes() const { return packet_bytes_; }

    /// Where a message comes from: the root if no node is named.
    [[nodiscard]] NodeId origin(std::uint64_t number) const;
    /// Where it ends, if that is one node.
    [[nodiscard]] NodeId target(std::uint64_t number) const;

    /// The numbers of the messages that `node` must hold in the end, of collectives that move whole sets of them: not
    /// for reductions and point-to-point ones.
    [[nodiscard]] std::vector<std::uint64_t> held_by(NodeId node) const;

    /// Says which message that is: "the message from node 3 to node 5".
    [[nodiscard]] std::string describe(std::uint64_t number) const;

private:
    [[nodiscard]] bool fits(Who end, std::optional<NodeId> given, NodeId origin) const;
    [[nodiscard]] std::string allowed(Who end, NodeId origin) const;
    [[nodiscard]] NodeId target_of(NodeId origin) const;
    [[nodiscard]] std::vector<std::uint64_t> from_all_to(NodeId node) const;

    Problem problem_;
    Who origin_;
    Who target_;
    NodeId nodes_;
    std::uint64_t origins_;
    std::uint64_t targets_;
    std::uint64_t length_;
    std::uint64_t packets_;
    std::uint64_t packet_bytes_;
    std::optional<MatrixMove> move_;
};

}  // namespace dcube
