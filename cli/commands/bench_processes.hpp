#pragma once
// A benchmark by this process, and by several: this program, started again with the same command line, and another
// program beside it.

#include "cli/files/interrupt.hpp"
#include "inspect/measure/bench_run.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dcube::cli {

/// The part that a process has if two measure in turns, slice by slice.
enum class TurnsPart : std::uint8_t { none, first, second };

/// Which process of several this is, if another one has started it, which then prints and writes everything.
struct BenchPart {
    unsigned number = 0;  ///< from 0
    unsigned all = 1;
    TurnsPart turns = TurnsPart::none;
    bool shows_progress = true;
};
/// Empty for a process that the user has started. A part is ended with the process that started it.
std::optional<BenchPart> part_of_benchmark();

/// Measures these cells in this process, which is a part of a benchmark: all of it, unless it has several. All ranks do
/// it together. Throws what measured_benchmark() throws.
measure::Benchmark measured_here(const std::vector<measure::Setup>& setups, measure::BenchHead head,
                                 const BenchPart& part, Interrupt& interrupt, measure::Turns* turns = nullptr);

/// The same in a process that another one has started, to which the document goes. Returns the exit code.
int measure_part(const BenchPart& part, const std::vector<measure::Setup>& setups, const measure::BenchHead& head,
                 Interrupt& interrupt);

/// Whether this process can be started again as it was: not if its command line came from elsewhere than the program's
/// arguments.
bool can_start_again();

/// Adds what processes 1, 2, .. measure, one after the other: this program, started again with the same command line,
/// or with these words behind its name. This process has measured, and has freed what it held for that. Throws
/// InvalidArgument where a process fails, which then has complained itself.
void add_processes(measure::Benchmark& benchmark, unsigned processes, Interrupt& interrupt,
                   const std::vector<std::string>& words = {});

/// Two programs that were measured in turns.
struct ProgramsInTurns {
    measure::Benchmark own;
    std::optional<measure::Json> other;  ///< its document; none if a stop came before its first round was finished
};

/// Measures these cells by this program and by another one, which knows the same command line: pairs of processes, one
/// of each, that take slices in turns. This process is the first pair's. Throws what measured_benchmark() throws, and
/// InvalidArgument where a process fails.
ProgramsInTurns measured_in_turns(const std::vector<measure::Setup>& setups, const measure::BenchHead& head,
                                  unsigned processes, const std::string& program, Interrupt& interrupt);

}  // namespace dcube::cli
