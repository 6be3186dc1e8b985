#include "emu/clock.hpp"

#include <oneapi/tbb/info.h>

#include <algorithm>
#include <thread>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace dcube::detail {

namespace {

void relax()
{
#if defined(__x86_64__) || defined(__i386__)
    _mm_pause();
#else
    std::this_thread::yield();
#endif
}

}  // namespace

// oneTBB has no more threads than the machine has cores, and says so on stderr when it is asked for more.
Clock::Clock(unsigned threads, std::size_t chunks)
    : threads_(static_cast<unsigned>(std::min(
          {std::size_t{threads}, chunks, static_cast<std::size_t>(oneapi::tbb::info::default_concurrency())}))),
      chunks_(chunks), arena_(static_cast<int>(threads_)), claims_(std::make_unique<Claim[]>(chunks_))
{
}

void Clock::run(const Work& work, Next first)
{
    work_ = &work;
    lent_ = false;
    last_epoch_.store(0, std::memory_order_relaxed);
    lead(first);
    attend(0);
    if (!lent_)
        return;
    arena_.execute([this] { group_.wait(); });
    while (departed_.load(std::memory_order_acquire) != threads_ - 1)  // they all have, but this orders it
        relax();
}

// Runs steps alone until one is worth the others' while, and opens that one; or ends the run.
void Clock::lead(Next next)
{
    while (next == Next::alone || (threads_ == 1 && next == Next::together)) {
        for (std::size_t chunk = 0; chunk < chunks_; ++chunk)
            work_->body(chunk);
        next = work_->close();
    }
    const std::uint64_t opened = epoch_.load(std::memory_order_relaxed) + 1;
    if (next == Next::together) {
        remaining_.store(chunks_, std::memory_order_relaxed);
    } else {
        last_epoch_.store(opened, std::memory_order_relaxed);
        for (std::size_t chunk = 0; chunk < chunks_; ++chunk)  // nobody will; the next run expects them claimed
            claims_[chunk].epoch.store(opened, std::memory_order_relaxed);
    }
    const bool lend = next == Next::together && !lent_;
    lent_ = lent_ || lend;  // before the step is open: whoever closes it must not lend again
    epoch_.store(opened, std::memory_order_release);
    if (lend)
        lend_threads();
}

// The life of a worker in a run. Worker w begins with its own share of the chunks, so that in every step the same nodes
// meet the same core's cache, and then helps with the others'.
void Clock::attend(std::size_t worker)
{
    const std::size_t home = worker * chunks_ / threads_;
    std::uint64_t epoch = 0;
    for (;;) {
        epoch = await_epoch(epoch);
        if (epoch == last_epoch_.load(std::memory_order_relaxed))
            return;
        for (std::size_t i = 0; i < chunks_; ++i) {
            const std::size_t chunk = home + i < chunks_ ? home + i : home + i - chunks_;
            std::uint64_t before = epoch - 1;
            if (!claims_[chunk].epoch.compare_exchange_strong(before, epoch, std::memory_order_relaxed))
                continue;
            work_->body(chunk);
            if (remaining_.fetch_sub(1, std::memory_order_acq_rel) == 1)
                lead(work_->close());
        }
    }
}

// Spins for the few microseconds that a step's end takes, then lets other threads have the core.
std::uint64_t Clock::await_epoch(std::uint64_t seen) const
{
    constexpr int spins = 400;
    for (int spin = 0;; ++spin) {
        const std::uint64_t epoch = epoch_.load(std::memory_order_acquire);
        if (epoch != seen)
            return epoch;
        if (spin < spins)
            relax();
        else
            std::this_thread::yield();
    }
}

// What a lent thread is given. Debian's libtbb is not instrumented, so ThreadSanitizer does not see that oneTBB hands a
// task over in order; an atomic pointer makes that order one of our own, at no cost.
struct Clock::Attendance {
    std::atomic<Clock*> clock;

    explicit Attendance(Clock* attended) : clock(attended) {}
    Attendance(const Attendance& other) : clock(nullptr)
    {
        clock.store(other.clock.load(std::memory_order_acquire), std::memory_order_release);
    }

    void operator()() const
    {
        Clock& attended = *clock.load(std::memory_order_acquire);
        attended.attend(attended.next_worker_.fetch_add(1, std::memory_order_relaxed));
        while (!attended.handed_over_.load(
            std::memory_order_acquire))  // the rest of oneTBB's task was written before that
            relax();
        attended.departed_.fetch_add(1, std::memory_order_release);
    }
};

void Clock::lend_threads()
{
    next_worker_.store(1, std::memory_order_relaxed);
    departed_.store(0, std::memory_order_relaxed);
    handed_over_.store(false, std::memory_order_relaxed);
    arena_.execute([this] {
        for (unsigned worker = 1; worker < threads_; ++worker)
            group_.run(Attendance(this));
    });
    handed_over_.store(true, std::memory_order_release);
}

}  // namespace dcube::detail
