// dcube limits: measures what this machine can do, and keeps it, so that runs can be compared with it.

#include "cli/commands/limits.hpp"

#include "cli/arguments.hpp"
#include "cli/files/files.hpp"
#include "cli/files/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/shared_options.hpp"
#include "cli/sweep.hpp"
#include "cli/text/limits_text.hpp"
#include "cli/text/progress.hpp"
#include "inspect/measure/cell.hpp"
#include "inspect/measure/host.hpp"
#include "inspect/measure/host_document.hpp"
#include "inspect/measure/kept_limits.hpp"
#include "inspect/measure/limits_document.hpp"
#include "inspect/measure/measured_limits.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace dcube::cli {

namespace {

struct LimitsOptions {
    explicit LimitsOptions(CLI::App& app);

    std::vector<unsigned> threads;
    bool quick = false;
    std::optional<Pinning> pinning;
    Format format = Format::text;
    std::optional<std::string> output;
    bool no_keep = false;
};

// Ascending, each once; none for all. More threads than processors would wait for each other, and be no limit of the
// machine.
std::vector<unsigned> parse_thread_numbers(const std::string& text)
{
    if (same_name(text, "all"))
        return {};
    std::vector<unsigned> numbers;
    for (const std::uint64_t number : parse_numbers("threads", text, {1, available_threads()}))
        numbers.push_back(static_cast<unsigned>(number));
    std::ranges::sort(numbers);
    numbers.erase(std::ranges::unique(numbers).begin(), numbers.end());
    return numbers;
}

LimitsOptions::LimitsOptions(CLI::App& app)
{
    add_option(app, {"--threads", "T", "1,2,4 or all: 1, 2, 4, ... up to all of this process [all]"},
               [this](const std::string& text) { threads = parse_thread_numbers(text); });
    add_flag(app, {"--quick", "", "take 1 s instead of 10 s (less accurate)"}, quick);
    add_parsed(app, {"--pin", "PIN", std::string(meaning_of_pin)}, pinning, parse_pinning);
    add_format(app, {Format::text, Format::json, Format::csv}, format);
    add_file(app, {"--output", "FILE", "also write the limits to FILE, as JSON", "Output"}, output, "the limits");
    add_quiet(app);
    add_flag(app, {"--no-keep", "", "do not keep them for dcube run and dcube bench", "Output"}, no_keep);
}

}  // namespace

// Everything is measured before a byte is written.
measure::Limits limits_with_progress(measure::LimitsPlan plan, const measure::Host& host, const Interrupt& interrupt)
{
    std::size_t measured = 0;
    const std::size_t count = figures(plan, host);
    std::optional<Progress> progress;
    if (Progress::has_viewer()) {
        progress.emplace();
    }
    plan.effort.before_each = [&] {
        interrupt.check();
        if (progress) {
            progress->begin_task(++measured, count, "limits");
            progress->step();
        }
    };
    plan.effort.look = [&interrupt] { interrupt.check(); };
    measure::Limits limits = limits_of_host(plan, host);
    interrupt.check();
    return limits;
}

std::string limits_json(const measure::Limits& limits, const measure::Host& host)
{
    return limits_document(limits, host, measure::valid_text(command_line_text())).dump(2) + "\n";
}

std::string keep_limits(const measure::Limits& measured, const measure::Host& host)
{
    const measure::Keeping best = measure::keeping(measured);
    if (!best.limits)
        return "not kept: " + best.why_not;
    const std::string path = measure::kept_limits_path().value();
    const std::string document = limits_json(*best.limits, host);
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
    try {
        NewFile file(path);
        file.write(document);
        file.commit();
    } catch (const InvalidArgument& failure) {
        return fmt::format("not kept: {}", failure.what());
    }
    return fmt::format("kept in {}{}: dcube run --verbose and dcube bench say what share of them is reached", path,
                       measured.warnings.empty() ? "" : ", marked as doubtful");
}

namespace {

void show(const LimitsOptions& options, const measure::Limits& limits, const measure::Host& host,
          const std::string& document)
{
    switch (options.format) {
    case Format::json: return print(document);
    case Format::csv: return print(limits_csv(limits));
    case Format::text:
    case Format::markdown: return print(limits_text(limits, host));
    }
}

void measure_limits(LimitsOptions options, const Interrupt& interrupt)
{
    std::optional<NewFile> output;
    if (options.output)
        output.emplace(*options.output);
    const measure::Host host = measure::this_host();
    measure::LimitsPlan plan =
        measure::usual_plan(host, options.threads, options.quick, options.pinning.value_or(Pinning::none));
    const std::vector<std::string> warnings = measure::warnings(host, plan.threads.back());
    for (const std::string& warning : warnings)
        note(warning);
    const measure::Limits limits = limits_with_progress(std::move(plan), host, interrupt);
    for (std::size_t i = warnings.size(); i < limits.warnings.size(); ++i)  // from the time of measuring
        note(limits.warnings[i]);
    const std::string document = limits_json(limits, host);
    if (output) {
        output->write(document);
        output->commit();
    }
    const std::string kept = options.no_keep ? "" : keep_limits(limits, host);
    show(options, limits, host, document);  // last: the reader may have closed the pipe
    if (!options.no_keep)
        note("limits " + kept);
}

Execution define_limits(CLI::App& app)
{
    const auto options = std::make_shared<LimitsOptions>(app);
    return [options](const Interrupt& interrupt) {
        measure_limits(*options, interrupt);
        return 0;
    };
}

}  // namespace

extern const Command limits_command{
    .name = "limits",
    .usage = "limits [OPTIONS]",
    .summary = "this machine's limits: copies, barriers, cache lines",
    .footer =
        R"(Examples:
  dcube limits --quick
  dcube limits --quick --threads 1 --format csv
  dcube limits --quick --no-keep --format json

Measures what bounds any run on this machine, in the units of dcube's reports: copies, scattered blocks by size, the )"
        R"(barrier and an empty step, a channel, and cache lines that another processor has written. The best of )"
        R"(several measurements is kept in $XDG_CACHE_HOME/dcube/limits.json (or in ~/.cache), and )"
        R"(dcube run --verbose shows which share of it a run reaches. Run nothing else meanwhile.)",
    .define = define_limits};

}  // namespace dcube::cli
