#include "judge/trace_header.hpp"

#include "base/json.hpp"
#include "collectives/problem_fields.hpp"

#include <dcube/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace dcube {

namespace {

using Json = nlohmann::json;

constexpr std::string_view mark = R"("dcube_trace")";

[[noreturn]] void refuse(const std::string& what)
{
    throw TraceFormatError(1, "the header " + what);
}

// The value of a key; null where the header does not have it.
Json at(const Json& header, std::string_view key)
{
    const auto found = header.find(std::string(key));
    return found == header.end() ? Json() : *found;
}

// The number from 0 to `largest` of a key, if the header has it.
std::optional<std::uint64_t> number(const Json& header, std::string_view key, std::uint64_t largest)
{
    const Json value = at(header, key);
    if (value.is_null())
        return std::nullopt;
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > largest)
        refuse(fmt::format("has \"{}\": {}: a whole number from 0 to {} is allowed", key, value.dump(), largest));
    return value.get<std::uint64_t>();
}

// Calls `take` with the text of a key, if the header has it; what it throws says what is allowed there.
template <class Take>
void read_text(const Json& header, std::string_view key, const Take& take)
{
    const Json value = at(header, key);
    if (value.is_null())
        return;
    if (!value.is_string())
        refuse(fmt::format("has \"{}\": {}: a text is allowed", key, value.dump()));
    try {
        take(value.get<std::string>());
    } catch (const InvalidArgument& error) {
        refuse(fmt::format("has \"{}\": {}", key, error.what()));
    }
}

template <class Value, class Parse>
void read(const Json& header, std::string_view key, Value& into, const Parse& parse)
{
    read_text(header, key, [&](const std::string& text) { into = parse(text); });
}

// A whole number, or a text such as "5/2".
void read(const Json& header, std::string_view key, Rational& into)
{
    if (at(header, key).is_string())
        return read(header, key, into, [&](const std::string& text) { return parse_rational(key, text); });
    const std::uint64_t whole = number(header, key, std::numeric_limits<std::int64_t>::max()).value_or(0);
    into = {static_cast<std::int64_t>(whole), 1};
}

void read(const Json& header, std::string_view key, std::vector<std::uint32_t>& into)
{
    const Json list = at(header, key);
    if (list.is_null())
        return;
    const bool nodes = key == "permutation";
    if (!list.is_array())
        refuse(fmt::format("has \"{}\" that is not a list of {}", key, nodes ? "nodes" : "numbers"));
    const std::uint64_t most =
        nodes ? (std::uint64_t{1} << Topology::max_dimension) - 1 : std::numeric_limits<std::uint32_t>::max();
    for (const Json& one : list) {
        if (!one.is_number_unsigned() || one.get<std::uint64_t>() > most)
            refuse(fmt::format("has \"{}\" with {}, which is not a {}", key, one.dump(),
                               nodes ? "node" : "number of packets"));
        into.push_back(one.get<std::uint32_t>());
    }
}

// "5-7@2", or "5@2" of a node.
std::vector<Failing> failing(const Json& header, const Topology& topology)
{
    std::vector<Failing> all;
    const Json list = at(header, "failing");
    if (list.is_null())
        return all;
    if (!list.is_array() || !std::ranges::all_of(list, [](const Json& one) { return one.is_string(); }))
        refuse(R"(has "failing" that is not a list of texts such as "5-7@2" and "5@2")");
    try {
        for (const Json& one : list) {
            const auto text = one.get<std::string>();
            all.push_back(text.find('-') == std::string::npos ? parse_failing_node(text) : parse_failing_link(text));
        }
        validate(all, topology);
    } catch (const InvalidArgument& error) {
        refuse(fmt::format("has \"failing\": {}", error.what()));
    }
    return all;
}

bool redundant(const Json& header)
{
    const Json value = at(header, "redundant");
    if (!value.is_null() && !value.is_boolean())
        refuse(fmt::format("has \"redundant\": {}: true or false is allowed", value.dump()));
    return value.is_boolean() && value.get<bool>();
}

LinkModel links(const Json& header)
{
    LinkModel link;
    read(header, "link_model", link.kind, parse_link);
    if (!link.bound())
        return link;
    read(header, "tau_ns_per_byte", link.tau);
    read(header, "beta_ns", link.beta);
    read(header, "clock", link.clock, parse_clock);
    read(header, "duplex", link.duplex, parse_duplex);
    return link;
}

void read(const Json& header, const ProblemField& field, Problem& problem)
{
    if (field.is_list()) {
        read(header, field.key, field.list(problem));
    } else if (field.is_name()) {
        read_text(header, field.key, [&](const std::string& text) { field.set_name(problem, text); });
    } else if (field.is_number()) {
        if (const auto value = number(header, field.key, field.largest))
            field.set_number(problem, *value);
    }
}

Problem problem(const Json& header)
{
    Problem problem;
    read(header, "collective", problem.collective, parse_collective);
    for (const ProblemField& field : problem_fields())
        if (field.group == FieldGroup::problem)
            read(header, field, problem);
    problem.link = links(header);
    return problem;
}

}  // namespace

std::optional<TraceQuestion> parse_trace_header(std::string_view line)
{
    const std::size_t brace = line.find_first_not_of(" \t");
    const std::size_t key = brace == std::string_view::npos ? brace : line.find_first_not_of(" \t", brace + 1);
    if (key == std::string_view::npos || line[brace] != '{' || !line.substr(key).starts_with(mark))
        return std::nullopt;
    const Json header = Json::parse(line, nullptr, false);
    if (header.is_discarded())
        refuse("is not valid JSON");
    if (const Json version = at(header, "dcube_trace"); version != trace_schema)
        throw TraceFormatError(
            1, fmt::format("unsupported trace version {} (this dcube reads version {})", version.dump(), trace_schema));
    if (const Json schema = at(header, "schema"); !schema.is_null() && schema != report_schema)
        throw TraceFormatError(
            1, fmt::format("unsupported schema {} (this dcube reads schema {})", schema.dump(), report_schema));
    for (const char* const needed : {"collective", "topology"})
        if (at(header, needed).is_null())
            refuse(fmt::format("has no \"{}\"", needed));
    TraceQuestion question;
    read(header, "topology", question.topology, Topology::parse);
    read(header, "ports", question.ports, parse_ports);
    question.problem = problem(header);
    question.failing = failing(header, question.topology);
    question.redundant = redundant(header);
    try {
        question.problem.link = question.topology.links(question.problem.link, question.ports);
        validate(question.problem, question.topology);
    } catch (const InvalidArgument& error) {
        refuse(fmt::format("is not possible: {}", error.what()));
    }
    return question;
}

}  // namespace dcube
