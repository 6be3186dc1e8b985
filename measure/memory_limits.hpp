#pragma once
// How fast memory can be copied: contiguous, and in blocks that are scattered.

#include "measure/effort.hpp"
#include "measure/limits.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace dcube::measure {

struct Host;

/// What is measured with so many threads, in bytes; ascending.
struct MemorySizes {
    std::vector<std::uint64_t> copies;        ///< working sets of contiguous copies: powers of two from 8 KiB a thread
    std::vector<std::uint64_t> working_sets;  ///< of scattered blocks: in the cores' own caches, in the last, beyond it
    std::vector<std::uint64_t> blocks;        ///< powers of two from 8 bytes to 4 KiB
};

/// The largest working sets are at least four times all of the machine's cache of the last level, if `most_bytes`
/// allows it.
MemorySizes memory_sizes(const Host& host, unsigned threads, std::uint64_t most_bytes);

/// memcpy from one half of the working set to the other, in pieces of at most 64 KiB, as packets are. Every thread has
/// a stretch of its own, and has touched it first.
std::vector<CopyRate> copy_rates(Team& team, std::span<const std::uint64_t> working_sets, const Effort& effort);

/// Blocks from random places of one half of a thread's stretch to random places of the other. The order is prepared
/// before, and the next blocks are prefetched. Blocks are powers of two from 8 to 4096 bytes; a thread's
/// half is made a power of two too, of at least 4096 bytes, and the working set is reported as it then is.
std::vector<BlockRate> block_rates(Team& team, std::span<const std::uint64_t> working_sets,
                                   std::span<const std::uint64_t> blocks, const Effort& effort);

}  // namespace dcube::measure
