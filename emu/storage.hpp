#pragma once
// Storage: memory of the nodes for packets under way, for the time of a run.

#include <dcube/memory.hpp>

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace dcube::detail {

class Storage {
public:
    // `limit`: bytes that may be handed out in a run; none: as many as can be had.
    explicit Storage(std::optional<std::size_t> limit = {}) : limit_(limit) {}

    // Aligned to 64 bytes. None if that is more than can be had.
    std::optional<std::span<std::byte>> allocate(std::size_t bytes);

    // Pieces of equal size for every one of `nodes` nodes, the first pieces of all nodes first: of the whole, for
    // whoever asks with the same numbers. None as above.
    std::optional<std::span<std::byte>> interleaved(std::size_t nodes, std::size_t pieces, std::size_t bytes);

    // Forgets all that was handed out; the memory is kept for the next run.
    void reset();

private:
    bool grant(std::size_t bytes);
    [[nodiscard]] bool can_be_had(std::size_t bytes) const;

    std::optional<std::size_t> limit_;
    std::mutex mutex_;
    std::size_t granted_ = 0;  // in this run
    std::vector<Memory> chunks_;
    std::size_t chunk_ = 0;
    std::size_t used_ = 0;  // of the chunk
    std::map<std::pair<std::size_t, std::size_t>, Memory> interleaved_;
};

}  // namespace dcube::detail
