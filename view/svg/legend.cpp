#include "view/svg/legend.hpp"

#include "view/film/cells.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dcube::view {

namespace {

bool any_frame(const Figure& figure, const auto& seen)
{
    return std::ranges::any_of(figure.frames, seen);
}

bool any_packet(const Figure& figure, const auto& seen)
{
    return any_frame(figure, [&](const FrameMark& frame) { return std::ranges::any_of(frame.packets, seen); });
}

std::string packets_text(const Film& film, Numbers numbers)
{
    const bool several = film.messages.count() > 1;
    const bool numbered = numbers == Numbers::drawn;
    switch (film.messages.kind()) {
    case MessageKind::moves:
        return numbered ? "Disc: a packet; colour: its origin, number: its target. "
                        : "Disc: a packet; colour: its origin. ";
    case MessageKind::copies:
        if (several)
            return numbered ? "Disc: a packet; colour and number: its origin. "
                            : "Disc: a packet; colour: its origin. ";
        if (film.parts.count() > 1)
            return numbered ? "Disc: a packet of the message, by number. " : "Disc: a packet of the message. ";
        return "Disc: the message. ";
    case MessageKind::sums: break;
    }
    return "Small box: a sum on its way. ";
}

std::string cells_text(const Film& film)
{
    switch (film.messages.kind()) {
    case MessageKind::moves:
        return cells_of(film).by_origin ? "Cell of a node: an origin, filled when its block has arrived."
                                        : "Cell of a node: a part of what it waits for, filled when it has arrived.";
    case MessageKind::copies:
        if (film.messages.count() > 1)
            return "Cell of a node: an origin, filled when its message has arrived.";
        return film.parts.count() > 1 ? "Cell of a node: a packet of the message, filled when it has arrived."
                                      : "Box of a node: filled when the message has arrived.";
    case MessageKind::sums: break;
    }
    return "Cell: a node's contribution, filled where it is in the sum.";
}

std::string origin_text(const Figure& figure, NodeId origin, Numbers numbers)
{
    std::string text;
    if (any_packet(figure, [](const PacketMark& packet) { return !packet.faint; }))
        text = fmt::format("Disc: a packet from node {}{}. ", origin,
                           numbers == Numbers::drawn ? ", with the number of its target" : "");
    if (any_packet(figure, [](const PacketMark& packet) { return packet.faint; }))
        text += "Grey: packets of others. ";
    text += fmt::format("Box of a node: filled when what it gets from node {} has arrived", origin);
    const auto waits = [](const FrameMark& frame) {
        return std::ranges::any_of(frame.nodes, [](const NodeMark& node) { return !node.number.empty(); });
    };
    return text + (any_frame(figure, waits) ? "; number in it: how many of its packets wait there." : ".");
}

}  // namespace

std::string legend_of(const Film& film, const Figure& figure, std::optional<NodeId> origin, Numbers numbers)
{
    const bool packets = any_packet(figure, [](const PacketMark&) { return true; });
    const auto complete = [](const FrameMark& frame) {
        return std::ranges::any_of(frame.nodes, [](const NodeMark& node) { return node.complete; });
    };
    std::string text = origin ? origin_text(figure, *origin, numbers)
                              : (packets ? packets_text(film, numbers) : "") + cells_text(film);
    text += any_packet(figure, [](const PacketMark& packet) { return packet.reached.has_value(); })
                ? " Line behind a disc: how far its link is filled."
                : "";
    text += any_frame(figure, complete) ? " Green: has everything." : "";
    text += figure.binding.empty() ? "" : " Purple: links whose number decides the lower bound.";
    text += any_frame(figure, [](const FrameMark& frame) { return !frame.idle.empty(); })
                ? " Red dashes: idle ones of these."
                : "";
    text += film.timed() && packets && any_packet(figure, [](const PacketMark& packet) { return !packet.reached; })
                ? " Packets of one step need not travel at the same time."
                : "";
    return text;
}

}  // namespace dcube::view
