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
Clock::Clock(unsigned threads, std::size_t nodes)
    : threads_(static_cast<unsigned>(
          std::min({std::size_t{threads}, nodes, static_cast<std::size_t>(oneapi::tbb::info::default_concurrency())}))),
      chunks_(std::min(nodes, threads_ * chunks_per_worker)), arena_(static_cast<int>(threads_)),
      claims_(std::make_unique<Claim[]>(chunks_))
{
}

void Clock::run(const Work& work, Next first)
{
    work_ = &work;
    lent_ = false;
    last_epoch_.store(0, std::memory_order_relaxed);
    lead(first);
    attend(0);
    if (lent_)
        arena_.execute([this] { group_.wait(); });
}

// Runs steps alone until one is worth the others' while, and opens that one; or ends the run.
void Clock::lead(Next next)
{
    if (threads_ == 1 && next == Next::together)
        next = Next::alone;
    while (next == Next::alone) {
        work_->body(whole);
        next = work_->close();
        if (threads_ == 1 && next == Next::together)
            next = Next::alone;
    }
    const std::uint64_t opened = epoch_.load(std::memory_order_relaxed) + 1;
    if (next == Next::stop)
        last_epoch_.store(opened, std::memory_order_relaxed);
    // An epoch that ends the run counts as claimed, too: the next run's first compare-exchange expects it.
    if (next == Next::stop) {
        for (std::size_t chunk = 0; chunk < chunks_; ++chunk)
            claims_[chunk].epoch.store(opened, std::memory_order_relaxed);
    } else {
        remaining_.store(chunks_, std::memory_order_relaxed);
    }
    epoch_.store(opened, std::memory_order_release);
    if (next == Next::together && !lent_)
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

void Clock::lend_threads()
{
    lent_ = true;
    arena_.execute([this] {
        for (unsigned worker = 1; worker < threads_; ++worker)
            group_.run([this, worker] { attend(worker); });
    });
}

}  // namespace dcube::detail
