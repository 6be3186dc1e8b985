#pragma once
// Clock: the global barrier clock. It calls a body for every chunk of nodes, once a step, on the threads that it is
// lent.

#include "emu/workers.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace dcube::detail {

// The threads are lent once per run; the clock's own atomics order the steps. With e = the epoch, the number of steps
// that were opened to all workers:
//
//   claimed[c] = e - 1  and  remaining = chunks          when step e is opened
//   claimed[c]: e - 1 -> e   by the one worker that runs chunk c in step e (compare-exchange)
//   remaining: one less      by that worker, when it has run the chunk
//   the worker that brings it to 0 closes the step, and opens the next one or ends the run
//
// So any number of workers that really come will do, and nothing waits for a thread that is not there. A worker that
// was asleep since an earlier step finds every chunk claimed and claims none. The order of memory: decrementing
// `remaining` is acquire and release, so the closer sees all that was done in the step; storing the epoch releases it
// to whoever acquires it.
//
// A step with too little work is run by the closer alone, without waking anybody.
class Clock {
public:
    enum class Next : std::uint8_t { stop, alone, together };

    // What a step does: `body(chunk)` for chunks 0..chunks-1, then `close()` once, which says how the next step is run.
    // alone means that one worker runs all chunks.
    struct Work {
        std::function<void(std::size_t chunk)> body;
        std::function<Next()> close;
    };

    // `workers`: who lends the threads; null for oneTBB.
    Clock(unsigned threads, std::size_t chunks, std::shared_ptr<Workers> workers = nullptr);

    [[nodiscard]] std::size_t chunks() const { return chunks_; }
    // That run steps, if all that are asked for come.
    [[nodiscard]] unsigned threads() const { return threads_; }

    // Runs steps, the first as `first` says, until close() returns stop. Bodies must not throw.
    void run(const Work& work, Next first);

private:
    struct alignas(64) Claim {  // a line each: workers claim side by side
        std::atomic<std::uint64_t> epoch;
    };

    void lead(Next next);
    void attend(std::size_t worker);
    std::uint64_t await_epoch(std::uint64_t seen) const;
    void borrow_threads();

    std::size_t chunks_;
    std::shared_ptr<Workers> workers_;
    unsigned threads_;
    std::function<void()> attend_next_;  // what each thread that is lent does
    std::unique_ptr<Claim[]> claims_;

    const Work* work_ = nullptr;
    bool lent_ = false;  // in this run
    std::atomic<unsigned> next_worker_{1};
    alignas(64) std::atomic<std::uint64_t> epoch_{0};
    alignas(64) std::atomic<std::size_t> remaining_{0};
    std::atomic<std::uint64_t> last_epoch_{0};  // the epoch that ends the run; 0 while it goes on
};

}  // namespace dcube::detail
