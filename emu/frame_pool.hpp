#pragma once
// FramePool: the memory of the coroutine frames of a chunk of nodes, by size classes. A freed frame is kept for the
// next of its class, so that a program in its steady state allocates nothing.
//
// Frames and their headers consist of lines of 64 bytes. Compilers assume that a frame is aligned as its locals demand,
// but do not pass that alignment to operator new (g++ 12, clang 16): so locals may be aligned to a line, and to no more
// (task.hpp).

#include <dcube/task.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace dcube::detail {

class FramePool {
public:
    FramePool() = default;
    FramePool(const FramePool&) = delete;
    FramePool& operator=(const FramePool&) = delete;
    ~FramePool();

    // From now on freed frames are overwritten, so that code that still reads one finds something else.
    void scribble_on_freed() { scribbles_ = true; }

    void* allocate(std::size_t bytes);
    static void release(void* frame) noexcept;

    // The serial number of the memory at `frame`, which changes whenever that memory is handed out or given back. So a
    // handle that remembers the number can tell whether its frame is still there.
    static std::uint32_t serial(const void* frame);

    // Calls visit(frame) for all that are still there.
    template <class Visit>
    void visit_live(const Visit& visit)
    {
        for (Header* header = newest_; header; header = header->older)
            visit(static_cast<void*>(header + 1));
    }
    // Destroys the coroutines that are still suspended, the newest first.
    void destroy_live_frames() noexcept;

private:
    struct alignas(frame_alignment) Header {  // stands before every frame
        FramePool* pool;
        Header* newer;  // in the list of live frames
        Header* older;  // in the list of live frames, or of free ones
        std::uint32_t size_class;
        std::uint32_t serial;
    };

    struct alignas(frame_alignment) Line {
        std::array<std::byte, frame_alignment> bytes;
    };

    static constexpr std::size_t fine_step = frame_alignment;  // sizes up to fine_classes * fine_step
    static constexpr std::size_t fine_classes = 64;
    static constexpr std::size_t classes = fine_classes + 64;  // then powers of two

    static std::size_t class_of(std::size_t bytes);
    static std::size_t room_of(std::size_t size_class);
    Header* make(std::size_t size_class);

    Header* newest_ = nullptr;
    std::array<Header*, classes> free_{};
    std::vector<std::unique_ptr<Line[]>> slabs_;
    Line* next_ = nullptr;  // in the newest slab
    std::size_t left_ = 0;  // lines
    bool scribbles_ = false;
};

}  // namespace dcube::detail
