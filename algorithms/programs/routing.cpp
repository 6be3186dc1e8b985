#include "algorithms/programs/routing.hpp"

#include <algorithm>
#include <limits>

namespace dcube::detail {

void append(Fragments& fragments, const Fragment& fragment)
{
    if (fragment.length == 0)
        return;
    if (!fragments.empty()) {
        Fragment& last = fragments.back();
        if (last.message == fragment.message && last.offset + last.length == fragment.offset) {
            last.length += fragment.length;
            return;
        }
    }
    fragments.push_back(fragment);
}

Fragments substring(const Fragments& string, std::size_t offset, std::size_t length)
{
    Fragments cut;
    std::size_t at = 0;
    for (const Fragment& fragment : string) {
        const std::size_t first = std::max(at, offset);
        const std::size_t end = std::min(at + fragment.length, offset + length);
        if (first < end)
            append(cut, {fragment.message, fragment.offset + (first - at), end - first});
        at += fragment.length;
    }
    return cut;
}

std::size_t length(const Fragments& string)
{
    std::size_t sum = 0;
    for (const Fragment& fragment : string)
        sum += fragment.length;
    return sum;
}

Routing reversed(const Routing& routing, bool adding)
{
    return {routing.stages,
            [forward = routing](Step stage, NodeId from, Port port, Fragments& fragments) {
                forward.packet(forward.stages - 1 - stage, from ^ NodeId{1} << port, port, fragments);
            },
            adding ? routing.stages : 0, 0, false};
}

Routing translated(Routing routing, NodeId root, bool relabel)
{
    const NodeId mask = relabel ? root : 0;
    routing.packet = [packet = std::move(routing.packet), root, mask](Step stage, NodeId from, Port port,
                                                                      Fragments& fragments) {
        packet(stage, from ^ root, port, fragments);
        for (Fragment& fragment : fragments)
            fragment.message ^= mask;
    };
    return routing;
}

Routing followed_by(Routing first, Routing second)
{
    const Step stages = first.stages + second.stages;
    const Step adding = second.adding_stages == 0 ? first.adding_stages : first.stages + second.adding_stages;
    return {stages,
            [first = std::move(first), second = std::move(second)](Step stage, NodeId from, Port port,
                                                                   Fragments& fragments) {
                if (stage < first.stages)
                    first.packet(stage, from, port, fragments);
                else
                    second.packet(stage - first.stages, from, port, fragments);
            },
            adding, 0, false};
}

std::uint64_t packets(const Routing& routing, const Topology& topology)
{
    std::uint64_t count = 0;
    Fragments fragments;
    for (Step stage = 0; stage < routing.stages; ++stage)
        for (NodeId from = 0; from < topology.nodes(); ++from)
            for (Port port = 0; port < topology.ports(from); ++port) {
                fragments.clear();
                routing.packet(stage, from, port, fragments);
                count += !fragments.empty();
            }
    return count;
}

void RoutingTable::add(Step stage, NodeId from, Port port, const Fragment& fragment)
{
    if (fragment.length == 0)
        return;
    if (stages_.size() <= stage)
        stages_.resize(stage + std::size_t{1});
    append(stages_[stage][std::uint64_t{from} * ports_ + port], fragment);
}

void RoutingTable::add(Step stage, NodeId from, Port port, const Fragments& fragments)
{
    for (const Fragment& fragment : fragments)
        add(stage, from, port, fragment);
}

void RoutingTable::add_all(const RoutingTable& other, std::span<const Step> stages)
{
    for (std::size_t stage = 0; stage < other.stages_.size(); ++stage)
        for (const auto& [link, fragments] : other.stages_[stage])
            add(stages[stage], static_cast<NodeId>(link / ports_), static_cast<Port>(link % ports_), fragments);
}

Routing RoutingTable::routing() &&
{
    const auto stages = static_cast<Step>(stages_.size());
    const auto table = std::make_shared<const RoutingTable>(std::move(*this));
    return {stages, [table](Step stage, NodeId from, Port port, Fragments& fragments) {
                const auto& links = table->stages_[stage];
                if (const auto found = links.find(std::uint64_t{from} * table->ports_ + port); found != links.end())
                    fragments.insert(fragments.end(), found->second.begin(), found->second.end());
            }};
}

}  // namespace dcube::detail
