#include "emu/frame_pool.hpp"

#include "emu/poison.hpp"

#include <algorithm>
#include <bit>
#include <coroutine>
#include <cstring>

namespace dcube::detail {

FramePool::~FramePool()
{
    destroy_live_frames();
}

std::size_t FramePool::class_of(std::size_t bytes)
{
    if (bytes <= fine_classes * fine_step)
        return bytes == 0 ? 0 : (bytes - 1) / fine_step;
    return fine_classes + static_cast<std::size_t>(std::bit_width(bytes - 1));
}

std::size_t FramePool::room_of(std::size_t size_class)
{
    return size_class < fine_classes ? (size_class + 1) * fine_step : std::size_t{1} << (size_class - fine_classes);
}

// Frames come from slabs, because there may be millions of nodes.
FramePool::Header* FramePool::make(std::size_t size_class)
{
    constexpr std::size_t least_slab = std::size_t{4} << 10;
    constexpr std::size_t largest_slab = std::size_t{1} << 20;
    const std::size_t lines = (sizeof(Header) + room_of(size_class)) / sizeof(Line);
    if (left_ < lines) {
        const std::size_t usual =
            std::clamp(least_slab << std::min<std::size_t>(slabs_.size(), 8), least_slab, largest_slab) / sizeof(Line);
        const std::size_t made = std::max(lines, usual);
        slabs_.push_back(std::make_unique_for_overwrite<Line[]>(made));
        left_ = made;
        next_ = slabs_.back().get();
    }
    auto* const header = reinterpret_cast<Header*>(next_);
    next_ += lines;
    left_ -= lines;
    return new (header) Header{this, nullptr, nullptr, static_cast<std::uint32_t>(size_class), 0};
}

void* FramePool::allocate(std::size_t bytes)
{
    const std::size_t size_class = class_of(bytes);
    Header* header = free_[size_class];
    if (header) {
        free_[size_class] = header->older;
        unpoison(header + 1, room_of(size_class));
    } else {
        header = make(size_class);
    }
    ++header->serial;
    header->newer = nullptr;
    header->older = newest_;
    if (newest_)
        newest_->newer = header;
    newest_ = header;
    return header + 1;
}

void FramePool::release(void* frame) noexcept
{
    Header* const header = static_cast<Header*>(frame) - 1;
    FramePool& pool = *header->pool;
    (header->newer ? header->newer->older : pool.newest_) = header->older;
    if (header->older)
        header->older->newer = header->newer;
    ++header->serial;
    header->older = pool.free_[header->size_class];
    pool.free_[header->size_class] = header;
    if (pool.scribbles_)
        std::memset(frame, 0xdd, room_of(header->size_class));
    poison(frame, room_of(header->size_class));
}

std::uint32_t FramePool::serial(const void* frame)
{
    return (static_cast<const Header*>(frame) - 1)->serial;
}

void FramePool::destroy_live_frames() noexcept
{
    while (newest_)
        std::coroutine_handle<>::from_address(newest_ + 1).destroy();
}

}  // namespace dcube::detail
