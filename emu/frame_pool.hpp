#pragma once
// FramePool: the memory of one node's coroutine frames. Frames come and go with sub-tasks; a freed one is kept for the
// next of its size, so that a program in its steady state allocates nothing.

#include <cstddef>

namespace dcube::detail {

class FramePool {
public:
    FramePool() = default;
    FramePool(const FramePool&) = delete;
    FramePool& operator=(const FramePool&) = delete;
    ~FramePool();

    void* allocate(std::size_t bytes);
    static void release(void* frame) noexcept;

    // Destroys the coroutines that are still suspended, the newest first.
    void destroy_live_frames() noexcept;

private:
    struct alignas(std::max_align_t) Header {  // stands before every frame
        FramePool* pool;
        std::size_t bytes;
        Header* newer;  // in the list of live frames
        Header* older;  // in the list of live frames, or of free ones
    };

    Header* take_free(std::size_t bytes);

    Header* newest_ = nullptr;
    Header* free_ = nullptr;
};

}  // namespace dcube::detail
