#pragma once
// A benchmark by this process, and by several: this program, started again with the same command line.

#include "cli/files/interrupt.hpp"
#include "inspect/measure/bench_run.hpp"

#include <optional>
#include <string>
#include <vector>

namespace dcube::cli {

/// Which process of several this is, if another one has started it, which then prints and writes everything.
struct BenchPart {
    int descriptor = -1;  ///< where its document goes
    unsigned number = 0;  ///< from 0
    unsigned all = 1;
};
/// Empty for a process that the user has started. A part is ended with the process that started it.
std::optional<BenchPart> part_of_benchmark();

/// Measures these cells in this process, with a line of progress that begins with `which`. All ranks do it together.
/// Throws what measured_benchmark() throws.
measure::Benchmark measured_here(const std::vector<measure::Setup>& setups, measure::BenchHead head,
                                 const std::string& which, Interrupt& interrupt);

/// The same as a part of a benchmark: the document goes to where the part's goes. Returns the exit code.
int measure_part(const BenchPart& part, const std::vector<measure::Setup>& setups, const measure::BenchHead& head,
                 Interrupt& interrupt);

/// "process 2 of 3, "; empty if there is only one.
std::string part_text(unsigned number, unsigned all);

/// Whether this process can be started again as it was: not if its command line came from elsewhere than the program's
/// arguments.
bool can_start_again();

/// Adds what processes 1, 2, .. measure, one after the other: this program, started again with the same command line,
/// or with these words behind its name. This process has measured, and has freed what it held for that. Throws
/// InvalidArgument where a process fails, which then has complained itself.
void add_processes(measure::Benchmark& benchmark, unsigned processes, Interrupt& interrupt,
                   const std::vector<std::string>& words = {});

}  // namespace dcube::cli
