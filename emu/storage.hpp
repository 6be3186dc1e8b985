#pragma once
// Storage: memory of the nodes for packets under way, for the time of a run.

#include "base/memory.hpp"
#include "base/threads.hpp"

#include <atomic>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace dcube::detail {

class Storage {
public:
    // `limit`: bytes that may be handed out in a run; none: as many as can be had.
    explicit Storage(std::optional<std::size_t> limit = {}) : limit_(limit) {}

    // Books bytes that are handed out to a node. False if the limit does not allow them.
    bool grant(std::size_t bytes);

    // A stretch of at least `bytes` and at most `wanted`, both multiples of 64, aligned to 64 bytes. None if the memory
    // cannot be had. Nothing is booked.
    std::optional<std::span<std::byte>> stretch(std::size_t bytes, std::size_t wanted);

    // Pieces of equal size for each of `nodes` nodes, the first pieces of all nodes first. Returns the whole area, the
    // same one to every caller with the same numbers for as long as this object lives. None if that is more than can be
    // had. Nothing is booked.
    std::optional<std::span<std::byte>> interleaved(std::size_t nodes, std::size_t pieces, std::size_t bytes);

    // Forgets all that was handed out; the memory is kept for the next run.
    void reset();

private:
    [[nodiscard]] bool can_be_had(std::size_t bytes) const;

    std::optional<std::size_t> limit_;
    std::atomic<std::size_t> granted_{0};  // in this run, if there is a limit
    Mutex mutex_;
    std::vector<Memory> chunks_;
    std::size_t chunk_ = 0;
    std::size_t used_ = 0;  // bytes of that chunk
    std::map<std::pair<std::size_t, std::size_t>, Memory> interleaved_;
};

// A chunk's part of the storage, from which its nodes get theirs without a lock. It is contiguous, so that its pages
// are first touched by the worker that runs the chunk, and lie in that worker's memory (NUMA) where there are several.
// That holds for a machine's first run; later runs hand out the same memory, in the order in which chunks ask for it.
class StorageOfChunk {
public:
    // Aligned to 64 bytes. `nodes`: the number of nodes in the chunk, each of which is expected to ask for as much.
    // None if that is more than can be had.
    std::optional<std::span<std::byte>> allocate(Storage& storage, std::size_t bytes, std::size_t nodes);
    // The area for all `nodes` nodes of this rank, as from Storage::interleaved(); the pieces of one node are booked.
    std::optional<std::span<std::byte>> interleaved(Storage& storage, std::size_t nodes, std::size_t pieces,
                                                    std::size_t bytes);
    void reset() { left_ = {}; }

private:
    struct Interleaved {
        std::size_t pieces;
        std::size_t bytes;
        std::span<std::byte> all;
    };

    std::span<std::byte> left_;
    std::optional<Interleaved> last_;  // the one last asked for, in any run
};

}  // namespace dcube::detail
