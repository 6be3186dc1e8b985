#include "cli/commands/bench_plan.hpp"

#include "base/numbers.hpp"
#include "cli/commands/bench_ranks.hpp"
#include "cli/commands/sweep_of_runs.hpp"
#include "cli/ranks.hpp"
#include "cli/text/columns.hpp"
#include "cli/text/numbers.hpp"
#include "measure/cell.hpp"

#include <dcube/error.hpp>
#include <dcube/memory.hpp>
#include <dcube/report.hpp>

#include <fmt/format.h>

namespace dcube::cli {

namespace {

struct PlannedCell {
    const measure::Setup& setup;
    std::optional<std::uint64_t> memory_bytes{};
    std::string obstacle{};
};

void require_choices(const measure::Setup& setup)
{
    require_algorithm(setup.topology, setup.machine.ports, setup.problem, setup.algorithm);
}

PlannedCell planned(const measure::Setup& setup)
{
    PlannedCell cell{setup};
    try {
        require_choices(setup);
        const std::uint64_t memory = measure::memory_of(setup);
        if (const std::size_t available = available_memory(); memory > available)
            throw InvalidArgument(fmt::format("this cell would need {} of memory, and {} are available",
                                              memory_text(memory), memory_text(available)));
        cell.memory_bytes = memory;
    } catch (const InvalidArgument& error) {
        cell.obstacle = error.what();
    }
    return cell;
}

std::string plan_table(const std::vector<PlannedCell>& cells, const measure::BenchEffort& effort)
{
    std::vector<Column> columns{{"cell", Column::Side::left}, {"memory"}};
    std::string left_out;
    std::size_t possible = 0;
    for (const PlannedCell& cell : cells) {
        const std::string text = measure::cell_text(measure::variables_of(cell.setup));
        if (!cell.memory_bytes) {
            left_out += fmt::format("left out: {}: {}\n", text, cell.obstacle);
            continue;
        }
        ++possible;
        columns[0].cells.push_back(text);
        columns[1].cells.push_back(size_text(*cell.memory_bytes));
    }
    const auto count = static_cast<double>(possible);
    return laid_out(columns) + left_out +
           fmt::format("{} in {} rounds: {} to {} of measuring, plus preparation\n", counted(possible, "cell"),
                       effort.rounds, duration_text(count * effort.min_seconds),
                       duration_text(count * effort.max_seconds));
}

measure::Json plan_records(const std::vector<PlannedCell>& cells, const measure::BenchEffort& effort)
{
    measure::Json records = measure::Json::array();
    for (const PlannedCell& cell : cells) {
        measure::Json record = measure::variables_of(cell.setup);
        record["memory_bytes"] = cell.memory_bytes ? measure::Json(*cell.memory_bytes) : measure::Json();
        record["least_seconds"] = effort.min_seconds;
        record["most_seconds"] = effort.max_seconds;
        record["left_out"] =
            cell.obstacle.empty() ? measure::Json() : measure::Json(measure::valid_text(cell.obstacle));
        records.push_back(std::move(record));
    }
    return records;
}

std::vector<std::uint64_t> memory_of_cells(const std::vector<measure::Setup>& setups)
{
    std::vector<std::uint64_t> memory;
    for (const measure::Setup& setup : setups)
        memory.push_back(planned(setup).memory_bytes.value_or(0));
    return memory;
}

}  // namespace

std::vector<measure::Setup> setups_of(const std::vector<RunCommand>& runs)
{
    std::vector<measure::Setup> setups;
    for (const RunCommand& run : runs)
        setups.push_back({run.topology, run.problem, run.machine, run.algorithm, run.seed, !run.threads_given});
    return setups;
}

std::vector<measure::Candidate> candidates_of(const std::vector<measure::Setup>& setups, const std::stop_token& stop)
{
    const std::vector<std::uint64_t> memory = of_first_rank([&] { return memory_of_cells(setups); });
    std::vector<measure::Candidate> all;
    for (std::size_t i = 0; i < setups.size(); ++i)
        all.push_back({memory[i], [&setup = setups[i], stop] {
                           together(process_world(), [&] { require_choices(setup); });
                           return prepared(setup, stop);
                       }});
    return all;
}

std::uint64_t memory_to_keep()
{
    return of_first_rank(
               [] { return std::vector<std::uint64_t>{available_memory() / 4 / process_world().ranks_on_host()}; })
        .front();
}

std::string plan_text(const std::vector<measure::Setup>& setups, const measure::BenchEffort& effort, BenchFormat format)
{
    std::vector<PlannedCell> cells;
    bool any = false;
    for (const measure::Setup& setup : setups) {
        cells.push_back(planned(setup));
        any = any || cells.back().memory_bytes;
    }
    if (!any)
        throw InvalidArgument(cells.front().obstacle);
    if (format == BenchFormat::text)
        return plan_table(cells, effort);
    const std::string records = plan_records(cells, effort).dump(2);
    return format == BenchFormat::csv ? to_csv(records) : records + "\n";
}

}  // namespace dcube::cli
