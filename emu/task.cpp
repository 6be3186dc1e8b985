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

TaskLink task_link(TaskHandle made)
{
    return {made, made.promise().node, FramePool::serial(made.address())};
}

// Another node's frame is not looked at: its chunk may be running.
const char* refusal(const TaskLink& task, const Node& node) noexcept
{
    if (&NodeState::of(*task.node) != &NodeState::of(node))
        return "the task is another node's";
    if (FramePool::serial(task.handle.address()) != task.serial)
        return "the task has ended";
    if (task.handle.promise().begun)
        return "the task has begun already";
    return nullptr;
}

const char* enter_task(TaskHandle awaiting, const TaskLink& task) noexcept
{
    Node& node = *awaiting.promise().node;
    if (const char* const why = refusal(task, node)) [[unlikely]]
        return why;
    Promise& promise = task.handle.promise();
    promise.begun = true;
    promise.awaiting = awaiting;
    NodeState::of(node).innermost = task.handle;
    return nullptr;
}

void throw_not_entered(const Node& awaiting, const char* why)
{
    NodeState::of(awaiting).throw_violation(Rule::no_such_task, RuleViolation::no_port, why);
}

void leave_task(TaskHandle ended) noexcept
{
    NodeState::of(*ended.promise().node).innermost = ended.promise().awaiting;
}

}  // namespace dcube::detail
