// dcube bench: measures runs and sweeps of them with care, and compares what was measured.

#include "cli/commands/bench_files.hpp"
#include "cli/commands/bench_gates.hpp"
#include "cli/commands/bench_options.hpp"
#include "cli/commands/bench_plan.hpp"
#include "cli/commands/bench_ranks.hpp"
#include "cli/output.hpp"
#include "cli/plan_options.hpp"
#include "cli/ranks.hpp"
#include "cli/text/bench_comparison.hpp"
#include "cli/text/bench_progress.hpp"
#include "measure/bench_document.hpp"
#include "measure/comparison.hpp"
#include "measure/host.hpp"
#include "measure/host_document.hpp"
#include "measure/host_warnings.hpp"
#include "measure/kept_limits.hpp"
#include "measure/limit_of_run.hpp"
#include "measure/team.hpp"

#include <dcube/error.hpp>
#include <dcube/memory.hpp>
#include <dcube/report.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dcube::cli {

namespace {

// The best that this host's limits allow the cell, if they say something of it.
std::optional<measure::CellLimit> limit_of(const std::optional<measure::Limits>& limits,
                                           const measure::MeasuredCell& cell)
{
    const measure::Facts& facts = cell.outcome.facts;
    if (cell.setup.machine.world)  // they are a process' limits
        return std::nullopt;
    if (!limits || facts.transmissions == 0 || limits->pin != name(cell.setup.machine.pinning))
        return std::nullopt;
    const measure::Demand demand{.threads = facts.threads,
                                 .steps = facts.steps,
                                 .transmissions = facts.transmissions,
                                 .packet_bytes = facts.link_bytes / facts.transmissions,
                                 .data_bytes = facts.data_bytes};
    const std::optional<measure::LimitOfRun> limit = measure::limit_of_run(*limits, demand);
    if (!limit || limit->seconds <= 0)
        return std::nullopt;
    return measure::CellLimit{limit->seconds, limit->binds};
}

unsigned most_threads(const std::vector<measure::Setup>& setups)
{
    unsigned most = 1;
    for (const measure::Setup& setup : setups)
        most = std::max(most, setup.machine.threads);
    return most;
}

// Everything around the cells, as it is before the first is measured.
measure::Benchmark blank_benchmark(const BenchOptions& options, const std::vector<measure::Setup>& setups,
                                   const std::optional<measure::Limits>& limits)
{
    const measure::Host host = measure::this_host();
    measure::Benchmark benchmark;
    benchmark.command = measure::valid_text(command_line_text());
    benchmark.date = measure::now_text();
    benchmark.program = measure::program_document();
    benchmark.host = measure::host_document(host);
    benchmark.warnings = measure::warnings(host, most_threads(setups));
    benchmark.effort = options.effort();
    benchmark.effort.keep_bytes = memory_to_keep();
    benchmark.weak = options.weak;
    if (limits)
        benchmark.limits = {
            {"date", limits->date}, {"fingerprint", limits->fingerprint}, {"warnings", limits->warnings}};
    return benchmark;
}

measure::Json measured_document(const BenchOptions& options, const std::vector<measure::Setup>& setups,
                                Interrupt& interrupt)
{
    const std::optional<measure::Limits> limits = measure::kept_limits();
    measure::Benchmark benchmark = blank_benchmark(options, setups, limits);
    BenchProgress progress;
    const detail::PlanningScope planning(interrupt.token(),
                                         [&](const detail::PlanningStage& stage) { progress.show(stage); });
    const measure::OthersWatch others;
    std::vector<measure::Outcome> outcomes = measure::experiment(candidates_of(setups, interrupt.token()),
                                                                 benchmark.effort, surroundings(interrupt, progress));
    if (const std::optional<double> processors = others.processors())
        benchmark.host["other_processors"] = *processors;
    benchmark.interrupted = std::ranges::any_of(outcomes, [](const measure::Outcome& one) { return one.interrupted; });
    if (benchmark.interrupted)
        interrupt.settle();
    for (std::size_t i = 0; i < setups.size(); ++i) {
        benchmark.cells.push_back({setups[i], std::move(outcomes[i]), {}});
        if (benchmark.cells.back().outcome.obstacle.empty())
            benchmark.cells.back().limit = limit_of(limits, benchmark.cells.back());
    }
    if (!benchmark.interrupted)
        together(process_world(), [&] { interrupt.check(); });
    measure::Json document = measure::bench_document(benchmark);
    if (options.against_each_other)
        document["against_each_other"] = measure::rivals_document(measure::against_each_other(document));
    return document;
}

void complain_of_left_out(const measure::Json& document)
{
    constexpr std::size_t most_told = 3;
    const measure::Json& left_out = document.at("left_out");
    if (left_out.empty())
        return;
    std::string told;
    for (std::size_t i = 0; i < std::min(most_told, left_out.size()); ++i)
        told += fmt::format("{}{}: {}", i == 0 ? "" : "; ", left_out[i].at("cell").get<std::string>(),
                            left_out[i].at("reason").get<std::string>());
    complain(fmt::format("{} of {} cells left out: {}{}", left_out.size(),
                         left_out.size() + document.at("cells").size(), told,
                         left_out.size() > most_told ? "; ..." : ""));
}

// 1: a gate has failed; 3: none has, but of some cell it cannot be told.
int exit_code(const GateLines& lines)
{
    constexpr int undecided = 3;
    for (const std::vector<std::string>* const some : {&lines.failed, &lines.undecided})
        for (const std::string& line : *some)
            complain(line);
    if (!lines.failed.empty())
        return 1;
    return lines.undecided.empty() ? 0 : undecided;
}

// A line with the columns' names, and one for each cell, if there are any.
std::string comparison_csv(const measure::Json& cells)
{
    if (!cells.empty())
        return to_csv(cells.dump());
    const std::string blank = to_csv(measure::compared_cell_record({}).dump());
    return blank.substr(0, blank.find('\n') + 1);
}

std::string comparison_output(const measure::BenchComparison& comparison, BenchFormat format,
                              const std::string& old_name, const std::string& new_name)
{
    measure::Json document = measure::comparison_document(comparison);
    if (format == BenchFormat::csv)
        round_numbers(document);
    switch (format) {
    case BenchFormat::text: return bench_comparison_text(comparison, old_name, new_name);
    case BenchFormat::csv: return comparison_csv(document.at("cells"));
    case BenchFormat::json:
    case BenchFormat::nccl: break;
    }
    return document.dump(2) + "\n";
}

// What the gates say of a document and of what it is compared with.
GateLines gate_lines(const BenchOptions& options, const measure::Json& document,
                     const std::optional<measure::BenchComparison>& comparison)
{
    GateLines lines;
    if (options.max_slowdown && comparison)
        lines = slower_cells(*comparison, *options.max_slowdown);
    if (options.min_efficiency)
        std::ranges::move(inefficient_cells(document, *options.min_efficiency), std::back_inserter(lines.failed));
    return lines;
}

// The cells of one benchmark against each other, below its table.
std::string rivals_text_of(const BenchOptions& options, const measure::Json& document)
{
    if (!options.against_each_other || options.format != BenchFormat::text)
        return "";
    return "\n" + rivals_text(measure::against_each_other(document));
}

int compare_files(const BenchOptions& options)
{
    const std::string& old_name = options.compared[0];
    const std::string& new_name = options.compared[1];
    const measure::Json before = read_bench_file(old_name);
    const measure::Json now = read_bench_file(new_name);
    const measure::BenchComparison comparison = measure::compare(before, now);
    const GateLines lines = gate_lines(options, now, comparison);
    print(comparison_output(comparison, options.format, old_name, new_name));
    return exit_code(lines);
}

// The table is told whatever becomes of the files: nobody measures again because a figure cannot be drawn.
void write_and_print(BenchFiles& files, const measure::Json& document, const Interrupt& interrupt,
                     const std::function<std::string()>& text)
{
    try {
        files.write(document, interrupt);
    } catch (const InvalidArgument&) {
        print(text());
        throw;
    }
    print(text());
}

int show_file(const BenchOptions& options)
{
    measure::Json document = read_bench_file(*options.shown);
    if (options.against_each_other)
        document["against_each_other"] = measure::rivals_document(measure::against_each_other(document));
    const GateLines lines = gate_lines(options, document, std::nullopt);
    const Interrupt interrupt;  // before the files, which it removes
    BenchFiles files(options);
    const std::string text = bench_output(document, options.format) + rivals_text_of(options, document);
    write_and_print(files, document, interrupt, [&] { return text; });
    complain_of_left_out(document);
    return exit_code(lines);
}

int measure_cells(BenchOptions& options)
{
    options.spread_over(shared_world());
    std::vector<measure::Setup> setups;
    together(process_world(), [&] {
        setups = setups_of(options.cells());
        options.plans().use();
    });
    if (options.dry_run) {
        if (!is_output_rank())
            return 0;
        const Interrupt interrupt;
        const PlanningWatch watch(interrupt);
        print(plan_text(setups, options.effort(), options.format));
        return 0;
    }
    std::optional<measure::Json> before;
    Interrupt interrupt;  // before the files, which it removes
    std::optional<BenchFiles> files;
    together(process_world(), [&] {
        if (!is_output_rank())
            return;
        if (options.against)
            before = read_bench_file(*options.against);
        files.emplace(options);
    });
    const measure::Json document = measured_document(options, setups, interrupt);
    if (!is_output_rank() && is_interrupted(document))
        throw Interrupted();
    if (!is_output_rank())
        return 0;
    if (document.at("cells").empty())
        throw InvalidArgument(document.at("left_out").at(0).at("reason").get<std::string>());
    std::optional<measure::BenchComparison> comparison;
    write_and_print(*files, document, interrupt, [&] {
        std::string text;
        if (!before || options.format == BenchFormat::text)
            text = bench_output(document, options.format) + rivals_text_of(options, document);
        if (!before)
            return text;
        comparison = measure::compare(*before, document);
        return text + (options.format == BenchFormat::text ? "\n" : "") +
               comparison_output(*comparison, options.format, *options.against, "now");
    });
    complain_of_left_out(document);
    if (is_interrupted(document))
        throw Interrupted();
    return exit_code(gate_lines(options, document, comparison));
}

std::function<int()> define_bench(CLI::App& app)
{
    const auto options = std::make_shared<BenchOptions>(app);
    return [options] {
        const BenchOptions::Task task = options->task();
        if (task == BenchOptions::Task::measure)
            return measure_cells(*options);
        if (!is_output_rank())
            return 0;
        return task == BenchOptions::Task::compare ? compare_files(*options) : show_file(*options);
    };
}

}  // namespace

extern const Command bench_command{
    .name = "bench",
    .usage = "bench COLLECTIVE --dim D [OPTIONS]",
    .summary = "measure runs, again and again; compare what was measured",
    .footer = R"(Examples:
  dcube bench all-to-all --dim 6:12 --bytes 1:64:x8 --threads all
  dcube bench all-to-all --dim 6 --threads 1,2,4 --weak
  dcube bench all-reduce --dim 8 -b 8 -e 4K -f 8 --format nccl
  dcube bench broadcast --dim 4:8 --output old.json
  dcube bench broadcast --dim 4:8 --against old.json --max-slowdown 1.05
  dcube bench --compare old.json new.json
  dcube bench all-to-all --dim 6 --pin none,compact --against-each-other
  dcube bench --read new.json --html new.html

Measures every combination of the values: warmed up, checked, then interleaved in rounds and random order. Says )"
              R"(median, 95 % interval and reasons for doubt; --output has every sample. In the unit of )"
              R"(--bytes, -b and -e are the sizes of a packet; nccl-tests' sizes are in --format nccl.)",
    .define = define_bench,
    .over = Over::all_ranks};

}  // namespace dcube::cli
