#pragma once
// The document of a benchmark: all that was measured, on what, how, and what follows from it.

#include "measure/cell.hpp"
#include "measure/experiment.hpp"

#include <optional>
#include <string>
#include <vector>

namespace dcube::measure {

/// What of a host's limits a cell could reach at best.
struct CellLimit {
    double seconds = 0;
    std::string binds;
};

struct MeasuredCell {
    Setup setup;
    Outcome outcome;
    std::optional<CellLimit> limit{};
};

struct Benchmark {
    std::string command;
    std::string date;
    Json program;  ///< as program_document() has it
    Json host;     ///< as host_document() has it
    std::vector<std::string> warnings;
    BenchEffort effort;
    bool weak = false;
    Json limits;  ///< date, fingerprint and warnings, or null
    bool interrupted = false;
    std::vector<MeasuredCell> cells;
};

/// Cells with an obstacle are left out, with it as the reason. The keys are bench_fields().
Json bench_document(const Benchmark& benchmark);

}  // namespace dcube::measure
