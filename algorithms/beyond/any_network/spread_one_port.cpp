// A step of a spread on one port: the nodes that send and receive are a matching, made in an order: first nodes that
// alone hold some packet, then nodes that can send a rare one, then the receivers that lack the most. The packets that
// cross the chosen links are chosen afterwards.

#include "algorithms/beyond/any_network/spread_try.hpp"
#include "collectives/graphs/ordered_matching.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <span>
#include <tuple>
#include <vector>

namespace dcube::detail {

namespace {

// The packets that a sender could send to some neighbour.
std::vector<std::uint64_t> sendable(const SpreadState& state, NodeId sender)
{
    std::vector<std::uint64_t> lacked(state.words());
    for_each_out(state.arcs(), sender, [&](ArcId arc) {
        if (state.surplus(arc) > 0)
            std::ranges::transform(lacked, state.held(state.arcs().to(arc)), lacked.begin(),
                                   [](std::uint64_t all, std::uint64_t there) { return all | ~there; });
    });
    std::ranges::transform(lacked, state.held(sender), lacked.begin(), std::bit_and());
    return lacked;
}

std::vector<NodeId> senders_in_order(SpreadTry& attempt)
{
    struct Sender {
        bool has_help;  // each of its packets is also held by another node
        std::uint32_t copies;
        std::uint64_t tie;
        NodeId node;
    };
    const SpreadState& state = attempt.state;
    std::vector<Sender> senders;
    for (const NodeId node : state.arcs().members()) {
        attempt.tell();
        if (const std::uint32_t copies = state.least_copies(sendable(state, node)); copies != SpreadState::no_level)
            senders.push_back({!state.is_sole_holder(node), copies, attempt.random(), node});
    }
    std::ranges::sort(senders, {},
                      [](const Sender& sender) { return std::tuple(sender.has_help, sender.copies, sender.tie); });
    std::vector<NodeId> nodes;
    std::ranges::transform(senders, std::back_inserter(nodes), &Sender::node);
    return nodes;
}

std::vector<NodeId> receivers_in_order(SpreadTry& attempt)
{
    std::vector<NodeId> receivers;
    for (const NodeId node : attempt.state.arcs().members())
        if (attempt.state.missing(node) > 0)
            receivers.push_back(node);
    attempt.random.shuffle(receivers);
    std::ranges::stable_sort(receivers, std::greater{}, [&](NodeId node) { return attempt.state.missing(node); });
    return receivers;
}

// The arcs that can carry something, of every sender those first whose receivers lack the most.
std::vector<ArcId> usable_in_order(SpreadTry& attempt)
{
    const SpreadState& state = attempt.state;
    const Arcs& arcs = state.arcs();
    std::vector<ArcId> in_order(arcs.size());
    std::iota(in_order.begin(), in_order.end(), ArcId{0});
    for (const NodeId node : arcs.members()) {
        const auto own = std::span(in_order).subspan(arcs.first_out(node), arcs.degree(node));
        attempt.random.shuffle(own);
        std::ranges::stable_sort(own, std::greater{}, [&](ArcId arc) { return state.missing(arcs.to(arc)); });
    }
    std::erase_if(in_order, [&](ArcId arc) { return state.surplus(arc) == 0; });
    return in_order;
}

std::vector<ArcId> pairs(SpreadTry& attempt)
{
    const Arcs& arcs = attempt.state.arcs();
    OrderedMatching matching(arcs, OrderedMatching::Takes::first);
    matching.begin(usable_in_order(attempt));
    for (const OrderedMatching::End end : matching.ends())
        if (end >= arcs.nodes())  // receivers try their ports in turn
            std::ranges::sort(matching.choices(end), {}, [&](ArcId arc) { return arcs.opposite(arc); });
    matching.ask(senders_in_order(attempt));
    std::vector<OrderedMatching::End> receivers = receivers_in_order(attempt);
    for (OrderedMatching::End& end : receivers)
        end += arcs.nodes();
    matching.ask(receivers);
    const std::span<const ArcId> chosen = matching.chosen();
    return {chosen.begin(), chosen.end()};
}

}  // namespace

void plan_on_one_port(SpreadTry& attempt, Step step, std::vector<TimedMove>& moves)
{
    const SpreadState& state = attempt.state;
    std::vector<ArcId> chosen = pairs(attempt);
    attempt.random.shuffle(chosen);
    std::vector<std::uint64_t> candidates(state.words());
    for (const ArcId arc : chosen) {
        attempt.tell();
        const NodeId receiver = state.arcs().to(arc);
        std::ranges::transform(state.held(state.arcs().from(arc)), state.held(receiver), candidates.begin(),
                               [](std::uint64_t there, std::uint64_t here) { return there & ~here; });
        const std::uint32_t packet = attempt.choose(candidates, receiver);
        attempt.state.plan(packet);
        moves.push_back({step, arc, packet});
    }
}

}  // namespace dcube::detail
