#include "algorithms/any_network/busiest_first.hpp"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

namespace dcube::detail {

namespace {

// A partner's move more to do counts as much as this much more urgency.
constexpr std::int64_t urgency_of_a_move = 50;

}  // namespace

BusiestFirst::BusiestFirst(const Arcs& arcs, std::uint64_t seed) : arcs_(arcs), random_(seed)
{
    for (Side* const side : {&senders_, &receivers_}) {
        side->choices.resize(arcs.nodes());
        side->matched.assign(arcs.nodes(), none);
        side->tried.resize(arcs.nodes());
    }
}

std::span<const ArcId> BusiestFirst::match(std::span<const Offer> offers, std::span<const std::uint32_t> sends,
                                           std::span<const std::uint32_t> receives)
{
    prepare(offers, sends, receives);
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

void BusiestFirst::prepare(std::span<const Offer> offers, std::span<const std::uint32_t> sends,
                           std::span<const std::uint32_t> receives)
{
    for (const End& end : ends_) {
        Side& side = end.sends ? senders_ : receivers_;
        side.choices[end.node].clear();
        side.matched[end.node] = none;
    }
    ends_.clear();
    const auto tie = [this] { return static_cast<std::uint32_t>(random_() >> 32); };
    for (const auto& [arc, urgency] : offers) {
        const NodeId from = arcs_.from(arc);
        const NodeId to = arcs_.to(arc);
        if (senders_.choices[from].empty())
            ends_.push_back({sends[from], tie(), from, true});
        if (receivers_.choices[to].empty())
            ends_.push_back({receives[to], tie(), to, false});
        senders_.choices[from].push_back({urgency_of_a_move * receives[to] + urgency, arc});
        receivers_.choices[to].push_back({urgency_of_a_move * sends[from] + urgency, arc});
    }
    std::ranges::sort(ends_, std::greater{},
                      [](const End& end) { return std::tuple(end.left, end.tie, end.sends, end.node); });
    for (const End& end : ends_) {
        Side& side = end.sends ? senders_ : receivers_;
        std::ranges::sort(side.choices[end.node], std::greater{},
                          [](const Choice& choice) { return std::pair(choice.worth, choice.arc); });
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
    for (const Choice& choice : near.choices[node])
        if (far.matched[end_of(choice.arc, far)] == none)
            return take(choice.arc);
    for (const Choice& choice : near.choices[node]) {
        const NodeId other = end_of(choice.arc, far);
        if (far.tried[other] == search_)
            continue;
        far.tried[other] = search_;
        if (far.matched[other] == none || augment(near, far, end_of(far.matched[other], near)))
            return take(choice.arc);
    }
    return false;
}

}  // namespace dcube::detail
