#include "inspect/measure/bench_document.hpp"

#include "base/numbers.hpp"
#include "inspect/measure/bench_entries.hpp"
#include "inspect/measure/host_document.hpp"
#include "inspect/measure/limit_of_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace dcube::measure {

namespace {

// The interval is made of the rounds' medians: samples of one round follow each other, and are not independent. It has
// the median of all samples in it.
BenchCell evaluated(const MeasuredCell& measured)
{
    BenchCell cell{.setup = measured.setup,
                   .facts = measured.outcome.facts,
                   .traffic = traffic_of(measured.setup.problem, measured.setup.topology),
                   .limit = measured.limit,
                   .rounds = measured.outcome.rounds};
    std::vector<double> all;
    std::vector<double> medians;
    for (const Round& round : cell.rounds) {
        all.insert(all.end(), round.samples_seconds.begin(), round.samples_seconds.end());
        medians.push_back(median(round.samples_seconds));
    }
    cell.times = summary(all);
    cell.interval = interval_of_median(medians);
    if (cell.interval) {
        cell.interval->low = std::min(cell.interval->low, cell.times.median);
        cell.interval->high = std::max(cell.interval->high, cell.times.median);
    }
    return cell;
}

// Each begins with the word that a table's footnote has.
std::vector<std::string> doubts_of(const BenchCell& cell, const Outcome& outcome, unsigned threads, const Json& host)
{
    constexpr double wide = 0.05;
    std::vector<std::string> doubts;
    if (cell.interval) {
        const double width = (cell.interval->high - cell.interval->low) / cell.times.median;
        if (width > wide)
            doubts.push_back(fmt::format("spread: the interval is {:.0f} % of the median wide", 100 * width));
    } else {
        doubts.push_back(fmt::format("few: {}, too few for an interval", counted(outcome.rounds.size(), "round")));
    }
    const Json idle = host.value("idle_processors", Json());
    if (idle.is_number() && idle.get<double>() < threads - most_by_system)
        doubts.push_back(fmt::format("busy: {:.1f} idle processors at the start", idle.get<double>()));
    const Json others = host.value("other_processors", Json());
    const Json processors = host.value("processors", Json());
    if (others.is_number() && processors.is_number() &&
        processors.get<double>() - others.get<double>() < threads - most_by_system)
        doubts.push_back(fmt::format("busy: other programs took {:.1f} processors meanwhile", others.get<double>()));
    if (cell.limit && cell.limit->seconds > cell.times.median * highest_share)
        doubts.push_back(fmt::format("limit: {:.0f} % of it is reached, so it was measured too low",
                                     100 * cell.limit->seconds / cell.times.median));
    if (cell.facts.threads < threads && !cell.setup.any_threads)
        doubts.push_back(fmt::format("threads: only {} of {} worked", cell.facts.threads, threads));
    if (!outcome.interleaved)
        doubts.push_back("alone: too large to be interleaved with other cells");
    if (!cell.facts.verified)
        doubts.push_back("unchecked: the result was not checked");
    return doubts;
}

// Under weak scaling a family has one dimension more for each doubling of the threads.
Timed timed(const BenchCell& cell, const Json& variables, bool weak)
{
    const auto threads = variables.at("threads").get<unsigned>();
    Timed result{.family = family(variables, weak),
                 .threads = threads,
                 .seconds = cell.times.median,
                 .interval = cell.interval,
                 .work = 1};
    if (weak) {
        result.family += std::to_string(cell.setup.topology.dimension() + 1 - std::bit_width(threads));
        result.work = std::max(1.0, static_cast<double>(cell.facts.transmissions));
    }
    return result;
}

}  // namespace

std::vector<LeftOutCell> left_out_of(const Benchmark& benchmark)
{
    std::vector<LeftOutCell> left_out;
    for (const MeasuredCell& one : benchmark.cells)
        if (one.outcome.obstacle)
            left_out.push_back({cell_text(variables_of(one.setup)), *one.outcome.obstacle});
    return left_out;
}

Json bench_document(const Benchmark& benchmark)
{
    std::vector<BenchCell> cells;
    std::vector<Timed> times;
    for (const MeasuredCell& one : benchmark.cells) {
        if (one.outcome.obstacle)
            continue;
        const Json variables = variables_of(one.setup);
        BenchCell& cell = cells.emplace_back(evaluated(one));
        times.push_back(timed(cell, variables, benchmark.weak));
        cell.doubts = doubts_of(cell, one.outcome, times.back().threads, benchmark.host);
    }
    const std::vector<std::optional<Scaling>> scaled = scaling(times);
    for (std::size_t i = 0; i < cells.size(); ++i)
        cells[i].scaled = scaled[i];
    const BenchParts parts{benchmark, records_of(cell_entries(), cells),
                           records_of(left_out_entries(), left_out_of(benchmark))};
    return record_of(document_entries(), parts);
}

std::string bench_json(const Json& document)
{
    std::string text = "{";
    std::string_view comma = "\n";
    for (const auto& [key, value] : document.items()) {
        text.append(comma).append(Json(key).dump()).append(": ");
        comma = ",\n";
        if (key != "cells") {
            text += value.dump();
            continue;
        }
        std::string_view mark = "[\n";
        for (const Json& cell : value) {
            text.append(mark).append(cell.dump());
            mark = ",\n";
        }
        text += value.empty() ? "[]" : "\n]";
    }
    return text + "\n}\n";
}

}  // namespace dcube::measure
