#pragma once
// The document of a benchmark: all that was measured, on what, how, and what follows from it; written, and read back.

#include "inspect/measure/cell.hpp"
#include "inspect/measure/experiment.hpp"
#include "inspect/measure/limits.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::measure {

/// The best time that a cell could reach by a host's limits.
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
    Json program;  ///< made by program_document()
    Json host;     ///< made by host_document()
    std::vector<std::string> warnings;
    BenchEffort effort;
    unsigned processes = 1;
    bool weak = false;
    std::optional<Limits> limits{};  ///< the limits of which shares are given
    bool interrupted = false;
    std::vector<Moment> moments{};
    std::vector<MeasuredCell> cells;
};

/// The limits that hold for a cell; null where none are known, where they were measured with threads that are pinned in
/// another way, and for several ranks, because they are one process'.
const Limits* limits_for(const Setup& setup, const std::optional<Limits>& limits);

/// Adds what another process has measured of the same cells, which read_bench_document() has read. Cells that it lacks
/// stay as they are.
void add_process(Benchmark& benchmark, const Json& document);

/// Adds to a document what another process has measured of the same cells: rounds and doubts, from which a comparison
/// makes all that it needs. What else the document says stays the first process'.
void add_rounds(Json& document, const Json& more);

/// The rounds of a cell of a document.
std::vector<Round> rounds_of(const Json& cell);

/// A cell that could not be measured.
struct LeftOutCell {
    std::string cell;
    InvalidArgument reason;
};
/// The cells with an obstacle.
std::vector<LeftOutCell> left_out_of(const Benchmark& benchmark);

/// Its keys are bench_fields().
Json bench_document(const Benchmark& benchmark);

/// The document as files have it: a line for each cell.
std::string bench_json(const Json& document);

/// The document in `text`, with all keys of bench_fields() and values as they say; cells are all different, and each
/// is of packets or of a matrix and has rounds. Keys that are not known are kept. Throws InvalidArgument, which names
/// the file and the key that is wrong.
Json read_bench_document(std::string_view text, const std::string& file);

}  // namespace dcube::measure
