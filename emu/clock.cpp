#include "emu/clock.hpp"

#include "base/threads.hpp"
#include "emu/relax.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace dcube::detail {

namespace {

unsigned at_most(unsigned threads, std::size_t chunks)
{
    return static_cast<unsigned>(std::min<std::size_t>(threads, chunks));
}

// n signals serve n (n + 1) / 2 readers; the worker that raises them is not one of them.
std::size_t signals_for(unsigned threads)
{
    std::size_t signals = 1;
    while (signals * (signals + 1) / 2 + 1 < threads)
        ++signals;
    return signals;
}

// A share's state as one word: the step, and how many of its chunks were begun in it.
constexpr unsigned bits_of_chunks = 20;

constexpr std::uint64_t share_of(std::uint64_t epoch, std::uint64_t begun)
{
    return epoch << bits_of_chunks | begun;
}

// The chunk of the share, counted from its first, that the caller is to run in this step; none if all were begun.
std::optional<std::size_t> begin_next(std::atomic<std::uint64_t>& share, std::uint64_t epoch, std::size_t chunks)
{
    std::uint64_t seen = share.load(std::memory_order_relaxed);
    for (;;) {
        const std::uint64_t begun = std::max(seen, share_of(epoch, 0)) - share_of(epoch, 0);
        if (begun >= chunks)  // in a later step: more than any share has
            return std::nullopt;
        if (share.compare_exchange_weak(seen, share_of(epoch, begun + 1), std::memory_order_relaxed))
            return begun;
    }
}

// For a count that no other thread writes.
void add(std::atomic<std::uint64_t>& count, std::uint64_t more)
{
    if (more != 0)
        count.store(count.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
}

}  // namespace

std::size_t chunk_count(std::size_t nodes, unsigned threads)
{
    constexpr std::size_t least_nodes = 16;
    constexpr std::size_t nodes_of_tile = 64;
    const std::size_t most = nodes / least_nodes;
    if (most < threads)
        return std::max<std::size_t>(1, most);
    return threads * std::clamp(nodes / nodes_of_tile / threads, std::size_t{1}, CombiningTree::fan_in);
}

Clock::Clock(unsigned threads, std::size_t chunks, std::shared_ptr<Workers> workers, Pins pins)
    : chunks_(chunks), workers_(workers ? std::move(workers) : borrow_workers(at_most(threads, chunks))),
      threads_(std::min(at_most(threads, chunks), workers_->most())), pins_(std::move(pins)), attend_next_([this] {
          const std::size_t worker = next_worker_.fetch_add(1, std::memory_order_relaxed);
          const Pinned pinned(pins_, worker);
          attend(worker);
      }),
      shares_(std::make_unique<Share[]>(threads_)), efforts_(std::make_unique<OwnEfforts[]>(threads_)), tree_(chunks),
      signal_count_(signals_for(threads_)), signals_(std::make_unique<Signal[]>(signal_count_)),
      choice_(StepChoice::of(threads_))
{
}

// The first signal_count_ workers read the first signal, the next signal_count_ - 1 workers the second, and so on; the
// workers that are left read the last.
const Clock::Signal& Clock::signal_of(std::size_t worker) const
{
    std::size_t signal = 0;
    for (std::size_t readers = signal_count_; worker >= readers && readers > 1; --readers) {
        worker -= readers;
        ++signal;
    }
    return signals_[signal];
}

Clock::Chunks Clock::share_with(std::size_t chunk) const
{
    if (in_one_)
        return {0, 1};
    std::size_t share = chunk * threads_ / chunks_;
    while (first_chunk(share + 1) <= chunk)
        ++share;
    return {first_chunk(share), first_chunk(share + 1)};
}

Clock::Efforts Clock::efforts() const
{
    Efforts sum;
    for (unsigned worker = 0; worker < threads_; ++worker) {
        sum.helped += efforts_[worker].helped.load(std::memory_order_relaxed);
        sum.sleeps += efforts_[worker].sleeps.load(std::memory_order_relaxed);
    }
    return sum;
}

void Clock::run(const Work& work, Next first)
{
    work_ = &work;
    running_ = {};
    lead(first);
    attend(0);
    if (!keeps_threads_)
        dismiss();
}

void Clock::choose_cut()
{
    const std::uint64_t most = std::exchange(most_work_ns_, 0);
    if (threads_ > 1 && !workers_->always() && most != 0)
        in_one_ = !choice_.guess(most).together;
}

void Clock::dismiss()
{
    missed_ns_ = 0;
    if (!std::exchange(lent_, false))
        return;
    open(Opened::dismissal);
    workers_->end();
}

Clock::Next Clock::run_alone(std::uint64_t what) const
{
    Summary sum;
    for (std::size_t chunk = 0; chunk < chunks(); ++chunk)
        sum.add(work_->body(chunk, what));
    return work_->close(sum);
}

// Borrowing threads, and sending them home, takes that long.
constexpr double borrowing_ns = 20000;

// Whether all workers run the next step.
bool Clock::begin_step(const Next& next)
{
    using How = Next::How;
    running_.is_timed = false;
    if (next.how == How::by_work)
        most_work_ns_ = std::max(most_work_ns_, next.work_ns);
    if (in_one_)
        return false;
    if (workers_->always() || next.how == How::together || next.how == How::alone)
        return next.how != How::alone || workers_->always();
    const bool learns = next.how == How::by_work;
    const StepChoice::Choice choice = learns ? choice_.choose(next.work_ns) : choice_.guess(next.work_ns);
    bool together = choice.together;
    if (together && !lent_ && !choice.is_a_look) {
        missed_ns_ += choice.gain_ns;
        together = missed_ns_ > borrowing_ns;
    }
    const bool all_are_there = !together || (lent_ && next_worker_.load(std::memory_order_relaxed) >= threads_);
    if (choice.is_timed && all_are_there) {
        running_.is_timed = true;
        running_.work_ns = next.work_ns;
        running_.began = std::chrono::steady_clock::now();
    }
    return together;
}

void Clock::end_step()
{
    if (!running_.is_timed)
        return;
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - running_.began;
    choice_.note(running_.together, running_.work_ns, taken.count());
}

// Runs steps alone until one is worth the others' while, and opens that one; or ends the run.
void Clock::lead(Next next)
{
    if (threads_ == 1) {
        while (next.how != Next::How::stop)
            next = run_alone(next.what);
        return open(Opened::end);
    }
    for (;;) {
        end_step();
        if (next.how == Next::How::stop)
            return open(Opened::end);
        running_.together = begin_step(next);
        if (running_.together)
            break;
        next = run_alone(next.what);
    }
    const bool borrow = !lent_;
    lent_ = true;  // before the step is open: the worker that closes it must not borrow again
    open(Opened::step, next.what);
    if (borrow)
        borrow_threads();
}

// From here on others may close this step, and open the next one.
void Clock::open(Opened opened, std::uint64_t what)
{
    const std::uint64_t epoch = (epoch_ / next_epoch + 1) * next_epoch + static_cast<std::uint64_t>(opened);
    epoch_ = epoch;
    signals_[0].what = what;
    if (signal_count_ == 1) {  // no worker has seen the step before, so none has raised it further
        signals_[0].epoch.store(epoch, std::memory_order_release);
        signals_[0].epoch.notify_all();
        return;
    }
    for (std::size_t i = 0; i < signal_count_; ++i) {
        std::atomic<std::uint64_t>& signal = signals_[i].epoch;
        std::uint64_t shown = signal.load(std::memory_order_relaxed);
        while (shown < epoch &&
               !signal.compare_exchange_weak(shown, epoch, std::memory_order_release, std::memory_order_relaxed)) {
        }
        signal.notify_all();
    }
}

// The life of a worker while it is lent, and of the caller in a run. It leaves off helping when the next step is open:
// its own share waits there.
void Clock::attend(std::size_t worker)
{
    const Signal& signal = signal_of(worker);
    std::uint64_t epoch = 0;
    for (;;) {
        epoch = await_epoch(worker, signal, epoch);
        const auto opened = static_cast<Opened>(epoch % next_epoch);
        if (opened == Opened::dismissal || (opened == Opened::end && worker == 0))
            return;
        if (opened == Opened::end)
            continue;
        const auto began = std::chrono::steady_clock::now();
        work_through(worker, worker, epoch);
        if (!others_are_late(worker, signal, epoch, std::chrono::steady_clock::now() - began))
            continue;
        for (std::size_t i = 1; i < threads_; ++i) {
            add(efforts_[worker].helped, work_through(worker, (worker + i) % threads_, epoch));
            if (signal.epoch.load(std::memory_order_relaxed) != epoch)
                break;
        }
    }
}

// They are if the step has not ended after half the time that the worker's own share took. Who may have to close a step
// for others does not wait.
bool Clock::others_are_late(std::size_t worker, const Signal& signal, std::uint64_t epoch,
                            std::chrono::steady_clock::duration own) const
{
    if (worker == 0 && work_->closed_by_caller)
        return true;
    constexpr std::chrono::microseconds least(2);
    const auto late = std::chrono::steady_clock::now() + std::max<std::chrono::steady_clock::duration>(least, own / 2);
    while (signal.epoch.load(std::memory_order_relaxed) == epoch) {
        if (std::chrono::steady_clock::now() > late)
            return true;
        relax();
    }
    return false;
}

// Returns the number of chunks that it has run.
std::size_t Clock::work_through(std::size_t worker, std::size_t share, std::uint64_t epoch)
{
    const std::size_t first = first_chunk(share);
    const std::size_t chunks = first_chunk(share + 1) - first;
    std::size_t run = 0;
    while (const auto begun = begin_next(shares_[share].begun, epoch, chunks)) {
        const std::size_t chunk = first + *begun;
        if (const auto sum = tree_.finish(chunk, work_->body(chunk, signals_[0].what)))
            finish(*sum, worker, epoch);
        ++run;
    }
    return run;
}

void Clock::finish(const Summary& sum, std::size_t worker, std::uint64_t epoch)
{
    if (worker == 0 || !work_->closed_by_caller)
        return lead(work_->close(sum));
    finished_sum_ = sum;
    finished_.store(epoch, std::memory_order_release);
}

// Closes the step for the other workers, if they have finished it.
void Clock::close_for_others(std::uint64_t epoch)
{
    if (finished_.load(std::memory_order_acquire) == epoch)
        lead(work_->close(finished_sum_));
}

// Spins for the few microseconds that a step's end takes, lets other threads have the core for some more, and then
// sleeps: a leader may run alone for long. Who may have to close a step for others must not: they raise no signal.
std::uint64_t Clock::await_epoch(std::size_t worker, const Signal& signal, std::uint64_t seen)
{
    constexpr int spins = 400;
    constexpr int yields = 16;
    const bool closes_for_others = worker == 0 && work_->closed_by_caller;
    for (int spin = 0;; ++spin) {
        if (closes_for_others && seen != 0)
            close_for_others(seen);
        const std::uint64_t epoch = signal.epoch.load(std::memory_order_acquire);
        if (epoch != seen)
            return epoch;
        if (spin < spins)
            relax();
        else if (spin < spins + yields || closes_for_others)
            yield();
        else {
            add(efforts_[worker].sleeps, 1);
            signal.epoch.wait(seen, std::memory_order_acquire);
        }
    }
}

void Clock::borrow_threads()
{
    next_worker_.store(1, std::memory_order_relaxed);
    workers_->begin(threads_ - 1, attend_next_);
}

}  // namespace dcube::detail
