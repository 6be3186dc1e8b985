#include "inspect/measure/bench_document.hpp"

#include "base/numbers.hpp"
#include "inspect/measure/bench_entries.hpp"
#include "inspect/measure/host_document.hpp"
#include "inspect/measure/limit_of_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <utility>

namespace dcube::measure {

namespace {

CounterSums per_hop(const CellCounts& counts, std::uint64_t transmissions)
{
    const double hops = static_cast<double>(counts.hardware_samples) * static_cast<double>(transmissions);
    return {counts.hardware.cycles / hops, counts.hardware.instructions / hops, counts.hardware.cache_misses / hops};
}

// Summarises the runs that count: the undisturbed ones, or if there are none all.
BenchCell evaluated(const MeasuredCell& measured)
{
    BenchCell cell{.setup = measured.setup,
                   .facts = measured.outcome.facts,
                   .traffic = traffic_of(measured.setup.problem, measured.setup.topology),
                   .limit = measured.limit,
                   .rounds = measured.outcome.rounds};
    std::vector<double> clean;
    std::vector<double> disturbed;
    for (const Round& round : cell.rounds) {
        clean.insert(clean.end(), round.samples_seconds.begin(), round.samples_seconds.end());
        disturbed.insert(disturbed.end(), round.disturbed_seconds.begin(), round.disturbed_seconds.end());
    }
    cell.disturbed = disturbed.size();
    cell.times = summary(clean.empty() ? disturbed : clean);
    cell.times.count = clean.size();
    cell.estimate = estimate_of(cell.rounds);
    if (const CellCounts& counts = measured.outcome.counts;
        counts.hardware_samples != 0 && cell.facts.transmissions != 0)
        cell.counters = per_hop(counts, cell.facts.transmissions);
    return cell;
}

// Each begins with the word that a table's footnote has, and names a cause. What else happens on the machine is none:
// it either disturbed runs of this cell, or it did not.
std::vector<std::string> doubts_of(const BenchCell& cell, const Outcome& outcome, unsigned threads)
{
    const Estimate& estimate = cell.estimate;
    std::vector<std::string> doubts;
    if (estimate.rounds < fewest_rounds)
        doubts.push_back(fmt::format("few: {}, too few for an interval", counted(estimate.rounds, "round")));
    else if (estimate.undisturbed_rounds < fewest_rounds)
        doubts.push_back(fmt::format("disturbed: {} of {} rounds have an undisturbed run", estimate.undisturbed_rounds,
                                     estimate.rounds));
    if (estimate.modes) {
        const auto& [fast, slow] = *estimate.modes;
        doubts.push_back(fmt::format("modes: {} of {}, {} of {}", counted(fast.rounds, "round"),
                                     duration_text(fast.seconds), slow.rounds, duration_text(slow.seconds)));
    }
    if (cell.limit && cell.limit->seconds > estimate.seconds * highest_share)
        doubts.push_back(fmt::format("limit: {:.0f} % of it is reached, so it was measured too low",
                                     100 * cell.limit->seconds / estimate.seconds));
    if (cell.facts.threads < threads && !cell.setup.any_threads)
        doubts.push_back(fmt::format("threads: only {} of {} worked", cell.facts.threads, threads));
    if (!outcome.interleaved)
        doubts.push_back("alone: too large to be interleaved with other cells");
    if (!cell.facts.verified)
        doubts.push_back("unchecked: the result was not checked");
    return doubts;
}

std::optional<double> number_in(const Json& part, const char* key)
{
    const Json value = part.value(key, Json());
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

// Under weak scaling a family has one dimension more for each doubling of the threads.
Timed timed(const BenchCell& cell, const Json& variables, bool weak)
{
    const auto threads = variables.at("threads").get<unsigned>();
    Timed result{.family = family(variables, weak),
                 .threads = threads,
                 .used = cell.facts.threads,
                 .seconds = cell.estimate.seconds,
                 .interval = cell.estimate.interval,
                 .rounds = cell.rounds,
                 .work = 1};
    if (weak) {
        result.family +=
            std::to_string(cell.setup.topology.dimension() + 1 - static_cast<unsigned>(std::bit_width(threads)));
        result.work = std::max(1.0, static_cast<double>(cell.facts.transmissions));
    }
    return result;
}

// What a step of the cell goes to, where one thread has done the same work.
std::optional<StepParts> step_of(const BenchCell& cell, const BenchCell& one_thread, const CellCounts& counts,
                                 const Limits& limits)
{
    const Facts& facts = cell.facts;
    const Topology& topology = cell.setup.topology;
    return step_parts({.threads = facts.threads,
                       .steps = facts.steps,
                       .seconds = cell.estimate.seconds,
                       .one_thread_seconds = one_thread.estimate.seconds,
                       .packet_bytes = facts.link_bytes / std::max<std::uint64_t>(1, facts.transmissions),
                       .dimension = topology.is_hypercube() ? std::optional(topology.dimension()) : std::nullopt,
                       .counts = counts.engine,
                       .runs = counts.samples},
                      limits);
}

// `measured`: of each cell, in the same order.
void take_steps_apart(std::vector<BenchCell>& cells, const std::vector<const Outcome*>& measured,
                      const std::optional<Limits>& limits)
{
    std::map<std::string, const BenchCell*> one_thread;
    std::vector<std::string> families;
    for (const BenchCell& cell : cells) {
        families.push_back(family(variables_of(cell.setup), false));
        if (cell.facts.threads == 1)
            one_thread.emplace(families.back(), &cell);
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Limits* const known = limits_for(cells[i].setup, limits);
        const auto alone = one_thread.find(families[i]);
        if (known != nullptr && alone != one_thread.end())
            cells[i].step = step_of(cells[i], *alone->second, measured[i]->counts, *known);
    }
}

// Adds what another process has counted, of as many samples: its document has means.
void add_counts(CellCounts& counts, const Json& cell)
{
    const auto samples = cell.at("count").get<std::uint64_t>() + cell.value("disturbed", std::uint64_t{0});
    if (const Json step = cell.value("step", Json()); step.is_object()) {
        const auto all = [&](const char* key) { return step.at(key).get<std::uint64_t>() * samples; };
        add(counts.engine, {.steps_alone = all("steps_alone"),
                            .steps_together = all("steps_together"),
                            .crossing_packets = all("crossing_packets"),
                            .helped_chunks = all("helped_chunks"),
                            .sleeps = all("sleeps")});
        counts.samples += samples;
    }
    if (const Json counters = cell.value("counters", Json()); counters.is_object()) {
        const double hops = static_cast<double>(samples) * cell.at("transmissions").get<double>();
        counts.hardware.cycles += counters.at("cycles").get<double>() * hops;
        counts.hardware.instructions += counters.at("instructions").get<double>() * hops;
        counts.hardware.cache_misses += counters.at("cache_misses").get<double>() * hops;
        counts.hardware_samples += samples;
    }
}

}  // namespace

const Limits* limits_for(const Setup& setup, const std::optional<Limits>& limits)
{
    return limits && !setup.machine.world && limits->pin == name(setup.machine.pinning) ? &*limits : nullptr;
}

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
    std::vector<const Outcome*> measured;
    std::vector<Timed> times;
    for (const MeasuredCell& one : benchmark.cells) {
        if (one.outcome.obstacle)
            continue;
        const Json variables = variables_of(one.setup);
        BenchCell& cell = cells.emplace_back(evaluated(one));
        measured.push_back(&one.outcome);
        times.push_back(timed(cell, variables, benchmark.weak));
        cell.doubts = doubts_of(cell, one.outcome, times.back().threads);
    }
    const std::vector<std::optional<Scaling>> scaled = scaling(times);
    for (std::size_t i = 0; i < cells.size(); ++i)
        cells[i].scaled = scaled[i];
    take_steps_apart(cells, measured, benchmark.limits);
    const BenchParts parts{benchmark, records_of(cell_entries(), cells),
                           records_of(left_out_entries(), left_out_of(benchmark))};
    return record_of(document_entries(), parts);
}

std::vector<Round> rounds_of(const Json& cell)
{
    const auto numbers = [](const Json& round, const char* key) {
        return round.value(key, Json::array()).get<std::vector<double>>();
    };
    std::vector<Round> rounds;
    for (const Json& one : cell.at("rounds")) {
        Round& round = rounds.emplace_back();
        round.order = one.at("order").get<std::size_t>();
        round.process = one.value("process", 0U);
        round.samples_seconds = numbers(one, "samples_seconds");
        round.disturbed_seconds = numbers(one, "disturbed_seconds");
        for (const Json& ends : one.value("disturbed_bounds", Json::array()))
            round.disturbed_bounds.push_back({ends[0].get<double>(), ends[1].get<double>()});
        if (const Json delay = one.value("run_delay_seconds", Json()); !delay.is_null())
            round.run_delay_seconds = delay.get<double>();
        if (const Json switches = one.value("switches", Json()); !switches.is_null())
            round.switches = switches.get<std::uint64_t>();
    }
    return rounds;
}

void add_process(Benchmark& benchmark, const Json& document)
{
    const unsigned process = benchmark.processes++;
    std::size_t slices = 0;
    for (const MeasuredCell& cell : benchmark.cells)
        slices += cell.outcome.rounds.size();
    for (const Json& one : document.value("moments", Json::array()))
        benchmark.moments.push_back({.order = slices + one.at("order").get<std::size_t>(),
                                     .process = process,
                                     .handover_seconds = number_in(one, "handover_seconds"),
                                     .frequency_hz = number_in(one, "frequency_hz")});
    std::map<std::string, const Json*> measured;
    for (const Json& cell : document.at("cells"))
        measured.emplace(identity(cell), &cell);
    for (MeasuredCell& cell : benchmark.cells) {
        const auto found = measured.find(identity(variables_of(cell.setup)));
        if (found == measured.end() || cell.outcome.obstacle)
            continue;
        for (Round& round : rounds_of(*found->second)) {
            round.order += slices;
            round.process = process;
            cell.outcome.rounds.push_back(std::move(round));
        }
        add_counts(cell.outcome.counts, *found->second);
    }
    benchmark.interrupted = benchmark.interrupted || document.value("interrupted", false);
    const std::optional<double> others = number_in(document.at("host"), "other_processors");
    const std::optional<double> known = number_in(benchmark.host, "other_processors");
    if (others && (!known || *others > *known))
        benchmark.host["other_processors"] = *others;
}

void add_rounds(Json& document, const Json& more)
{
    Json& processes = document["settings"]["processes"];
    const auto process = processes.get<unsigned>();
    processes = process + 1;
    std::map<std::string, const Json*> measured;
    for (const Json& cell : more.at("cells"))
        measured.emplace(identity(cell), &cell);
    for (Json& cell : document["cells"]) {
        const auto found = measured.find(identity(cell));
        if (found == measured.end())
            continue;
        for (Json round : found->second->at("rounds")) {
            round["process"] = process;
            cell["rounds"].push_back(std::move(round));
        }
        for (const Json& doubt : found->second->at("doubts"))
            if (std::ranges::find(cell["doubts"], doubt) == cell["doubts"].end())
                cell["doubts"].push_back(doubt);
    }
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
