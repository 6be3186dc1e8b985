#pragma once
/// @file
/// Task: the coroutine that a node runs, and the sub-tasks that it awaits.

#include <concepts>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup program
/// @{

class Node;

template <class Value>
class TaskOf;

/// The return type of every program, and of sub-tasks that have no result.
using Task = TaskOf<void>;

namespace detail {

// The largest alignment of a coroutine's locals and parameters.
inline constexpr std::size_t frame_alignment = 64;

void* allocate_frame(Node& node, std::size_t bytes);
void release_frame(void* frame) noexcept;

/// The Node among a coroutine's parameters (a lambda's closure or an object may stand before it).
template <class First, class... Rest>
Node& node_among(First& first, Rest&... rest)
{
    if constexpr (std::is_same_v<First, Node>) {
        return first;
    } else {
        static_assert(sizeof...(Rest) > 0, "a function that returns dcube::Task takes a dcube::Node& parameter");
        return node_among(rest...);
    }
}

struct Promise;
using TaskHandle = std::coroutine_handle<Promise>;

inline TaskHandle task_handle(std::coroutine_handle<> task)
{
    return TaskHandle::from_address(task.address());
}

// A task runs when it is awaited, and hands control back to the machine, which resumes the task that awaited it: no
// coroutine resumes another, so the stack stays flat in every build (see ARCHITECTURE.md).
void leave_task(TaskHandle ended) noexcept;

// The common part of all tasks' promises, at the same place in every frame.
struct Promise {
    Node* node;
    TaskHandle awaiting{};  // the task that awaits this one; null for a node's program
    std::exception_ptr error{};
    bool begun = false;

    template <class... Parameters>
    explicit Promise(Parameters&... parameters) : node(&node_among(parameters...))
    {
    }

    template <class... Parameters>
    static void* operator new(std::size_t bytes, Parameters&... parameters)
    {
        static_assert(((alignof(Parameters) <= frame_alignment) && ...),
                      "a parameter is aligned to more than 64 bytes");
        return allocate_frame(node_among(parameters...), bytes);
    }
    static void operator delete(void* frame) { release_frame(frame); }

    struct Ended {
        static bool await_ready() noexcept { return false; }
        static void await_suspend(std::coroutine_handle<> ended) noexcept { leave_task(task_handle(ended)); }
        static void await_resume() noexcept {}
    };

    static std::suspend_always initial_suspend() noexcept { return {}; }
    static Ended final_suspend() noexcept { return {}; }
    void unhandled_exception() noexcept { error = std::current_exception(); }
};

template <class Value>
struct PromiseOf : Promise {
    using Promise::Promise;
    std::optional<Value> value{};

    template <std::convertible_to<Value> From = Value>
    void return_value(From&& from)
    {
        value.emplace(std::forward<From>(from));
    }
    Value take() { return std::move(*value); }
};

template <>
struct PromiseOf<void> : Promise {
    using Promise::Promise;
    static void return_void() noexcept {}
    static void take() noexcept {}
};

// A task, and whether it can be awaited: its handle may outlive its frame.
struct TaskLink {
    TaskHandle handle;
    const Node* node;
    std::uint32_t serial;  // the frame's (FramePool)
};
TaskLink task_link(TaskHandle made);

// Makes `task` the one that its node runs. Otherwise says what is wrong with awaiting it.
const char* enter_task(TaskHandle awaiting, const TaskLink& task) noexcept;
[[noreturn]] void throw_not_entered(const Node& awaiting, const char* why);

template <class Value>
struct [[nodiscard]] AwaitTask {
    TaskLink task;
    const Node* awaiting = nullptr;
    const char* refused = nullptr;

    static bool await_ready() noexcept { return false; }
    void await_suspend(std::coroutine_handle<> suspended) noexcept
    {
        awaiting = task_handle(suspended).promise().node;
        refused = enter_task(task_handle(suspended), task);
    }
    Value await_resume() const
    {
        if (refused)
            throw_not_entered(*awaiting, refused);
        const std::exception_ptr error = std::exchange(task.handle.promise().error, nullptr);
        const Frame ended{task.handle};
        if (error)
            std::rethrow_exception(error);
        return static_cast<PromiseOf<Value>&>(task.handle.promise()).take();
    }

private:
    struct Frame {
        TaskHandle handle;
        explicit Frame(TaskHandle owned) : handle(owned) {}
        Frame(const Frame&) = delete;
        Frame& operator=(const Frame&) = delete;
        ~Frame() { handle.destroy(); }
    };
};

}  // namespace detail

/// A task whose result is a `Value`: it ends with `co_return value;`, and `co_await task` gives that.
///
///     TaskOf<int> heard(Node& me, Port port);                 // a sub-task with a result
///     Task program(Node& me)
///     {
///         TaskOf<int> sub = heard(me, 0);                      // made: it has not begun
///         const int number = co_await sub;                     // runs it to its end, in as many steps as it takes
///     }
///
/// A task is a plain handle: the machine owns the coroutine's frame, which lives in the node's own pool and is gone
/// when the task has been awaited, or with the run. Every task takes its `Node&` as a parameter; the other parameters
/// are best taken by value, as a span or as a reference to what outlives the run. Types of locals may be aligned to 64
/// bytes (vector registers, `struct alignas(64)`) and to no more, because compilers do not say what a frame needs; g++
/// 12 ignores alignas on a local itself.
///
/// A task is awaited once, by a task of its own node. Anything else is a RuleViolation: no_such_task (it has ended, it
/// is awaited already, it is another node's), task_not_awaited (found when the run ends).
template <class Value>
class [[nodiscard]] TaskOf {
public:
    /// @cond
    struct promise_type : detail::PromiseOf<Value> {
        using detail::PromiseOf<Value>::PromiseOf;
        TaskOf get_return_object()
        {
            return TaskOf(
                detail::task_link(detail::task_handle(std::coroutine_handle<promise_type>::from_promise(*this))));
        }
    };
    static_assert(alignof(promise_type) <= alignof(std::max_align_t), "a result that is aligned to more than 16 bytes");

    /// @endcond

    /// Starts the sub-task at once and goes on when it has ended; its exception is rethrown here.
    auto operator co_await() const noexcept { return detail::AwaitTask<Value>{link_}; }

    /// @cond
    [[nodiscard]] const detail::TaskLink& link() const { return link_; }
    /// @endcond

private:
    explicit TaskOf(const detail::TaskLink& link) : link_(link) {}

    detail::TaskLink link_;
};

static_assert(std::is_trivially_destructible_v<detail::AwaitTask<void>> && std::is_trivially_destructible_v<Task>);

/// @}

}  // namespace dcube
#pragma GCC visibility pop
