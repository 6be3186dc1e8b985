#pragma once
/// Task: the coroutine that a node runs, and the sub-tasks that it awaits.

#include <coroutine>
#include <cstddef>
#include <exception>
#include <type_traits>
#include <utility>

namespace dcube {

class Node;

namespace detail {

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

}  // namespace detail

/// What every program returns. A Task is a plain handle: the machine owns the coroutine's frame, which lives in the
/// node's own pool and is gone when the coroutine ends, or with the run. Every coroutine takes its `Node&` as a
/// parameter; the other parameters are best taken by value, as a span or as a reference to what outlives the run.
class [[nodiscard]] Task {
public:
    struct promise_type;
    using Handle = std::coroutine_handle<promise_type>;

    /// Starts the sub-task at once and goes on when it has ended; its exception is rethrown here.
    auto operator co_await() const noexcept;

    [[nodiscard]] Handle handle() const { return handle_; }

private:
    explicit Task(Handle handle) : handle_(handle) {}

    Handle handle_;
};

struct Task::promise_type {
    Node* node;
    Handle awaiting{};  // the task that awaits this one; null for a node's program
    std::exception_ptr error{};

    template <class... Parameters>
    explicit promise_type(Parameters&... parameters) : node(&detail::node_among(parameters...))
    {
    }

    template <class... Parameters>
    static void* operator new(std::size_t bytes, Parameters&... parameters)
    {
        return detail::allocate_frame(detail::node_among(parameters...), bytes);
    }
    static void operator delete(void* frame) { detail::release_frame(frame); }

    // A task runs when it is awaited, and hands control back to the machine, which resumes whoever awaited it:
    // no coroutine resumes another, so the stack stays flat in every build (see ARCHITECTURE.md).
    struct Ended {
        static bool await_ready() noexcept { return false; }
        static void await_suspend(Handle ended) noexcept;
        static void await_resume() noexcept {}
    };

    Task get_return_object() { return Task(Handle::from_promise(*this)); }
    static std::suspend_always initial_suspend() noexcept { return {}; }
    static Ended final_suspend() noexcept { return {}; }
    static void return_void() noexcept {}
    void unhandled_exception() noexcept { error = std::current_exception(); }
};

namespace detail {

void enter_task(Task::Handle awaiting, Task::Handle entered) noexcept;
void leave_task(Task::Handle ended) noexcept;

struct AwaitTask {
    Task::Handle entered;

    static bool await_ready() noexcept { return false; }
    void await_suspend(Task::Handle awaiting) const noexcept { enter_task(awaiting, entered); }
    void await_resume() const
    {
        const std::exception_ptr error = std::exchange(entered.promise().error, nullptr);
        entered.destroy();
        if (error)
            std::rethrow_exception(error);
    }
};
static_assert(std::is_trivially_destructible_v<AwaitTask> && std::is_trivially_destructible_v<Task>);

}  // namespace detail

inline auto Task::operator co_await() const noexcept
{
    return detail::AwaitTask{handle_};
}

inline void Task::promise_type::Ended::await_suspend(Handle ended) noexcept
{
    detail::leave_task(ended);
}

}  // namespace dcube
