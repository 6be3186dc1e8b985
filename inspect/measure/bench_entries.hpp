#pragma once
// The keys of a benchmark's document with their values, part by part.

#include "inspect/measure/bench_document.hpp"
#include "inspect/measure/bench_fields.hpp"
#include "inspect/measure/estimate.hpp"
#include "inspect/measure/limits.hpp"
#include "inspect/measure/rates.hpp"
#include "inspect/measure/statistics.hpp"
#include "inspect/measure/step_parts.hpp"
#include "run/field.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dcube::measure {

/// A key of a part, noted with what may stand there and which documents have it.
template <class Part>
using BenchEntry = Field<Part, BenchRule>;

/// A document, and those of its parts that are made elsewhere.
struct BenchParts {
    const Benchmark& benchmark;
    Json cells;
    Json left_out;
};
std::span<const BenchEntry<BenchParts>> document_entries();

/// A cell, and what follows from its samples. Its variables follow from the setup alone.
struct BenchCell {
    const Setup& setup;
    Facts facts{};
    std::optional<Traffic> traffic{};
    Summary times{};  ///< of the runs that count
    std::size_t disturbed = 0;
    Estimate estimate{};
    std::optional<Scaling> scaled{};
    std::optional<CellLimit> limit{};
    std::optional<StepParts> step{};
    std::optional<CounterSums> counters{};  ///< per hop
    std::vector<std::string> doubts{};
    std::span<const Round> rounds{};
};
std::span<const BenchEntry<BenchCell>> cell_entries();

std::span<const BenchEntry<LeftOutCell>> left_out_entries();

}  // namespace dcube::measure
