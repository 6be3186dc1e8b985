// All-reduce on one port, at a few nodes whose removal disconnects the network: what the last part to arrive there
// brings must be sent to all other parts after that. So going in and coming out cannot overlap (docs/optimality.md,
// junction).

#include "collectives/bounds/searches.hpp"

#include "base/arithmetic.hpp"
#include "base/numbers.hpp"
#include "collectives/bounds/dissemination.hpp"
#include "collectives/graphs/cut_nodes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace dcube {

namespace {

using detail::WithoutNode;

// For every part of the remaining network: the least number of steps from the first packet that is sent into it until
// all of it can have the packet; backwards, until the packets of all of its nodes can have come out.
using Reaches = std::vector<std::uint64_t>;

// The steps until a packet has reached all parts, if it can be sent into `at_once` of them per step, the farthest
// first.
std::uint64_t all_informed(Reaches reaches, std::uint64_t at_once)
{
    std::ranges::sort(reaches, std::greater{});
    std::uint64_t steps = 0;
    for (std::size_t i = 0; i < reaches.size(); ++i)
        steps = std::max(steps, i / at_once + reaches[i]);
    return steps;
}

// The same without the part whose packet came last, whichever part that is.
std::uint64_t others_informed(const Reaches& reaches, std::uint64_t at_once)
{
    std::uint64_t least = ~std::uint64_t{0};
    for (std::size_t last = 0; last < reaches.size(); ++last) {
        Reaches others = reaches;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(last));
        least = std::min(least, all_informed(std::move(others), at_once));
    }
    return least;
}

// Each part sends at least one packet of every block, `at_once` of them per step; packets from parts with a long reach
// come late.
struct Arrival {
    std::uint64_t parts;
    std::uint64_t before;  // steps before the first of them

    [[nodiscard]] std::uint64_t steps(std::uint64_t packets, std::uint64_t at_once) const
    {
        return detail::ceil_div(parts * packets, at_once) + before;
    }
};

Arrival last_arrival(Reaches reaches, std::uint64_t packets, std::uint64_t at_once)
{
    std::ranges::sort(reaches, std::greater{});
    Arrival last{0, 0};
    for (std::size_t i = 0; i < reaches.size(); ++i)
        if (const Arrival here{i + 1, reaches[i] - 1}; here.steps(packets, at_once) > last.steps(packets, at_once))
            last = here;
    return last;
}

// Nodes whose parts are looked at. `reaches` holds for them all together.
struct Junction {
    std::vector<NodeId> nodes;
    Reaches reaches;
};

void add_junction(const SearchCase& one, const Junction& at, LargestArgument& most)
{
    const std::uint64_t packets = one.problem.packets;
    const std::uint64_t at_once = at.nodes.size();
    const Arrival last = last_arrival(at.reaches, packets, at_once);
    const std::uint64_t around = last.before + others_informed(at.reaches, at_once);
    if (last.steps(packets, at_once) + around - last.before <= most.value())
        return;
    Argument all{.kind = Argument::Kind::junction,
                 .name = "junction",
                 .factors = {last.parts, packets},
                 .per_step = at_once,
                 .far = around + 1,
                 .node = at.nodes.front(),
                 .parts = at.reaches.size(),
                 .junction = at.nodes};
    std::vector<NodeId> called;
    for (const NodeId node : at.nodes)
        called.push_back(one.topology.original(node));
    all.reason =
        fmt::format("without {} {} the network falls into {} parts: {} packets come from them, {}, and what "
                    "the last one brings goes on to all other parts",
                    at_once == 1 ? "node" : "nodes", fmt::join(called, ", "), all.parts, grouped(all.packets().str()),
                    at_once == 1 ? "one per step" : fmt::format("at most {} per step", at_once));
    most.add(std::move(all));
}

// ---- One node ----

// The steps until a packet that is sent into part `part` is known there, by counting nodes.
std::uint64_t informed_by_counting(const WithoutNode& rest, std::uint32_t part)
{
    std::vector<std::uint64_t> at_distance(rest.parts[part].far + std::size_t{1});
    at_distance[0] = 1;  // the node itself, which sends into this part only
    for (std::size_t node = 0; node < rest.part.size(); ++node)
        if (rest.part[node] == part)
            ++at_distance[rest.hops[node]];
    return dissemination_time(at_distance).steps;
}

// Reaches of the parts of all cut nodes. A part with cut nodes of its own takes at least as long as a packet needs to
// reach them, and from them the parts behind them.
class CutNodes {
public:
    explicit CutNodes(const detail::Arcs& arcs)
    {
        for (const NodeId node : detail::cut_nodes(arcs))
            all_.push_back(detail::without_node(arcs, node));
        for (const WithoutNode& rest : all_) {
            Reaches& reaches = reaches_.emplace_back();
            for (std::uint32_t part = 0; part < rest.parts.size(); ++part)
                reaches.push_back(informed_by_counting(rest, part));
        }
        if (all_.size() <= most_nested)
            nest();
    }

    [[nodiscard]] std::size_t size() const { return all_.size(); }
    [[nodiscard]] Junction junction(std::size_t which) const { return {{all_[which].node}, reaches_[which]}; }

private:
    static constexpr std::size_t most_nested = 400;

    struct Place {
        NodeId nodes;
        std::size_t which;
        std::uint32_t part;
    };

    // Smaller parts first: what lies behind a cut node is smaller than the part that it is in.
    void nest()
    {
        std::vector<Place> places;
        for (std::size_t which = 0; which < all_.size(); ++which)
            for (std::uint32_t part = 0; part < all_[which].parts.size(); ++part)
                places.push_back({all_[which].parts[part].nodes, which, part});
        std::ranges::stable_sort(places, {}, &Place::nodes);
        for (const Place& place : places)
            for (std::size_t inner = 0; inner < all_.size(); ++inner)
                if (all_[place.which].part[all_[inner].node] == place.part)
                    raise(reaches_[place.which][place.part], place.which, inner);
    }

    void raise(std::uint64_t& reach, std::size_t outer, std::size_t inner) const
    {
        Reaches behind = reaches_[inner];
        behind.erase(behind.begin() + all_[inner].part[all_[outer].node]);
        reach = std::max(reach, all_[outer].hops[all_[inner].node] + all_informed(std::move(behind), 1));
    }

    std::vector<WithoutNode> all_;
    std::vector<Reaches> reaches_;
};

// ---- Several nodes ----

// The parts that are left without these nodes, as far as their farthest nodes are from these.
Reaches parts_without(const detail::Arcs& arcs, const std::vector<NodeId>& nodes)
{
    const std::vector<std::uint32_t> hops = detail::hops_from(arcs, nodes);
    std::vector<bool> seen(arcs.nodes());
    for (const NodeId node : nodes)
        seen[node] = true;
    Reaches reaches;
    std::vector<NodeId> found;
    for (const NodeId first : arcs.members()) {
        if (seen[first])
            continue;
        seen[first] = true;
        found.assign(1, first);
        std::uint64_t far = 0;
        for (std::size_t i = 0; i < found.size(); ++i) {
            far = std::max<std::uint64_t>(far, hops[found[i]]);
            for_each_out(arcs, found[i], [&](detail::ArcId arc) {
                const NodeId next = arcs.to(arc);
                if (!seen[next])
                    found.push_back(next);
                seen[next] = true;
            });
        }
        reaches.push_back(far);
    }
    return reaches;
}

}  // namespace

void search_junctions(const SearchCase& one, LargestArgument& most)
{
    constexpr std::size_t most_nodes = 16;
    if (one.topology.symmetric())
        return;
    if (one.topology.dimension() == 1) {  // a product of two graphs has no cut nodes
        const CutNodes cuts(one.arcs);
        for (std::size_t which = 0; which < cuts.size(); ++which)
            add_junction(one, cuts.junction(which), most);
    }
    // Nodes with the most links are likeliest to leave many parts.
    std::vector<NodeId> by_degree(one.arcs.members().begin(), one.arcs.members().end());
    std::ranges::stable_sort(by_degree, std::greater{}, [&](NodeId node) { return one.arcs.degree(node); });
    for (std::size_t count = 2; count <= std::min(most_nodes, by_degree.size() / 2); ++count) {
        Junction at{{by_degree.begin(), by_degree.begin() + static_cast<std::ptrdiff_t>(count)}, {}};
        std::ranges::sort(at.nodes);
        at.reaches = parts_without(one.arcs, at.nodes);
        if (at.reaches.size() >= 2)
            add_junction(one, at, most);
    }
}

}  // namespace dcube
