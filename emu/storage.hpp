#pragma once
// Storage: memory of the nodes for packets under way, for the time of a run.

#include <dcube/memory.hpp>

#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace dcube::detail {

class Storage {
public:
    // Aligned to 64 bytes. Throws std::bad_alloc if the sum overflows.
    std::span<std::byte> allocate(std::size_t bytes);

    // Pieces of equal size for every one of `nodes` nodes, the first pieces of all nodes first: of the whole, for
    // whoever asks with the same numbers.
    std::span<std::byte> interleaved(std::size_t nodes, std::size_t pieces, std::size_t bytes);

    // Forgets all that was handed out; the memory is kept for the next run.
    void reset();

private:
    std::mutex mutex_;
    std::vector<Memory> chunks_;
    std::size_t chunk_ = 0;
    std::size_t used_ = 0;  // of the chunk
    std::map<std::pair<std::size_t, std::size_t>, Memory> interleaved_;
};

}  // namespace dcube::detail
