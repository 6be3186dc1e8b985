#include "cli/text/frames.hpp"

#include "base/numbers.hpp"
#include "base/sizes.hpp"
#include "cli/output.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/table.hpp"
#include "inspect/view/film/holdings.hpp"
#include "inspect/view/words/sentences.hpp"
#include "inspect/view/words/titles.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace dcube::cli {

namespace {

using view::MessageEnds;
using view::MessageKind;

/// Whose bytes they are: "2>1", from node 2 to node 1; with parts "2>1.0"; of a broadcast the part, of an all-gather
/// the origin; of a sum who is in it, "{0-3}", and for which node, "5:{0-3}".
std::string packet_text(const view::Film& film, const view::Row& row);

/// The needed data that a node has, and the data that it keeps for others.
struct HeldTexts {
    std::string has;
    std::string keeps;
};

std::string set_text(const Contributors& nodes)
{
    return ranges_text(nodes, ~std::size_t{0}, " ");
}

// ".3", ".3-5"; nothing if messages have one part.
std::string parts_text(const view::Film& film, const view::Row& row)
{
    if (film.parts.count() == 1)
        return "";
    return row.count == 1 ? fmt::format(".{}", row.part) : fmt::format(".{}-{}", row.part, row.part + row.count - 1);
}

bool has_all(const view::Film& film, const view::Holdings& holdings, NodeId node, std::uint64_t message)
{
    for (std::uint32_t part = 0; part < film.parts_of(message); ++part)
        if (!holdings.has(node, message, part))
            return false;
    return true;
}

// The parts of the one message of a broadcast.
std::string parts_held(const view::Film& film, const view::Holdings& holdings, NodeId node)
{
    std::vector<NodeId> parts;
    for (std::uint32_t part = 0; part < film.parts.count(); ++part)
        if (holdings.has(node, 0, part))
            parts.push_back(part);
    return set_text(Contributors::of(parts));
}

// The contributors to the sum that the node needs, or holds; if they differ from part to part, those of the smallest.
std::string sum_held(const view::Film& film, const view::Holdings& holdings, NodeId node)
{
    const std::uint64_t message = film.messages.count() == 1 ? 0 : node;
    Contributors least = holdings.sum(node, message, 0);
    bool same = true;
    for (std::uint32_t part = 1; part < film.parts_of(message); ++part) {
        Contributors sum = holdings.sum(node, message, part);
        same = same && sum == least;
        if (sum.size() < least.size())
            least = std::move(sum);
    }
    return same ? set_text(least) : fmt::format("at least {}", set_text(least));
}

std::string held_by(const view::Film& film, const view::Holdings& holdings, NodeId node)
{
    if (film.messages.kind() == MessageKind::sums)
        return sum_held(film, holdings, node);
    if (film.messages.count() == 1)
        return parts_held(film, holdings, node);
    std::vector<NodeId> origins;
    for (std::uint64_t message = 0; message < film.messages.count(); ++message)
        if (film.parts_of(message) > 0 && has_all(film, holdings, node, message))
            origins.push_back(*film.messages.ends(message).origin);
    return set_text(Contributors::of(origins));
}

// Moving messages: one pass over the messages makes the texts of all nodes.
std::vector<HeldTexts> moving(const view::Film& film, const view::Holdings& holdings, std::span<const NodeId> nodes)
{
    std::vector<std::vector<NodeId>> origins(nodes.size());
    std::vector<HeldTexts> texts(nodes.size());
    for (std::uint64_t message = 0; message < film.messages.count(); ++message) {
        const MessageEnds ends = film.messages.ends(message);
        for (std::uint32_t part = 0; part < film.parts_of(message); ++part)
            for (const NodeId at : holdings.nodes_with(message, part)) {
                const auto found = std::ranges::lower_bound(nodes, at);
                if (found == nodes.end() || *found != at)
                    continue;
                const auto i = static_cast<std::size_t>(found - nodes.begin());
                if (ends.target == at)
                    origins[i].push_back(*ends.origin);
                else if (ends.origin != at)
                    texts[i].keeps += (texts[i].keeps.empty() ? "" : " ") +
                                      packet_text(film, {static_cast<std::uint32_t>(message), part, 1, 0});
            }
    }
    for (std::size_t i = 0; i < nodes.size(); ++i)
        texts[i].has = set_text(Contributors::of(origins[i]));
    return texts;
}

std::string packet_text(const view::Film& film, const view::Row& row)
{
    const MessageEnds ends = film.messages.ends(row.message);
    const bool one = film.messages.count() == 1;
    const std::string parts = parts_text(film, row);
    switch (film.messages.kind()) {
    case MessageKind::moves: return fmt::format("{}>{}{}", *ends.origin, *ends.target, parts);
    case MessageKind::copies:
        if (one)
            return parts.empty() ? std::to_string(*ends.origin) : parts.substr(1);
        return fmt::format("{}{}", *ends.origin, parts);
    case MessageKind::sums: break;
    }
    return fmt::format("{}{}{{{}}}", one ? "" : fmt::format("{}:", *ends.target), parts.empty() ? "" : parts.substr(1),
                       set_text(film.sets[row.set]));
}

// The texts for each of these nodes, which are in ascending order.
std::vector<HeldTexts> held_texts(const view::Film& film, const view::Holdings& holdings, std::span<const NodeId> nodes)
{
    if (film.messages.kind() == MessageKind::moves)
        return moving(film, holdings, nodes);
    std::vector<HeldTexts> texts;
    for (const NodeId node : nodes)
        texts.push_back({held_by(film, holdings, node), ""});
    return texts;
}

/// The packets of a step, by sender and port.
class PortPackets {
public:
    PortPackets(const view::Film& film, Step step);

    /// "2>1 -> 3": from node 2 to node 1, now to node 3; "-" where nothing is sent.
    [[nodiscard]] std::string text(NodeId node, Port port) const;
    /// Whether the packet ends where it belongs.
    [[nodiscard]] bool arrives(NodeId node, Port port) const;
    [[nodiscard]] std::size_t sent_by(NodeId node) const;

private:
    const view::Film& film_;
    std::map<std::pair<NodeId, Port>, std::size_t> flights_;
};

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
    std::size_t more_ports = 0;  // that do not fit
    std::size_t port = 0;        // each
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
    const Flight& flight = film_.recording.flights[found->second];
    return fmt::format("{}{} -> {}{}", first, more, flight.to, flight.lost ? " (lost)" : "");
}

bool PortPackets::arrives(NodeId node, Port port) const
{
    const auto found = flights_.find({node, port});
    if (found == flights_.end() || film_.messages.kind() != view::MessageKind::moves)
        return false;
    const NodeId to = film_.recording.flights[found->second].to;
    return !film_.recording.flights[found->second].lost &&
           std::ranges::all_of(film_.rows_of(found->second),
                               [&](const view::Row& row) { return film_.messages.ends(row.message).target == to; });
}

std::size_t PortPackets::sent_by(NodeId node) const
{
    return static_cast<std::size_t>(
        std::distance(flights_.lower_bound({node, 0}), flights_.lower_bound({node + 1, 0})));
}

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
    widths.more_ports = ports - widths.ports;
    const std::size_t left = room - widths.ports * (widths.port + between);
    widths.has = std::min(widest(has, 8), left > between ? left - between : 0);
    const std::size_t rest = left - widths.has - between;
    const bool any = std::ranges::any_of(keeps, [](const std::string& text) { return !text.empty(); });
    if (any && rest >= least_held + between)
        widths.keeps = std::min(widest(keeps, least_held), rest - between);
    return widths;
}

// A table of the nodes, or of those that send most, with as many ports as fit. `after` is the state after the step.
std::string frame_table(const view::Film& film, const view::Holdings& after, const PortPackets& packets,
                        std::size_t width, Colour colour)
{
    const Topology& topology = film.recording.topology;
    const std::vector<NodeId> nodes = shown_nodes(topology.nodes(), packets);
    const std::vector<HeldTexts> held = held_texts(film, after, nodes);
    const Widths widths = widths_of(nodes, held, packets, topology, width);
    Table table{{{"node  ", Column::Side::left}}};
    for (std::size_t port = 0; port < widths.ports; ++port)
        table.columns.push_back({fmt::format("port {}", port), Column::Side::left, widths.port});
    table.columns.push_back({"then has", Column::Side::left, widths.has});
    if (widths.keeps != 0)
        table.columns.push_back({"and keeps", Column::Side::left});
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        std::vector<std::string> row{fmt::format("{:>4}", nodes[i])};
        for (Port port = 0; port < widths.ports; ++port) {
            const std::string text = port < topology.ports(nodes[i]) ? packets.text(nodes[i], port) : "";
            row.push_back(packets.arrives(nodes[i], port) ? green(colour, text) : text);
        }
        row.push_back(cut(held[i].has, widths.has));
        if (widths.keeps != 0)
            row.push_back(cut(held[i].keeps, widths.keeps));
        table.add(std::move(row));
    }
    std::string text =
        fmt::format("arrived {} of {}\n", grouped(after.arrived()), grouped(after.needed())) + in_text(table);
    std::vector<std::string> more;
    if (topology.nodes() > nodes.size())
        more.push_back(grouped(topology.nodes() - nodes.size(), "node"));
    if (widths.more_ports > 0)
        more.push_back(grouped(widths.more_ports, "port"));
    if (!more.empty())
        text += fmt::format(" and {} more\n", fmt::join(more, " and "));
    return text;
}

// Three texts in a line, or where they do not fit the first above the others.
std::string spread(const std::string& left, const std::string& middle, const std::string& right, std::size_t width,
                   Colour colour)
{
    constexpr std::size_t least_room = 4;
    const std::size_t rest = middle.size() + right.size();
    if (left.size() + rest + least_room > width)
        return bold(colour, wrapped(left, 0, 0, width)) + wrapped(fmt::format("{}  {}", middle, right), 0, 0, width);
    const std::size_t room = width - left.size() - rest;
    const std::string line = fmt::format("{:{}}{}{:{}}{}", "", room / 2, middle, "", room - room / 2, right);
    return bold(colour, left) + line + "\n";
}

// The title, the step and the lower bound; the step after the last one is "done".
std::string heading(const Recording& recording, Step step, std::size_t width, Colour colour)
{
    std::string left = fmt::format("{} on {}", name(recording.problem.collective), recording.topology.title());
    if (recording.algorithm != nullptr)
        left += fmt::format(", {}", recording.algorithm->name);
    const std::string middle = step > recording.steps ? "done" : fmt::format("step {} of {}", step, recording.steps);
    std::string right;
    if (recording.report || recording.verdict)
        right = "lower bound " + view::amount_text(recording, view::lower_bound(recording));
    return spread(left, middle, right, width, colour);
}

std::string link_bar(const Recording& recording, Step step, std::size_t width)
{
    constexpr std::size_t longest = 40;
    const std::uint64_t links = recording.topology.directed_links();
    const std::uint64_t used = recording.links_used[step - 1];
    const std::size_t length = std::min(longest, width / 2);
    const std::size_t full = as_size(links == 0 ? 0 : (used * length + links - 1) / links);  // one packet is seen
    return fmt::format("links  [{:#<{}}{:.<{}}] {} of {}\n", "", full, "", length - full, grouped(used),
                       grouped(links));
}

}  // namespace

void print_frames(const view::Film& film, Colour colour)
{
    const Recording& recording = film.recording;
    const std::vector<std::string> sentences = view::step_sentences(film);
    const std::size_t width = terminal_width();
    std::optional<view::Holdings> holdings;  // none where there are counts only
    if (film.has_rows() && !film.is_of_one_node())
        holdings.emplace(film);
    for (Step step = 1; step <= recording.steps; ++step) {
        std::string frame = heading(recording, step, width, colour) + link_bar(recording, step, width) +
                            wrapped(sentences[step], 0, 0, width);
        if (holdings) {
            holdings->play();
            frame += frame_table(film, *holdings, PortPackets(film, step), width, colour);
        }
        print(frame + "\n");
    }
    const Step end = recording.steps + 1;
    print(heading(recording, end, width, colour) + wrapped(sentences[end], 0, 0, width));
}

}  // namespace dcube::cli
