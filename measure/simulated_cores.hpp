#pragma once
// SimulatedCores: discrete events of cores that pass cache lines to each other.

#include <algorithm>
#include <bitset>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <queue>
#include <utility>
#include <vector>

namespace dcube::measure {

/// What a core does is a coroutine: it awaits lines, its own work, and what others do. Events at one time come in the
/// order in which they were asked for, so that a simulation gives the same everywhere.
class SimulatedCores {
public:
    static constexpr unsigned most = 1024;

    struct Costs {
        double handover_ns;  ///< until a core has a line that it does not have
        double atomic_ns;    ///< writing a line that it has
    };
    explicit SimulatedCores(const Costs& costs) : costs_(costs) {}

    /// Begins at once, and lives as long as this object.
    class Process {
    public:
        struct promise_type {
            Process get_return_object() { return Process(std::coroutine_handle<promise_type>::from_promise(*this)); }
            std::suspend_never initial_suspend() noexcept { return {}; }
            std::suspend_always final_suspend() noexcept { return {}; }
            void return_void() {}
            [[noreturn]] void unhandled_exception() { std::terminate(); }
        };
        Process(Process&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
        ~Process()
        {
            if (handle_)
                handle_.destroy();
        }

    private:
        explicit Process(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
        std::coroutine_handle<promise_type> handle_;
    };

    struct Line {
        std::bitset<most> holders{};  ///< one if it was written last
        double free_from = 0;
        bool untouched = true;
    };

    struct Pause {
        SimulatedCores& cores;
        double until;
        [[nodiscard]] bool await_ready() const { return until <= cores.now_; }
        void await_suspend(std::coroutine_handle<> who) const { cores.resume_at(until, who); }
        void await_resume() const {}
    };

    /// Those who wait until somebody wakes them.
    class Queue {
    public:
        [[nodiscard]] bool await_ready() const { return false; }
        void await_suspend(std::coroutine_handle<> who) { waiting_.push_back(who); }
        void await_resume() const {}

    private:
        friend class SimulatedCores;
        std::vector<std::coroutine_handle<>> waiting_;
    };

    [[nodiscard]] double now() const { return now_; }
    [[nodiscard]] Pause pause(double ns) { return {*this, now_ + ns}; }
    /// The core has the line alone, and has written it.
    [[nodiscard]] Pause write(unsigned core, Line& line)
    {
        const bool there = line.holders.test(core) && line.holders.count() == 1;
        line.holders.reset();
        line.holders.set(core);
        return {*this, come(line, there, costs_.handover_ns) + costs_.atomic_ns};
    }
    /// The core has the line, maybe with others. `overlap`: lines that it fetches at the same time.
    [[nodiscard]] Pause read(unsigned core, Line& line, double overlap = 1)
    {
        const bool there = line.holders.test(core);
        line.holders.set(core);
        return {*this, come(line, there, costs_.handover_ns / overlap)};
    }
    void wake(Queue& queue)
    {
        for (const std::coroutine_handle<> who : std::exchange(queue.waiting_, {}))
            resume_at(now_, who);
    }

    /// Until nobody has anything to do.
    void run()
    {
        while (!events_.empty()) {
            const Event next = events_.top();
            events_.pop();
            now_ = next.at;
            next.who.resume();
        }
    }

private:
    struct Event {
        double at;
        std::uint64_t number;
        std::coroutine_handle<> who;
        bool operator<(const Event& other) const  // the latest first: the queue's top is the largest
        {
            return at != other.at ? at > other.at : number > other.number;
        }
    };

    // A line that nobody has had yet costs nothing to have.
    double come(Line& line, bool there, double handover)
    {
        const bool first = std::exchange(line.untouched, false);
        if (!there && !first)
            line.free_from = std::max(now_, line.free_from) + handover;
        return std::max(now_, line.free_from);
    }
    void resume_at(double at, std::coroutine_handle<> who) { events_.push({at, events_asked_++, who}); }

    Costs costs_;
    double now_ = 0;
    std::uint64_t events_asked_ = 0;
    std::priority_queue<Event> events_;
};

}  // namespace dcube::measure
