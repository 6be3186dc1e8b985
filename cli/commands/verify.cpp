// dcube verify: opens the trace and prints what the judge says.

#include "cli/output.hpp"
#include "cli/shared_options.hpp"
#include "cli/text/colour.hpp"
#include "cli/text/records.hpp"
#include "cli/text/report_text.hpp"

#include <dcube/judge.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <tuple>

namespace dcube::cli {

namespace {

[[noreturn]] void cannot_read(const std::string& file, int error)
{
    throw InvalidArgument(fmt::format("cannot read '{}': {}", file, std::generic_category().message(error)));
}

Verdict judge_stream(std::istream& trace, const VerifyCommand& command)
{
    const Verdict verdict = judge_trace(trace, command.topology, command.ports, command.problem);
    if (trace.bad())
        cannot_read(command.file, EIO);
    return verdict;
}

Verdict judge_file(const VerifyCommand& command)
{
    if (command.file == "-") {
        std::ios::sync_with_stdio(false);
        return judge_stream(std::cin, command);
    }
    std::error_code ignored;
    if (std::filesystem::is_directory(command.file, ignored))  // can be opened, but not read
        cannot_read(command.file, EISDIR);
    std::ifstream trace(command.file, std::ios::binary);
    if (!trace)
        cannot_read(command.file, errno);
    return judge_stream(trace, command);
}

/// FILE, which stands before the collective.
struct TraceFile {
    explicit TraceFile(CLI::App& app) { add_text(app, {"FILE", "", "the trace; - is standard input"}, name); }

    std::optional<std::string> name;
};

struct VerifyOptions {
    explicit VerifyOptions(CLI::App& app)
        : file(app), network(app, Sweep::no), problem(app, Sweep::no, ProblemOptions::Reductions::without_operation),
          links(app)
    {
        add_format(app, {Format::text, Format::json}, format);
    }

    [[nodiscard]] VerifyCommand command() const;

    TraceFile file;
    NetworkOptions network;
    ProblemOptions problem;
    LinkOptions links;
    Format format = Format::text;
};

VerifyCommand VerifyOptions::command() const
{
    if (!file.name)
        throw InvalidArgument("a trace is missing: dcube verify FILE COLLECTIVE --dim D, and - is standard input");
    std::ignore = problem.collective();  // complains first
    VerifyCommand command;
    command.file = *file.name;
    command.topology = network.only();
    command.problem = problem.problem(command.topology);
    command.problem.link = links.model();
    command.ports = problem.ports();
    command.format = format;
    validate(command.problem, command.topology);
    return command;
}

void verify(const VerifyCommand& command)
{
    const Verdict verdict = judge_file(command);
    if (command.format == Format::json)
        print(verdict_record(verdict, command));
    else
        print(verdict_text(verdict, command, choose_colour(ColourWish::automatic)));
}

std::function<int()> define(CLI::App& app)
{
    const auto options = std::make_shared<VerifyOptions>(app);
    return [options] {
        verify(options->command());
        return 0;
    };
}

}  // namespace

extern const Command verify_command{.name = "verify",
                                    .usage = "verify FILE COLLECTIVE --dim D [OPTIONS]",
                                    .summary = "check a trace made by dcube or by another program",
                                    .footer = R"(Examples:
  dcube verify t.jsonl scatter --dim 5
  dcube verify - all-to-all --topology hypercube:3 --bytes 16 < t.jsonl
  dcube verify t.jsonl broadcast --dim 4 --bytes 1K --tau 5/2 --beta 100

Each line of a trace is one transmission, sorted by step:
  {"step":1,"from":0,"to":1,"port":0,"bytes":64,
   "pieces":[{"origin":0,"target":1,"offset":0,"length":64}]}
Under the link-bound model it has "start_ns" and "end_ns" too: 7, or "5/2".)",
                                    .define = define};

}  // namespace dcube::cli
