#include "base/lines.hpp"
#include "base/names.hpp"
#include "base/numbers.hpp"
#include "emu/fabric.hpp"

#include <dcube/error.hpp>
#include <dcube/graph.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

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

Graph Graph::of_lists(std::string name, Kind kind, std::vector<std::vector<NodeId>> lists, Fabric fabric)
{
    Data data{.kind = kind,
              .name = std::move(name),
              .nodes = static_cast<NodeId>(lists.size()),
              .fabric = std::move(fabric),
              .first_port = {0}};
    for (const std::vector<NodeId>& list : lists) {
        if (list.size() > max_ports)
            throw InvalidArgument(fmt::format("{}: node {} has {} neighbours, at most {} are allowed", data.name,
                                              data.first_port.size() - 1, list.size(), max_ports));
        data.first_port.push_back(data.first_port.back() + static_cast<std::uint32_t>(list.size()));
    }
    return make(std::move(data), [&](NodeId node, Port port) { return lists[node][port]; });
}

Graph Graph::from_lists(std::string name, std::vector<std::vector<NodeId>> lists, Fabric fabric)
{
    fabric = in_order(name, lists, std::move(fabric));
    return of_lists(std::move(name), Kind::list, std::move(lists), std::move(fabric));
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

Graph Graph::from_edges(std::string name, std::span<const std::pair<NodeId, NodeId>> edges, Fabric fabric)
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
    return from_lists(std::move(name), std::move(lists), std::move(fabric));
}

namespace {

using Edge = std::pair<NodeId, NodeId>;

constexpr std::string_view an_edge =
    "an edge is two node numbers, e.g. 0 1, and the ns per byte and per packet of a link with times of its own, e.g. 0 "
    "1 0.04 1300";
constexpr std::string_view switch_word = "switch";

// The words of a line, without its comment. Commas are as good as blanks.
std::vector<std::string_view> words_of(std::string_view line)
{
    constexpr std::string_view blanks = " \t\r,";
    line = line.substr(0, std::min({line.find('#'), line.find('%'), line.find("//")}));
    std::vector<std::string_view> words;
    while (true) {
        line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
        if (line.empty())
            return words;
        const std::size_t end = line.front() == '{' ? line.size() : std::min(line.find_first_of(blanks), line.size());
        words.push_back(line.substr(0, end));
        line.remove_prefix(end);
    }
}

struct TextLine {
    std::size_t number;
    std::vector<std::string_view> words;
};

// The lines that are not empty.
std::vector<TextLine> text_lines(std::string_view text)
{
    std::vector<TextLine> lines;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (std::vector<std::string_view> words = words_of(text.substr(0, end)); !words.empty())
            lines.push_back({number, std::move(words)});
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

// METIS has the numbers of nodes and edges, and then a line of neighbours for each node: every edge is there twice. No
// list of edges is like that, except one that begins with an edge from a node to itself.
bool is_metis(const std::vector<TextLine>& lines)
{
    if (lines.empty() || lines[0].words.size() != 2)
        return false;
    const auto nodes = parsed_number<std::uint64_t>(lines[0].words[0]);
    const auto edges = parsed_number<std::uint64_t>(lines[0].words[1]);
    std::uint64_t ends = 0;
    for (const TextLine& line : lines)
        ends += line.words.size();
    return nodes && edges && *nodes > 0 && *nodes == lines.size() - 1 && (ends - 2) % 2 == 0 &&
           *edges == (ends - 2) / 2;
}

/// A format that other tools have for graphs, by how its text begins.
struct ForeignFormat {
    std::string_view name;
    bool (*fits)(std::string_view text, const std::vector<TextLine>& lines);
};

bool begins(const std::vector<TextLine>& lines, std::initializer_list<std::string_view> words)
{
    return !lines.empty() && std::ranges::find(words, lines[0].words[0]) != words.end();
}

using AllLines = const std::vector<TextLine>&;

constexpr ForeignFormat foreign_formats[] = {
    {"a Matrix Market file", [](std::string_view text, AllLines) { return text.starts_with("%%MatrixMarket"); }},
    {"a METIS graph", [](std::string_view, AllLines lines) { return is_metis(lines); }},
    {"a DIMACS graph",
     [](std::string_view, AllLines lines) {
         return begins(lines, {"c", "p", "e", "a"});
     }},
    {"a BookSim anynet file", [](std::string_view, AllLines lines) { return begins(lines, {"router"}); }},
    {"an ns-3 topology of ASTRA-sim",
     [](std::string_view, AllLines lines) {
         return lines.size() > 1 && lines.back().words.size() > 2 && lines.back().words[2].ends_with("bps");
     }},
    {"a GraphML or XML file",
     [](std::string_view, AllLines lines) { return !lines.empty() && lines[0].words[0][0] == '<'; }},
    {"a GML or DOT graph",
     [](std::string_view, AllLines lines) {
         return begins(lines, {"graph", "digraph", "strict", "Creator"});
     }},
    {"JSON",
     [](std::string_view, AllLines lines) {
         return !lines.empty() && (lines[0].words[0][0] == '{' || lines[0].words[0][0] == '[');
     }},
};

// An edge and its line, for complaints.
struct Line {
    std::size_t number;
    Edge edge;
    std::optional<TimedLink> times{};
};

struct Lines {
    std::vector<Line> edges{};
    std::vector<NodeId> switches{};
};

[[noreturn]] void refuse(const std::string& name, const TextLine& line, std::string_view why)
{
    throw InvalidArgument(fmt::format("{}, line {}: {}", name, line.number, why));
}

Line read_edge(const TextLine& line, const std::string& name)
{
    const auto& words = line.words;
    const auto a = parsed_number<NodeId>(words[0]);
    const auto b = words.size() > 1 ? parsed_number<NodeId>(words[1]) : std::nullopt;
    if (!a || !b)
        refuse(name, line, an_edge);
    if (words.size() == 2 || words[2] == "{}")
        return {line.number, {*a, *b}};
    if (words.size() != 4 || words[2].front() == '{')
        refuse(name, line, fmt::format("{} stands behind an edge: {}", quoted(words[2]), an_edge));
    return prefixed(fmt::format("{}, line {}", name, line.number), [&] {
        return Line{
            line.number, {*a, *b}, TimedLink{*a, *b, parse_rational("", words[2]), parse_rational("", words[3])}};
    });
}

void read_switches(const TextLine& line, const std::string& name, std::vector<NodeId>& switches)
{
    if (line.words.size() == 1)
        refuse(name, line, "names no switch: expected node numbers, e.g. switch 8");
    for (const std::string_view word : std::span(line.words).subspan(1)) {
        const auto node = parsed_number<NodeId>(word);
        if (!node)
            refuse(name, line, fmt::format("{} is not a switch: expected a node number, e.g. switch 8", quoted(word)));
        switches.push_back(*node);
    }
}

Lines read_lines(const std::string& name, std::string_view text)
{
    text = without_byte_order_mark(text);
    const std::vector<TextLine> all = text_lines(text);
    for (const ForeignFormat& format : foreign_formats)
        if (format.fits(text, all))
            throw InvalidArgument(fmt::format("{} looks like {}, which is not read: expected an edge a line, two node "
                                              "numbers, e.g. 0 1",
                                              name, format.name));
    Lines lines;
    for (const TextLine& line : all)
        if (line.words[0] == switch_word)
            read_switches(line, name, lines.switches);
        else
            lines.edges.push_back(read_edge(line, name));
    return lines;
}

// The edges, each once. They may all stand there in both directions; if only some do, links lead one way.
std::vector<Edge> distinct_edges(const std::string& name, const std::vector<Line>& lines)
{
    std::map<Edge, std::size_t> first;  // in which line each edge stands, in each direction
    for (const auto& [number, edge, times] : lines) {
        const auto [a, b] = edge;
        if (a == b)
            throw InvalidArgument(fmt::format("{}, line {}: an edge leads from node {} to itself", name, number, a));
        if (const auto [before, fresh] = first.emplace(edge, number); !fresh)
            throw InvalidArgument(fmt::format("{}, line {}: the edge between nodes {} and {} stands there twice, "
                                              "first in line {}",
                                              name, number, a, b, before->second));
    }
    const auto has_reverse = [&](const Line& line) { return first.contains(Edge{line.edge.second, line.edge.first}); };
    const auto both = std::ranges::find_if(lines, has_reverse);
    const auto one = std::ranges::find_if_not(lines, has_reverse);
    if (both != lines.end() && one != lines.end())
        throw InvalidArgument(fmt::format(
            "{}, line {}: the edge from node {} to node {} stands there in one direction, that in line {} in both: "
            "links lead both ways, so expected every edge once, or every edge in both directions",
            name, one->number, one->edge.first, one->edge.second, both->number));
    std::vector<Edge> edges;
    for (const auto& [number, edge, times] : lines)
        if (both == lines.end() || edge.first < edge.second)
            edges.push_back(edge);
    return edges;
}

// The links with times of their own, each once: where edges stand in both directions, both have the same times.
std::vector<TimedLink> timed_links(const std::string& name, const std::vector<Line>& lines)
{
    std::map<Edge, const Line*> known;
    for (const Line& line : lines) {
        const auto [first, fresh] = known.emplace(std::minmax(line.edge.first, line.edge.second), &line);
        const auto same = [](const std::optional<TimedLink>& one, const std::optional<TimedLink>& other) {
            return one ? other && one->tau == other->tau && one->beta == other->beta : !other;
        };
        if (!fresh && !same(line.times, first->second->times))
            throw InvalidArgument(fmt::format("{}, line {}: the link between nodes {} and {} has other times than in "
                                              "line {}: expected the same in both directions",
                                              name, line.number, line.edge.first, line.edge.second,
                                              first->second->number));
    }
    std::vector<TimedLink> timed;
    for (const auto& [edge, line] : known)
        if (line->times)
            timed.push_back({edge.first, edge.second, line->times->tau, line->times->beta});
    return timed;
}

std::vector<NodeId> ids_of(const std::vector<Edge>& edges)
{
    std::vector<NodeId> ids;
    for (const auto& [a, b] : edges)
        ids.insert(ids.end(), {a, b});
    std::ranges::sort(ids);
    const auto [end, last] = std::ranges::unique(ids);
    ids.erase(end, last);
    return ids;
}

}  // namespace

Graph Graph::from_text(std::string name, std::string_view text)
{
    const Lines lines = read_lines(name, text);
    std::vector<Edge> edges = distinct_edges(name, lines.edges);
    Fabric fabric{lines.switches, timed_links(name, lines.edges)};
    std::vector<NodeId> ids = ids_of(edges);
    if (ids.size() > max_nodes)
        throw InvalidArgument(fmt::format("{} has {} nodes: at most {} are allowed", name, ids.size(), max_nodes));
    if (edges.empty() || ids.back() + std::size_t{1} == ids.size())
        return from_edges(std::move(name), edges, std::move(fabric));
    const auto number = [&](NodeId id) { return static_cast<NodeId>(std::ranges::lower_bound(ids, id) - ids.begin()); };
    for (auto& [a, b] : edges)
        std::tie(a, b) = Edge{number(a), number(b)};
    for (TimedLink& link : fabric.links)
        std::tie(link.a, link.b) = Edge{number(link.a), number(link.b)};
    for (NodeId& node : fabric.switches) {
        if (!std::ranges::binary_search(ids, node))
            throw InvalidArgument(fmt::format("{}: switch {} has no edge", name, node));
        node = number(node);
    }
    try {
        Data data = *from_edges(std::move(name), edges, std::move(fabric)).data_;
        data.ids = std::move(ids);
        return Graph(std::move(data));
    } catch (const InvalidArgument& error) {
        throw InvalidArgument(
            fmt::format("{}, where nodes are numbered from 0 in ascending order of their ids", error.what()));
    }
}

Fabric fabric_from_lines(std::string_view text, const std::string& name)
{
    Lines lines = read_lines(name, text);
    for (const Line& line : lines.edges)
        if (!line.times)
            throw InvalidArgument(fmt::format("{}, line {}: the link between nodes {} and {} has no times: {}", name,
                                              line.number, line.edge.first, line.edge.second, an_edge));
    static_cast<void>(distinct_edges(name, lines.edges));
    return {std::move(lines.switches), timed_links(name, lines.edges)};
}

}  // namespace dcube
