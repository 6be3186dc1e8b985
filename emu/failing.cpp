#include <dcube/faults.hpp>

#include "base/names.hpp"
#include "base/numbers.hpp"
#include "emu/network.hpp"

#include <dcube/error.hpp>
#include <dcube/topology.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace dcube {

namespace {

// The text before the first `mark`, and after it: empty if there is no mark.
struct Halves {
    std::string_view before;
    std::string_view after;
};
Halves halves_of(std::string_view text, char mark)
{
    const std::size_t at = text.find(mark);
    return {text.substr(0, at), at == std::string_view::npos ? std::string_view() : text.substr(at + 1)};
}

void require_step(Step from, std::string_view text)
{
    if (from == 0)
        throw InvalidArgument(fmt::format("{} fails from step 0 on: steps begin at 1", quoted(text)));
}

void require_node(NodeId node, const Topology& topology)
{
    if (node >= topology.nodes())
        throw InvalidArgument(
            fmt::format("node {} cannot fail: {} has nodes 0 to {}", node, topology.title(), topology.nodes() - 1));
    if (topology.is_missing(node))
        throw InvalidArgument(fmt::format("node {} cannot fail: {} lacks that node", node, topology.title()));
}

// Long lists are cut.
std::string neighbours_of(NodeId node, const Topology& topology)
{
    constexpr Port most = 12;
    const Port ports = topology.ports(node);
    std::vector<NodeId> ids;
    for (Port port = 0; port < std::min(ports, most); ++port)
        ids.push_back(topology.neighbour(node, port));
    std::ranges::sort(ids);
    return fmt::format("{}{}", fmt::join(ids, ", "), ports > most ? ", .." : "");
}

void require_link(const Failing& link, const Topology& topology)
{
    if (linked(link.a, link.b, topology))
        return;
    const std::string neighbours = neighbours_of(link.a, topology);
    throw InvalidArgument(fmt::format("link {}-{} cannot fail: {} has none, node {} is linked to {}", link.a, link.b,
                                      topology.name(), link.a, neighbours.empty() ? "no node" : neighbours));
}

}  // namespace

bool linked(NodeId a, NodeId b, const Topology& topology)
{
    for (Port port = 0; port < topology.ports(a); ++port)
        if (topology.neighbour(a, port) == b)
            return true;
    return false;
}

Failing parse_failing_link(std::string_view text)
{
    const Halves link_and_step = halves_of(text, '@');
    const auto ends = parsed_ends(link_and_step.before);
    const std::optional<Step> from = parsed_number<std::uint32_t>(link_and_step.after);
    if (!ends || !from)
        throw InvalidArgument(
            fmt::format("{} is not a failing link: expected two neighbours and a step, e.g. 5-7@2", quoted(text)));
    require_step(*from, text);
    if (ends->first == ends->second)
        throw InvalidArgument(fmt::format("{} is not a failing link: its ends must be two nodes", quoted(text)));
    return {ends->first, ends->second, *from};
}

Failing parse_failing_node(std::string_view text)
{
    const Halves node_and_step = halves_of(text, '@');
    const std::optional<NodeId> node = parsed_number<std::uint32_t>(node_and_step.before);
    const std::optional<Step> from = parsed_number<std::uint32_t>(node_and_step.after);
    if (!node || !from)
        throw InvalidArgument(
            fmt::format("{} is not a failing node: expected a node and a step, e.g. 5@2", quoted(text)));
    require_step(*from, text);
    return failing_node(*node, *from);
}

std::string to_string(const Failing& failing)
{
    return failing.is_node() ? fmt::format("{}@{}", failing.a, failing.from)
                             : fmt::format("{}-{}@{}", failing.a, failing.b, failing.from);
}

void validate(std::span<const Failing> failing, const Topology& topology)
{
    for (const Failing& one : failing) {
        require_step(one.from, to_string(one));
        require_node(one.a, topology);
        require_node(one.b, topology);
        if (!one.is_node())
            require_link(one, topology);
    }
}

bool has_failed(std::span<const Failing> failing, NodeId node, Step steps)
{
    return std::ranges::any_of(failing,
                               [&](const Failing& one) { return one.is_node() && one.a == node && one.from <= steps; });
}

const Failing* failed_between(std::span<const Failing> failing, NodeId from, NodeId to, Step step)
{
    const auto concerns = [&](const Failing& one) {
        if (one.is_node())
            return one.a == from || one.a == to;
        return (one.a == from && one.b == to) || (one.a == to && one.b == from);
    };
    const Failing* first = nullptr;
    for (const Failing& one : failing)
        if (one.from <= step && concerns(one) && (!first || one.from < first->from))
            first = &one;
    return first;
}

std::string describe(const Failing& failing)
{
    return failing.is_node() ? fmt::format("node {} fails from step {} on", failing.a, failing.from)
                             : fmt::format("link {}-{} fails from step {} on", failing.a, failing.b, failing.from);
}

}  // namespace dcube
