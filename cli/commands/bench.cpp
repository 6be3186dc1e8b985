// dcube bench: measures runs and sweeps of them with care, and compares what was measured.

#include "cli/commands/bench_options.hpp"
#include "cli/commands/bench_plan.hpp"
#include "cli/commands/bench_processes.hpp"
#include "cli/files/files.hpp"
#include "cli/files/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/plan_options.hpp"
#include "cli/ranks.hpp"
#include "cli/text/bench_table.hpp"
#include "inspect/measure/bench_document.hpp"
#include "inspect/measure/bench_run.hpp"
#include "inspect/measure/cell.hpp"
#include "inspect/measure/comparison.hpp"
#include "inspect/view/html/bench_page.hpp"
#include "run/field.hpp"

#include <dcube/error.hpp>
#include <dcube/report.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dcube::cli {

namespace {

/// The files that are made of a document. All can be written, or none is: making one throws InvalidArgument where a
/// file cannot be opened.
class BenchFiles {
public:
    explicit BenchFiles(const BenchOptions& options);
    ~BenchFiles();
    BenchFiles(const BenchFiles&) = delete;
    BenchFiles& operator=(const BenchFiles&) = delete;

    /// Throws InvalidArgument: what cannot be written; and Interrupted. The files then do not appear.
    void write(const measure::Json& document, const std::function<std::string()>& page, const Interrupt& interrupt);

private:
    std::unique_ptr<NewFile> output_;
    std::unique_ptr<NewFile> html_;
};

// Every number in it to nine digits, which is more than was measured: 2.7e-07 for 2.6999999999999996e-07.
void round_numbers(measure::Json& value)
{
    if (value.is_structured())
        for (measure::Json& part : value)
            round_numbers(part);
    else if (value.is_number_float())
        value = std::stod(fmt::format("{:.9g}", value.get<double>()));
}

// Whether it has fewer rounds than were asked for, because a stop was requested.
bool is_interrupted(const measure::Json& document)
{
    return document.value("interrupted", false);
}

// The document without lists that do not fit into a table.
std::string bench_csv(const measure::Json& document)
{
    measure::Json rows = measure::Json::array();
    for (measure::Json cell : document.at("cells")) {
        for (const char* const part : {"rounds", "modes", "step", "counters"})
            cell.erase(part);
        round_numbers(cell);
        rows.push_back(std::move(cell));
    }
    return csv_of(rows);
}

// A document that dcube bench wrote. Throws InvalidArgument, which names the file and what is wrong with it.
measure::Json read_bench_file(const std::string& file)
{
    constexpr std::size_t most = std::size_t{1} << 30;
    const std::vector<std::byte> bytes = read_file(file, most, "a benchmark has at most", Replaced::by_output);
    return measure::read_bench_document({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, file);
}

// The document in this format.
std::string bench_output(const measure::Json& document, BenchFormat format)
{
    switch (format) {
    case BenchFormat::text: return bench_table(document);
    case BenchFormat::json: return measure::bench_json(document);
    case BenchFormat::csv: return bench_csv(document);
    case BenchFormat::nccl: return nccl_table(document);
    }
    return {};
}

BenchFiles::BenchFiles(const BenchOptions& options)
{
    if (options.output)
        output_ = std::make_unique<NewFile>(*options.output);
    if (options.html)
        html_ = std::make_unique<NewFile>(*options.html);
}

BenchFiles::~BenchFiles() = default;

void BenchFiles::write(const measure::Json& document, const std::function<std::string()>& page,
                       const Interrupt& interrupt)
{
    if (output_)
        output_->write(measure::bench_json(document));
    if (html_)
        html_->write(page());
    if (!is_interrupted(document))  // which is written although a stop was requested
        interrupt.check();
    for (NewFile* const file : {output_.get(), html_.get()})
        if (file != nullptr)
            file->commit();
}

/// The complaints of a gate, one line each.
struct GateLines {
    std::vector<std::string> failed;
    std::vector<std::string> undecided;  ///< cells not measured well enough to decide
};

// A cell fails if all of the interval of its efficiency is below the least one, and is undecided if part of it is, or
// if it has none. Throws InvalidArgument if no cell of several threads has an efficiency: a gate that checks nothing is
// not passed.
GateLines inefficient_cells(const measure::Json& document, double least)
{
    GateLines lines;
    bool any = false;
    for (const measure::Json& cell : document.at("cells")) {
        if (cell.at("efficiency").is_null())
            continue;
        any = any || cell.at("threads").get<std::uint64_t>() > 1;  // a cell of one thread has 1 by definition
        const auto efficiency = cell.at("efficiency").get<double>();
        const measure::Json& interval = cell.at("efficiency_interval");
        const std::string name = measure::cell_text(cell);
        const std::string doubt = cell.at("doubts").empty() ? "" : ": " + cell.at("doubts")[0].get<std::string>();
        if (interval.is_null())
            lines.undecided.push_back(fmt::format("--min-efficiency {}: cannot tell for {}{}", least, name, doubt));
        else if (interval[1].get<double>() < least)
            lines.failed.push_back(
                fmt::format("--min-efficiency {}: the efficiency of {} is {:.3f}", least, name, efficiency));
        else if (interval[0].get<double>() < least)
            lines.undecided.push_back(
                fmt::format("--min-efficiency {}: cannot tell for {}, which has {:.3f} to {:.3f}{}", least, name,
                            interval[0].get<double>(), interval[1].get<double>(), doubt));
    }
    if (!any)
        throw InvalidArgument("--min-efficiency needs cells with several numbers of threads, and there are none");
    return lines;
}

// A cell fails if it is slower and takes more than `most` times what it took, or if only the old benchmark has it,
// because what is no longer measured may be slower. Cells are undecided if the measurements do not settle whether they
// are slower, unless all of the interval is within what is allowed. Throws InvalidArgument if the two benchmarks have
// no cell in common.
GateLines slower_cells(const measure::BenchComparison& comparison, double most)
{
    if (comparison.cells.empty())
        throw InvalidArgument("--max-slowdown needs cells that both benchmarks have, and there are none");
    GateLines lines;
    for (const measure::ComparedCell& one : comparison.cells) {
        const bool allowed = one.interval && one.interval->high <= most;
        if (one.finding == measure::Finding::cannot_tell && !allowed)
            lines.undecided.push_back(fmt::format("--max-slowdown {}: cannot tell for {}{}", most, one.cell,
                                                  one.doubts.empty() ? "" : ": " + one.doubts.front()));
        else if (one.finding == measure::Finding::slower && one.ratio > most)
            lines.failed.push_back(
                fmt::format("--max-slowdown {} exceeded: {} takes {:.3f} times as long", most, one.cell, one.ratio));
    }
    for (const std::string& cell : comparison.only_old)
        lines.failed.push_back(fmt::format("--max-slowdown {}: not in the new benchmark: {}", most, cell));
    return lines;
}

measure::BenchHead head_of(const BenchOptions& options)
{
    return {.command = command_line_text(), .effort = options.effort(), .weak = options.weak};
}

void add_rivals(const BenchOptions& options, measure::Json& document)
{
    if (options.against_each_other)
        document["against_each_other"] = measure::rivals_document(measure::against_each_other(document));
}

// The cells that a document says were left out. Reasons in it name keys as they are.
std::vector<measure::LeftOutCell> left_out_in(const measure::Json& document)
{
    std::vector<measure::LeftOutCell> left_out;
    for (const measure::Json& one : document.at("left_out"))
        left_out.push_back({one.at("cell").get<std::string>(), InvalidArgument(one.at("reason").get<std::string>())});
    return left_out;
}

void complain_of(const std::vector<measure::LeftOutCell>& left_out, const measure::Json& document)
{
    constexpr std::size_t most_told = 3;
    if (left_out.empty())
        return;
    std::string told;
    for (const auto& [cell, reason] : std::span(left_out).first(std::min(most_told, left_out.size())))
        told += fmt::format("{}{}: {}", told.empty() ? "" : "; ", cell, reason.sentence(given_option));
    note(fmt::format("{} of {} cells left out: {}{}", left_out.size(), left_out.size() + document.at("cells").size(),
                     told, left_out.size() > most_told ? "; ..." : ""));
}

// 1: a gate has failed; 3: none has, but some cells are undecided.
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
        return csv_of(cells);
    const std::string blank = csv_of(measure::compared_cell_record({}));
    return blank.substr(0, blank.find('\n') + 1);
}

/// Two benchmarks compared, and how readers know them.
struct NamedComparison {
    measure::BenchComparison comparison;
    std::string old_name;
    std::string new_name;
};

std::string comparison_output(const NamedComparison& named, BenchFormat format)
{
    measure::Json document = measure::comparison_document(named.comparison);
    if (format == BenchFormat::csv)
        round_numbers(document);
    switch (format) {
    case BenchFormat::text: return bench_comparison_text(named.comparison, named.old_name, named.new_name);
    case BenchFormat::csv: return comparison_csv(document.at("cells"));
    case BenchFormat::json:
    case BenchFormat::nccl: break;
    }
    return document.dump(2) + "\n";
}

std::string comparison_page_of(const NamedComparison& named)
{
    return view::comparison_page(measure::comparison_document(named.comparison).dump(), named.old_name, named.new_name);
}

// The results of the gates, for a document and its comparison with another one.
GateLines gate_lines(const BenchOptions& options, const measure::Json& document,
                     const std::optional<NamedComparison>& named)
{
    GateLines lines;
    if (options.max_slowdown && named)
        lines = slower_cells(named->comparison, *options.max_slowdown);
    if (options.min_efficiency) {
        GateLines more = inefficient_cells(document, *options.min_efficiency);
        std::ranges::move(more.failed, std::back_inserter(lines.failed));
        std::ranges::move(more.undecided, std::back_inserter(lines.undecided));
    }
    return lines;
}

// The cells of one benchmark against each other, below its table.
std::string rivals_text_of(const BenchOptions& options, const measure::Json& document)
{
    if (!options.against_each_other || options.format != BenchFormat::text)
        return "";
    return "\n" + rivals_text(measure::against_each_other(document));
}

// Prints the table even if the files cannot be written: no one should have to measure again because a figure cannot be
// drawn.
void write_and_print(BenchFiles& files, const measure::Json& document, const std::function<std::string()>& page,
                     const std::string& text, const Interrupt& interrupt)
{
    try {
        files.write(document, page, interrupt);
    } catch (const InvalidArgument&) {
        print(text);
        throw;
    }
    print(text);
}

int compare_files(const BenchOptions& options, const Interrupt& interrupt)
{
    const measure::Json before = read_bench_file(*options.against);
    const measure::Json now = read_bench_file(*options.shown);
    const NamedComparison named{measure::compare(before, now), *options.against, *options.shown};
    const GateLines lines = gate_lines(options, now, named);
    BenchFiles files(options);
    write_and_print(
        files, now, [&] { return comparison_page_of(named); }, comparison_output(named, options.format), interrupt);
    return exit_code(lines);
}

// The table with what was compared below it; as JSON or CSV the comparison alone, if there is one.
void write_and_print(BenchFiles& files, const BenchOptions& options, const measure::Json& document,
                     const std::optional<NamedComparison>& named, const Interrupt& interrupt)
{
    std::string text;
    if (!named || options.format == BenchFormat::text)
        text = bench_output(document, options.format) + rivals_text_of(options, document);
    if (named)
        text += (options.format == BenchFormat::text ? "\n" : "") + comparison_output(*named, options.format);
    const auto page = [&] {
        return named ? comparison_page_of(*named) : view::bench_page(measure::bench_json(document));
    };
    write_and_print(files, document, page, text, interrupt);
}

int show_file(const BenchOptions& options, const Interrupt& interrupt)
{
    measure::Json document = read_bench_file(*options.shown);
    add_rivals(options, document);
    const GateLines lines = gate_lines(options, document, std::nullopt);
    BenchFiles files(options);
    write_and_print(files, options, document, std::nullopt, interrupt);
    complain_of(left_out_in(document), document);
    return exit_code(lines);
}

/// What was measured, by this program and perhaps by another one.
struct Measured {
    measure::Benchmark benchmark;
    std::optional<measure::Json> before{};  ///< what it is compared with
};

Measured measured(const BenchOptions& options, const std::vector<measure::Setup>& setups, Interrupt& interrupt)
{
    const unsigned processes = options.processes();
    const measure::BenchHead head = head_of(options);
    if (options.against_program) {
        ProgramsInTurns both = measured_in_turns(setups, head, processes, *options.against_program, interrupt);
        return {std::move(both.own), std::move(both.other)};
    }
    Measured result{measured_here(setups, head, {0, processes}, interrupt)};
    add_processes(result.benchmark, processes, interrupt);
    return result;
}

std::optional<NamedComparison> comparison_of(const BenchOptions& options, const std::optional<measure::Json>& before,
                                             const measure::Json& document)
{
    if (!before)
        return std::nullopt;
    if (options.against_program)
        return NamedComparison{measure::compare_in_turns(*before, document), *options.against_program, "this program"};
    return NamedComparison{measure::compare(*before, document), *options.against, "now"};
}

int measure_cells(BenchOptions& options, Interrupt& interrupt)
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
        const PlanningWatch watch(interrupt);
        print(plan_text(setups, options.effort(), options.processes(), options.format));
        return 0;
    }
    if (const std::optional<BenchPart> part = part_of_benchmark())
        return measure_part(*part, setups, head_of(options), interrupt);
    std::optional<measure::Json> before;
    std::optional<BenchFiles> files;
    together(process_world(), [&] {
        if (!is_output_rank())
            return;
        if (options.against)
            before = read_bench_file(*options.against);
        files.emplace(options);
    });
    Measured result = measured(options, setups, interrupt);
    if (!is_output_rank() && result.benchmark.interrupted)
        throw Interrupted();
    if (!is_output_rank())
        return 0;
    measure::Json document = measure::bench_document(result.benchmark);
    add_rivals(options, document);
    const std::optional<NamedComparison> named = comparison_of(options, before ? before : result.before, document);
    write_and_print(*files, options, document, named, interrupt);
    complain_of(measure::left_out_of(result.benchmark), document);
    if (result.benchmark.interrupted)
        throw Interrupted();
    return exit_code(gate_lines(options, document, named));
}

Execution define_bench(CLI::App& app)
{
    const auto options = std::make_shared<BenchOptions>(app);
    return [options](Interrupt& interrupt) {
        const BenchOptions::Task task = options->task();
        if (task == BenchOptions::Task::measure)
            return measure_cells(*options, interrupt);
        if (!is_output_rank())
            return 0;
        return task == BenchOptions::Task::compare ? compare_files(*options, interrupt)
                                                   : show_file(*options, interrupt);
    };
}

}  // namespace

extern const Command bench_command{
    .name = "bench",
    .usage = "bench COLLECTIVE --dim D [OPTIONS]",
    .summary = "measure runs repeatedly; compare measurements",
    .footer =
        R"(Examples:
  dcube bench all-to-all --dim 6:12 --bytes 1:64:x8 --threads all
  dcube bench all-to-all --dim 6 --threads 1,2,4 --weak
  dcube bench all-reduce --dim 8 --bytes 8:4KiB:x8 --format nccl
  dcube bench broadcast --dim 4:8 --output old.json
  dcube bench broadcast --dim 4:8 --against old.json --max-slowdown 1.05
  dcube bench --read new.json --against old.json
  dcube bench all-to-all --dim 8 --against-program ../old/dcube
  dcube bench all-to-all --dim 6 --pin none,compact --against-each-other
  dcube bench --read new.json --html new.html

Measures every combination of the values: warmed up, checked, then interleaved in rounds and random order. Prints )"
        R"(median, 95 % interval and reasons for doubt; --output has every sample. --bytes, -b and -e are )"
        R"(packet sizes; --format nccl shows the sizes of nccl-tests.

A benchmark that is kept or compared is measured by three processes (--processes). Two programs are told apart best )"
        R"(where they share the time: --against-program measures both in turns, slice by slice.

Exit: 1 if --max-slowdown or --min-efficiency is not kept, 3 if that is undecided.)",
    .define = define_bench,
    .over = Over::all_ranks,
    .heading = to_begin};

}  // namespace dcube::cli
