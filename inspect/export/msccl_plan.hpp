#pragma once
// A recording as MSCCL's steps: what every thread block of every GPU does, one step after the other.

#include "run/recording.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace dcube {

// MSCCL's view of a collective: buffers of chunks.

/// A chunk in one of a node's buffers.
struct ChunkPlace {
    char buffer = 'i';  ///< i: input, o: output, s: scratch
    std::uint64_t offset = 0;

    friend bool operator==(const ChunkPlace&, const ChunkPlace&) = default;
};

/// The layout of a recording's messages in the input and output buffers, cut into the largest equal chunks of which all
/// pieces are whole multiples. Throws InvalidArgument for collectives that MSCCL does not support.
class MscclChunks {
public:
    explicit MscclChunks(const Recording& recording);

    /// "allgather"
    [[nodiscard]] std::string_view collective() const { return name_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }            ///< per chunk
    [[nodiscard]] std::uint64_t of_message() const { return of_message_; }  ///< chunks
    [[nodiscard]] std::uint64_t inputs() const { return input_messages_ * of_message_; }
    [[nodiscard]] std::uint64_t outputs() const { return output_messages_ * of_message_; }
    [[nodiscard]] std::uint64_t per_loop() const { return std::max(inputs(), outputs()); }

    /// The place where the message's origin has a chunk of it.
    [[nodiscard]] ChunkPlace input(const Piece& piece, std::uint64_t chunk) const;
    /// The place where a node that is to have a chunk of a message in the end has it.
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

/// A step of a GPU's thread block.
struct StepOf {
    std::uint32_t block;
    std::uint32_t step;

    friend auto operator<=>(const StepOf&, const StepOf&) = default;
};

struct MscclStep {
    enum class Type : std::uint8_t { send, receive, receive_reduce, copy, nothing };

    Type type = Type::nothing;
    ChunkPlace from{};  ///< the sender's; of receive_reduce the receiver's, whose chunks are added to what arrives
    ChunkPlace to{};    ///< the receiver's
    std::uint64_t count = 0;            ///< chunks
    Step sent_in = 0;                   ///< for send: the schedule's step
    std::optional<StepOf> waits_for{};  ///< a step of the same GPU
    bool waited_for = false;
};

/// Does its steps in order: sends to one node, or receives from it.
struct MscclBlock {
    std::optional<NodeId> peer{};  ///< none: it only copies
    std::vector<MscclStep> steps{};
};

struct MscclGpu {
    std::vector<MscclBlock> blocks{};  ///< for each port one that sends and one that receives, then one for copies
    std::uint64_t scratch = 0;         ///< chunks
};

/// Indices into MscclGpu::blocks.
constexpr std::uint32_t sender_block(Port port)
{
    return 2 * port;
}
constexpr std::uint32_t receiver_block(Port port)
{
    return 2 * port + 1;
}

/// A chunk that arrives is never written over: it goes to the output, or to scratch places of its own. So a step waits
/// only for the steps that made its input. Sends and receives of a port have blocks of their own, so that no two nodes
/// can wait for each other's room, however little of it there is. Throws InvalidArgument if a node sends a sum that it
/// does not get by adding up chunks as they arrive.
std::vector<MscclGpu> msccl_plan(const Recording& recording, const MscclChunks& chunks);

}  // namespace dcube
