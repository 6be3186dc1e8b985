#include "measure/bench_document.hpp"

#include "base/numbers.hpp"
#include "measure/rates.hpp"
#include "measure/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string_view>

namespace dcube::measure {

namespace {

template <class Value>
Json maybe(const std::optional<Value>& value)
{
    return value ? Json(*value) : Json();
}

Json maybe(const std::optional<Interval>& interval)
{
    return interval ? Json::array({interval->low, interval->high}) : Json();
}

// What follows from one cell's samples.
struct Evaluated {
    const MeasuredCell& cell;
    Summary summary;
    std::optional<Interval> interval;
};

// The interval is made of the rounds' medians: samples of one round follow each other, and are not independent. It has
// the median of all samples in it.
Evaluated evaluated(const MeasuredCell& cell)
{
    std::vector<double> all;
    std::vector<double> medians;
    for (const Round& round : cell.outcome.rounds) {
        all.insert(all.end(), round.samples_seconds.begin(), round.samples_seconds.end());
        medians.push_back(median(round.samples_seconds));
    }
    Evaluated result{cell, summary(all), interval_of_median(medians)};
    if (result.interval) {
        result.interval->low = std::min(result.interval->low, result.summary.median);
        result.interval->high = std::max(result.interval->high, result.summary.median);
    }
    return result;
}

Json settings_of(const Benchmark& benchmark)
{
    const BenchEffort& effort = benchmark.effort;
    Json all;
    all["min_seconds"] = effort.min_seconds;
    all["max_seconds"] = effort.max_seconds;
    all["min_samples"] = effort.min_samples;
    all["max_samples"] = effort.max_samples_a_round * effort.rounds;
    all["rounds"] = effort.rounds;
    all["warm_up_runs"] = effort.warm_up_runs;
    all["order_seed"] = effort.order_seed;
    all["pin"] = benchmark.cells.empty() ? Json("none") : variables_of(benchmark.cells.front().setup).at("pin");
    all["weak"] = benchmark.weak;
    all["check"] = effort.check;
    return all;
}

// Each begins with the word that a table's footnote has.
std::vector<std::string> doubts_of(const Evaluated& one, unsigned threads, const Json& host)
{
    constexpr double wide = 0.05;
    constexpr double highest_share = 1.005;  // shown as 100 %
    std::vector<std::string> doubts;
    const Outcome& outcome = one.cell.outcome;
    if (one.interval) {
        const double width = (one.interval->high - one.interval->low) / one.summary.median;
        if (width > wide)
            doubts.push_back(fmt::format("spread: the interval is {:.0f} % of the median wide", 100 * width));
    } else {
        doubts.push_back(fmt::format("few: {}, too few for an interval", counted(outcome.rounds.size(), "round")));
    }
    const Json idle = host.value("idle_processors", Json());
    constexpr double most_missing = 0.5;
    if (idle.is_number() && idle.get<double>() < threads - most_missing)
        doubts.push_back(fmt::format("busy: {:.1f} processors were idle at the start", idle.get<double>()));
    const Json others = host.value("other_processors", Json());
    const Json processors = host.value("processors", Json());
    if (others.is_number() && processors.is_number() &&
        processors.get<double>() - others.get<double>() < threads - most_missing)
        doubts.push_back(fmt::format("busy: other programs took {:.1f} processors meanwhile", others.get<double>()));
    if (one.cell.limit && one.cell.limit->seconds > one.summary.median * highest_share)
        doubts.push_back(fmt::format("limit: {:.0f} % of it is reached, so it was measured too low",
                                     100 * one.cell.limit->seconds / one.summary.median));
    if (outcome.facts.threads < threads && !one.cell.setup.any_threads)
        doubts.push_back(fmt::format("threads: only {} of {} worked", outcome.facts.threads, threads));
    if (!outcome.interleaved)
        doubts.push_back("alone: too large to be interleaved with other cells");
    if (!outcome.facts.verified)
        doubts.push_back("unchecked: the result was not checked");
    return doubts;
}

void add_rates(Json& json, const Evaluated& one)
{
    const Facts& facts = one.cell.outcome.facts;
    const double seconds = one.summary.median;
    const auto hops = static_cast<double>(facts.transmissions);
    const std::optional<Traffic> traffic = traffic_of(one.cell.setup.problem, one.cell.setup.topology);
    const double algbw = traffic ? static_cast<double>(traffic->size_bytes) / seconds : 0;
    json["algbw_bytes_per_second"] = traffic ? Json(algbw) : Json();
    json["busbw_bytes_per_second"] = traffic ? Json(algbw * traffic->bus_factor) : Json();
    json["ns_per_hop"] = facts.transmissions != 0 ? Json(seconds * 1e9 / hops) : Json();
    json["hops_per_second"] = facts.transmissions != 0 ? Json(hops / seconds) : Json();
    json["link_bytes_per_second"] = static_cast<double>(facts.link_bytes) / seconds;
}

void add_samples(Json& json, const Evaluated& one)
{
    const Summary& times = one.summary;
    json["count"] = times.count;
    json["median_seconds"] = times.median;
    json["minimum_seconds"] = times.minimum;
    json["p99_seconds"] = times.p99;
    json["mad_seconds"] = times.mad;
    json["interval_seconds"] = maybe(one.interval);
}

void add_scaling(Json& json, const std::optional<Scaling>& scaled)
{
    json["speed_up"] = scaled ? Json(scaled->speed_up) : Json();
    json["speed_up_interval"] = scaled ? maybe(scaled->speed_up_interval) : Json();
    json["efficiency"] = scaled ? Json(scaled->efficiency) : Json();
    json["efficiency_interval"] = scaled ? maybe(scaled->efficiency_interval) : Json();
}

void add_limit(Json& json, const Evaluated& one)
{
    const std::optional<CellLimit>& limit = one.cell.limit;
    json["limit_seconds"] = limit ? Json(limit->seconds) : Json();
    json["limit_binds"] = limit ? Json(limit->binds) : Json();
    json["share_of_limit"] = limit ? Json(limit->seconds / one.summary.median) : Json();
}

Json rounds_of(const Outcome& outcome)
{
    Json rounds = Json::array();
    for (const Round& round : outcome.rounds)
        rounds.push_back({{"order", round.order}, {"samples_seconds", round.samples_seconds}});
    return rounds;
}

// The cell's keys that its variables do not decide stand where people look for them: beside those that do.
Json variables_and_facts(const MeasuredCell& cell)
{
    const Json variables = variables_of(cell.setup);
    const Facts& facts = cell.outcome.facts;
    const std::optional<Traffic> traffic = traffic_of(cell.setup.problem, cell.setup.topology);
    Json json;
    for (const auto& [key, value] : variables.items()) {
        if (key == "asked")
            json["algorithm"] = facts.algorithm;
        json[key] = value;
        if (key == "threads")
            json["threads_used"] = facts.threads;
        if (key == "topology")
            json["nodes"] = cell.setup.topology.nodes();
    }
    json["steps"] = facts.steps;
    json["transmissions"] = facts.transmissions;
    json["link_bytes"] = facts.link_bytes;
    json["size_bytes"] = traffic ? Json(traffic->size_bytes) : Json();
    return json;
}

// Under weak scaling a family has one dimension more for each doubling of the threads.
Timed timed(const Evaluated& one, const Json& variables, bool weak)
{
    const auto threads = variables.at("threads").get<unsigned>();
    Timed result{.family = family(variables, weak),
                 .threads = threads,
                 .seconds = one.summary.median,
                 .interval = one.interval,
                 .work = 1};
    if (weak) {
        result.family += std::to_string(one.cell.setup.topology.dimension() + 1 - std::bit_width(threads));
        result.work = std::max(1.0, static_cast<double>(one.cell.outcome.facts.transmissions));
    }
    return result;
}

Json cells_of(const std::vector<Evaluated>& all, const Benchmark& benchmark)
{
    std::vector<Timed> times;
    for (const Evaluated& one : all)
        times.push_back(timed(one, variables_of(one.cell.setup), benchmark.weak));
    const std::vector<std::optional<Scaling>> scaled = scaling(times);
    Json cells = Json::array();
    for (std::size_t i = 0; i < all.size(); ++i) {
        Json cell = variables_and_facts(all[i].cell);
        add_samples(cell, all[i]);
        add_rates(cell, all[i]);
        add_scaling(cell, scaled[i]);
        add_limit(cell, all[i]);
        cell["doubts"] = doubts_of(all[i], times[i].threads, benchmark.host);
        cell["rounds"] = rounds_of(all[i].cell.outcome);
        cells.push_back(std::move(cell));
    }
    return cells;
}

}  // namespace

Json bench_document(const Benchmark& benchmark)
{
    std::vector<Evaluated> all;
    Json left_out = Json::array();
    for (const MeasuredCell& cell : benchmark.cells)
        if (cell.outcome.obstacle.empty())
            all.push_back(evaluated(cell));
        else
            left_out.push_back(
                {{"cell", cell_text(variables_of(cell.setup))}, {"reason", valid_text(cell.outcome.obstacle)}});
    Json document;
    document["schema"] = 1;
    document["kind"] = "benchmark";
    document["program"] = benchmark.program;
    document["command"] = benchmark.command;
    document["date"] = benchmark.date;
    document["host"] = benchmark.host;
    document["interrupted"] = benchmark.interrupted;
    document["warnings"] = benchmark.warnings;
    document["settings"] = settings_of(benchmark);
    document["limits"] = benchmark.limits;
    document["cells"] = cells_of(all, benchmark);
    document["left_out"] = std::move(left_out);
    return document;
}

}  // namespace dcube::measure
