#include "algorithms/any_network/busiest_first.hpp"

#include <algorithm>
#include <functional>
#include <tuple>

namespace dcube::detail {

BusiestFirst::BusiestFirst(const Arcs& arcs) : arcs_(arcs)
{
    for (Side* const side : {&senders_, &receivers_}) {
        side->arcs.resize(arcs.nodes());
        side->matched.assign(arcs.nodes(), none);
        side->tried.resize(arcs.nodes());
    }
}

std::span<const ArcId> BusiestFirst::match(std::span<const ArcId> usable, std::span<const std::uint32_t> sends,
                                           std::span<const std::uint32_t> receives)
{
    prepare(usable, sends, receives);
    ++search_;
    for (const End& end : ends_) {
        Side& near = end.sends ? senders_ : receivers_;
        Side& far = end.sends ? receivers_ : senders_;
        // What a search has tried in vain, later ones need not try again, until a path has been found.
        if (near.matched[end.node] == none && augment(near, far, end.node))
            ++search_;
    }
    result_.clear();
    for (const End& end : ends_)
        if (end.sends && senders_.matched[end.node] != none)
            result_.push_back(senders_.matched[end.node]);
    std::ranges::sort(result_);
    return result_;
}

void BusiestFirst::prepare(std::span<const ArcId> usable, std::span<const std::uint32_t> sends,
                           std::span<const std::uint32_t> receives)
{
    for (const End& end : ends_) {
        Side& side = end.sends ? senders_ : receivers_;
        side.arcs[end.node].clear();
        side.matched[end.node] = none;
    }
    ends_.clear();
    for (const ArcId arc : usable) {
        const NodeId from = arcs_.from(arc);
        const NodeId to = arcs_.to(arc);
        if (senders_.arcs[from].empty())
            ends_.push_back({sends[from], from, true});
        if (receivers_.arcs[to].empty())
            ends_.push_back({receives[to], to, false});
        senders_.arcs[from].push_back(arc);
        receivers_.arcs[to].push_back(arc);
    }
    std::ranges::sort(ends_, std::greater{}, [](const End& end) { return std::tuple(end.left, end.sends, end.node); });
    for (const End& end : ends_) {
        Side& side = end.sends ? senders_ : receivers_;
        std::ranges::sort(side.arcs[end.node], std::greater{}, [&](ArcId arc) {
            return std::tuple(end.sends ? receives[arcs_.to(arc)] : sends[arcs_.from(arc)], arc);
        });
    }
}

// Matches `node`, and moves others if need be.
bool BusiestFirst::augment(Side& near, Side& far, NodeId node)
{
    const auto take = [&](ArcId arc) {
        near.matched[node] = arc;
        far.matched[end_of(arc, far)] = arc;
        return true;
    };
    for (const ArcId arc : near.arcs[node])
        if (far.matched[end_of(arc, far)] == none)
            return take(arc);
    for (const ArcId arc : near.arcs[node]) {
        const NodeId other = end_of(arc, far);
        if (far.tried[other] == search_)
            continue;
        far.tried[other] = search_;
        if (augment(near, far, end_of(far.matched[other], near)))
            return take(arc);
    }
    return false;
}

}  // namespace dcube::detail
