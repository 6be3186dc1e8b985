#include "cli/trace_options.hpp"

#include "cli/files/rank_files.hpp"
#include "cli/output.hpp"
#include "cli/trace_question.hpp"

#include <dcube/error.hpp>
#include <dcube/memory.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

namespace dcube::cli {

namespace {

[[noreturn]] void cannot_read(const std::string& file, int error)
{
    throw InvalidArgument(fmt::format("cannot read '{}': {}", file, std::generic_category().message(error)));
}

// Calls `judge` with the trace.
template <class Judge>
void with_trace(const std::string& file, World& world, const Judge& judge)
{
    if (world.ranks() > 1) {
        const std::vector<std::byte> bytes =
            read_for_all(world, file, available_memory() / 4, "a quarter of the memory is");
        std::istringstream trace(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
        return judge(trace);
    }
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

}  // namespace

TraceOptions::File::File(CLI::App& app, Given given)
{
    if (given == Given::first)
        add_text(app, {"FILE", "", "the trace; - is standard input"}, name);
    else
        add_text(app, {"--trace", "FILE", "a trace in place of a run; - is standard input", "Input"}, name);
}

TraceOptions::TraceOptions(CLI::App& app, ProblemOptions::Reductions reductions, Links links, Given given)
    : app_(app), file_(app, given), network_(app, Sweep::no), problem_(app, Sweep::no, reductions), links_(app),
      which_links_(links), given_(given)
{
}

// What the options alone say.
TraceQuestion TraceOptions::question() const
{
    std::ignore = problem_.collective();  // complains first
    TraceQuestion question;
    question.topology = network_.only();
    question.problem = problem_.problem(question.topology);
    question.problem.link = links_.model();
    question.ports = problem_.ports();
    validate(question.problem, question.topology);
    return question;
}

TraceQuestion TraceOptions::question(const TraceQuestion& header) const
{
    TraceQuestion question = header;
    if (which_links_ == Links::as_wished && says_links(app_))
        question.problem.link = links_.model();
    require_agreement(app_, network_, problem_, question);
    return question;
}

void TraceOptions::read(JudgeOptions how, const std::function<void(std::istream&, const JudgeOptions&)>& judge) const
{
    const std::string& command = app_.get_name();
    if (!file_.name)
        throw InvalidArgument(fmt::format("a trace is missing: dcube {} FILE, and - is standard input", command));
    const std::string of_file = *file_.name == "-" ? "" : *file_.name + ": ";
    how.warn = [&](std::uint64_t line, const std::string& what) {
        complain(fmt::format("warning: {}line {}: {}", of_file, line, what));
    };
    how.question = [&](const std::optional<TraceQuestion>& header) {
        if (!header && app_.count("COLLECTIVE") == 0)
            throw InvalidArgument(fmt::format("the trace has no header: give collective and network, e.g. dcube {} "
                                              "{} --dim 3",
                                              command,
                                              given_ == Given::first ? "FILE all-to-all" : "all-to-all --trace FILE"));
        return header ? question(*header) : question();
    };
    const auto read_all = [&] {
        with_trace(*file_.name, *world_, [&](std::istream& trace) {
            judge(trace, how);
            if (trace.bad())
                cannot_read(*file_.name, EIO);
        });
    };
    if (of_file.empty())
        return read_all();
    try {
        read_all();
    } catch (const TraceFormatError& error) {
        throw TraceFormatError(*file_.name, error);
    } catch (const TraceError& error) {
        throw TraceError(*file_.name, error);
    }
}

JudgedTrace TraceOptions::judged(JudgeOptions how, Format format) const
{
    std::optional<TraceQuestion> asked;
    Verdict verdict;
    read(std::move(how), [&](std::istream& trace, const JudgeOptions& asking) {
        JudgeOptions judging = asking;
        judging.question = [&](const std::optional<TraceQuestion>& header) {
            asked = asking.question(header);
            return *asked;
        };
        try {
            verdict = judge_trace(trace, judging);
        } catch (const TraceError& error) {
            if (format == Format::json)  // a rejection is a document too
                print(rejection_record(asked, error));
            throw;
        }
    });
    return {*file_.name, *asked, verdict};
}

}  // namespace dcube::cli
