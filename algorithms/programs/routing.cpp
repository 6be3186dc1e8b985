#include "algorithms/programs/routing.hpp"

#include "base/sizes.hpp"

#include <algorithm>

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

Routing reversed(const Routing& routing, Arrival arrival)
{
    return {routing.stages,
            [forward = routing](Step stage, NodeId from, Port port, Fragments& fragments) {
                forward.packet(forward.stages - 1 - stage, from ^ NodeId{1} << port, port, fragments);
            },
            arrival == Arrival::added ? routing.stages : 0, 0, false};
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

// The places of every collective's messages in its data.

std::uint64_t message_number(const Problem& problem, const Topology& topology, NodeId origin, NodeId target)
{
    const CollectiveTraits& of = traits(problem.collective);
    const bool is_peer = of.origin == Who::ends && origin == problem.peer;
    const NodeId number = of.origin == Who::all ? origin : is_peer ? 1 : 0;
    return of.target == Who::all ? std::uint64_t{number} * topology.nodes() + target : number;
}

namespace {

// Messages that stand one after the other; each is some node's input, and wanted by one node or by all.
class StoredMessages final : public MessagePlaces {
public:
    StoredMessages(const Problem& problem, const Topology& topology)
        : problem_(problem), topology_(topology), of_(traits(problem.collective)), nodes_(topology.nodes()),
          targets_(of_.target == Who::all ? nodes_ : 1), layout_(problem, topology)
    {
        if (has_permutation(problem.collective)) {
            origin_of_.resize(nodes_);
            for (NodeId node = 0; node < nodes_; ++node)
                origin_of_[problem.permutation[node]] = node;
        }
    }

    [[nodiscard]] std::vector<Own> own(NodeId node) const override
    {
        if (layout_.input(node).bytes == 0)
            return {};
        const std::uint64_t first = message_number(problem_, topology_, node, 0);
        if (of_.before.share == Share::message)
            return {{first, 0, layout_.input(node).bytes,
                     is_reduction(problem_.collective) && layout_.output(node).bytes > 0}};
        std::vector<Own> all;
        for (NodeId target = 0; target < nodes_; ++target)
            if (const auto [offset, bytes] = layout_.from_input(node, target); bytes != 0)
                all.push_back({first + target, offset, bytes, target == node && is_reduction(problem_.collective)});
        return all;
    }

    [[nodiscard]] std::optional<std::size_t> wanted(NodeId node, std::uint64_t message) const override
    {
        const std::uint64_t origin = message / targets_;
        if (!is_target(node, origin, message % targets_))
            return std::nullopt;
        return layout_.into_output(node, static_cast<NodeId>(origin)).offset;
    }

    [[nodiscard]] std::size_t length(std::uint64_t message) const override
    {
        return as_size(packets_between(problem_, topology_, static_cast<NodeId>(message / targets_),
                                       static_cast<NodeId>(message % targets_))) *
               problem_.bytes;
    }

    [[nodiscard]] bool leaves_once() const override { return of_.target != Who::nobody; }

private:
    [[nodiscard]] bool is_target(NodeId node, std::uint64_t origin, std::uint64_t target) const
    {
        switch (of_.target) {
        case Who::nobody: return true;
        case Who::root: return node == problem_.root;
        case Who::peer: return node == problem_.peer;
        case Who::ends: return node == problem_.root || node == problem_.peer;
        case Who::partner:
            if (has_permutation(problem_.collective))
                return origin_of_[node] == origin;
            return node == (origin == 0 ? problem_.peer : problem_.root);
        case Who::all: return node == target;
        }
        return false;
    }

    Problem problem_;
    Topology topology_;
    const CollectiveTraits& of_;
    NodeId nodes_;
    std::uint64_t targets_;
    Layout layout_;
    std::vector<NodeId> origin_of_;
};

}  // namespace

std::shared_ptr<const MessagePlaces> message_places(const Problem& problem, const Topology& topology)
{
    return std::make_shared<StoredMessages>(problem, topology);
}

}  // namespace dcube::detail
