#include "cli/commands/bench_options.hpp"

#include "base/numbers.hpp"
#include "cli/commands/bench_plan.hpp"
#include "cli/commands/bench_processes.hpp"
#include "cli/ranks.hpp"
#include "cli/sweep.hpp"

#include <dcube/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>
#include <string_view>

namespace dcube::cli {

namespace {

constexpr const char* effort_heading = "Effort";
constexpr const char* results_heading = "Output";

struct DecimalRange {
    double least;
    double most;
};

// "0.4", "3", "1e-3".
CLI::Option* add_decimal(CLI::App& app, const OptionText& text, DecimalRange allowed, std::optional<double>& into)
{
    return add_option(app, text, [name = text.name, allowed, &into](const std::string& given) {
        const std::optional<double> value = parsed_decimal(given);
        const auto complain = [&](std::string_view what) {
            throw InvalidArgument(fmt::format("{} {} is {}: {} to {} are allowed", name, dcube::quoted(given), what,
                                              allowed.least, allowed.most));
        };
        if (!value)
            complain("not a number");
        if (*value < allowed.least)
            complain("too small");
        if (*value > allowed.most)
            complain("too large");
        into = value;
    });
}

constexpr Spelling<BenchFormat> formats_of_bench[]{
    {BenchFormat::text, "text"}, {BenchFormat::json, "json"}, {BenchFormat::csv, "csv"}, {BenchFormat::nccl, "nccl"}};

}  // namespace

BenchOptions::BenchOptions(CLI::App& app) : app_(app), sweep_(app)
{
    add_flag(app, {"--weak", "", "weak scaling: one dimension more per doubling of threads", "Machine"}, weak);
    add_effort(app);
    add_results(app);
}

void BenchOptions::add_effort(CLI::App& app)
{
    constexpr DecimalRange times{1e-6, 86'400};
    add_decimal(app, {"--min-time", "S", "minimum measuring time per cell and process [0.4]", effort_heading}, times,
                effort_.min_seconds);
    add_decimal(app, {"--max-time", "S", "maximum, but at least 6 runs, or 1 if it takes longer [3]", effort_heading},
                times, effort_.max_seconds);
    add_number(app, {"--samples", "N", "minimum number of runs per cell and process [8]", effort_heading},
               {1, 1'000'000}, effort_.samples);
    add_number(app, {"--rounds", "N", "number of rounds that interleave the cells [9]", effort_heading}, {1, 1000},
               effort_.rounds);
    add_number(app,
               {"--processes", "N",
                "number of processes that measure, one by one [1; 3 if kept or compared, 10 in turns]", effort_heading},
               {1, 100}, processes_);
    add_number(app, {"--warm-up", "N", "unmeasured runs first [1]", effort_heading}, {0, 1000}, effort_.warm_up);
    add_option(app, {"--check", "0|1", "whether results are checked [1]", effort_heading},
               [this](const std::string& given) {
                   effort_.check = parse_number("--check", given, {0, 1}) == 1;
               });
}

void BenchOptions::add_results(CLI::App& app)
{
    constexpr DecimalRange factors{1, 1000};
    add_flag(app, {"--dry-run", "", "print what would be measured, and how long it would take", results_heading},
             dry_run);
    add_choice(app, {"--format", "FORMAT", "", results_heading}, formats_of_bench, "a format of bench", format);
    add_json(app, [this] { format = BenchFormat::json; });
    add_quiet(app);
    add_file(app, {"--output", "FILE", "write all measurements to FILE, as JSON", results_heading}, output,
             "the table");
    add_file(app, {"--html", "FILE", "write a page with charts to FILE", results_heading}, html, "the table");
    add_file(app, {"--read", "FILE", "show what --output wrote, in place of measuring", results_heading}, shown);
    add_file(app, {"--against", "FILE", "compare with what --output wrote before", "Comparison"}, against);
    add_file(app,
             {"--against-program", "PROGRAM", "compare with another dcube program, measured in turns", "Comparison"},
             against_program);
    add_flag(app,
             {"--against-each-other", "", "compare the cells that differ only in algorithm, pin, channel or threads",
              "Comparison"},
             against_each_other);
    add_decimal(app,
                {"--max-slowdown", "R", "exit 1 if a cell takes more than R times as long, 3 if that is undecided",
                 "Comparison"},
                factors, max_slowdown);
    add_decimal(
        app, {"--min-efficiency", "E", "exit 1 if a cell's efficiency is lower, 3 if that is undecided", "Comparison"},
        {0, 1}, min_efficiency);
    exclude(app, "--dry-run", {"--output", "--html", "--against", "--against-program", "--min-efficiency"});
    exclude(app, "--against-program", {"--against", "--against-each-other", "--read"});
}

std::vector<RunCommand> BenchOptions::cells()
{
    const Collective collective = sweep_.problem.collective();
    reject_if(format == BenchFormat::nccl && is_matrix(collective),
              fmt::format("--format nccl: nccl-tests have no {}; text, json and csv can show it", name(collective)));
    const bool all_threads = weak && !sweep_.machine.threads_given();
    if (all_threads)
        sweep_.machine.set_all_threads();
    RunCommand common;
    common.how.seed = sweep_.problem.seed();
    std::vector<RunCommand> runs = sweep_.runs(common, [](RunCommand& run) {
        validate(run.problem, run.topology);
        reject_if(moves_nothing(run.problem), "nothing to time: 0 bytes are moved");
    });
    for (RunCommand& run : runs)
        run.machine.threads = run.machine.threads != 0 ? run.machine.threads : available_threads();
    if (weak) {
        if (all_threads)
            std::erase_if(runs, [](const RunCommand& run) { return !std::has_single_bit(run.machine.threads); });
        check_weak(runs);
        for (RunCommand& run : runs)
            run.topology = Topology::hypercube(run.topology.dimension() +
                                               static_cast<unsigned>(std::bit_width(run.machine.threads)) - 1);
    }
    std::set<unsigned> threads;
    for (const RunCommand& run : runs)
        threads.insert(run.machine.threads);
    measure::require_different(setups_of(runs));
    reject_if(min_efficiency && threads.size() < 2,
              "--min-efficiency needs several numbers of threads: --threads 1,2 or --threads all");
    return runs;
}

measure::BenchEffort BenchOptions::effort() const
{
    measure::GivenEffort given = effort_;
    given.seed = sweep_.problem.seed();
    const measure::BenchEffort effort = measure::effort_of(given);
    reject_if(effort.max_seconds < effort.min_seconds,
              fmt::format("--max-time {} is less than --min-time {}", effort.max_seconds, effort.min_seconds));
    return effort;
}

// A document that is kept or compared stands for the program, not for how one process happened to be laid out.
unsigned BenchOptions::processes() const
{
    constexpr unsigned usual = 3;
    constexpr unsigned usual_in_turns = 10;
    const bool several_ranks = process_world().ranks() > 1;
    reject_if(against_program && several_ranks, "--against-program cannot be combined with several ranks");
    reject_if(against_program && !can_start_again(),
              "--against-program needs a program that is started with its own command line");
    if (!processes_ && against_program)
        return usual_in_turns;
    if (!processes_)
        return (output || html || against) && !several_ranks && can_start_again() ? usual : 1;
    reject_if(*processes_ > 1 && several_ranks, "--processes cannot be combined with several ranks");
    reject_if(*processes_ > 1 && !can_start_again(),
              "--processes needs a program that is started with its own command line: 1 is possible here");
    return static_cast<unsigned>(*processes_);
}

void BenchOptions::reject_measuring() const
{
    constexpr std::string_view allowed[] = {
        "--format",       "--json",          "--quiet", "--html", "--read", "--against", "--against-each-other",
        "--max-slowdown", "--min-efficiency"};
    for (const CLI::Option* const given : app_.parse_order())
        if (std::ranges::find(allowed, given->get_name()) == std::end(allowed))
            throw InvalidArgument(fmt::format("--read measures nothing: it cannot be combined with {}",
                                              given->get_positional() ? "a collective" : given->get_name()));
}

void BenchOptions::check_comparison() const
{
    reject_if(max_slowdown && !against && !against_program,
              "--max-slowdown needs something to compare with: --against FILE or --against-program PROGRAM");
    reject_if((against || against_program) && format == BenchFormat::nccl,
              "--format nccl has no comparisons: text, json and csv are allowed with --against");
    reject_if(shown && against && against_each_other,
              "--against-each-other compares the cells of one benchmark: leave out --against");
}

BenchOptions::Task BenchOptions::task() const
{
    check_comparison();
    if (shown)
        reject_measuring();
    reject_if(dry_run && format == BenchFormat::nccl, "--dry-run and --format nccl cannot be used together");
    if (!shown)
        return Task::measure;
    return against ? Task::compare : Task::show;
}

void BenchOptions::check_weak(const std::vector<RunCommand>& runs) const
{
    const Collective collective = sweep_.problem.collective();
    reject_if(
        has_permutation(collective) || is_matrix(collective),
        fmt::format("--weak cannot be combined with {}: its data do not grow with the network", name(collective)));
    bool one = false;
    for (const RunCommand& run : runs) {
        const unsigned threads = run.machine.threads;
        reject_if(!run.topology.is_hypercube() || run.topology.dimension() == 0,
                  "--weak adds dimensions to a hypercube: give --dim, 1 or more");
        reject_if(!std::has_single_bit(threads),
                  "--weak doubles the threads: --threads 1,2,4, ... or all powers of two are allowed");
        one = one || threads == 1;
        const unsigned more = static_cast<unsigned>(std::bit_width(threads)) - 1;
        reject_if(run.topology.dimension() + more > Topology::max_dimension,
                  fmt::format("--weak: --dim {} and {} threads make {} dimensions: at most {} are allowed",
                              run.topology.dimension(), threads, run.topology.dimension() + more,
                              Topology::max_dimension));
    }
    reject_if(!one, "--weak compares with one thread: --threads 1,2,4, ... must begin with 1");
}

}  // namespace dcube::cli
