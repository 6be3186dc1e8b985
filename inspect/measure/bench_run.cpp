#include "inspect/measure/bench_run.hpp"

#include "base/memory.hpp"
#include "base/numbers.hpp"
#include "inspect/measure/disturbance.hpp"
#include "inspect/measure/host.hpp"
#include "inspect/measure/host_document.hpp"
#include "inspect/measure/kept_limits.hpp"
#include "inspect/measure/limit_of_run.hpp"
#include "inspect/measure/moment.hpp"
#include "inspect/measure/perf_counters.hpp"
#include "run/field.hpp"
#include "run/given.hpp"

#include <dcube/error.hpp>
#include <dcube/world.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

namespace dcube::measure {

namespace {

void require_choices(const Setup& setup)
{
    require_algorithm(setup.topology, setup.machine.ports, setup.problem, setup.algorithm);
}

std::shared_ptr<World> world_of(const Setup& setup)
{
    return setup.machine.world ? setup.machine.world : world_alone();
}

unsigned most_threads(std::span<const Setup> setups)
{
    unsigned most = 1;
    for (const Setup& setup : setups)
        most = std::max(most, setup.machine.threads);
    return most;
}

// Everything around the cells, as it is before the first is measured.
Benchmark blank_benchmark(std::span<const Setup> setups, const BenchHead& head)
{
    const Host host = this_host();
    Benchmark benchmark;
    benchmark.command = valid_text(head.command);
    benchmark.date = now_text();
    benchmark.program = program_document();
    benchmark.host = host_document(host);
    benchmark.warnings = warnings(host, most_threads(setups));
    benchmark.effort = head.effort;
    benchmark.weak = head.weak;
    benchmark.limits = head.limits ? head.limits : kept_limits();
    return benchmark;
}

// One process looks at its own threads. Several ranks, who must all do the same, do not.
std::vector<Outcome> watched_experiment(std::span<const Setup> setups, std::span<const Candidate> candidates,
                                        Benchmark& benchmark, Surroundings surroundings)
{
    if (std::ranges::any_of(setups, [](const Setup& setup) { return setup.machine.world != nullptr; }))
        return experiment(candidates, benchmark.effort, surroundings);
    ThreadWatch threads;
    MomentWatch moments;
    PerfCounters counters;
    PageWatch pages;
    surroundings.watch = &threads;
    surroundings.look = [&] {
        pages.look();
        return moments();
    };
    if (counters.obstacle().empty())
        surroundings.counters = &counters;
    benchmark.host["counters_missing"] = or_null(counters.obstacle());
    std::vector<Outcome> outcomes = experiment(candidates, benchmark.effort, surroundings, &benchmark.moments);
    benchmark.host["huge_pages_used"] = or_null(pages.used());
    return outcomes;
}

// The best that this host's limits allow the cell, if they say something of it.
std::optional<CellLimit> limit_of_cell(const std::optional<Limits>& limits, const MeasuredCell& cell)
{
    const Facts& facts = cell.outcome.facts;
    const Limits* const known = limits_for(cell.setup, limits);
    if (known == nullptr || facts.transmissions == 0)
        return std::nullopt;
    Demand demand{.threads = facts.threads,
                  .steps = facts.steps,
                  .transmissions = facts.transmissions,
                  .packet_bytes = facts.link_bytes / facts.transmissions,
                  .data_bytes = facts.data_bytes};
    if (const CellCounts& counts = cell.outcome.counts; counts.samples != 0) {
        demand.crossing_packets = counts.engine.crossing_packets / counts.samples;
        demand.steps_together = counts.engine.steps_together / counts.samples;
    }
    const std::optional<LimitOfRun> limit = limit_of_run(*known, demand);
    if (!limit || limit->seconds <= 0)
        return std::nullopt;
    return CellLimit{limit->seconds, limit->binds};
}

}  // namespace

void require_different(std::span<const Setup> setups)
{
    std::set<std::string> known;
    for (const Setup& setup : setups) {
        const Json variables = variables_of(setup);
        if (!known.insert(identity(variables)).second)
            throw InvalidArgument(fmt::format("a cell is asked for twice: {}", cell_text(variables)));
    }
}

std::uint64_t memory_needed(const Setup& setup)
{
    require_choices(setup);
    const std::uint64_t memory = memory_of(setup);
    if (const std::size_t available = available_memory(); memory > available)
        throw InvalidArgument(fmt::format("this cell would need {} of memory; available: {}", memory_text(memory),
                                          memory_text(available)));
    return memory;
}

std::vector<Candidate> candidates_of(std::span<const Setup> setups, std::span<const std::uint64_t> memory,
                                     const StopToken& stop)
{
    std::vector<Candidate> all;
    for (std::size_t i = 0; i < setups.size(); ++i)
        all.push_back({memory[i], [&setup = setups[i], stop] {
                           together(*world_of(setup), [&] { require_choices(setup); });
                           return prepared(setup, stop);
                       }});
    return all;
}

BenchEffort effort_of(const GivenEffort& given)
{
    BenchEffort effort;
    effort.min_seconds = given.min_seconds.value_or(given.max_seconds ? std::min(effort.min_seconds, *given.max_seconds)
                                                                      : effort.min_seconds);
    effort.max_seconds = given.max_seconds.value_or(std::max(effort.max_seconds, 2 * effort.min_seconds));
    effort.min_samples = given.samples.value_or(effort.min_samples);
    effort.rounds = static_cast<unsigned>(given.rounds.value_or(effort.rounds));
    effort.max_samples_a_round =
        std::max(effort.max_samples_a_round, (effort.min_samples + effort.rounds - 1) / effort.rounds);
    effort.warm_up_runs = static_cast<unsigned>(given.warm_up.value_or(effort.warm_up_runs));
    effort.check = given.check.value_or(effort.check);
    effort.order_seed = given.seed;
    return effort;
}

Benchmark measured_benchmark(std::span<const Setup> setups, std::span<const Candidate> candidates,
                             const BenchHead& head, const Surroundings& surroundings)
{
    Benchmark benchmark = blank_benchmark(setups, head);
    const OthersWatch others;
    const QuotaWatch quota;
    std::vector<Outcome> outcomes = watched_experiment(setups, candidates, benchmark, surroundings);
    if (std::ranges::none_of(outcomes, [](const Outcome& one) { return !one.obstacle; }))
        throw InvalidArgument(*outcomes.front().obstacle);
    if (const std::optional<double> processors = others.processors())
        benchmark.host["other_processors"] = *processors;
    if (std::string warning = quota.warning(); !warning.empty())
        benchmark.warnings.push_back(std::move(warning));
    benchmark.interrupted = std::ranges::any_of(outcomes, [](const Outcome& one) { return one.interrupted; });
    for (std::size_t i = 0; i < setups.size(); ++i) {
        MeasuredCell& cell = benchmark.cells.emplace_back(MeasuredCell{setups[i], std::move(outcomes[i])});
        if (!cell.outcome.obstacle)
            cell.limit = limit_of_cell(benchmark.limits, cell);
    }
    return benchmark;
}

}  // namespace dcube::measure
