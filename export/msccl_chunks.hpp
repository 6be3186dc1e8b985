#pragma once
// MSCCL's view of a collective: buffers of chunks.

#include "run/recording.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace dcube {

/// A chunk in one of a node's buffers.
struct ChunkPlace {
    char buffer = 'i';  ///< i: input, o: output, s: scratch
    std::uint64_t offset = 0;

    friend bool operator==(const ChunkPlace&, const ChunkPlace&) = default;
};

/// How the messages of a recording lie in the input and output buffers, cut into the largest equal chunks of which all
/// pieces are whole multiples. Throws InvalidArgument for collectives that MSCCL does not know.
class MscclChunks {
public:
    explicit MscclChunks(const Recording& recording);

    /// "allgather"
    [[nodiscard]] std::string_view collective() const { return name_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }            ///< of a chunk
    [[nodiscard]] std::uint64_t of_message() const { return of_message_; }  ///< chunks
    [[nodiscard]] std::uint64_t inputs() const { return input_messages_ * of_message_; }
    [[nodiscard]] std::uint64_t outputs() const { return output_messages_ * of_message_; }
    [[nodiscard]] std::uint64_t per_loop() const { return std::max(inputs(), outputs()); }

    /// Where the node whose message it is has a chunk of its message to `target`.
    [[nodiscard]] ChunkPlace input(const Piece& piece, std::uint64_t chunk) const;
    /// Where a node that is to have a chunk of a message in the end has it.
    [[nodiscard]] ChunkPlace output(const Piece& piece, std::uint64_t chunk) const;
    [[nodiscard]] bool wanted_by(NodeId node, const Piece& piece) const;

private:
    Collective collective_;
    NodeId root_;
    std::string_view name_;
    std::uint64_t input_messages_;
    std::uint64_t output_messages_;
    std::uint64_t bytes_ = 0;
    std::uint64_t of_message_ = 1;
};

}  // namespace dcube
