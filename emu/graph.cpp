#include "base/lines.hpp"
#include "base/numbers.hpp"

#include <dcube/error.hpp>
#include <dcube/graph.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dcube {

namespace {

void require_size(std::string_view family, std::uint64_t size, std::uint64_t least, std::uint64_t most)
{
    if (size < least || size > most)
        throw InvalidArgument(fmt::format("{}:{} is not possible: expected {} to {}", family, size, least, most));
}

std::string named(std::string_view family, NodeId size)
{
    return fmt::format("{}:{}", family, size);
}

// The permutations in lexicographic order: the identity is node 0.
std::vector<std::vector<std::uint8_t>> permutations(unsigned symbols)
{
    std::vector<std::uint8_t> one(symbols);
    std::iota(one.begin(), one.end(), std::uint8_t{0});
    std::vector<std::vector<std::uint8_t>> all;
    do
        all.push_back(one);
    while (std::ranges::next_permutation(one).found);
    return all;
}

// The distances from one node to all, breadth first; what is not reached keeps the largest number.
template <class Ports, class Neighbour>
void breadth_first(NodeId from, std::span<std::uint16_t> distances, const Ports& ports, const Neighbour& neighbour)
{
    std::ranges::fill(distances, std::numeric_limits<std::uint16_t>::max());
    std::vector<NodeId> reached{from};
    reached.reserve(distances.size());
    distances[from] = 0;
    for (std::size_t next = 0; next < reached.size(); ++next)
        for (Port port = 0; port < ports(reached[next]); ++port)
            if (const NodeId node = neighbour(reached[next], port);
                distances[node] == std::numeric_limits<std::uint16_t>::max()) {
                distances[node] = static_cast<std::uint16_t>(distances[reached[next]] + 1);
                reached.push_back(node);
            }
}

}  // namespace

Graph::Graph(Data&& data) : data_(std::make_shared<const Data>(std::move(data))) {}

template <class Neighbour>
Graph Graph::make(Data&& data, const Neighbour& neighbour)
{
    const NodeId n = data.nodes;
    data.neighbours.resize(data.first_port.back());
    data.arrival_ports.resize(data.first_port.back());
    const auto ports = [&](NodeId node) { return data.first_port[node + 1] - data.first_port[node]; };
    for (NodeId node = 0; node < n; ++node)
        for (Port port = 0; port < ports(node); ++port)
            data.neighbours[data.first_port[node] + port] = neighbour(node, port);
    const auto link = [&](NodeId node, Port port) { return data.neighbours[data.first_port[node] + port]; };
    for (NodeId node = 0; node < n; ++node)
        for (Port port = 0; port < ports(node); ++port) {
            Port back = 0;
            while (link(link(node, port), back) != node)
                ++back;
            data.arrival_ports[data.first_port[node] + port] = back;
        }
    data.distances.resize(std::size_t{n} * n);
    for (NodeId node = 0; node < n; ++node) {
        const std::span<std::uint16_t> row = std::span(data.distances).subspan(std::size_t{node} * n, n);
        if (ports(node) > 0)
            breadth_first(node, row, ports, link);
        for (NodeId other = 0; other < n; ++other)
            if (ports(other) == 0)
                row[other] = 0;
        if (const auto lost = std::ranges::find(row, std::numeric_limits<std::uint16_t>::max()); lost != row.end())
            throw InvalidArgument(fmt::format("{} is not connected: no path leads from node {} to node {}", data.name,
                                              node, lost - row.begin()));
        data.statuses.push_back(std::accumulate(row.begin(), row.end(), std::uint64_t{0}));
        data.diameter = std::max<unsigned>(data.diameter, *std::ranges::max_element(row));
    }
    return Graph(std::move(data));
}

Graph Graph::of_lists(std::string name, Kind kind, std::vector<std::vector<NodeId>> lists)
{
    Data data{.kind = kind, .name = std::move(name), .nodes = static_cast<NodeId>(lists.size()), .first_port = {0}};
    for (const std::vector<NodeId>& list : lists) {
        if (list.size() > max_ports)
            throw InvalidArgument(fmt::format("{}: node {} has {} neighbours, at most {} are allowed", data.name,
                                              data.first_port.size() - 1, list.size(), max_ports));
        data.first_port.push_back(data.first_port.back() + static_cast<std::uint32_t>(list.size()));
    }
    return make(std::move(data), [&](NodeId node, Port port) { return lists[node][port]; });
}

Graph Graph::from_lists(std::string name, std::vector<std::vector<NodeId>> lists)
{
    return of_lists(std::move(name), Kind::list, std::move(lists));
}

Graph Graph::ring(NodeId nodes)
{
    require_size("ring", nodes, 2, max_nodes);
    if (nodes == 2)
        return complete(2);
    std::vector<std::vector<NodeId>> lists(nodes);
    for (NodeId node = 0; node < nodes; ++node)
        lists[node] = {(node + 1) % nodes, (node + nodes - 1) % nodes};
    return of_lists(named("ring", nodes), Kind::ring, std::move(lists));
}

Graph Graph::path(NodeId nodes)
{
    require_size("path", nodes, 2, max_nodes);
    if (nodes == 2)
        return complete(2);
    std::vector<std::vector<NodeId>> lists(nodes);
    for (NodeId node = 0; node + 1 < nodes; ++node) {
        lists[node].push_back(node + 1);
        lists[node + 1].push_back(node);
    }
    return of_lists(named("path", nodes), Kind::path, std::move(lists));
}

Graph Graph::complete(NodeId nodes)
{
    require_size("complete", nodes, 2, max_ports + 1);
    std::vector<std::vector<NodeId>> lists(nodes);
    for (NodeId node = 0; node < nodes; ++node)
        for (NodeId offset = 1; offset < nodes; ++offset)
            lists[node].push_back((node + offset) % nodes);
    return of_lists(named("complete", nodes), Kind::complete, std::move(lists));
}

Graph Graph::of_permutations(std::string_view family, unsigned symbols)
{
    require_size(family, symbols, 3, 6);
    using Permutation = std::vector<std::uint8_t>;
    const std::vector<Permutation> all = permutations(symbols);
    const auto n = static_cast<NodeId>(all.size());
    const auto rank = [&](const Permutation& one) {
        return static_cast<NodeId>(std::ranges::lower_bound(all, one) - all.begin());
    };
    Data data{.kind = Kind::group, .name = named(family, symbols), .nodes = n};
    data.products.resize(std::size_t{n} * n);
    data.inverses.resize(n);
    for (NodeId a = 0; a < n; ++a)
        for (NodeId b = 0; b < n; ++b) {
            Permutation product(symbols);
            for (unsigned i = 0; i < symbols; ++i)
                product[i] = all[a][all[b][i]];
            const NodeId ab = rank(product);
            data.products[std::size_t{a} * n + b] = static_cast<std::uint16_t>(ab);
            if (ab == 0)
                data.inverses[a] = static_cast<std::uint16_t>(b);
        }
    for (NodeId node = 0; node <= n; ++node)
        data.first_port.push_back(node * (symbols - 1));
    return make(std::move(data), [&](NodeId node, Port port) {
        Permutation moved = all[node];
        if (family == "star")
            std::swap(moved[0], moved[port + 1]);
        else
            std::reverse(moved.begin(), moved.begin() + port + 2);
        return rank(moved);
    });
}

Graph Graph::star(unsigned symbols)
{
    return of_permutations("star", symbols);
}

Graph Graph::pancake(unsigned symbols)
{
    return of_permutations("pancake", symbols);
}

Graph Graph::cube_connected_cycles(unsigned dimension)
{
    require_size("ccc", dimension, 3, 8);
    const NodeId d = dimension;
    const NodeId corners = NodeId{1} << d;
    const auto turned = [&](NodeId corner, NodeId places) {
        return ((corner << places) | (corner >> (d - places))) & (corners - 1);
    };
    Data data{.kind = Kind::group, .name = named("ccc", dimension), .nodes = d * corners};
    const NodeId n = data.nodes;
    data.products.resize(std::size_t{n} * n);
    data.inverses.resize(n);
    for (NodeId a = 0; a < n; ++a)
        for (NodeId b = 0; b < n; ++b) {
            const NodeId corner = a / d ^ turned(b / d, a % d);
            const NodeId ab = (a % d + b % d) % d + d * corner;
            data.products[std::size_t{a} * n + b] = static_cast<std::uint16_t>(ab);
            if (ab == 0)
                data.inverses[a] = static_cast<std::uint16_t>(b);
        }
    for (NodeId node = 0; node <= n; ++node)
        data.first_port.push_back(node * 3);
    return make(std::move(data), [&](NodeId node, Port port) {
        const NodeId place = node % d;
        const NodeId corner = node / d;
        if (port == 2)
            return place + d * (corner ^ (NodeId{1} << place));
        return (place + (port == 0 ? 1 : d - 1)) % d + d * corner;
    });
}

Graph Graph::circulant(NodeId nodes, std::span<const NodeId> offsets)
{
    require_size("circulant", nodes, 3, max_nodes);
    const std::string name = fmt::format("circulant:{},{}", nodes, fmt::join(offsets, ","));
    std::vector<NodeId> steps;
    for (const NodeId offset : offsets) {
        if (offset == 0 || offset >= nodes)
            throw InvalidArgument(
                fmt::format("{}: offset {} is not possible: expected 1 to {}", name, offset, nodes - 1));
        if (std::ranges::find(steps, offset) != steps.end())
            throw InvalidArgument(fmt::format("{}: offset {} makes the same links as one before it", name, offset));
        steps.push_back(offset);
        if (2 * offset != nodes)
            steps.push_back(nodes - offset);
    }
    std::vector<std::vector<NodeId>> lists(nodes);
    for (NodeId node = 0; node < nodes; ++node)
        for (const NodeId step : steps)
            lists[node].push_back((node + step) % nodes);
    return of_lists(name, Kind::group, std::move(lists));
}

Graph Graph::petersen()
{
    std::vector<std::pair<NodeId, NodeId>> edges;
    for (NodeId i = 0; i < 5; ++i) {
        edges.emplace_back(i, (i + 1) % 5);          // the outer ring
        edges.emplace_back(i, i + 5);                // the spokes
        edges.emplace_back(i + 5, (i + 2) % 5 + 5);  // the inner star
    }
    return from_edges("petersen", edges);
}

Graph Graph::from_edges(std::string name, std::span<const std::pair<NodeId, NodeId>> edges)
{
    NodeId largest = 0;
    for (const auto& [a, b] : edges)
        largest = std::max({largest, a, b});
    if (edges.empty())
        throw InvalidArgument(fmt::format("{} has no edges: 2 to {} connected nodes are allowed", name, max_nodes));
    if (largest >= max_nodes)
        throw InvalidArgument(fmt::format("{} has a node {}: 0 to {} are allowed", name, largest, max_nodes - 1));
    std::vector<std::vector<NodeId>> lists(largest + std::size_t{1});
    for (const auto& [a, b] : edges) {
        if (a == b)
            throw InvalidArgument(fmt::format("{}: an edge leads from node {} to itself", name, a));
        lists[a].push_back(b);
        lists[b].push_back(a);
    }
    for (std::size_t node = 0; node < lists.size(); ++node) {
        if (lists[node].empty())
            throw InvalidArgument(fmt::format("{} is not connected: node {} has no edge", name, node));
        std::ranges::sort(lists[node]);
        if (const auto twice = std::ranges::adjacent_find(lists[node]); twice != lists[node].end())
            throw InvalidArgument(
                fmt::format("{}: the edge between nodes {} and {} stands there twice", name, node, *twice));
    }
    return of_lists(std::move(name), Kind::list, std::move(lists));
}

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
        const std::optional<NodeId> read_node = leading_number<NodeId>(line);
        node = read_node.value_or(0);
        return read_node && (line.empty() || blanks.find(line.front()) != std::string_view::npos);
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
    text = without_byte_order_mark(text);
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
