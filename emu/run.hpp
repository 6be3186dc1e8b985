#pragma once
// Run: one run of a machine, from its programs' start to its counts. It opens and closes the steps; what happens within
// a step is the chunks' (chunk.hpp).

#include "emu/collective_starts.hpp"
#include "emu/engine.hpp"

#include <cstdint>
#include <exception>

namespace dcube::detail {

// A step is closed in stages. First all chunks run their nodes; then, where lent bytes are watched, they are checked;
// then, on several ranks, what crosses is packed, exchanged and entered. Checking, packing and entering are shared
// among the workers if that is worth their while: then the clock visits all chunks once more, in another stage, before
// the step is decided. Whichever worker is the last in a stage closes it, so nothing here needs a lock.
class Run {
public:
    Run(Engine& engine, const RunOptions& options) : engine_(engine), ranks_(engine.ranks()), options_(options) {}

    // Throws what ended the run. The machine is as new then, too.
    Counts of(const Machine::Program& program);

private:
    // The work that all workers do.
    enum class Stage : std::uint8_t { running, checking, packing, entering };

    void start(const Machine::Program& program);
    void steps();
    Summary run_part(std::size_t chunk, std::uint64_t what);

    Clock::Next close(const Summary& own);
    Clock::Next close_stage(const Summary& own);
    Clock::Next close_step();
    Clock::Next share(Stage stage, Clock::Next::How how, std::uint64_t work_ns = 0);
    Clock::Next cross();
    Clock::Next decide();
    Clock::Next go_on();
    [[nodiscard]] StepNote note(const Chunk::Tally& total);
    template <class Function>
    void call(const Function& function);
    void call_on_step() const;

    [[nodiscard]] Counts count(double wall_seconds) const;
    [[nodiscard]] EngineCounts count_engine() const;

    Engine& engine_;
    Ranks& ranks_;
    const RunOptions& options_;

    Stage stage_ = Stage::running;
    // The step that is being closed: of this rank's chunks, and of all ranks.
    Summary sum_{};
    CollectiveStarts starts_{};
    StepNote all_{};
    std::uint64_t alone_ = 0;  // steps that were closed
    std::uint64_t together_ = 0;
    Clock::Efforts efforts_{};  // in these steps
    Failure failure_{};         // the failure that ends the run
    std::exception_ptr lost_;   // the error that ended it on this rank alone
};

}  // namespace dcube::detail
