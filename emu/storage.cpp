#include "emu/storage.hpp"

#include <algorithm>
#include <new>

namespace dcube::detail {

std::span<std::byte> Storage::allocate(std::size_t bytes)
{
    constexpr std::size_t least_chunk = std::size_t{64} << 20;
    constexpr std::size_t alignment = 64;
    if (bytes > PTRDIFF_MAX)
        throw std::bad_alloc();
    const std::size_t padded = (bytes + alignment - 1) / alignment * alignment;
    const std::scoped_lock lock(mutex_);
    while (chunk_ < chunks_.size() && chunks_[chunk_].bytes().size() - used_ < padded) {
        ++chunk_;
        used_ = 0;
    }
    if (chunk_ == chunks_.size())
        chunks_.emplace_back(std::max(least_chunk, padded));
    const std::span<std::byte> stretch = chunks_[chunk_].bytes().subspan(used_, bytes);
    used_ += padded;
    return stretch;
}

std::span<std::byte> Storage::interleaved(std::size_t nodes, std::size_t pieces, std::size_t bytes)
{
    std::size_t all = 0;
    if (__builtin_mul_overflow(nodes * pieces, bytes, &all) || all > PTRDIFF_MAX)
        throw std::bad_alloc();
    const std::scoped_lock lock(mutex_);
    Memory& memory = interleaved_[{pieces, bytes}];
    if (memory.bytes().empty())
        memory = Memory(all);
    return memory.bytes();
}

void Storage::reset()
{
    chunk_ = used_ = 0;
}

}  // namespace dcube::detail
