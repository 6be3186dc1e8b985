#include "cli/text/frame_table.hpp"

#include "cli/text/frame_cells.hpp"
#include "cli/text/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace dcube::cli {

namespace {

constexpr std::size_t most_nodes = 16;
constexpr std::size_t most_ports = 6;
constexpr std::size_t between = 2;     // columns
constexpr std::size_t least_held = 9;  // "and keeps"
constexpr std::size_t node_width = 6;

// The nodes that are shown: all, or those that send most; ascending.
std::vector<NodeId> shown_nodes(NodeId nodes, const PortPackets& packets)
{
    std::vector<NodeId> all(nodes);
    std::iota(all.begin(), all.end(), NodeId{0});
    if (nodes <= most_nodes)
        return all;
    std::ranges::stable_sort(all, std::greater<>(), [&](NodeId node) { return packets.sent_by(node); });
    all.resize(most_nodes);
    std::ranges::sort(all);
    return all;
}

/// How wide the columns are, and how many ports are shown.
struct Widths {
    std::size_t ports = 0;
    std::size_t port = 0;  // each
    std::size_t has = 0;
    std::size_t keeps = 0;  // 0: not shown
};

std::size_t widest(const std::vector<std::string>& texts, std::size_t least)
{
    for (const std::string& text : texts)
        least = std::max(least, text.size());
    return least;
}

// "1-3 8 ..": as much as fits.
std::string cut(const std::string& text, std::size_t width)
{
    if (text.size() <= width)
        return text;
    const std::size_t end = text.rfind(' ', width - 3);
    return (end == std::string::npos ? text.substr(0, width - 2) : text.substr(0, end + 1)) + "..";
}

}  // namespace

PortPackets::PortPackets(const view::Film& film, Step step) : film_(film)
{
    const auto [first, last] = film.flights_in(step);
    for (std::size_t i = first; i < last; ++i)
        flights_[{film.recording.flights[i].from, film.recording.flights[i].port}] = i;
}

std::string PortPackets::text(NodeId node, Port port) const
{
    const auto found = flights_.find({node, port});
    if (found == flights_.end())
        return "-";
    const std::span<const view::Row> rows = film_.rows_of(found->second);
    const std::string more = rows.size() > 1 ? fmt::format(" +{}", rows.size() - 1) : "";
    const std::string first = rows.empty() ? "?" : packet_text(film_, rows.front());
    return fmt::format("{}{} -> {}", first, more, film_.recording.flights[found->second].to);
}

bool PortPackets::arrives(NodeId node, Port port) const
{
    const auto found = flights_.find({node, port});
    if (found == flights_.end() || film_.messages.kind() != view::MessageKind::moves)
        return false;
    const NodeId to = film_.recording.flights[found->second].to;
    return std::ranges::all_of(film_.rows_of(found->second),
                               [&](const view::Row& row) { return film_.messages.ends(row.message).target == to; });
}

std::size_t PortPackets::sent_by(NodeId node) const
{
    return static_cast<std::size_t>(
        std::distance(flights_.lower_bound({node, 0}), flights_.lower_bound({node + 1, 0})));
}

namespace {

Widths widths_of(const std::vector<NodeId>& nodes, const std::vector<HeldTexts>& held, const PortPackets& packets,
                 const Topology& topology, std::size_t width)
{
    Widths widths;
    widths.port = 6;  // "port 0"
    std::size_t ports = 0;
    for (const NodeId node : nodes)
        ports = std::max<std::size_t>(ports, topology.ports(node));
    for (const NodeId node : nodes)
        for (Port port = 0; port < topology.ports(node) && port < most_ports; ++port)
            widths.port = std::max(widths.port, packets.text(node, port).size());
    std::vector<std::string> has;
    std::vector<std::string> keeps;
    for (const HeldTexts& one : held) {
        has.push_back(one.has);
        keeps.push_back(one.keeps);
    }
    const std::size_t room = width - std::min(width, node_width + 1);
    widths.ports =
        std::min({ports, most_ports, (room - std::min(room, least_held + between)) / (widths.port + between)});
    const std::size_t left = room - widths.ports * (widths.port + between);
    widths.has = std::min(widest(has, 8), left > between ? left - between : 0);
    const std::size_t rest = left - widths.has - between;
    const bool any = std::ranges::any_of(keeps, [](const std::string& text) { return !text.empty(); });
    if (any && rest >= least_held + between)
        widths.keeps = std::min(widest(keeps, least_held), rest - between);
    return widths;
}

std::string heading(const Widths& widths)
{
    std::string line = fmt::format("{:<{}}", "node", node_width);
    for (std::size_t port = 0; port < widths.ports; ++port)
        line += fmt::format("{:{}}{:<{}}", "", between, fmt::format("port {}", port), widths.port);
    line += fmt::format("{:{}}{:<{}}", "", between, "then has", widths.has);
    if (widths.keeps != 0)
        line += fmt::format("{:{}}and keeps", "", between);
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
}

std::string table_row(NodeId node, const HeldTexts& held, const PortPackets& packets, Port ports, const Widths& widths,
                      Colour colour)
{
    std::string line = fmt::format("{:>4}{:2}", node, "");
    for (Port port = 0; port < widths.ports; ++port) {
        const std::string text = port < ports ? packets.text(node, port) : "";
        const std::string space(widths.port - std::min(widths.port, text.size()), ' ');
        line += fmt::format("{:{}}{}{}", "", between, packets.arrives(node, port) ? green(colour, text) : text, space);
    }
    line += fmt::format("{:{}}{:<{}}", "", between, cut(held.has, widths.has), widths.has);
    if (widths.keeps != 0)
        line += fmt::format("{:{}}{}", "", between, cut(held.keeps, widths.keeps));
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
}

}  // namespace

std::string frame_table(const view::Film& film, const view::Holdings& after, const PortPackets& packets,
                        std::size_t width, Colour colour)
{
    const Topology& topology = film.recording.topology;
    const std::vector<NodeId> nodes = shown_nodes(topology.nodes(), packets);
    const std::vector<HeldTexts> held = held_texts(film, after, nodes);
    const Widths widths = widths_of(nodes, held, packets, topology, width);
    std::string table =
        fmt::format("arrived {} of {}\n", grouped(after.arrived()), grouped(after.needed())) + heading(widths);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        table += table_row(nodes[i], held[i], packets, topology.ports(nodes[i]), widths, colour);
    if (topology.nodes() > nodes.size())
        table += fmt::format(" and {} nodes more\n", grouped(topology.nodes() - nodes.size()));
    return table;
}

}  // namespace dcube::cli
