#include "inspect/view/svg/state.hpp"

#include "inspect/view/document/bound.hpp"

#include <dcube/collective.hpp>

#include <algorithm>

namespace dcube::view {

namespace {

// More cells than these cannot be distinguished in print: each then stands for several parts.
Cells printed(const Cells& cells, NodeId nodes)
{
    const std::uint32_t side = nodes <= 16 ? 8 : 4;
    return cells.by_origin || cells.count <= side * side ? cells : Cells{side, side, side * side};
}

}  // namespace

States::States(const Film& film, std::optional<NodeId> origin)
    : film_(film), cells_(origin ? Cells{} : printed(cells_of(film), film.recording.topology.nodes())),
      nodes_(film.recording.topology.nodes()),
      one_origin_(film.messages.kind() == MessageKind::copies && film.messages.count() == 1), needed_(nodes_),
      links_(film.recording.topology), binding_(binding_links(film)), origin_(origin)
{
    for (std::uint64_t message = 0; message < film.messages.count(); ++message) {
        const MessageEnds ends = film.messages.ends(message);
        for (NodeId node = ends.target.value_or(0); node <= ends.target.value_or(nodes_ - 1); ++node)
            if (film.messages.needs(node, message) && film.parts_of(message) > 0)
                needed_[node].push_back(message);
    }
}

FrameMark States::frame(const Holdings& holdings) const
{
    FrameMark frame;
    for (NodeId node = 0; node < nodes_; ++node)
        frame.nodes.push_back(node_mark(holdings, node));
    if (holdings.played() == film_.recording.steps)
        return frame;
    const auto [first, last] = film_.flights_in(holdings.played() + 1);
    for (std::size_t flight = first; flight < last; ++flight)
        frame.packets.push_back(packet_mark(flight));
    frame.idle = idle_beside(frame.packets);
    return frame;
}

FrameMark States::frame_at(const Holdings& holdings, Time tick) const
{
    FrameMark frame;
    for (NodeId node = 0; node < nodes_; ++node)
        frame.nodes.push_back(node_mark(holdings, node));
    for (std::size_t i = 0; i < film_.recording.flights.size(); ++i) {
        const Flight& flight = film_.recording.flights[i];
        if (flight.start > tick || flight.end <= tick)
            continue;
        frame.packets.push_back(packet_mark(i));
        frame.packets.back().reached =
            static_cast<double>(tick - flight.start) / static_cast<double>(flight.end - flight.start);
    }
    if (!frame.packets.empty())
        frame.idle = idle_beside(frame.packets);
    return frame;
}

std::vector<std::uint32_t> States::idle_beside(const std::vector<PacketMark>& packets) const
{
    std::vector<std::uint32_t> idle = binding_;
    std::erase_if(idle, [&](std::uint32_t link) { return std::ranges::count(packets, link, &PacketMark::link) > 0; });
    return idle;
}

NodeMark States::node_mark(const Holdings& holdings, NodeId node) const
{
    if (origin_)
        return origin_mark(holdings, node);
    const Problem& problem = film_.recording.problem;
    return {.cells = cell_marks(holdings, node),
            .kept = kept(holdings, node),
            .missing = film_.recording.topology.is_missing(node),
            .passes_on = film_.recording.topology.is_switch(node),
            .root = root_of(problem) == node,
            .complete = film_.recording.topology.is_member(node) && has_all(holdings, node)};
}

// Whether the origin's block for `node` is there, and how many of its others wait there.
NodeMark States::origin_mark(const Holdings& holdings, NodeId node) const
{
    std::uint64_t needed = 0;
    std::uint64_t there = 0;
    std::uint64_t kept = 0;
    for (std::uint64_t message = 0; message < film_.messages.count(); ++message) {
        const MessageEnds ends = film_.messages.ends(message);
        for (std::uint32_t part = 0; ends.origin == *origin_ && part < film_.parts_of(message); ++part) {
            const bool has = holdings.has(node, message, part);
            const bool needs = film_.messages.needs(node, message);
            needed += needs ? 1 : 0;
            there += needs && has ? 1 : 0;
            kept += !needs && has ? 1 : 0;
        }
    }
    const double share = needed == 0 ? -1 : static_cast<double>(there) / static_cast<double>(needed);
    return {.cells = {{share, palette::hues[0]}},
            .number = kept > 0 && node != *origin_ ? std::to_string(kept) : "",
            .missing = film_.recording.topology.is_missing(node),
            .passes_on = film_.recording.topology.is_switch(node),
            .root = node == *origin_};
}

std::vector<CellMark> States::cell_marks(const Holdings& holdings, NodeId node) const
{
    std::vector<CellMark> cells;
    for (std::uint32_t cell = 0; cell < cells_.count; ++cell)
        if (film_.messages.kind() == MessageKind::sums)
            cells.push_back(sum_cell(holdings, node, cell));
        else if (cells_.by_origin)
            cells.push_back(message_cell(holdings, node, cell));
        else
            cells.push_back(stretch_cell(holdings, node, cell));
    return cells;
}

// Whether node `cell` is in the sum that `node` holds: of its own sum where each node has one.
CellMark States::sum_cell(const Holdings& holdings, NodeId node, std::uint32_t cell) const
{
    const std::uint64_t message = film_.messages.count() == nodes_ ? node : 0;
    const std::uint32_t parts = film_.parts_of(message);
    std::uint32_t in = 0;
    for (std::uint32_t part = 0; part < parts; ++part)
        in += holdings.sum(node, message, part).contains(cell) ? 1 : 0;
    return {parts == 0 ? -1 : static_cast<double>(in) / parts, colour_of(cell, nodes_)};
}

// The share of the message from node `cell` that is there.
CellMark States::message_cell(const Holdings& holdings, NodeId node, std::uint32_t cell) const
{
    const auto from_cell = [&](std::uint64_t message) { return film_.messages.ends(message).origin == cell; };
    const auto message = std::ranges::find_if(needed_[node], from_cell);
    if (message == needed_[node].end())
        return {-1, {}};
    const std::uint32_t parts = film_.parts_of(*message);
    std::uint32_t there = 0;
    for (std::uint32_t part = 0; part < parts; ++part)
        there += holdings.has(node, *message, part) ? 1 : 0;
    return {static_cast<double>(there) / parts, colour_of(cell, nodes_)};
}

// The share that is there of the parts that the cell stands for.
CellMark States::stretch_cell(const Holdings& holdings, NodeId node, std::uint32_t cell) const
{
    std::vector<Unit> units;
    for (const std::uint64_t message : needed_[node])
        for (std::uint32_t part = 0; part < film_.parts_of(message); ++part)
            units.push_back({message, part});
    const std::size_t first = cell * units.size() / cells_.count;
    const std::size_t last = std::max(first + 1, (cell + 1) * units.size() / cells_.count);
    if (last > units.size())
        return {-1, {}};
    const auto there = std::count_if(units.begin() + static_cast<std::ptrdiff_t>(first),
                                     units.begin() + static_cast<std::ptrdiff_t>(last),
                                     [&](const Unit& unit) { return has(holdings, node, unit); });
    return {static_cast<double>(there) / static_cast<double>(last - first),
            colour_of_row({static_cast<std::uint32_t>(units[first].message), units[first].part, 1, 0})};
}

bool States::has(const Holdings& holdings, NodeId node, Unit unit) const
{
    return film_.messages.kind() == MessageKind::sums
               ? holdings.sum(node, unit.message, unit.part).contains(film_.messages.terms(node))
               : holdings.has(node, unit.message, unit.part);
}

bool States::has_all(const Holdings& holdings, NodeId node) const
{
    return !needed_[node].empty() && std::ranges::all_of(needed_[node], [&](std::uint64_t message) {
        for (std::uint32_t part = 0; part < film_.parts_of(message); ++part)
            if (!has(holdings, node, {message, part}))
                return false;
        return true;
    });
}

std::uint64_t States::kept(const Holdings& holdings, NodeId node) const
{
    if (film_.messages.kind() != MessageKind::moves)
        return 0;
    std::uint64_t count = 0;
    for (std::uint64_t message = 0; message < film_.messages.count(); ++message) {
        const MessageEnds ends = film_.messages.ends(message);
        if (ends.origin != node && ends.target != node)
            for (std::uint32_t part = 0; part < film_.parts_of(message); ++part)
                count += holdings.has(node, message, part) ? 1 : 0;
    }
    return count;
}

PacketMark States::packet_mark(std::size_t number) const
{
    const Flight& flight = film_.recording.flights[number];
    const std::span<const Row> rows = film_.rows_of(number);
    PacketMark mark{.link = links_(flight.from, flight.port), .lost = flight.lost};
    if (rows.empty())
        return mark;
    mark.colour = origin_ ? palette::hues[0] : colour_of_row(rows[0]);
    mark.faint = origin_ && std::ranges::none_of(rows, [&](const Row& row) {
                     return film_.messages.ends(row.message).origin == origin_;
                 });
    if (film_.messages.kind() == MessageKind::sums) {
        for (NodeId node = 0; node < cells_.count; ++node) {
            const auto in =
                std::ranges::count_if(rows, [&](const Row& row) { return film_.sets[row.set].contains(node); });
            mark.cells.push_back({static_cast<double>(in) / static_cast<double>(rows.size()), colour_of(node, nodes_)});
        }
        return mark;
    }
    const MessageEnds ends = film_.messages.ends(rows[0].message);
    if (rows.size() > 1)
        mark.number = std::to_string(rows.size()) + "\u00d7";
    else if (ends.target)
        mark.number = std::to_string(*ends.target);
    else if (!one_origin_)
        mark.number = std::to_string(*ends.origin);
    else if (film_.parts.count() > 1)
        mark.number = std::to_string(rows[0].part + 1);
    return mark;
}

Colour States::colour_of_row(const Row& row) const
{
    if (one_origin_)
        return colour_of_part(row.part);
    return colour_of(film_.messages.ends(row.message).origin.value_or(0), nodes_);
}

// Parts beyond sixteen take turns: neighbours in time differ.
Colour States::colour_of_part(std::uint32_t part) const
{
    const std::uint32_t parts = film_.parts.count();
    return parts <= 16 ? colour_of(part, parts) : colour_of(part % 8, 8);
}

}  // namespace dcube::view
