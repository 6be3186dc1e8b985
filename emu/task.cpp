#include "emu/engine.hpp"
#include "emu/frame_pool.hpp"

#include <dcube/task.hpp>

namespace dcube::detail {

void* allocate_frame(Node& node, std::size_t bytes)
{
    return NodeState::of(node).chunk->frames().allocate(bytes);
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
