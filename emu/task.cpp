#include "emu/engine.hpp"
#include "emu/frame_pool.hpp"

#include <dcube/task.hpp>

#include <cstdlib>
#include <new>

namespace dcube::detail {

FramePool::~FramePool()
{
    destroy_live_frames();
    while (free_) {
        Header* const header = free_;
        free_ = header->older;
        std::free(header);
    }
}

// A program has a handful of frame sizes, so a list is searched faster than anything cleverer.
FramePool::Header* FramePool::take_free(std::size_t bytes)
{
    for (Header** link = &free_; *link; link = &(*link)->older) {
        if ((*link)->bytes == bytes) {
            Header* const header = *link;
            *link = header->older;
            return header;
        }
    }
    return nullptr;
}

void* FramePool::allocate(std::size_t bytes)
{
    Header* header = take_free(bytes);
    if (!header)
        header = static_cast<Header*>(std::malloc(sizeof(Header) + bytes));
    if (!header)
        throw std::bad_alloc();
    *header = {this, bytes, nullptr, newest_};
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
    header->older = pool.free_;
    pool.free_ = header;
}

void FramePool::destroy_live_frames() noexcept
{
    while (newest_)
        std::coroutine_handle<>::from_address(newest_ + 1).destroy();
}

void* allocate_frame(Node& node, std::size_t bytes)
{
    return NodeState::of(node).frames.allocate(bytes);
}

void release_frame(void* frame) noexcept
{
    FramePool::release(frame);
}

void enter_task(Task::Handle awaiting, Task::Handle entered) noexcept
{
    entered.promise().awaiting = awaiting;
    NodeState::of(*awaiting.promise().node).innermost = entered;
}

void leave_task(Task::Handle ended) noexcept
{
    NodeState::of(*ended.promise().node).innermost = ended.promise().awaiting;
}

}  // namespace dcube::detail
