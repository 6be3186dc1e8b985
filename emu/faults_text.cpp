// Faults as text: "0-1, 4-5, 9".

#include <dcube/faults.hpp>

#include <dcube/error.hpp>

#include "base/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace dcube {

namespace {

std::optional<std::pair<NodeId, NodeId>> link(std::string_view text)
{
    const std::size_t dash = text.find('-');
    if (dash == std::string_view::npos)
        return std::nullopt;
    const auto first = whole_number(text.substr(0, dash));
    const auto second = whole_number(text.substr(dash + 1));
    if (!first || !second)
        return std::nullopt;
    return std::pair(*first, *second);
}

bool is_between(char c)
{
    return c == ',' || c == ' ' || (c >= '\t' && c <= '\r');
}

// The words of one line.
void read_line(std::string_view line, const std::string& where, Faults& faults)
{
    line = line.substr(0, line.find('#'));
    while (!line.empty()) {
        const auto begin = static_cast<std::size_t>(std::ranges::find_if_not(line, is_between) - line.begin());
        line.remove_prefix(begin);
        const auto size = static_cast<std::size_t>(std::ranges::find_if(line, is_between) - line.begin());
        const std::string_view word = line.substr(0, size);
        line.remove_prefix(size);
        if (const auto between = link(word))
            faults.links.push_back(*between);
        else if (const auto node = whole_number(word))
            faults.nodes.push_back(*node);
        else if (!word.empty())
            throw InvalidArgument(
                fmt::format("{}'{}' is neither a link such as 0-1 nor a node such as 5", where, word));
    }
}

}  // namespace

void Faults::add(const Faults& others)
{
    links.insert(links.end(), others.links.begin(), others.links.end());
    nodes.insert(nodes.end(), others.nodes.begin(), others.nodes.end());
}

Faults parse_faults(std::string_view text)
{
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text.starts_with(byte_order_mark))
        text.remove_prefix(byte_order_mark.size());
    const bool several = text.find('\n') != std::string_view::npos;
    Faults faults;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        read_line(text.substr(0, end), several ? fmt::format("line {}: ", number) : "", faults);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return faults;
}

std::pair<NodeId, NodeId> parse_link_between(std::string_view text)
{
    const auto between = link(text);
    if (!between)
        throw InvalidArgument(fmt::format("'{}' is not a link: expected two neighbours, e.g. 0-1", text));
    return *between;
}

NodeId parse_node_id(std::string_view text)
{
    const auto node = whole_number(text);
    if (!node)
        throw InvalidArgument(fmt::format("'{}' is not a node: expected a whole number, e.g. 5", text));
    return *node;
}

std::string to_string(const Faults& faults)
{
    std::string text;
    for (const auto& [a, b] : faults.links)
        text += fmt::format("{}{}-{}", text.empty() ? "" : ",", a, b);
    for (const NodeId node : faults.nodes)
        text += fmt::format("{}{}", text.empty() ? "" : ",", node);
    return text;
}

}  // namespace dcube
