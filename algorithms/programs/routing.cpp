#include "algorithms/programs/routing.hpp"

#include <algorithm>
#include <limits>

namespace dcube::detail {

void append(Pieces& pieces, const Piece& piece)
{
    if (piece.length == 0)
        return;
    if (!pieces.empty()) {
        Piece& last = pieces.back();
        if (last.message == piece.message && last.offset + last.length == piece.offset) {
            last.length += piece.length;
            return;
        }
    }
    pieces.push_back(piece);
}

Pieces stretch(const Pieces& string, std::size_t offset, std::size_t length)
{
    Pieces cut;
    std::size_t at = 0;
    for (const Piece& piece : string) {
        const std::size_t first = std::max(at, offset);
        const std::size_t end = std::min(at + piece.length, offset + length);
        if (first < end)
            append(cut, {piece.message, piece.offset + (first - at), end - first});
        at += piece.length;
    }
    return cut;
}

std::size_t length(const Pieces& string)
{
    std::size_t sum = 0;
    for (const Piece& piece : string)
        sum += piece.length;
    return sum;
}

Routing reversed(const Routing& routing, bool adding)
{
    return {routing.stages,
            [forward = routing](Step stage, NodeId from, Port port, Pieces& pieces) {
                forward.packet(forward.stages - 1 - stage, from ^ NodeId{1} << port, port, pieces);
            },
            adding ? routing.stages : 0, 0, false};
}

Routing translated(Routing routing, NodeId root, bool relabel)
{
    const NodeId mask = relabel ? root : 0;
    routing.packet = [packet = std::move(routing.packet), root, mask](Step stage, NodeId from, Port port,
                                                                      Pieces& pieces) {
        packet(stage, from ^ root, port, pieces);
        for (Piece& piece : pieces)
            piece.message ^= mask;
    };
    return routing;
}

Routing followed_by(Routing first, Routing second)
{
    const Step stages = first.stages + second.stages;
    const Step adding = second.adding_stages == 0 ? first.adding_stages : first.stages + second.adding_stages;
    return {stages,
            [first = std::move(first), second = std::move(second)](Step stage, NodeId from, Port port, Pieces& pieces) {
                if (stage < first.stages)
                    first.packet(stage, from, port, pieces);
                else
                    second.packet(stage - first.stages, from, port, pieces);
            },
            adding, 0, false};
}

std::uint64_t packets(const Routing& routing, const Topology& topology)
{
    std::uint64_t count = 0;
    Pieces pieces;
    for (Step stage = 0; stage < routing.stages; ++stage)
        for (NodeId from = 0; from < topology.nodes(); ++from)
            for (Port port = 0; port < topology.ports(from); ++port) {
                pieces.clear();
                routing.packet(stage, from, port, pieces);
                count += !pieces.empty();
            }
    return count;
}

void RoutingTable::add(Step stage, NodeId from, Port port, const Piece& piece)
{
    if (piece.length == 0)
        return;
    if (stages_.size() <= stage)
        stages_.resize(stage + std::size_t{1});
    append(stages_[stage][std::uint64_t{from} * ports_ + port], piece);
}

void RoutingTable::add(Step stage, NodeId from, Port port, const Pieces& pieces)
{
    for (const Piece& piece : pieces)
        add(stage, from, port, piece);
}

void RoutingTable::add_all(const RoutingTable& other, std::span<const Step> stages)
{
    for (std::size_t stage = 0; stage < other.stages_.size(); ++stage)
        for (const auto& [link, pieces] : other.stages_[stage])
            add(stages[stage], static_cast<NodeId>(link / ports_), static_cast<Port>(link % ports_), pieces);
}

Routing RoutingTable::routing() &&
{
    const auto stages = static_cast<Step>(stages_.size());
    const auto table = std::make_shared<const RoutingTable>(std::move(*this));
    return {stages, [table](Step stage, NodeId from, Port port, Pieces& pieces) {
                const auto& links = table->stages_[stage];
                if (const auto found = links.find(std::uint64_t{from} * table->ports_ + port); found != links.end())
                    pieces.insert(pieces.end(), found->second.begin(), found->second.end());
            }};
}

}  // namespace dcube::detail
