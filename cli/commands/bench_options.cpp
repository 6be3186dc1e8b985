#include "cli/commands/bench_options.hpp"

#include "base/numbers.hpp"
#include "cli/commands/bench_plan.hpp"
#include "cli/sweep.hpp"

#include <dcube/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <set>
#include <string_view>

namespace dcube::cli {

namespace {

constexpr const char* effort_heading = "Effort";
constexpr const char* results_heading = "Output";
constexpr const char* nothing_to_time = "nothing to time: 0 bytes are moved";

struct DecimalRange {
    double least;
    double most;
};

// "0.4", "3", "1e-3".
CLI::Option* add_decimal(CLI::App& app, const OptionText& text, DecimalRange allowed, std::optional<double>& into)
{
    return add_option(app, text, [name = text.name, allowed, &into](const std::string& given) {
        double value = 0;
        const char* const end = given.data() + given.size();
        const auto [stop, error] = std::from_chars(given.data(), end, value);
        const auto complain = [&](std::string_view what) {
            throw InvalidArgument(fmt::format("{} {} is {}: {} to {} are allowed", name, dcube::quoted(given), what,
                                              allowed.least, allowed.most));
        };
        if (stop != end || error != std::errc{} || !std::isfinite(value))
            complain("not a number");
        if (value < allowed.least)
            complain("too small");
        if (value > allowed.most)
            complain("too large");
        into = value;
    });
}

// An option with a letter of nccl-tests; complaints name it by its word.
template <class Read>
void add_lettered(CLI::App& app, const char* names, OptionText text, const Read& read)
{
    const char* const word = text.name;
    text.name = names;
    add_option(app, text, [word, read](const std::string& given) { read(word, given); });
}

constexpr Spelling<BenchFormat> formats_of_bench[]{
    {BenchFormat::text, "text"}, {BenchFormat::json, "json"}, {BenchFormat::csv, "csv"}, {BenchFormat::nccl, "nccl"}};

}  // namespace

BenchOptions::BenchOptions(CLI::App& app) : app_(app), sweep_(app)
{
    add_sizes_of_nccl(app);
    add_flag(app, {"--weak", "", "weak scaling: one dimension more per doubling of threads", "Machine"}, weak);
    add_effort(app);
    add_results(app);
}

void BenchOptions::add_sizes_of_nccl(CLI::App& app)
{
    const auto size_into = [](std::optional<std::size_t>& into) {
        return [&into](const char* name, const std::string& given) { into = parse_size(name, given); };
    };
    add_lettered(app, "-b,--begin", {"--begin", "SIZE", "as --bytes BEGIN:END:xFACTOR", "Problem"}, size_into(begin_));
    add_lettered(app, "-e,--end", {"--end", "SIZE", "the largest of those sizes [BEGIN]", "Problem"}, size_into(end_));
    add_lettered(app, "-f,--factor", {"--factor", "F", "ratio of one size to the one before [2]", "Problem"},
                 [this](const char* name, const std::string& given) {
                     factor_ = parse_number(name, given, {2, 1'000'000});
                 });
    need(app, "--end", "--begin");
    need(app, "--factor", "--end");
    exclude(app, "--begin", {"--bytes"});
}

void BenchOptions::add_effort(CLI::App& app)
{
    constexpr DecimalRange times{1e-6, 86'400};
    const auto number_into = [](std::optional<std::uint64_t>& into, NumberRange allowed) {
        return
            [&into, allowed](const char* name, const std::string& given) { into = parse_number(name, given, allowed); };
    };
    add_decimal(app, {"--min-time", "S", "minimum measuring time per cell [0.4]", effort_heading}, times,
                effort_.min_seconds);
    add_decimal(app, {"--max-time", "S", "maximum, but at least 6 runs, or 1 if it takes longer [3]", effort_heading},
                times, effort_.max_seconds);
    add_lettered(app, "-n,--samples,--iterations",
                 {"--samples", "N", "minimum number of runs per cell [8]", effort_heading},
                 number_into(effort_.samples, {1, 1'000'000}));
    add_lettered(app, "--rounds", {"--rounds", "N", "number of rounds that interleave the cells [9]", effort_heading},
                 number_into(effort_.rounds, {1, 1000}));
    add_lettered(app, "-w,--warm-up", {"--warm-up", "N", "unmeasured runs first [1]", effort_heading},
                 number_into(effort_.warm_up, {0, 1000}));
    add_lettered(app, "-c,--check", {"--check", "0|1", "whether results are checked [1]", effort_heading},
                 [this](const char* name, const std::string& given) {
                     effort_.check = parse_number(name, given, {0, 1}) == 1;
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
    add_file(app, {"--read", "FILE", "show what --output wrote; measure nothing", results_heading}, shown);
    add_file(app, {"--against", "FILE", "compare with what --output wrote before", "Comparison"}, against);
    add_flag(app,
             {"--against-each-other", "", "compare the cells that differ only in algorithm, pin, channel or threads",
              "Comparison"},
             against_each_other);
    app.add_option("--compare", compared, "compare two such files; measure nothing")
        ->type_name("OLD NEW")
        ->expected(1, 2)
        ->group("Comparison");
    add_decimal(app, {"--max-slowdown", "R", "exit 1 if a cell takes more than R times as long", "Comparison"}, factors,
                max_slowdown);
    add_decimal(app, {"--min-efficiency", "E", "exit 1 if a cell's efficiency is lower", "Comparison"}, {0, 1},
                min_efficiency);
    exclude(app, "--dry-run", {"--output", "--html", "--against", "--min-efficiency"});
    exclude(app, "--compare", {"--read"});
}

// -b, -e and -f as --bytes would have them.
void BenchOptions::take_sizes()
{
    if (!begin_)
        return;
    reject_if(*begin_ == 0, nothing_to_time);
    reject_if(end_ && *end_ < *begin_, fmt::format("--end {} is less than --begin {}", *end_, *begin_));
    sweep_.problem.set_bytes(parse_sizes("--begin", end_ ? fmt::format("{}:{}:x{}", *begin_, *end_, factor_.value_or(2))
                                                         : std::to_string(*begin_)));
}

std::vector<RunCommand> BenchOptions::cells()
{
    const Collective collective = sweep_.problem.collective();
    take_sizes();
    reject_if(format == BenchFormat::nccl && is_matrix(collective),
              fmt::format("--format nccl: nccl-tests have no {}; text, json and csv can show it", name(collective)));
    const bool all_threads = weak && !sweep_.machine.threads_given();
    if (all_threads)
        sweep_.machine.set_all_threads();
    RunCommand common;
    common.how.seed = sweep_.problem.seed();
    std::vector<RunCommand> runs = sweep_.runs(common, [](RunCommand& run) {
        validate(run.problem, run.topology);
        reject_if(moves_nothing(run.problem), nothing_to_time);
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

void BenchOptions::reject_measuring(const char* option) const
{
    constexpr std::string_view allowed[] = {"--format",  "--json", "--quiet",        "--html",
                                            "--compare", "--read", "--max-slowdown", "--min-efficiency"};
    for (const CLI::Option* const given : app_.parse_order())
        if (std::ranges::find(allowed, given->get_name()) == std::end(allowed))
            throw InvalidArgument(fmt::format("{} measures nothing: it cannot be combined with {}", option,
                                              given->get_name() == "COLLECTIVE" ? "a collective" : given->get_name()));
}

void BenchOptions::check_comparison() const
{
    const bool compares = against || !compared.empty();
    for (const std::string& file : compared)
        reject_if(file.empty(), "--compare '' is not a file's name");
    reject_if(!compared.empty() && compared.size() != 2, "--compare needs two files: OLD NEW");
    reject_if(max_slowdown && !compares,
              "--max-slowdown needs something to compare with: --against FILE, or --compare OLD NEW");
    reject_if(compares && format == BenchFormat::nccl,
              "--format nccl has no comparisons: text, json and csv are allowed with --against and --compare");
    reject_if(!compared.empty() && html.has_value(),
              "--html shows one benchmark: use --read FILE instead of --compare");
}

BenchOptions::Task BenchOptions::task() const
{
    check_comparison();
    if (!compared.empty())
        reject_measuring("--compare");
    else if (shown)
        reject_measuring("--read");
    reject_if(dry_run && format == BenchFormat::nccl, "--dry-run and --format nccl cannot be used together");
    if (!compared.empty())
        return Task::compare;
    return shown ? Task::show : Task::measure;
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
