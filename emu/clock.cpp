#include "emu/clock.hpp"

#include "emu/relax.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace dcube::detail {

namespace {

unsigned at_most(unsigned threads, std::size_t chunks)
{
    return static_cast<unsigned>(std::min<std::size_t>(threads, chunks));
}

}  // namespace

Clock::Clock(unsigned threads, std::size_t chunks, std::shared_ptr<Workers> workers)
    : chunks_(chunks), workers_(workers ? std::move(workers) : borrow_from_tbb(at_most(threads, chunks))),
      threads_(std::min(at_most(threads, chunks), workers_->most())),
      attend_next_([this] { attend(next_worker_.fetch_add(1, std::memory_order_relaxed)); }),
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
        workers_->end();
}

// Runs steps alone until one is worth the others' while, and opens that one; or ends the run.
void Clock::lead(Next next)
{
    const auto alone = [this](Next how) {
        return how != Next::stop && (threads_ == 1 || (how == Next::alone && !workers_->always()));
    };
    while (alone(next)) {
        for (std::size_t chunk = 0; chunk < chunks_; ++chunk)
            work_->body(chunk);
        next = work_->close();
    }
    const std::uint64_t opened = epoch_.load(std::memory_order_relaxed) + 1;
    if (next != Next::stop) {
        remaining_.store(chunks_, std::memory_order_relaxed);
    } else {
        last_epoch_.store(opened, std::memory_order_relaxed);
        for (std::size_t chunk = 0; chunk < chunks_; ++chunk)  // nobody will; the next run expects them claimed
            claims_[chunk].epoch.store(opened, std::memory_order_relaxed);
    }
    const bool borrow = next != Next::stop && !lent_;
    lent_ = lent_ || borrow;  // before the step is open: whoever closes it must not borrow again
    epoch_.store(opened, std::memory_order_release);
    if (borrow)
        borrow_threads();
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

void Clock::borrow_threads()
{
    next_worker_.store(1, std::memory_order_relaxed);
    workers_->begin(threads_ - 1, attend_next_);
}

}  // namespace dcube::detail
