#pragma once
// A benchmark by several processes: this program, started again with the same command line.

#include "base/json.hpp"
#include "cli/files/interrupt.hpp"

#include <optional>
#include <string>

namespace dcube::cli {

/// Which process of several this is, if another one has started it, which then prints and writes everything.
struct BenchPart {
    int descriptor = -1;  ///< where its document goes
    unsigned number = 0;  ///< from 0
    unsigned all = 1;
};
/// Empty for a process that the user has started. A part is ended with the process that started it.
std::optional<BenchPart> part_of_benchmark();

/// Writes the document to where the part's goes.
void write_part(const BenchPart& part, const std::string& document);

/// "process 2 of 3, "; empty if there is only one.
std::string part_text(unsigned number, unsigned all);

/// Whether this process can be started again as it was: not if its command line came from elsewhere than the program's
/// arguments.
bool can_start_again();

/// Starts process `number` of `all` with the same command line, and waits for its document; it shows its progress
/// itself. A request to stop is passed on; the document then has what was finished until then, or is empty. Throws
/// InvalidArgument where the process fails, which then has complained itself.
std::optional<nlohmann::ordered_json> measured_by_process(unsigned number, unsigned all, Interrupt& interrupt);

}  // namespace dcube::cli
