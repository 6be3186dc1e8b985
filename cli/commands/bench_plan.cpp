#include "cli/commands/bench_plan.hpp"

#include "base/memory.hpp"
#include "base/numbers.hpp"
#include "cli/ranks.hpp"
#include "cli/text/table.hpp"
#include "inspect/measure/bench_run.hpp"
#include "inspect/measure/cell.hpp"
#include "inspect/measure/host_document.hpp"
#include "inspect/measure/team.hpp"

#include <dcube/error.hpp>
#include <dcube/report.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

namespace dcube::cli {

namespace {

// All ranks measure for as long as rank 0's clock says.
double seconds_for_all()
{
    const double own = measure::steady_seconds();
    const std::vector<std::byte> told = process_world().broadcast(std::as_bytes(std::span(&own, 1)), 0);
    double seconds = 0;
    std::memcpy(&seconds, told.data(), sizeof seconds);
    return seconds;
}

struct PlannedCell {
    const measure::Setup& setup;
    std::optional<std::uint64_t> memory_bytes{};
    std::optional<InvalidArgument> obstacle{};
};

PlannedCell planned(const measure::Setup& setup)
{
    PlannedCell cell{setup};
    try {
        cell.memory_bytes = measure::memory_needed(setup);
    } catch (const InvalidArgument& error) {
        cell.obstacle = error;
    }
    return cell;
}

std::string plan_table(const std::vector<PlannedCell>& cells, const measure::BenchEffort& effort, unsigned processes)
{
    Table table{{{"cell", Column::Side::left}, {"memory"}}};
    std::string left_out;
    std::size_t possible = 0;
    for (const PlannedCell& cell : cells) {
        const std::string text = measure::cell_text(measure::variables_of(cell.setup));
        if (cell.obstacle) {
            left_out += fmt::format("left out: {}: {}\n", text, cell.obstacle->sentence(given_option));
            continue;
        }
        ++possible;
        table.add({text, size_text(*cell.memory_bytes)});
    }
    const double count = static_cast<double>(possible) * processes;
    return in_text(table) + left_out +
           fmt::format("{} in {} rounds{}: {} to {} of measuring, plus preparation\n", counted(possible, "cell"),
                       effort.rounds, processes > 1 ? fmt::format(" of each of {} processes", processes) : "",
                       duration_text(count * effort.min_seconds), duration_text(count * effort.max_seconds));
}

measure::Json plan_records(const std::vector<PlannedCell>& cells, const measure::BenchEffort& effort,
                           unsigned processes)
{
    measure::Json records = measure::Json::array();
    for (const PlannedCell& cell : cells) {
        measure::Json record = measure::variables_of(cell.setup);
        record["memory_bytes"] = cell.memory_bytes ? measure::Json(*cell.memory_bytes) : measure::Json();
        record["least_seconds"] = effort.min_seconds * processes;
        record["most_seconds"] = effort.max_seconds * processes;
        record["left_out"] =
            cell.obstacle ? measure::Json(measure::valid_text(cell.obstacle->what())) : measure::Json();
        records.push_back(std::move(record));
    }
    return records;
}

// The result of work() on rank 0, returned on all ranks; what it throws is thrown on all of them.
std::vector<std::uint64_t> of_first_rank(const std::function<std::vector<std::uint64_t>()>& work)
{
    World& world = process_world();
    std::vector<std::uint64_t> numbers;
    together(world, [&] {
        if (world.rank() == 0)
            numbers = work();
    });
    const std::vector<std::byte> told = world.broadcast(std::as_bytes(std::span(numbers)), 0);
    numbers.resize(told.size() / sizeof(std::uint64_t));
    std::ranges::copy(told, std::as_writable_bytes(std::span(numbers)).begin());
    return numbers;
}

}  // namespace

// Several ranks must stop together: within a run the run sees to it, between slices this check does.
measure::Surroundings surroundings(const Interrupt& interrupt, BenchProgress& progress)
{
    if (process_world().ranks() == 1)
        return {.now = measure::steady_seconds, .stop = interrupt.token(), .tell = [&](const measure::Stage& stage) {
                    progress.show(stage);
                }};
    return {.now = seconds_for_all, .stop = {}, .tell = [&](const measure::Stage& stage) {
                together(process_world(), [&] {
                    interrupt.check();
                    progress.show(stage);
                });
            }};
}

std::vector<measure::Setup> setups_of(const std::vector<RunCommand>& runs)
{
    std::vector<measure::Setup> setups;
    for (const RunCommand& run : runs)
        setups.push_back({run.topology, run.problem, run.machine, run.algorithm, run.how.seed, !run.threads_given});
    return setups;
}

std::vector<std::uint64_t> memory_of_cells(const std::vector<measure::Setup>& setups)
{
    return of_first_rank([&] {
        std::vector<std::uint64_t> memory;
        for (const measure::Setup& setup : setups)
            memory.push_back(planned(setup).memory_bytes.value_or(0));
        return memory;
    });
}

std::uint64_t memory_to_keep()
{
    return of_first_rank(
               [] { return std::vector<std::uint64_t>{available_memory() / 4 / process_world().ranks_on_host()}; })
        .front();
}

std::string plan_text(const std::vector<measure::Setup>& setups, const measure::BenchEffort& effort, unsigned processes,
                      BenchFormat format)
{
    std::vector<PlannedCell> cells;
    for (const measure::Setup& setup : setups)
        cells.push_back(planned(setup));
    if (std::ranges::none_of(cells, [](const PlannedCell& cell) { return !cell.obstacle; }))
        throw InvalidArgument(*cells.front().obstacle);
    if (format == BenchFormat::text)
        return plan_table(cells, effort, processes);
    const measure::Json records = plan_records(cells, effort, processes);
    return format == BenchFormat::csv ? csv_of(records) : records.dump(2) + "\n";
}

}  // namespace dcube::cli
