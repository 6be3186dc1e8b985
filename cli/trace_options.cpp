#include "cli/trace_options.hpp"

#include "base/memory.hpp"
#include "base/numbers.hpp"
#include "cli/files/files.hpp"
#include "cli/files/rank_files.hpp"
#include "cli/output.hpp"
#include "cli/text/table.hpp"
#include "run/report_fields.hpp"

#include <dcube/error.hpp>
#include <dcube/matrix.hpp>
#include <dcube/report.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <tuple>
#include <vector>

namespace dcube::cli {

namespace {

// Changes the question as the option of a key says that is not a field of a problem.
void follow(const Key& key, const std::string& text, TraceQuestion& question)
{
    Given given;
    given.question.ports = question.ports;
    given.read(key, text);
    question.problem.collective = given.collective.value_or(question.problem.collective);
    question.problem.link = given.links.over(question.problem.link);
    question.ports = given.question.ports;
}

void require_same(const std::string& words, const TraceQuestion& header, const TraceQuestion& said)
{
    if (const std::string other = difference(header, said); !other.empty())
        throw InvalidArgument(
            fmt::format("{} contradicts the trace's header, which has {}", words, other.substr(0, 80)));
}

// The option as it was given: "--without-node 3 --without-node 5".
std::string words_of(const CLI::Option& option)
{
    std::string words;
    for (const std::string& text : option.results())
        words += fmt::format("{}{} {}", words.empty() ? "" : " ", option.get_name(), text.substr(0, 40));
    return words;
}

// The options of the network are compared together, because together they describe one thing.
void require_same_network(const CLI::App& app, const NetworkOptions& network, const TraceQuestion& header)
{
    std::vector<std::string> words;
    for (const CLI::Option* const option : app.get_options())
        if (NetworkOptions::has(option->get_name()) && !option->empty())
            words.push_back(words_of(*option));
    if (words.empty())
        return;
    TraceQuestion said = header;
    said.topology = network.over(header.topology);
    require_same(fmt::format("{}", fmt::join(words, " ")), header, said);
}

// Whether any option describes the links.
bool says_links(const CLI::App& app)
{
    return std::ranges::any_of(given_options(app), [](const std::string& name) {
        const Key* const key = key_of(name);
        return key != nullptr && key->group == Key::Group::links;
    });
}

// Throws InvalidArgument if a given option contradicts the header or does not apply to its collective. Options need not
// repeat what the header says. If the options have already set the links of `header`, they agree with those.
void require_agreement(const CLI::App& app, const NetworkOptions& network, const ProblemOptions& problem,
                       const TraceQuestion& header)
{
    require_same_network(app, network, header);
    for (const CLI::Option* const option : app.get_options()) {
        const std::string name = option->get_name();
        const Key* const key = key_of(name);
        const bool foreign =
            key != nullptr && key->field != nullptr && key->field->is_list() && !key->field->applies(header.problem);
        if (option->empty() || key == nullptr || NetworkOptions::has(name) || foreign)
            continue;
        TraceQuestion said = header;
        if (key->field == nullptr)
            follow(*key, option->results().front(), said);
        else if (!problem.put(key->key, said.problem, header.topology))
            throw InvalidArgument(fmt::format("{} is not possible here: the trace's header has it", name));
        require_same(words_of(*option), header, said);
    }
    problem.reject_foreign(header.problem.collective);
}

void open_trace(const std::string& file, World& world, const std::function<void(std::istream&)>& read)
{
    if (world.ranks() == 1)
        return with_stream(file, read);
    const std::vector<std::byte> bytes =
        read_for_all(world, file, available_memory() / 4, "a quarter of the memory is");
    std::istringstream trace(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    read(trace);
}

}  // namespace

void with_trace(const std::string& file, World& world, const std::function<void(std::istream&)>& read)
{
    if (file == "-")
        return open_trace(file, world, read);
    try {
        open_trace(file, world, read);
    } catch (const TraceFormatError& error) {
        throw TraceFormatError(file, error);
    } catch (const TraceError& error) {
        throw TraceError(file, error);
    }
}

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

// The question that the options alone make.
TraceQuestion TraceOptions::question() const
{
    std::ignore = problem_.collective();  // complains first
    TraceQuestion question;
    question.topology = network_.only();
    question.problem = problem_.problem(question.topology);
    question.ports = problem_.ports();
    question.problem.link = links_.model(question.topology, question.ports);
    validate(question.problem, question.topology);
    return question;
}

TraceQuestion TraceOptions::question(const TraceQuestion& header) const
{
    TraceQuestion question = header;
    if (which_links_ == Links::as_wished && says_links(app_))
        question.problem.link = links_.model(question.topology, question.ports);
    require_agreement(app_, network_, problem_, question);
    return question;
}

void TraceOptions::read(JudgeOptions how, const std::function<void(std::istream&, const JudgeOptions&)>& judge) const
{
    const std::string& command = app_.get_name();
    if (!file_.name)
        throw InvalidArgument(fmt::format("a trace is missing: dcube {} FILE, and - is standard input", command));
    how.warn = [&](std::uint64_t line, const std::string& what) {
        note(fmt::format("warning: {}line {}: {}", before_lines(), line, what));
    };
    how.question = [&](const std::optional<TraceQuestion>& header) {
        if (!header && app_.count("COLLECTIVE") == 0)
            throw InvalidArgument(fmt::format("the trace has no header: give collective and network, e.g. dcube {} "
                                              "{} --dim 3",
                                              command,
                                              given_ == Given::first ? "FILE all-to-all" : "all-to-all --trace FILE"));
        return header ? question(*header) : question();
    };
    with_trace(*file_.name, *world_, [&](std::istream& trace) { judge(trace, how); });
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
                print(in_format(rejection_record(asked, error), Format::json));
            throw;
        }
    });
    return {*file_.name, *asked, verdict};
}

}  // namespace dcube::cli
