// dcube verify: opens the trace and prints what the judge says.

#include "cli/output.hpp"
#include "cli/problem_options.hpp"
#include "cli/shared_options.hpp"
#include "cli/text/colour.hpp"
#include "cli/text/verdict_text.hpp"
#include "cli/trace_question.hpp"

#include <dcube/judge.hpp>

#include <CLI/CLI.hpp>
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

// Calls `judge` with the trace.
template <class Judge>
void with_trace(const std::string& file, const Judge& judge)
{
    if (file == "-") {
        std::ios::sync_with_stdio(false);
        return judge(std::cin);
    }
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored))  // can be opened, but not read
        cannot_read(file, EISDIR);
    std::ifstream trace(file, std::ios::binary);
    if (!trace)
        cannot_read(file, errno);
    judge(trace);
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

    /// What the options alone say. Throws InvalidArgument where that is not enough.
    [[nodiscard]] TraceQuestion question() const;

    TraceFile file;
    NetworkOptions network;
    ProblemOptions problem;
    LinkOptions links;
    Format format = Format::text;
};

TraceQuestion VerifyOptions::question() const
{
    std::ignore = problem.collective();  // complains first
    TraceQuestion question;
    question.topology = network.only();
    question.problem = problem.problem(question.topology);
    question.problem.link = links.model();
    question.ports = problem.ports();
    validate(question.problem, question.topology);
    return question;
}

void warn(const std::string& of)
{
    complain("warning: " + of);
}

// The header's question, where there is one, else the options'.
void verify(const VerifyOptions& options, const CLI::App& app)
{
    if (!options.file.name)
        throw InvalidArgument("a trace is missing: dcube verify FILE, and - is standard input");
    std::optional<TraceQuestion> question;
    JudgeOptions how;
    how.warn = warn;
    how.question = [&](const std::optional<TraceQuestion>& header) {
        if (header)
            require_agreement(app, options.problem, *header);
        if (!header && app.count("COLLECTIVE") == 0)
            throw InvalidArgument("the trace has no header that says what it is of: say it, as in dcube verify FILE "
                                  "all-to-all --dim 3");
        question = header ? *header : options.question();
        return *question;
    };
    Verdict verdict;
    with_trace(*options.file.name, [&](std::istream& trace) {
        try {
            verdict = judge_trace(trace, how);
        } catch (const TraceError& error) {
            if (options.format == Format::json)  // a rejection is a document too
                print(rejection_record(question, error));
            throw;
        }
        if (trace.bad())
            cannot_read(*options.file.name, EIO);
    });
    const JudgedTrace judged{*options.file.name, *question, verdict};
    print(options.format == Format::json ? verdict_record(judged)
                                         : verdict_text(judged, choose_colour(ColourWish::automatic)));
}

std::function<int()> define(CLI::App& app)
{
    const auto options = std::make_shared<VerifyOptions>(app);
    return [options, &app] {
        verify(*options, app);
        return 0;
    };
}

}  // namespace

extern const Command verify_command{.name = "verify",
                                    .usage = "verify FILE [COLLECTIVE --dim D] [OPTIONS]",
                                    .summary = "check a trace made by dcube or by another program",
                                    .footer = R"(Examples:
  dcube run scatter --dim 5 --trace t.jsonl
  dcube verify t.jsonl
  dcube verify - all-to-all --topology hypercube:3 --bytes 16 < t.jsonl
  dcube verify t.jsonl broadcast --dim 4 --bytes 1K --tau 5/2 --beta 100

The first line may say what the trace is of, as dcube writes it:
  {"dcube_trace":1,"collective":"scatter","topology":"hypercube:5","bytes":64}
Without it the options do. Each line after it is one transmission, sorted by step:
  {"step":1,"from":0,"to":1,"port":0,"bytes":64,
   "pieces":[{"origin":0,"target":1,"offset":0,"length":64}]}
Under the link-bound model it has "start_ns" and "end_ns" too: 7, or "5/2".)",
                                    .define = define};

}  // namespace dcube::cli
