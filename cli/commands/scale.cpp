// dcube scale: how this machine scales, measured in a few minutes and kept as a folder that others can check.

#include "base/numbers.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/bench_processes.hpp"
#include "cli/commands/limits.hpp"
#include "cli/files/files.hpp"
#include "cli/files/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/text/bench_table.hpp"
#include "cli/text/describe.hpp"
#include "inspect/measure/bench_document.hpp"
#include "inspect/measure/comparison.hpp"
#include "inspect/measure/host.hpp"
#include "inspect/measure/host_document.hpp"
#include "inspect/measure/kept_limits.hpp"
#include "inspect/measure/scale_findings.hpp"
#include "inspect/measure/scale_plan.hpp"
#include "inspect/view/html/bench_page.hpp"

#include <dcube/error.hpp>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace dcube::cli {

namespace {

constexpr std::size_t most_scale_bytes = std::size_t{1} << 30;
constexpr const char* plan_file = "plan.json";
constexpr const char* bench_file = "bench.json";

struct ScaleOptions {
    explicit ScaleOptions(CLI::App& app);

    std::optional<std::string> folder;
    std::optional<std::string> again;
    std::optional<double> minutes;
    bool replace = false;
    bool dry_run = false;
};

// "5", "0.5".
double parse_minutes(const std::string& text)
{
    constexpr double least = 0.1;
    constexpr double most = 1440;
    const double minutes = parsed_decimal(text).value_or(0);
    if (!(minutes >= least && minutes <= most))
        throw InvalidArgument(
            fmt::format("{} is no number of minutes: {} to {} are allowed", dcube::quoted(text), least, most));
    return minutes;
}

ScaleOptions::ScaleOptions(CLI::App& app)
{
    add_folder(app, {"FOLDER", "", "new folder for the results [dcube-scale-DATE]"}, folder);
    add_parsed(app, {"--minutes", "M", "time for all of it [5]"}, minutes, parse_minutes);
    add_folder(app, {"--again", "FOLDER", "measure what is in FOLDER once more, and compare"}, again);
    add_flag(app, {"--replace", "", "replace results that are in the folder already", "Output"}, replace);
    add_flag(app, {"--dry-run", "", "print what would be measured, and how long it would take", "Output"}, dry_run);
    add_quiet(app);
    exclude(app, "--again", {"--minutes"});
    exclude(app, "--dry-run", {"--replace"});
}

std::string text_in(const std::string& file)
{
    const std::vector<std::byte> bytes = read_file(file, most_scale_bytes, "a result of dcube scale has at most");
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string file_in(const std::string& folder, const char* name)
{
    return (std::filesystem::path(folder) / name).string();
}

/// The folder that is written: it appears with all its files, or not at all.
class ScaleFolder {
public:
    /// Throws InvalidArgument where it could not be written later.
    ScaleFolder(std::string name, bool replace);

    void add(const char* file, std::string text) { files_.emplace_back(file, std::move(text)); }
    /// Throws InvalidArgument.
    void write() const;
    [[nodiscard]] const std::string& name() const { return name_; }

private:
    [[noreturn]] void fail(const std::string& why) const
    {
        throw InvalidArgument(fmt::format("cannot write folder {}: {}", dcube::quoted(name_), why));
    }
    void fill(const std::filesystem::path& folder) const;
    void put_in_place(const std::filesystem::path& folder) const;

    std::string name_;
    std::filesystem::path path_;  // without a / at its end
    bool replace_;
    std::vector<std::pair<std::string, std::string>> files_{};
};

ScaleFolder::ScaleFolder(std::string name, bool replace) : name_(std::move(name)), path_(name_), replace_(replace)
{
    if (!path_.has_filename())
        path_ = path_.parent_path();
    std::error_code error;
    const bool there = std::filesystem::exists(std::filesystem::symlink_status(path_, error));
    if (there && !replace)
        fail("it exists; --replace replaces results of dcube scale");
    if (there && !std::filesystem::is_regular_file(path_ / plan_file, error))
        fail("--replace replaces only a folder that dcube scale has written");
    const std::filesystem::path parent = path_.has_parent_path() ? path_.parent_path() : ".";
    if (access(parent.c_str(), W_OK | X_OK) != 0)
        fail(std::generic_category().message(errno));
}

void ScaleFolder::fill(const std::filesystem::path& folder) const
{
    for (const auto& [file, text] : files_) {
        NewFile one((folder / file).string());
        one.write(text);
        one.commit();
    }
}

// What was there goes aside first, and is removed when the new one is in its place.
void ScaleFolder::put_in_place(const std::filesystem::path& folder) const
{
    const std::filesystem::path aside = folder.string() + ".old";
    const bool there = replace_ && std::filesystem::exists(path_);
    if (there)
        std::filesystem::rename(path_, aside);
    try {
        std::filesystem::rename(folder, path_);
    } catch (const std::filesystem::filesystem_error&) {
        if (there)
            std::filesystem::rename(aside, path_);
        throw;
    }
    if (there)
        std::filesystem::remove_all(aside);
}

void ScaleFolder::write() const
{
    std::string temporary = path_.string() + ".XXXXXX";
    if (mkdtemp(temporary.data()) == nullptr)
        fail(std::generic_category().message(errno));
    std::error_code ignored;
    try {
        std::filesystem::permissions(temporary, static_cast<std::filesystem::perms>(usual_mode(0777)));
        fill(temporary);
        put_in_place(temporary);
    } catch (const std::filesystem::filesystem_error& error) {
        std::filesystem::remove_all(temporary, ignored);
        fail(error.code().message());
    } catch (...) {
        std::filesystem::remove_all(temporary, ignored);
        throw;
    }
}

std::string name_by_date()
{
    return fmt::format("dcube-scale-{:%Y%m%d-%H%M%S}", fmt::localtime(std::time(nullptr)));
}

unsigned processes_for_scale()
{
    constexpr unsigned usual = 3;
    return can_start_again() ? usual : 1;
}

// A sentence on a line of its own, or on several of them.
std::string line_of_list(const std::string& sentence)
{
    return wrapped("- " + sentence, 2);
}

std::string scale_plan_text(const measure::ScalePlan& plan)
{
    std::string text;
    for (const std::string& reason : plan.reasons)
        text += line_of_list(reason);
    return text +
           line_of_list(fmt::format("{} in {} rounds of each of {}: {} at most, plus the limits",
                                    counted(plan.cells.size(), "cell"), plan.effort.rounds,
                                    plan.processes == 1 ? "1 process" : fmt::format("{} processes", plan.processes),
                                    duration_text(plan.seconds)));
}

measure::BenchHead head_of_scale(const measure::ScalePlan& plan)
{
    measure::BenchHead head;
    head.command = command_line_text();
    head.effort = plan.effort;
    return head;
}

measure::ScalePlan plan_in(const std::string& file)
{
    return measure::read_scale_plan(text_in(file), shown_file(file));
}

double expected_seconds(const measure::LimitsPlan& plan, const measure::Host& host)
{
    constexpr double around_a_figure = 1.5;  // memory is made ready, and batches find their length
    return static_cast<double>(figures(plan, host)) * plan.effort.seconds * around_a_figure;
}

measure::LimitsPlan limits_plan(const measure::Host& host, double seconds)
{
    constexpr double share = 0.25;
    measure::LimitsPlan plan = measure::usual_plan(host, {}, false);
    return expected_seconds(plan, host) > share * seconds ? measure::usual_plan(host, {}, true) : plan;
}

/// What is measured once more.
struct ScaleBefore {
    measure::ScalePlan plan;
    measure::Json bench;
};

ScaleBefore before_in(const std::string& folder)
{
    const std::string file = file_in(folder, bench_file);
    return {plan_in(file_in(folder, plan_file)), measure::read_bench_document(text_in(file), shown_file(file))};
}

/// All that is measured, and written at the end.
class Scale {
public:
    Scale(const ScaleOptions& options, Interrupt& interrupt);

    /// Returns the exit code. Throws Interrupted after what was measured until then is written.
    int run();

private:
    void measure_limits();
    void choose();
    void add_other_processes(measure::Benchmark& benchmark);
    void measure_cells();
    void add_benchmark(const measure::Benchmark& benchmark);
    void compare(const measure::Json& document);
    void write();

    Interrupt& interrupt_;
    std::optional<ScaleBefore> before_{};
    std::string before_name_;
    double seconds_;
    ScaleFolder folder_;
    measure::Host host_ = measure::this_host();
    std::optional<measure::Limits> limits_{};
    measure::ScalePlan plan_{};
    double began_ = measure::steady_seconds();
    bool interrupted_ = false;
    std::string text_{};  // what is printed when all is written
};

constexpr double usual_minutes = 5;
constexpr double seconds_of_minute = 60;

Scale::Scale(const ScaleOptions& options, Interrupt& interrupt)
    : interrupt_(interrupt), before_name_(options.again.value_or("")),
      seconds_(seconds_of_minute * options.minutes.value_or(usual_minutes)),
      folder_(options.folder.value_or(name_by_date()), options.replace)
{
    if (options.again)
        before_ = before_in(*options.again);
}

void Scale::measure_limits()
{
    measure::LimitsPlan plan = limits_plan(host_, seconds_);
    for (const std::string& warning : measure::warnings(host_, plan.threads.back()))
        note(warning);
    print(fmt::format("limits of this machine, {} figures: about {}\n", figures(plan, host_),
                      duration_text(expected_seconds(plan, host_))));
    limits_ = limits_with_progress(std::move(plan), host_, interrupt_);
    folder_.add("limits.json", limits_json(*limits_, host_));
    keep_limits(*limits_, host_);
}

// Threads must be as many as before; where this machine has fewer, cells say so.
void Scale::choose()
{
    const double left = seconds_ - (measure::steady_seconds() - began_);
    plan_ = before_
                ? before_->plan
                : measure::scale_plan(measure::ground_of(host_), limits_, std::max(1.0, left), processes_for_scale());
    if (before_ && !can_start_again())
        plan_.processes = 1;
    folder_.add(plan_file, scale_plan_document(plan_).dump(2) + "\n");
    folder_.add("environment.json", environment_document(host_).dump(2) + "\n");
    print(scale_plan_text(plan_));
}

// They read the plan from a file that has no name yet, and never gets one. What this process has measured is kept
// although others fail.
void Scale::add_other_processes(measure::Benchmark& benchmark)
{
    if (plan_.processes == 1)
        return;
    try {
        NewFile plan((std::filesystem::temp_directory_path() / "dcube-scale-plan").string());
        plan.write(scale_plan_document(plan_).dump());
        add_processes(benchmark, plan_.processes, interrupt_, {"scale", "--again", plan.place()});
    } catch (const InvalidArgument& error) {
        note(error.what());
    }
}

void Scale::measure_cells()
{
    const std::vector<measure::Setup> setups = setups_of(plan_);
    measure::require_different(setups);
    measure::BenchHead head = head_of_scale(plan_);
    head.limits = limits_;
    try {
        measure::Benchmark benchmark = measured_here(setups, head, {0, plan_.processes}, interrupt_);
        add_other_processes(benchmark);
        add_benchmark(benchmark);
    } catch (const Interrupted&) {
        interrupted_ = true;  // before a round was finished
        interrupt_.settle();
    }
}

void Scale::add_benchmark(const measure::Benchmark& benchmark)
{
    const measure::Json document = measure::bench_document(benchmark);
    const std::string json = measure::bench_json(document);
    folder_.add(bench_file, json);
    folder_.add("bench.html", view::bench_page(json));
    interrupted_ = benchmark.interrupted;
    text_ += "\n";
    std::string findings;
    for (const std::string& sentence : measure::scale_findings(document))
        findings += sentence + "\n";
    folder_.add("conclusion.txt", findings);
    for (const std::string& sentence : measure::scale_findings(document))
        text_ += line_of_list(sentence);
    if (before_)
        compare(document);
}

void Scale::compare(const measure::Json& document)
{
    const measure::BenchComparison comparison = measure::compare(before_->bench, document);
    folder_.add("comparison.json", measure::comparison_document(comparison).dump(2) + "\n");
    text_ += "\n" + bench_comparison_text(comparison, file_in(before_name_, bench_file), "now");
}

void Scale::write()
{
    folder_.write();
    print(text_ + fmt::format("\nin {}: conclusion.txt, {}, limits.json, environment.json, {}, and a page, bench.html\n"
                              "dcube scale --again {} measures the same once more, and compares\n",
                              folder_.name(), bench_file, plan_file, shell_word(folder_.name())));
}

int Scale::run()
{
    measure_limits();
    choose();
    measure_cells();
    write();
    if (interrupted_)
        throw Interrupted();
    return 0;
}

int show_plan(const ScaleOptions& options)
{
    if (options.again) {
        print(scale_plan_text(plan_in(file_in(*options.again, plan_file))));
        return 0;
    }
    const measure::Host host = measure::this_host();
    const double seconds = seconds_of_minute * options.minutes.value_or(usual_minutes);
    const double for_limits = expected_seconds(limits_plan(host, seconds), host);
    print(scale_plan_text(measure::scale_plan(measure::ground_of(host), measure::kept_limits(),
                                              std::max(1.0, seconds - for_limits), processes_for_scale())) +
          line_of_list(fmt::format("limits: about {}", duration_text(for_limits))));
    return 0;
}

Execution define_scale(CLI::App& app)
{
    const auto options = std::make_shared<ScaleOptions>(app);
    return [options](Interrupt& interrupt) {
        if (const std::optional<BenchPart> part = part_of_benchmark()) {
            const measure::ScalePlan plan = plan_in(options->again.value_or(""));
            return measure_part(*part, setups_of(plan), head_of_scale(plan), interrupt);
        }
        if (options->dry_run)
            return show_plan(*options);
        return Scale(*options, interrupt).run();
    };
}

}  // namespace

extern const Command scale_command{
    .name = "scale",
    .usage = "scale [FOLDER] [OPTIONS]",
    .summary = "how this machine scales: limits, sweep, page",
    .footer =
        R"(Examples:
  dcube scale --dry-run
  dcube scale
  dcube scale here --minutes 2
  dcube scale now --again here

Looks at cores, caches and packages, measures the limits, chooses networks, packets, threads and pins for the time, )"
        R"(measures them as dcube bench does, and writes one folder: a conclusion, all documents, the environment, the )"
        R"(plan, and a page with charts. Ctrl-C keeps what was finished. Run nothing else meanwhile.)",
    .define = define_scale,
    .heading = to_begin};

}  // namespace dcube::cli
