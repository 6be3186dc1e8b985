#include "emu/storage.hpp"

#include <algorithm>
#include <cstdint>

namespace dcube::detail {

bool Storage::grant(std::size_t bytes)
{
    if (limit_ && bytes > *limit_ - granted_)
        return false;
    granted_ += bytes;
    return true;
}

bool Storage::can_be_had(std::size_t bytes) const
{
    return bytes <= PTRDIFF_MAX && (limit_ || bytes <= available_memory());
}

std::optional<std::span<std::byte>> Storage::allocate(std::size_t bytes)
{
    constexpr std::size_t least_chunk = std::size_t{64} << 20;
    constexpr std::size_t alignment = 64;
    const std::scoped_lock lock(mutex_);
    if (bytes > PTRDIFF_MAX || !grant(bytes))
        return std::nullopt;
    const std::size_t padded = (bytes + alignment - 1) / alignment * alignment;
    while (chunk_ < chunks_.size() && chunks_[chunk_].bytes().size() - used_ < padded) {
        ++chunk_;
        used_ = 0;
    }
    if (chunk_ == chunks_.size()) {
        if (!can_be_had(padded))
            return std::nullopt;
        chunks_.emplace_back(std::max(least_chunk, padded));
    }
    const std::span<std::byte> stretch = chunks_[chunk_].bytes().subspan(used_, bytes);
    used_ += padded;
    return stretch;
}

std::optional<std::span<std::byte>> Storage::interleaved(std::size_t nodes, std::size_t pieces, std::size_t bytes)
{
    std::size_t share = 0;
    std::size_t all = 0;
    const std::scoped_lock lock(mutex_);
    if (__builtin_mul_overflow(pieces, bytes, &share) || __builtin_mul_overflow(share, nodes, &all) || !grant(share))
        return std::nullopt;
    const auto [place, is_new] = interleaved_.try_emplace({pieces, bytes});
    Memory& memory = place->second;
    if (is_new) {
        if (!can_be_had(all)) {
            interleaved_.erase(place);
            return std::nullopt;
        }
        memory = Memory(all);
    }
    return memory.bytes();
}

void Storage::reset()
{
    chunk_ = used_ = granted_ = 0;
}

}  // namespace dcube::detail
