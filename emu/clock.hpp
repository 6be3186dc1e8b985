#pragma once
// Clock: the global barrier clock. It calls a body for every chunk of nodes, once per step, on the threads that it is
// lent.

#include "base/cache_line.hpp"
#include "emu/combining_tree.hpp"
#include "emu/pinning.hpp"
#include "emu/step_choice.hpp"
#include "emu/summary.hpp"
#include "emu/workers.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace dcube::detail {

// The threads are lent once per run; the clock's own atomics order the steps. Every worker has a share of the chunks,
// neighbours of each other, with which it begins in every step, so that the same nodes meet the same core's caches;
// then it helps with the others' shares. With e = the epoch, the number of steps that were opened to all workers, and
// n = the chunks of a share:
//
//   share = (f, k): its first k chunks were begun in step f;  f < e  when step e is opened
//   (f, k), f < e -> (e, 1)         by the worker that runs its first chunk in step e (compare-exchange)
//   (e, k), k < n -> (e, k + 1)     by the one that runs chunk k
//   a chunk that was run is finished in the combining tree
//   the worker that comes to the tree's root closes the step, and opens the next one or ends the run
//
// So the clock works with however many workers really come, and nothing waits for a thread that is not there: any
// worker may take a chunk that has not begun. A worker that has been asleep since an earlier step finds every share in
// a later step, or with all of its chunks begun, and runs none: (f, k) only grows, so an exchange that expects an older
// value fails.
//
// Waiting workers read the epoch from signals, cache lines that are each shared by some of them. The worker that opens
// a step raises all signals, one after the other: first the signal with the most readers, since a line goes to its
// readers one after the other, then the signals with one reader less each. So n signals with n (n + 1) / 2 readers take
// the time of n + 1 handovers of a line, and neither writing nor reading takes time proportional to the number of
// workers. No worker passes a signal on: a preempted worker would keep others from coming. A step may be closed, and
// the next one opened, by workers of the first signals before the last signal is written; so a signal is only ever
// raised, and a signal that shows a later epoch already is left as it is. Its readers then skip a step, as if they had
// been asleep.
//
// Memory order: the tree orders the work of a step before the closing of that step (combining_tree.hpp). Raising a
// signal is a release and reading it an acquire, so a worker that begins a chunk in step e sees all that was done
// before e was opened. If e is the end of the run, that is written before e is opened. Shares order nothing: they only
// show which worker runs which chunk.
//
// The closer runs a step alone, without waking the other workers, where that was faster so far (step_choice.hpp).
// Threads are borrowed when what they would have gained in the steps that were run alone since makes up for it.
//
// A worker that has come to the end of its share helps with others' only if they are really late: their chunks lie in
// other cores' caches, so helping for a microsecond takes longer than waiting for one.
//
// Where steps are closed by run()'s caller (the only thread that may talk to other ranks), the worker that reaches the
// tree's root leaves the sum to the caller. The caller looks for it while it waits for the next step, which no other
// worker opens.
class Clock {
public:
    // How the next step is run. alone means that one worker runs all chunks.
    struct Next {
        enum class How : std::uint8_t { stop, alone, together, by_work, by_guess };
        static const Next stop, alone, together;

        How how;
        std::uint64_t work_ns = 0;  // by_work: the step's, roughly; by_guess: the work of a step that is like no other
        std::uint64_t what = 0;     // passed to the bodies; it reaches their workers in the line that opens the step
    };

    // A step's work: `body(chunk, what)` for chunks 0..chunks-1, then `close(sum)` once, with the sum of what the
    // bodies returned; it decides how the next step is run.
    struct Work {
        std::function<Summary(std::size_t chunk, std::uint64_t what)> body;
        std::function<Next(const Summary& sum)> close;
        bool closed_by_caller = false;  // close() is called by run()'s caller only
    };

    // While one lives, threads that were lent stay with the clock between runs.
    class Loan {
    public:
        explicit Loan(Clock& clock) : clock_(clock) { clock_.keeps_threads_ = true; }
        Loan(const Loan&) = delete;
        Loan& operator=(const Loan&) = delete;
        ~Loan()
        {
            clock_.keeps_threads_ = false;
            clock_.dismiss();
        }

    private:
        Clock& clock_;
    };

    // `workers`: who lends the threads; null for oneTBB. `pins`: where each worker runs while it is lent.
    Clock(unsigned threads, std::size_t chunks, std::shared_ptr<Workers> workers = nullptr, Pins pins = {});

    [[nodiscard]] std::size_t chunks() const { return in_one_ ? 1 : chunks_; }
    [[nodiscard]] std::size_t most_chunks() const { return chunks_; }
    // The number of threads that run steps, if all that are asked for come.
    [[nodiscard]] unsigned threads() const { return threads_; }
    // The caller of run() is worker 0, and binds itself: it may want that for longer than one run.
    [[nodiscard]] const Pins& pins() const { return pins_; }

    // For close(): whether the step was opened to all workers.
    [[nodiscard]] bool together() const { return running_.together; }

    // The chunks of the share that a chunk belongs to, from the first to below the last.
    struct Chunks {
        std::size_t first;
        std::size_t last;
    };
    [[nodiscard]] Chunks share_with(std::size_t chunk) const;

    // Since the clock was made: chunks that were run by another worker than their share's, and how often a worker went
    // to sleep. Workers that wait may still add to it.
    struct Efforts {
        std::uint64_t helped = 0;
        std::uint64_t sleeps = 0;
    };
    [[nodiscard]] Efforts efforts() const;

    // Between runs: how the nodes are best cut for the next one. If no step of the last run was worth sharing, as far
    // as can be guessed, one worker is to run all of them in one chunk: then chunks() is 1.
    void choose_cut();

    // Runs steps, the first as `first` says, until close() returns stop. Neither of the two may throw.
    void run(const Work& work, Next first);

private:
    struct alignas(cache_line) Share {  // a line each: workers claim side by side
        std::atomic<std::uint64_t> begun{0};
    };
    struct alignas(cache_line) Signal {
        std::atomic<std::uint64_t> epoch{0};
        std::uint64_t what =
            0;  // Next::what, in the first signal: read by who has begun a chunk, so it stays till then
    };
    struct alignas(cache_line) OwnEfforts {  // only its worker writes
        std::atomic<std::uint64_t> helped{0};
        std::atomic<std::uint64_t> sleeps{0};
    };
    // The meaning of an opened epoch, in its last bits: a step, the end of a run, or the workers' dismissal.
    enum class Opened : std::uint8_t { step, end, dismissal };
    static constexpr std::uint64_t next_epoch = 4;

    // The step that is running, for the one who closes it.
    struct Running {
        bool together = false;
        bool is_timed = false;
        std::uint64_t work_ns = 0;
        std::chrono::steady_clock::time_point began{};
    };

    [[nodiscard]] const Signal& signal_of(std::size_t worker) const;
    void lead(Next next);
    [[nodiscard]] bool begin_step(const Next& next);
    void end_step();
    [[nodiscard]] Next run_alone(std::uint64_t what) const;
    void finish(const Summary& sum, std::size_t worker, std::uint64_t epoch);
    void open(Opened opened, std::uint64_t what = 0);
    void attend(std::size_t worker);
    [[nodiscard]] bool others_are_late(std::size_t worker, const Signal& signal, std::uint64_t epoch,
                                       std::chrono::steady_clock::duration own) const;
    std::size_t work_through(std::size_t worker, std::size_t share, std::uint64_t epoch);
    std::uint64_t await_epoch(std::size_t worker, const Signal& signal, std::uint64_t seen);
    void close_for_others(std::uint64_t epoch);
    [[nodiscard]] std::size_t first_chunk(std::size_t share) const { return share * chunks_ / threads_; }
    void borrow_threads();
    void dismiss();

    std::size_t chunks_;
    std::shared_ptr<Workers> workers_;
    unsigned threads_;
    Pins pins_;
    std::function<void()> attend_next_;  // the work of each lent thread
    std::unique_ptr<Share[]> shares_;    // one per worker
    std::unique_ptr<OwnEfforts[]> efforts_;
    CombiningTree tree_;
    std::size_t signal_count_;
    std::unique_ptr<Signal[]> signals_;

    StepChoice& choice_;

    const Work* work_ = nullptr;
    bool in_one_ = false;  // all nodes are in one chunk
    bool keeps_threads_ = false;
    bool lent_ = false;
    std::atomic<unsigned> next_worker_{1};
    Summary finished_sum_{};                  // of the step that others have finished, for the caller to close
    std::atomic<std::uint64_t> finished_{0};  // that step's epoch
    // Used only by the closer of the last step opened.
    alignas(cache_line) std::uint64_t epoch_ = 0;
    double missed_ns_ = 0;            // the time that threads would have saved since they were last sent home
    std::uint64_t most_work_ns_ = 0;  // the most work of a step since the last choose_cut()
    Running running_{};
};

inline constexpr Clock::Next Clock::Next::stop{How::stop};
inline constexpr Clock::Next Clock::Next::alone{How::alone};
inline constexpr Clock::Next Clock::Next::together{How::together};

// The best number of chunks to cut the nodes into, at least 1: the same number for each worker, if all that are asked
// for come, so that shares are equal. Up to four per worker, so that others can take what a slow worker has not begun
// while the chunks of a worker still form one group of the combining tree, as long as each fills a tile; else one per
// worker, of at least 16 nodes.
std::size_t chunk_count(std::size_t nodes, unsigned threads);

}  // namespace dcube::detail
