#include "bench/clock/clock_simulation.hpp"

#include "bench/clock/scaling.hpp"

#include <dcube/error.hpp>
#include <dcube/random.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <coroutine>
#include <exception>
#include <queue>
#include <utility>
#include <vector>

namespace dcube::bench {

namespace {

// Discrete events of cores that pass cache lines to each other. What a core does is a coroutine: it awaits lines, its
// own work, and what others do. Events at one time come in the order in which they were asked for, so that a simulation
// gives the same everywhere.
class SimulatedCores {
public:
    static constexpr unsigned most = 1024;

    struct Costs {
        double handover_ns;  ///< until a core has a line that it does not have
        double atomic_ns;    ///< writing a line that it has
    };
    explicit SimulatedCores(const Costs& costs) : costs_(costs) {}

    // Begins at once, and lives as long as this object.
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

    // The coroutines that wait until they are woken.
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
    // The core has the line alone, and has written it.
    [[nodiscard]] Pause write(unsigned core, Line& line)
    {
        const bool there = line.holders.test(core) && line.holders.count() == 1;
        line.holders.reset();
        line.holders.set(core);
        return {*this, come(line, there, costs_.handover_ns) + costs_.atomic_ns};
    }
    // The core has the line, maybe with others. `overlap`: lines that it fetches at the same time.
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

    // Runs until no core has anything left to do.
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

    // The first core to have a line gets it for nothing.
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

void check_clock(const ClockCosts& costs, const ClockLoad& load)
{
    const auto require = [](bool holds, const char* what) {
        if (!holds)
            throw InvalidArgument(fmt::format("the clock cannot be simulated: {}", what));
    };
    require(load.workers >= 1 && load.workers <= SimulatedCores::most, "1 to 1024 workers are allowed");
    require(load.chunks >= load.workers, "there are fewer chunks than workers");
    require(load.steps >= 1, "at least one step is needed");
    require(load.spread >= 0 && load.spread <= 1, "a spread of 0 to 1 is allowed");
    require(load.step_work_ns >= 0 && load.late_ns >= 0, "times are 0 or more");
    require(costs.handover_ns >= 0 && costs.atomic_ns >= 0 && costs.close_ns >= 0, "costs are 0 or more");
    require(costs.overlap >= 1, "an overlap of 1 or more is allowed");
}

// One run of either design. Workers are coroutines that resume when their lines have come and their bodies have ended.
class ClockRun {
public:
    ClockRun(ClockDesign design, const ClockCosts& costs, const ClockLoad& load)
        : design_(design), costs_(costs), load_(load), cores_({costs.handover_ns, costs.atomic_ns}),
          claims_(design == ClockDesign::flat ? load.chunks : load.workers),
          signals_(design == ClockDesign::tree ? signals_of_barrier(load.workers) : 1), tallies_(load.chunks),
          body_end_(load.steps + 2), seen_(load.steps + 2)
    {
        for (std::size_t below = load.chunks; levels_.empty() || below > 1; below = levels_.back().size()) {
            levels_.emplace_back((below + tree_fan_in - 1) / tree_fan_in);
            for (std::size_t part = 0; part < below; ++part)
                ++levels_.back()[part / tree_fan_in].parts;
        }
    }

    ClockTimes times()
    {
        std::vector<SimulatedCores::Process> processes;
        for (unsigned worker = 0; worker < load_.workers; ++worker)
            processes.push_back(design_ == ClockDesign::flat ? flat_worker(worker) : worker_of_tree(worker));
        cores_.run();
        const auto steps = static_cast<double>(load_.steps);
        double barriers = 0;
        for (unsigned step = 1; step <= load_.steps; ++step)
            barriers += seen_[step + 1] - body_end_[step];
        const double elapsed = closed_;
        const double capacity = elapsed * static_cast<double>(load_.workers);
        return {.step_ns = elapsed / steps,
                .efficiency = capacity > 0 ? work_ / capacity : 1,
                .barrier_ns = barriers / steps,
                .helped = static_cast<double>(helped_) / (steps * static_cast<double>(load_.chunks))};
    }

private:
    using Line = SimulatedCores::Line;
    using Process = SimulatedCores::Process;

    struct Claim {
        Line line;
        std::uint64_t epoch = 0;
        std::size_t begun = 0;  // of a share, in that epoch
    };
    struct Signal {
        Line line;
        std::uint64_t epoch = 1;  // the first step is open
        SimulatedCores::Queue waiting{};
    };
    struct Group {
        Line line;
        std::size_t parts = 0;
        std::size_t finished = 0;
    };

    double body_ns(std::uint64_t epoch, std::size_t chunk) const
    {
        const double mean = load_.step_work_ns / static_cast<double>(load_.chunks);
        return mean * (1 + load_.spread * (2 * Random(load_.seed, epoch * load_.chunks + chunk).uniform() - 1));
    }

    Signal& signal_of(std::size_t worker)
    {
        std::size_t signal = 0;
        for (std::size_t readers = signals_.size(); worker >= readers && readers > 1; --readers) {
            worker -= readers;
            ++signal;
        }
        return signals_[signal];
    }

    std::size_t first_of(std::size_t worker) const { return worker * load_.chunks / load_.workers; }
    bool comes_late(unsigned worker) const { return worker != 0 && worker == load_.late_worker; }

    void note_seen(unsigned worker, std::uint64_t epoch)
    {
        if (!comes_late(worker))
            seen_[epoch] = std::max(seen_[epoch], cores_.now());
    }
    void note_body(std::uint64_t epoch, double ns, bool helped)
    {
        body_end_[epoch] = std::max(body_end_[epoch], cores_.now());
        work_ += ns;
        helped_ += helped;
    }

    [[nodiscard]] bool all_begun(const Claim& share, std::uint64_t epoch, std::size_t chunks) const
    {
        return share.epoch > epoch || (share.epoch == epoch && share.begun == chunks);
    }
    static std::size_t begin(Claim& share, std::uint64_t epoch)
    {
        if (share.epoch < epoch)
            share = {share.line, epoch, 0};
        return share.begun++;
    }
    void raise(Signal& signal, std::uint64_t epoch)
    {
        signal.epoch = std::max(signal.epoch, epoch);
        cores_.wake(signal.waiting);
        closed_ = std::max(closed_, epoch == load_.steps + 1 ? cores_.now() : 0);
    }

    Process worker_of_tree(unsigned worker);
    Process flat_worker(unsigned worker);

    ClockDesign design_;
    ClockCosts costs_;
    ClockLoad load_;
    SimulatedCores cores_;
    std::vector<Claim> claims_;  // of chunks, or of shares
    std::vector<Signal> signals_;
    std::vector<std::vector<Group>> levels_;
    Group counter_;              // flat
    std::vector<Line> tallies_;  // flat
    std::vector<double> body_end_;
    std::vector<double> seen_;
    double closed_ = 0;  // the last step, and everybody may know
    double work_ = 0;
    std::uint64_t helped_ = 0;
};

// As Clock::attend and Clock::work_through.
ClockRun::Process ClockRun::worker_of_tree(unsigned worker)
{
    Signal& signal = signal_of(worker);
    for (std::uint64_t epoch = 0;;) {
        for (co_await cores_.read(worker, signal.line); signal.epoch == epoch;
             co_await cores_.read(worker, signal.line))
            co_await signal.waiting;
        epoch = signal.epoch;
        note_seen(worker, epoch);
        if (epoch > load_.steps)
            co_return;
        co_await cores_.pause(comes_late(worker) ? load_.late_ns : 0);
        for (unsigned i = 0; i < load_.workers && signal.epoch == epoch; ++i) {
            const unsigned owner = (worker + i) % load_.workers;
            Claim& share = claims_[owner];
            const std::size_t first = first_of(owner);
            const std::size_t chunks = first_of(owner + 1) - first;
            for (;;) {
                co_await cores_.read(worker, share.line);
                if (all_begun(share, epoch, chunks))
                    break;
                co_await cores_.write(worker, share.line);
                if (all_begun(share, epoch, chunks))
                    break;
                std::size_t part = first + begin(share, epoch);
                const double ns = body_ns(epoch, part);
                co_await cores_.pause(ns);
                note_body(epoch, ns, owner != worker);
                bool last = true;
                for (std::size_t level = 0; last && level < levels_.size(); ++level) {
                    Group& group = levels_[level][part /= tree_fan_in];
                    co_await cores_.write(worker, group.line);
                    last = ++group.finished == group.parts;
                    if (last)
                        group.finished = 0;
                }
                if (!last)
                    continue;
                co_await cores_.pause(costs_.close_ns);
                for (Signal& each : signals_) {
                    co_await cores_.write(worker, each.line);
                    raise(each, epoch + 1);
                }
            }
        }
    }
}

// The clock as it was: an exchange that fails takes the line as well.
ClockRun::Process ClockRun::flat_worker(unsigned worker)
{
    Signal& signal = signals_[0];
    for (std::uint64_t epoch = 0;;) {
        for (co_await cores_.read(worker, signal.line); signal.epoch == epoch;
             co_await cores_.read(worker, signal.line))
            co_await signal.waiting;
        epoch = signal.epoch;
        note_seen(worker, epoch);
        if (epoch > load_.steps)
            co_return;
        co_await cores_.pause(comes_late(worker) ? load_.late_ns : 0);
        for (std::size_t i = 0; i < load_.chunks; ++i) {
            const std::size_t chunk = (first_of(worker) + i) % load_.chunks;
            Claim& claim = claims_[chunk];
            co_await cores_.write(worker, claim.line);
            if (claim.epoch >= epoch)
                continue;
            claim.epoch = epoch;
            const double ns = body_ns(epoch, chunk);
            co_await cores_.pause(ns);
            note_body(epoch, ns, chunk < first_of(worker) || chunk >= first_of(worker + 1));
            co_await cores_.write(worker, tallies_[chunk]);
            co_await cores_.write(worker, counter_.line);
            if (++counter_.finished < load_.chunks)
                continue;
            counter_.finished = 0;
            for (Line& tally : tallies_)
                co_await cores_.read(worker, tally, costs_.overlap);
            co_await cores_.pause(costs_.close_ns);
            co_await cores_.write(worker, signal.line);
            raise(signal, epoch + 1);
        }
    }
}

}  // namespace

const char* name(ClockDesign design)
{
    switch (design) {
    case ClockDesign::flat: return "flat";
    case ClockDesign::tree_one_signal: return "tree, one signal";
    case ClockDesign::tree: break;
    }
    return "tree";
}

ClockTimes simulate(ClockDesign design, const ClockCosts& costs, const ClockLoad& load)
{
    check_clock(costs, load);
    return ClockRun(design, costs, load).times();
}

}  // namespace dcube::bench
