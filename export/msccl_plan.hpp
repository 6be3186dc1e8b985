#pragma once
// A recording as MSCCL's steps: what every thread block of every GPU does, one step after the other.

#include "export/msccl_chunks.hpp"
#include "run/recording.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace dcube {

/// A step of a GPU's thread block.
struct StepOf {
    std::uint32_t block;
    std::uint32_t step;

    friend auto operator<=>(const StepOf&, const StepOf&) = default;
};

struct MscclStep {
    enum class Type : std::uint8_t { send, receive, receive_reduce, copy, nothing };

    Type type = Type::nothing;
    ChunkPlace from{};
    ChunkPlace to{};
    std::uint64_t count = 0;            ///< chunks
    std::optional<StepOf> waits_for{};  ///< of the same GPU
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

/// What arrives is never written over: it goes to the output, or to scratch places of its own. So a step waits only
/// for those that made what it reads. Sends and receives of a port have blocks of their own, so that no two nodes can
/// wait for each other's room, however little of it there is. Throws InvalidArgument where a node sends a sum that it
/// does not get by adding up what arrives as it arrives.
std::vector<MscclGpu> msccl_plan(const Recording& recording, const MscclChunks& chunks);

}  // namespace dcube
