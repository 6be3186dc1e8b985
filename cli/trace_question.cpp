#include "cli/trace_question.hpp"

#include "cli/text/numbers.hpp"

#include <dcube/error.hpp>
#include <dcube/matrix.hpp>
#include <dcube/report.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

namespace dcube::cli {

namespace {

using nlohmann::ordered_json;

template <class Number>
Number whole(const std::string& text)
{
    Number value = 0;
    const char* const end = text.data() + text.size();
    if (const auto [stop, error] = std::from_chars(text.data(), end, value); error != std::errc{} || stop != end)
        throw InvalidArgument(fmt::format("'{}' is not possible: expected a whole number", text.substr(0, 40)));
    return value;
}

LinkModel of_machine(LinkModel link, const std::string& text)
{
    const MachinePreset& machine = find_preset(text);
    link.kind = LinkKind::link_bound;
    link.tau = machine.tau;
    link.beta = machine.beta;
    return link;
}

// Times are those of the link-bound model.
LinkModel& link_bound(TraceQuestion& question)
{
    question.problem.link.kind = LinkKind::link_bound;
    return question.problem.link;
}

/// An option, and how a question changes that follows it.
struct OptionEffect {
    const char* option;
    void (*follow)(TraceQuestion& question, const std::string& text);
};

using Q = TraceQuestion&;
using Text = const std::string&;

// Options of a network, a problem and links that are not here are refused beside a header.
constexpr OptionEffect option_effects[] = {
    {"COLLECTIVE", [](Q q, Text text) { q.problem.collective = parse_collective(text); }},
    {"--ports", [](Q q, Text text) { q.ports = parse_ports(text); }},
    {"--link", [](Q q, Text text) { q.problem.link.kind = parse_link(text); }},
    {"--machine", [](Q q, Text text) { q.problem.link = of_machine(q.problem.link, text); }},
    {"--tau", [](Q q, Text text) { link_bound(q).tau = parse_rational("--tau", text); }},
    {"--beta", [](Q q, Text text) { link_bound(q).beta = parse_rational("--beta", text); }},
    {"--clock", [](Q q, Text text) { link_bound(q).clock = parse_clock(text); }},
    {"--bytes", [](Q q, Text text) { q.problem.bytes = parse_size("--bytes", text); }},
    {"--packets", [](Q q, Text text) { q.problem.packets = whole<std::size_t>(text); }},
    {"--root", [](Q q, Text text) { q.problem.root = whole<NodeId>(text); }},
    {"--to", [](Q q, Text text) { q.problem.peer = whole<NodeId>(text); }},
    {"--op", [](Q q, Text text) { q.problem.operation = parse_operation(text); }},
    {"--type", [](Q q, Text text) { q.problem.type = parse_element_type(text); }},
    {"--rows", [](Q q, Text text) { q.problem.rows = whole<std::size_t>(text); }},
    {"--cols", [](Q q, Text text) { q.problem.columns = whole<std::size_t>(text); }},
    {"--layout", [](Q q, Text text) { q.problem.layout = parse_matrix_layout(text); }},
    {"--to-layout", [](Q q, Text text) { q.problem.to = parse_matrix_layout(text); }},
    {"--seed", [](Q, Text) {}},  // says nothing of a trace
};

// What is said in these words is of what a trace is of.
bool is_of_the_question(const CLI::Option& option)
{
    const std::string& group = option.get_group();
    return option.get_positional() ? option.get_name() == "COLLECTIVE"
                                   : group == "Network" || group == "Faults" || group == "Problem" || group == "Links";
}

ordered_json record(const TraceQuestion& question)
{
    Report report;
    report.problem = question.problem;
    report.topology = question.topology;
    report.ports = question.ports;
    report.link = question.problem.link;
    return ordered_json::parse(to_json(report, RecordKind::trace));
}

// What the header says and the option does not: "bytes": 64.
std::string difference(const TraceQuestion& header, const TraceQuestion& said)
{
    const ordered_json expected = record(header);
    const ordered_json found = record(said);
    for (const auto& [key, value] : expected.items()) {
        const bool same_network = key == "topology" && header.topology == said.topology;
        if (!same_network && found.at(key) != value)
            return fmt::format("\"{}\": {}", key, value.dump());
    }
    return {};
}

void require_same(const std::string& words, const TraceQuestion& header, const TraceQuestion& said)
{
    if (const std::string other = difference(header, said); !other.empty())
        throw InvalidArgument(
            fmt::format("{} contradicts the trace's header, which has {}", words, other.substr(0, 80)));
}

// As it was given: "--without-node 3 --without-node 5".
std::string words_of(const CLI::Option& option)
{
    std::string words;
    for (const std::string& text : option.results())
        words += fmt::format("{}{} {}", words.empty() ? "" : " ", option.get_name(), text.substr(0, 40));
    return words;
}

// Options of the network say one thing together.
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

}  // namespace

bool says_links(const CLI::App& app)
{
    for (const char* const name : {"--link", "--tau", "--beta", "--machine", "--clock"}) {
        const CLI::Option* const option = app.get_option_no_throw(name);
        if (option != nullptr && !option->empty())
            return true;
    }
    return false;
}

void require_agreement(const CLI::App& app, const NetworkOptions& network, const ProblemOptions& problem,
                       const TraceQuestion& header)
{
    require_same_network(app, network, header);
    for (const CLI::Option* const option : app.get_options()) {
        const std::string name = option->get_name();
        const bool foreign = name == "--permutation" && !has_permutation(header.problem.collective);
        if (option->empty() || !is_of_the_question(*option) || NetworkOptions::has(name) || foreign)
            continue;
        TraceQuestion said = header;
        const OptionEffect* const effect = std::ranges::find(option_effects, name, &OptionEffect::option);
        if (name == "--permutation")
            said.problem.permutation = problem.permutation(header.topology);
        else if (effect != std::end(option_effects))
            effect->follow(said, option->results().front());
        else
            throw InvalidArgument(fmt::format("{} is not possible here: the trace's header has it", name));
        require_same(words_of(*option), header, said);
    }
    problem.reject_foreign(header.problem.collective);
}

}  // namespace dcube::cli
