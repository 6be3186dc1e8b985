#include "cli/data_options.hpp"

#include "cli/shared_options.hpp"

#include <dcube/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <utility>

namespace dcube::cli {

namespace {

TraceFormat parse_trace_format(std::string_view text)
{
    constexpr Spelling<TraceFormat> trace_formats[] = {{TraceFormat::jsonl, "jsonl"}, {TraceFormat::table, "table"}};
    return parsed(trace_formats, text, "a trace format");
}

// Where links lead to, also for what does not exist yet.
std::filesystem::path whole_path(const std::string& file)
{
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file));
}

void reject(bool contradicts, const std::string& what)
{
    if (contradicts)
        throw InvalidArgument(what);
}

}  // namespace

DataOptions::DataOptions(CLI::App& app)
{
    constexpr NumberRange repeats{1, 1'000'000};
    add_text(app, {"--input", "FILE", "the nodes' data, node after node; - is stdin", "Data"}, input_);
    add_text(app, {"--output", "FILE", "write the nodes' final data to FILE", "Data"}, output_);
    add_text(app, {"--trace", "FILE", "write a JSON line per transmission to FILE", "Data"}, trace_);
    add_parsed(app, {"--trace-format", "FORMAT", "jsonl; table for people, printed without --trace [jsonl]", "Data"},
               trace_format_, parse_trace_format);
    add_number(
        app,
        {"--repeat", "N",
         "number of runs, the first, cold one included; the median time is reported [1, and warm ones for 20 ms]",
         "Machine"},
        repeats, repeat_);
    add_colour(app, colour_);
}

void DataOptions::reject_contradictions(const ProblemOptions& problem, std::size_t runs, Format format) const
{
    for (const auto& [option, file] : {std::pair{"--output", &output_}, std::pair{"--trace", &trace_}})
        reject(*file == "-", fmt::format("{} - is not allowed: standard output carries the report", option));
    for (const auto& [option, file] :
         {std::pair{"--input", &input_}, std::pair{"--output", &output_}, std::pair{"--trace", &trace_}})
        reject(*file == "", fmt::format("{} '' is not a file's name", option));
    for (const auto& [option, given] :
         {std::pair{"--output", output_.has_value()}, std::pair{"--trace", trace_.has_value()},
          std::pair{"--trace-format", trace_format_.has_value()}, std::pair{"--input -", input_ == "-"}})
        reject(runs > 1 && given,
               fmt::format("{} is for one run: it cannot be combined with a sweep of {}", option, runs));
    reject(trace_format_ == TraceFormat::jsonl && !trace_, "--trace-format jsonl needs a file: --trace FILE");
    reject(trace_format_ == TraceFormat::table && !trace_ && format != Format::text,
           "--trace-format table is printed before a text report: with another --format it needs --trace FILE");
    if ((trace_ || trace_format_) && repeat_ > 1)
        reject(true, fmt::format("--trace records one run; it cannot be combined with --repeat {}", *repeat_));
    reject(input_ && problem.has_seed() && !problem.has_random_permutation(),
           "--seed cannot be combined with --input: the data come from the file");
    reject(output_ && trace_ && whole_path(*output_) == whole_path(*trace_), "--output and --trace name the same file");
}

void DataOptions::reject_dry_run() const
{
    for (const auto& [option, given] :
         {std::pair{"--output", output_.has_value()}, std::pair{"--trace", trace_.has_value()},
          std::pair{"--trace-format", trace_format_.has_value()}, std::pair{"--repeat", repeat_.has_value()}})
        reject(given, fmt::format("--dry-run runs nothing: it cannot be combined with {}", option));
}

void DataOptions::put_into(RunCommand& command, const ProblemOptions& problem) const
{
    command.type_given = problem.has_type();
    command.seed = problem.seed();
    command.repeat = repeat_.value_or(1);
    command.warm_seconds = repeat_ ? 0 : usual_warm_seconds;
    command.input = input_;
    command.output = output_;
    command.trace = trace_;
    command.trace_format = trace_format_.value_or(TraceFormat::jsonl);
    command.colour = colour_.value_or(ColourMode::automatic);
}

}  // namespace dcube::cli
