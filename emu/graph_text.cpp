// Graphs from files: an edge a line.

#include <dcube/error.hpp>
#include <dcube/graph.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dcube {

namespace {

using Edge = std::pair<NodeId, NodeId>;

// "12 7 # a comment" to an edge; false for a line that says nothing.
bool read_edge(std::string_view line, std::size_t number, const std::string& name, std::pair<NodeId, NodeId>& edge)
{
    constexpr std::string_view blanks = " \t\r";
    line = line.substr(0, line.find('#'));
    const auto skip = [&] { line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size())); };
    const auto read = [&](NodeId& node) {
        skip();
        const auto [stop, error] = std::from_chars(line.data(), line.data() + line.size(), node);
        const bool is_number = error == std::errc{};
        line.remove_prefix(static_cast<std::size_t>(stop - line.data()));
        return is_number && (line.empty() || blanks.find(line.front()) != std::string_view::npos);
    };
    skip();
    if (line.empty())
        return false;
    const bool numbers = read(edge.first) && read(edge.second);
    skip();
    if (!numbers || !line.empty())
        throw InvalidArgument(fmt::format("{}, line {}: an edge is two node numbers, e.g. 0 1", name, number));
    return true;
}

// An edge and its line, for complaints.
struct Line {
    std::size_t number;
    Edge edge;
};

std::vector<Line> read_lines(const std::string& name, std::string_view text)
{
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text.starts_with(byte_order_mark))
        text.remove_prefix(byte_order_mark.size());
    std::vector<Line> lines;
    Edge edge;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (read_edge(text.substr(0, end), number, name, edge))
            lines.push_back({number, edge});
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

void require_sound(const std::string& name, const std::vector<Line>& lines)
{
    std::map<Edge, std::size_t> first;  // in which line each edge stands, the smaller node before the larger
    for (const auto& [number, edge] : lines) {
        const auto [a, b] = std::minmax(edge.first, edge.second);
        if (b >= Graph::max_nodes)
            throw InvalidArgument(
                fmt::format("{}, line {}: a node {}: 0 to {} are allowed", name, number, b, Graph::max_nodes - 1));
        if (a == b)
            throw InvalidArgument(fmt::format("{}, line {}: an edge leads from node {} to itself", name, number, a));
        if (const auto [before, fresh] = first.emplace(Edge{a, b}, number); !fresh)
            throw InvalidArgument(fmt::format("{}, line {}: the edge between nodes {} and {} stands there twice, "
                                              "first in line {}",
                                              name, number, a, b, before->second));
    }
}

// Nodes are numbered from 0 without a gap: one without an edge is most often a slip.
void require_no_gap(const std::string& name, const std::vector<Line>& lines)
{
    const auto last = [](const Line& line) { return std::max(line.edge.first, line.edge.second); };
    const auto largest = std::ranges::max_element(lines, {}, last);
    std::vector<bool> seen(last(*largest) + std::size_t{1});
    for (const auto& [number, edge] : lines)
        seen[edge.first] = seen[edge.second] = true;
    if (const auto gap = std::ranges::find(seen, false); gap != seen.end())
        throw InvalidArgument(fmt::format("{}, line {}: there is a node {}, but node {} has no edge: nodes are "
                                          "numbered from 0 without a gap",
                                          name, largest->number, last(*largest), gap - seen.begin()));
}

}  // namespace

Graph Graph::from_text(std::string name, std::string_view text)
{
    const std::vector<Line> lines = read_lines(name, text);
    require_sound(name, lines);
    if (!lines.empty())
        require_no_gap(name, lines);
    std::vector<Edge> edges;
    for (const Line& line : lines)
        edges.push_back(line.edge);
    return from_edges(std::move(name), edges);
}

}  // namespace dcube
