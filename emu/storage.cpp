#include "emu/storage.hpp"

#include <algorithm>

namespace dcube::detail {

namespace {

// The most bytes of a chunk's stretch beyond what is asked for at once; they are not touched before they are needed.
constexpr std::size_t most_ahead = std::size_t{16} << 20;

std::size_t padded(std::size_t bytes)
{
    constexpr std::size_t alignment = 64;
    return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

bool Storage::grant(std::size_t bytes)
{
    if (!limit_)
        return true;
    for (std::size_t granted = granted_.load(std::memory_order_relaxed); bytes <= *limit_ - granted;)
        if (granted_.compare_exchange_weak(granted, granted + bytes, std::memory_order_relaxed))
            return true;
    return false;
}

bool Storage::can_be_had(std::size_t bytes) const
{
    const bool first = chunks_.empty() && interleaved_.empty();
    return bytes <= PTRDIFF_MAX && (limit_ || (first && assumed_available(bytes)) || bytes <= available_memory());
}

std::optional<std::span<std::byte>> Storage::stretch(std::size_t bytes, std::size_t wanted)
{
    const std::lock_guard lock(mutex_);
    while (chunk_ < chunks_.size() && chunks_[chunk_].bytes().size() - used_ < bytes) {
        ++chunk_;
        used_ = 0;
    }
    if (chunk_ == chunks_.size()) {
        if (!can_be_had(bytes))
            return std::nullopt;
        chunks_.emplace_back(std::max(Memory::ahead(), bytes));
    }
    const std::span<std::byte> rest = chunks_[chunk_].bytes().subspan(used_);
    const std::size_t given = std::min(rest.size(), wanted);
    used_ += given;
    return rest.first(given);
}

std::optional<std::span<std::byte>> Storage::interleaved(std::size_t nodes, std::size_t pieces, std::size_t bytes)
{
    std::size_t all = 0;
    const std::lock_guard lock(mutex_);
    if (__builtin_mul_overflow(pieces, bytes, &all) || __builtin_mul_overflow(all, nodes, &all))
        return std::nullopt;
    if (const auto known = interleaved_.find({pieces, bytes}); known != interleaved_.end())
        return known->second.bytes();
    if (!can_be_had(all))
        return std::nullopt;
    Memory memory(all);  // throws where the system refuses, before anything is noted
    return interleaved_.emplace(std::pair(pieces, bytes), std::move(memory)).first->second.bytes();
}

void Storage::reset()
{
    chunk_ = used_ = 0;
    granted_.store(0, std::memory_order_relaxed);
}

std::optional<std::span<std::byte>> StorageOfChunk::allocate(Storage& storage, std::size_t bytes, std::size_t nodes)
{
    if (bytes > PTRDIFF_MAX || !storage.grant(bytes))
        return std::nullopt;
    const std::size_t needed = padded(std::max<std::size_t>(bytes, 1));
    if (left_.size() < needed) {
        const std::size_t nodes_ahead = std::clamp<std::size_t>(most_ahead / needed, 1, nodes);
        const auto stretch = storage.stretch(needed, needed * nodes_ahead);
        if (!stretch)
            return std::nullopt;
        left_ = *stretch;
    }
    const std::span<std::byte> given = left_.first(bytes);
    left_ = left_.subspan(needed);
    return given;
}

std::optional<std::span<std::byte>> StorageOfChunk::interleaved(Storage& storage, std::size_t nodes, std::size_t pieces,
                                                                std::size_t bytes)
{
    std::size_t share = 0;
    if (__builtin_mul_overflow(pieces, bytes, &share) || !storage.grant(share))
        return std::nullopt;
    if (!last_ || last_->pieces != pieces || last_->bytes != bytes) {
        const auto all = storage.interleaved(nodes, pieces, bytes);
        if (!all)
            return std::nullopt;
        last_ = {pieces, bytes, *all};
    }
    return last_->all;
}

}  // namespace dcube::detail
