#include "judge/trace_header.hpp"

#include <dcube/matrix.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace dcube {

namespace {

using Json = nlohmann::json;

constexpr std::uint64_t known_version = 1;
constexpr std::uint64_t known_schema = 1;  // of a report, whose keys it has
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

template <class Number>
void read(const Json& header, std::string_view key, Number& into)
{
    static_assert(std::is_unsigned_v<Number>);
    const Json value = at(header, key);
    if (value.is_null())
        return;
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<Number>::max())
        refuse(fmt::format("has \"{}\": {}: a whole number from 0 to {} is allowed", key, value.dump(),
                           std::numeric_limits<Number>::max()));
    into = value.get<Number>();
}

// `parse` reads a text and says what is allowed there.
template <class Value, class Parse>
void read(const Json& header, std::string_view key, Value& into, const Parse& parse)
{
    const Json value = at(header, key);
    if (value.is_null())
        return;
    if (!value.is_string())
        refuse(fmt::format("has \"{}\": {}: a text is allowed", key, value.dump()));
    try {
        into = parse(value.get<std::string>());
    } catch (const InvalidArgument& error) {
        refuse(fmt::format("has \"{}\": {}", key, error.what()));
    }
}

// A whole number, or a text such as "5/2".
void read(const Json& header, std::string_view key, Rational& into)
{
    if (at(header, key).is_string())
        return read(header, key, into, [&](const std::string& text) { return parse_rational(key, text); });
    std::uint32_t whole = 0;
    read(header, key, whole);
    into = {whole, 1};
}

void read(const Json& header, std::string_view key, std::vector<NodeId>& into)
{
    const Json list = at(header, key);
    if (list.is_null())
        return;
    if (!list.is_array())
        refuse(fmt::format("has \"{}\" that is not a list of nodes", key));
    for (const Json& node : list) {
        if (!node.is_number_unsigned() || node.get<std::uint64_t>() >> Topology::max_dimension != 0)
            refuse(fmt::format("has \"{}\" with {}, which is not a node", key, node.dump()));
        into.push_back(node.get<NodeId>());
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
    return link;
}

Problem problem(const Json& header)
{
    Problem problem;
    read(header, "collective", problem.collective, parse_collective);
    read(header, "bytes", problem.bytes);
    read(header, "packets", problem.packets);
    read(header, "root", problem.root);
    read(header, "peer", problem.peer);
    read(header, "operation", problem.operation, parse_operation);
    read(header, "type", problem.type, parse_element_type);
    read(header, "rows", problem.rows);
    read(header, "columns", problem.columns);
    read(header, "layout", problem.layout, parse_matrix_layout);
    read(header, "to_layout", problem.to, parse_matrix_layout);
    read(header, "permutation", problem.permutation);
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
    if (const Json version = at(header, "dcube_trace"); version != known_version)
        refuse(fmt::format("says that the trace is of version {}: {} is known", version.dump(), known_version));
    if (const Json schema = at(header, "schema"); !schema.is_null() && schema != known_schema)
        refuse(fmt::format("says that its keys are of schema {}: {} is known", schema.dump(), known_schema));
    for (const char* const needed : {"collective", "topology"})
        if (at(header, needed).is_null())
            refuse(fmt::format("has no \"{}\"", needed));
    TraceQuestion question;
    read(header, "topology", question.topology, Topology::parse);
    read(header, "ports", question.ports, parse_ports);
    question.problem = problem(header);
    question.failing = failing(header, question.topology);
    question.redundant = redundant(header);
    return question;
}

}  // namespace dcube
