#include "inspect/measure/scale_plan.hpp"

#include "base/memory.hpp"
#include "base/numbers.hpp"
#include "inspect/measure/host.hpp"
#include "inspect/measure/host_document.hpp"
#include "inspect/measure/limit_of_run.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

namespace dcube::measure {

namespace {

constexpr unsigned scale_schema = 1;
constexpr unsigned least_dim = 6;
constexpr unsigned most_dim = 13;
constexpr unsigned nodes_of_thread = 16;        // at least: the machine uses no more threads
constexpr double shortest_cell_seconds = 0.15;  // of one process: nine rounds of 17 ms
constexpr double longest_cell_seconds = 3;
constexpr double runs_besides = 4;  // to prepare a cell: its pages are touched, it is warmed up and checked

std::uint64_t data_bytes_of(const ScaleCell& cell)
{
    return (std::uint64_t{2} << (2 * cell.dim)) * cell.bytes;
}

// Three times what the limits allow one thread, and less with more threads, though far from in proportion: most small
// networks gain nothing.
double expected_run_seconds(const ScaleCell& cell, const std::optional<Limits>& limits)
{
    constexpr double usual_over_limit = 3;
    const std::uint64_t transmissions = std::uint64_t{cell.dim} << (2 * cell.dim - 1);
    const Demand demand{.threads = 1,
                        .steps = std::uint64_t{1} << (cell.dim - 1),
                        .transmissions = transmissions,
                        .packet_bytes = cell.bytes,
                        .data_bytes = data_bytes_of(cell)};
    constexpr double hop_seconds = 2e-9;
    constexpr double byte_seconds = 5e-11;
    const double guess =
        static_cast<double>(transmissions) * (hop_seconds + byte_seconds * static_cast<double>(cell.bytes));
    const std::optional<LimitOfRun> limit = limits ? limit_of_run(*limits, demand) : std::nullopt;
    return usual_over_limit * (limit ? limit->seconds : guess) / std::sqrt(cell.threads);
}

// The numbers of threads at which something of the machine is full, and the powers of two below the last one.
std::vector<unsigned> thread_numbers_of(const ScaleGround& ground)
{
    const detail::ProcessorCounts& processors = ground.processors;
    std::set<unsigned> numbers{1, ground.usable_threads};
    for (unsigned number = 2; number < ground.usable_threads; number *= 2)
        numbers.insert(number);
    for (const unsigned border : {processors.cores, processors.cores_per_l3, processors.cores_per_package,
                                  processors.cores_of_kinds.empty() ? 0 : processors.cores_of_kinds.back()})
        if (border != 0 && border < ground.usable_threads)
            numbers.insert(border);
    return {numbers.begin(), numbers.end()};
}

// The largest hypercube: with packets of a line it has four times the data that all caches hold, and nodes enough for
// all threads.
unsigned largest_dim_of(const ScaleGround& ground)
{
    constexpr unsigned usual = 10;
    constexpr std::uint64_t line = 64;
    unsigned dim = ground.last_cache_bytes ? least_dim + 1 : usual;
    if (ground.last_cache_bytes)
        while (dim < most_dim && (line << (2 * dim + 1)) < 4 * *ground.last_cache_bytes)
            ++dim;
    const unsigned for_threads = static_cast<unsigned>(std::bit_width(nodes_of_thread * ground.usable_threads - 1));
    return std::clamp(std::max(dim, for_threads), least_dim + 1, most_dim);
}

/// The values that are combined to cells.
struct ScaleAxes {
    std::vector<unsigned> dims;
    std::vector<std::uint64_t> bytes;
    std::vector<unsigned> threads;
    std::vector<ScaleCell> pinned{};  // beside those
};

// The pins that mean something on this machine, beside the same threads where the system may move them.
std::vector<ScaleCell> pinned_cells(const ScaleGround& ground, const std::vector<unsigned>& dims)
{
    const detail::ProcessorCounts& processors = ground.processors;
    std::vector<std::pair<unsigned, Pinning>> choices;
    if (processors.cores < processors.processors && processors.cores > 1)
        choices.emplace_back(processors.cores, Pinning::no_smt);
    if (processors.l3_caches > 1) {
        choices.emplace_back(processors.l3_caches, Pinning::one_per_l3);
        choices.emplace_back(processors.l3_caches, Pinning::compact);
    } else if (processors.packages > 1) {
        choices.emplace_back(processors.packages, Pinning::scatter);
        choices.emplace_back(processors.packages, Pinning::compact);
    } else if (processors.cores > 1) {
        choices.emplace_back(processors.cores, Pinning::compact);
    }
    std::vector<ScaleCell> cells;
    for (const unsigned dim : std::set{dims[dims.size() / 2], dims.back()})
        for (const auto& [threads, pin] : choices) {
            if (threads > ground.usable_threads)
                continue;
            for (const Pinning& one : {Pinning(), pin})
                if (const ScaleCell cell{dim, 64, threads, one}; std::ranges::find(cells, cell) == cells.end())
                    cells.push_back(cell);
        }
    return cells;
}

std::vector<ScaleCell> cells_of(const ScaleAxes& axes, std::uint64_t memory_bytes)
{
    std::vector<ScaleCell> cells;
    const auto add = [&](const ScaleCell& cell) {
        const bool fits = data_bytes_of(cell) + data_bytes_of(cell) / 2 <= memory_bytes;
        const bool all_work = cell.threads == 1 || cell.threads * nodes_of_thread <= 1U << cell.dim;
        if (fits && all_work && std::ranges::find(cells, cell) == cells.end())
            cells.push_back(cell);
    };
    for (const unsigned dim : axes.dims)
        for (const std::uint64_t bytes : axes.bytes)
            for (const unsigned threads : axes.threads)
                add({dim, bytes, threads, {}});
    for (const ScaleCell& cell : axes.pinned)
        if (std::ranges::find(axes.dims, cell.dim) != axes.dims.end())
            add(cell);
    return cells;
}

// One process' time for these cells if each is measured for so long.
double seconds_for(const std::vector<ScaleCell>& cells, double cell_seconds, const std::optional<Limits>& limits)
{
    double all = 0;
    for (const ScaleCell& cell : cells) {
        const double run = expected_run_seconds(cell, limits);
        all += runs_besides * run + std::max(cell_seconds, fewest_rounds * run);
    }
    return all;
}

// Makes the axes shorter; false if nothing is left that could be left out.
bool leave_out_some(ScaleAxes& axes, std::vector<std::string>& left_out)
{
    const auto note_once = [&](const std::string& what) {
        if (std::ranges::find(left_out, what) == left_out.end())
            left_out.push_back(what);
    };
    if (axes.dims.size() > 4) {
        std::vector<unsigned> some;
        for (std::size_t i = 0; i < axes.dims.size(); ++i)
            if ((axes.dims.size() - 1 - i) % 2 == 0 || i == 0)
                some.push_back(axes.dims[i]);
        axes.dims = std::move(some);
        note_once("some dimensions");
    } else if (axes.bytes.size() > 1) {
        axes.bytes.erase(axes.bytes.size() == 3 ? axes.bytes.end() - 1 : axes.bytes.begin());
        note_once("other packet sizes");
    } else if (axes.dims.size() > 3) {
        axes.dims.pop_back();
        note_once("the largest network");
    } else if (axes.threads.size() > 3) {
        axes.threads = {1, axes.threads[axes.threads.size() / 2], axes.threads.back()};
        note_once("some numbers of threads");
    } else if (!axes.pinned.empty()) {
        axes.pinned.clear();
        note_once("pinned threads");
    } else if (axes.dims.back() > least_dim + 1) {
        for (unsigned& dim : axes.dims)
            dim = std::max(least_dim, dim - 1);
        axes.dims.erase(std::ranges::unique(axes.dims).begin(), axes.dims.end());
        note_once("the largest network");
    } else {
        return false;
    }
    return true;
}

std::string processors_sentence(const detail::ProcessorCounts& processors)
{
    std::string text = counted(processors.cores, "core");
    if (processors.processors != processors.cores)
        text += fmt::format(" with {}", counted(processors.processors, "processor"));
    if (!processors.cores_of_kinds.empty())
        text += fmt::format(" of {} kinds ({})", processors.cores_of_kinds.size(),
                            fmt::join(processors.cores_of_kinds, " and "));
    text += processors.packages > 1 ? fmt::format(", {} packages", processors.packages) : ", 1 package";
    if (processors.numa_nodes > 1)
        text += fmt::format(", {} NUMA nodes", processors.numa_nodes);
    text += processors.l3_caches == 0 ? ", no third-level cache listed"
                                      : fmt::format(", {}", counted(processors.l3_caches, "third-level cache"));
    return text;
}

std::string packets_sentence(const std::set<std::uint64_t>& sizes)
{
    std::vector<std::string> all;
    for (const std::uint64_t bytes : sizes)
        all.push_back(fmt::format("{} bytes ({})", bytes,
                                  bytes == 8    ? "in the channel itself"
                                  : bytes == 64 ? "a cache line"
                                                : "several cache lines"));
    return fmt::format("packets of {}", fmt::join(all, ", "));
}

std::vector<std::string> reasons_for(const ScaleGround& ground, const std::vector<ScaleCell>& cells,
                                     const std::vector<std::string>& left_out)
{
    std::set<unsigned> dims;
    std::set<unsigned> threads;
    std::set<std::uint64_t> bytes;
    std::set<std::string> pins;
    for (const ScaleCell& cell : cells) {
        dims.insert(cell.dim);
        threads.insert(cell.threads);
        bytes.insert(cell.bytes);
        if (cell.pin != Pinning::none)
            pins.insert(name(cell.pin));
    }
    const std::string caches = ground.last_cache_bytes
                                   ? fmt::format("to four times all caches ({}), or to 16 nodes for each thread",
                                                 size_text(*ground.last_cache_bytes))
                                   : "upwards (no cache's size is known)";
    std::vector<std::string> reasons{fmt::format("{}: threads {}, which fill something or are a power of two",
                                                 processors_sentence(ground.processors), fmt::join(threads, ", ")),
                                     fmt::format("hypercubes of {} dimensions: from what a core's own cache holds {}",
                                                 fmt::join(dims, ", "), caches),
                                     packets_sentence(bytes)};
    if (!pins.empty())
        reasons.push_back(
            fmt::format("threads pinned {} in some cells, beside those that the system moves", fmt::join(pins, ", ")));
    if (!left_out.empty())
        reasons.push_back(fmt::format("left out, because time is short: {}", fmt::join(left_out, ", ")));
    return reasons;
}

// A network on which one thread alone would take a quarter of the time is left out, and so on.
void leave_out_largest(ScaleAxes& axes, double seconds, const std::optional<Limits>& limits,
                       std::vector<std::string>& left_out)
{
    while (axes.dims.size() > 2 && seconds_for({{axes.dims.back(), 64, 1, {}}}, 0, limits) > seconds / 4) {
        axes.dims.pop_back();
        left_out = {"the largest network"};
    }
}

// A slice is longer than min_seconds where runs are disturbed, so there is as much again in reserve.
BenchEffort effort_within(double cell_seconds)
{
    BenchEffort effort;
    effort.min_seconds = cell_seconds / 2;
    effort.max_seconds = cell_seconds;
    return effort;
}

}  // namespace

ScaleGround ground_of(const Host& host)
{
    ScaleGround ground;
    try {
        ground.processors = detail::Processors::of_this_process().counts();
    } catch (const InvalidArgument&) {  // a system that does not bind threads
        ground.processors.processors = ground.processors.cores = host.usable_threads;
        ground.processors.cores_per_package = host.usable_threads;
    }
    ground.usable_threads = host.usable_threads;
    ground.last_cache_bytes = host.last_cache_bytes();
    ground.memory_bytes = available_memory() / 4;
    return ground;
}

ScalePlan scale_plan(const ScaleGround& ground, const std::optional<Limits>& limits, double seconds, unsigned processes)
{
    ScaleAxes axes{.dims = {}, .bytes = {8, 64, 512}, .threads = thread_numbers_of(ground)};
    for (unsigned dim = least_dim; dim <= largest_dim_of(ground); ++dim)
        axes.dims.push_back(dim);
    const double of_process = seconds / processes;
    std::vector<std::string> left_out;
    leave_out_largest(axes, of_process, limits, left_out);
    axes.pinned = pinned_cells(ground, axes.dims);
    std::vector<ScaleCell> cells = cells_of(axes, ground.memory_bytes);
    while (seconds_for(cells, shortest_cell_seconds, limits) > of_process && leave_out_some(axes, left_out))
        cells = cells_of(axes, ground.memory_bytes);
    double cell_seconds = shortest_cell_seconds;
    constexpr double finer = 1.05;
    while (cell_seconds * finer <= longest_cell_seconds &&
           seconds_for(cells, cell_seconds * finer, limits) <= of_process)
        cell_seconds *= finer;
    ScalePlan plan;
    plan.effort = effort_within(cell_seconds);
    plan.processes = processes;
    plan.seconds = processes * seconds_for(cells, cell_seconds, limits);
    plan.reasons = reasons_for(ground, cells, left_out);
    plan.cells = std::move(cells);
    return plan;
}

std::vector<Setup> setups_of(const ScalePlan& plan)
{
    std::vector<Setup> setups;
    for (const ScaleCell& cell : plan.cells) {
        Setup& setup = setups.emplace_back();
        setup.topology = Topology::hypercube(cell.dim);
        setup.problem.collective = Collective::all_to_all;
        setup.problem.bytes = static_cast<std::size_t>(cell.bytes);
        setup.machine.threads = cell.threads;
        setup.machine.pinning = cell.pin;
        setup.machine.watch_lent_bytes = false;
    }
    return setups;
}

nlohmann::ordered_json scale_plan_document(const ScalePlan& plan)
{
    nlohmann::ordered_json document{{"schema", scale_schema},
                                    {"kind", "scale plan"},
                                    {"program", program_document()},
                                    {"reasons", plan.reasons},
                                    {"expected_seconds", plan.seconds},
                                    {"processes", plan.processes},
                                    {"rounds", plan.effort.rounds},
                                    {"min_seconds", plan.effort.min_seconds},
                                    {"max_seconds", plan.effort.max_seconds},
                                    {"cells", nlohmann::ordered_json::array()}};
    for (const ScaleCell& cell : plan.cells)
        document["cells"].push_back(
            {{"dim", cell.dim}, {"bytes", cell.bytes}, {"threads", cell.threads}, {"pin", name(cell.pin)}});
    return document;
}

ScalePlan read_scale_plan(std::string_view text, const std::string& file)
{
    constexpr unsigned most_rounds = 1000;
    constexpr unsigned most_processes = 100;
    constexpr std::size_t most_cells = 10'000;
    const auto refuse = [&](const std::string& why) {
        throw InvalidArgument(fmt::format("{} is no plan of dcube scale: {}", file, why));
    };
    ScalePlan plan;
    try {
        const auto document = nlohmann::ordered_json::parse(text);
        if (document.at("kind") != "scale plan" || document.at("schema") != scale_schema)
            refuse(fmt::format("kind \"scale plan\" and schema {} are expected", scale_schema));
        plan.reasons = document.at("reasons").get<std::vector<std::string>>();
        plan.seconds = document.at("expected_seconds").get<double>();
        plan.processes = document.at("processes").get<unsigned>();
        plan.effort.rounds = document.at("rounds").get<unsigned>();
        plan.effort.min_seconds = document.at("min_seconds").get<double>();
        plan.effort.max_seconds = document.at("max_seconds").get<double>();
        for (const auto& cell : document.at("cells"))
            plan.cells.push_back({cell.at("dim").get<unsigned>(), cell.at("bytes").get<std::uint64_t>(),
                                  cell.at("threads").get<unsigned>(),
                                  parse_pinning(cell.at("pin").get<std::string>())});
    } catch (const nlohmann::ordered_json::parse_error&) {
        refuse("it is not JSON");
    } catch (const nlohmann::ordered_json::exception&) {
        refuse("a key is missing, or has a value of another kind");
    }
    const auto sound = [](const ScaleCell& cell) {
        return cell.dim >= 1 && cell.dim <= most_dim && cell.bytes >= 1 && cell.bytes <= 4096 && cell.threads >= 1 &&
               cell.threads <= 1024;
    };
    if (plan.cells.empty() || plan.cells.size() > most_cells || !std::ranges::all_of(plan.cells, sound))
        refuse("its cells are none, too many or too large");
    if (plan.processes < 1 || plan.processes > most_processes || plan.effort.rounds < 1 ||
        plan.effort.rounds > most_rounds || !(plan.effort.min_seconds > 0) ||
        !(plan.effort.max_seconds >= plan.effort.min_seconds) || !(plan.effort.max_seconds <= 86'400))
        refuse("its times, rounds or processes are none that can be measured");
    return plan;
}

}  // namespace dcube::measure
