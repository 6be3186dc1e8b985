// The matching of a one-port step: no larger one is possible, and the ends that ask first are in it.

#include "collectives/graphs/ordered_matching.hpp"
#include "tests/support/any_networks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/random.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

using namespace dcube;
using namespace dcube::detail;

namespace {

using End = OrderedMatching::End;
using Takes = OrderedMatching::Takes;
using test_support::smaller;

// The ends that have most left ask first, and try those of their arcs first that are worth most: the partner's left,
// then the arc's urgency.
std::vector<ArcId> busiest_first(OrderedMatching& matching, const std::vector<ArcId>& usable,
                                 const std::vector<unsigned>& left, const std::vector<unsigned>& urgency = {})
{
    matching.begin(usable);
    for (const End end : matching.ends())
        std::ranges::sort(matching.choices(end), std::greater{}, [&](ArcId arc) {
            return std::pair(left[matching.partner(end, arc)], urgency.empty() ? 0 : urgency[arc]);
        });
    std::vector<End> in_order(matching.ends().begin(), matching.ends().end());
    std::ranges::stable_sort(in_order, std::greater{}, [&](End end) { return left[end]; });
    matching.ask(in_order);
    const std::span<const ArcId> chosen = matching.chosen();
    return {chosen.begin(), chosen.end()};
}

// The most arcs without a common sender or receiver, by trying all.
std::size_t most_arcs(const Arcs& arcs, const std::vector<ArcId>& usable, std::size_t from, std::set<NodeId> senders,
                      std::set<NodeId> receivers)
{
    if (from == usable.size())
        return 0;
    std::size_t most = most_arcs(arcs, usable, from + 1, senders, receivers);
    if (senders.insert(arcs.from(usable[from])).second && receivers.insert(arcs.to(usable[from])).second)
        most = std::max(most, 1 + most_arcs(arcs, usable, from + 1, senders, receivers));
    return most;
}

}  // namespace

TEST_CASE("ordered matching: a largest matching of senders with receivers", "[graphs]")
{
    const Topology topology = dcube::test::any_network("random20");
    const Arcs arcs(topology);
    for (const Takes takes : {Takes::free_first, Takes::first}) {
        OrderedMatching matching(arcs, takes);
        Random random(3);
        for (int trial = 0; trial < smaller(100, 12); ++trial) {
            std::set<ArcId> some;
            while (some.size() < 12)
                some.insert(static_cast<ArcId>(random.below(arcs.size())));
            const std::vector<ArcId> usable(some.begin(), some.end());
            std::vector<unsigned> left(std::size_t{2} * arcs.nodes());
            for (unsigned& one : left)
                one = static_cast<unsigned>(random.below(5));
            const std::vector<ArcId> found = busiest_first(matching, usable, left);
            std::set<NodeId> senders;
            std::set<NodeId> receivers;
            for (const ArcId arc : found) {
                CHECK(some.contains(arc));
                CHECK(senders.insert(arcs.from(arc)).second);
                CHECK(receivers.insert(arcs.to(arc)).second);
            }
            CHECK(found.size() == most_arcs(arcs, usable, 0, {}, {}));
            CHECK(std::ranges::is_sorted(found));
        }
    }
}

// Ends of one side ask. By trying all sets of arcs: the first end of the order that can have a partner has one, then
// the first of the others that can have one beside it, and so on.
TEST_CASE("ordered matching: no other one covers an earlier end", "[graphs]")
{
    const Topology topology = dcube::test::any_network("random20");
    const Arcs arcs(topology);
    Random random(5);
    for (const Takes takes : {Takes::free_first, Takes::first})
        for (int trial = 0; trial < smaller(100, 12); ++trial) {
            OrderedMatching matching(arcs, takes);
            std::set<ArcId> some;
            while (some.size() < 10)
                some.insert(static_cast<ArcId>(random.below(arcs.size())));
            const std::vector<ArcId> usable(some.begin(), some.end());
            matching.begin(usable);
            std::vector<End> in_order(matching.ends().begin(), matching.ends().end());
            std::erase_if(in_order, [&](End end) { return (end < arcs.nodes()) == (trial % 2 == 0); });
            for (std::size_t left = in_order.size(); left > 1; --left)
                std::swap(in_order[left - 1], in_order[random.below(left)]);
            matching.ask(in_order);
            const auto covered = [&](const auto& chosen) {
                std::vector<bool> ends;
                for (const End end : in_order)
                    ends.push_back(std::ranges::any_of(chosen, [&](ArcId arc) {
                        return matching.sender(arc) == end || matching.receiver(arc) == end;
                    }));
                return ends;
            };
            std::vector<bool> best;
            for (unsigned set = 0; set < 1U << usable.size(); ++set) {
                std::vector<ArcId> chosen;
                std::set<End> ends;
                for (std::size_t i = 0; i < usable.size(); ++i)
                    if ((set >> i & 1) != 0) {
                        chosen.push_back(usable[i]);
                        ends.insert(matching.sender(usable[i]));
                        ends.insert(matching.receiver(usable[i]));
                    }
                if (ends.size() == 2 * chosen.size())
                    best = std::max(best, covered(chosen));
            }
            CHECK(covered(matching.chosen()) == best);
        }
}

TEST_CASE("ordered matching: the sender that has most left to send takes part", "[graphs]")
{
    const Topology topology = Topology::parse("path:4");  // 0 - 1 - 2 - 3
    const Arcs arcs(topology);
    OrderedMatching matching(arcs, Takes::free_first);
    const auto arc = [&](NodeId from, NodeId to) {
        ArcId found = 0;
        for_each_out(arcs, from, [&](ArcId one) { found = arcs.to(one) == to ? one : found; });
        return found;
    };
    // One of 0 and 2 sends to 1: the one that has more left to send.
    for (const NodeId busy : {NodeId{0}, NodeId{2}}) {
        std::vector<unsigned> left(8, 1);
        left[busy] = 5;
        CHECK(busiest_first(matching, {arc(0, 1), arc(2, 1)}, left) == std::vector{arc(busy, 1)});
    }
    // 1 could take from the busy 2, but so both can go.
    CHECK(busiest_first(matching, {arc(0, 1), arc(2, 1), arc(2, 3)}, {1, 1, 9, 1, 1, 9, 1, 1}).size() == 2);
}

TEST_CASE("ordered matching: partners that have most to do are chosen", "[graphs]")
{
    // A path of four nodes, arcs in both directions; nodes 1 and 2 have most to send and to receive.
    const Topology path = Topology::parse("path:4");
    const Arcs arcs(path);
    std::vector<ArcId> usable;
    for (ArcId arc = 0; arc < arcs.size(); ++arc)
        usable.push_back(arc);
    OrderedMatching matching(arcs, Takes::first);
    CHECK(busiest_first(matching, usable, {1, 9, 9, 1, 1, 9, 9, 1}).size() == 4);
    // Only 1 may send to 0 and 2, only 2 may be sent to by 3: 2 receives more than 0, and from 3, so that 1 serves 0.
    const auto to_0 = static_cast<ArcId>(path.link(1, 0));
    const auto to_2 = static_cast<ArcId>(path.link(1, 1));
    const auto from_3 = static_cast<ArcId>(path.link(3, 0));
    CHECK(busiest_first(matching, {to_0, to_2, from_3}, {0, 5, 0, 1, 1, 0, 6, 0}) == std::vector{to_0, from_3});
}

TEST_CASE("ordered matching: of partners with as much to do the one for which the most urgent move waits", "[graphs]")
{
    const Topology topology = dcube::test::any_network("hub9");
    const Arcs arcs(topology);
    OrderedMatching matching(arcs, Takes::free_first);
    std::vector<unsigned> left(std::size_t{2} * arcs.nodes(), 1);
    left[0] = 2;  // so the hub chooses
    std::vector<ArcId> usable;
    for_each_out(arcs, 0, [&](ArcId arc) { usable.push_back(arc); });
    for (const ArcId urgent : usable) {
        std::vector<unsigned> urgency(arcs.size(), 6);
        urgency[urgent] = 7;
        CHECK(busiest_first(matching, usable, left, urgency) == std::vector{urgent});
    }
}

// Every sender but the first has the receiver before it when the first asks for the one behind it.
TEST_CASE("a matching along a path of 4096 nodes: all partners change, in a loop", "[search][long]")
{
    const Topology path = Topology::parse("path:4096");
    const Arcs arcs(path);
    for (const Takes takes : {Takes::first, Takes::free_first}) {
        std::vector<ArcId> usable(arcs.size());
        std::iota(usable.begin(), usable.end(), ArcId{0});
        OrderedMatching matching(arcs, takes);
        matching.begin(usable);
        for (const End end : matching.ends())
            std::ranges::sort(matching.choices(end), {}, [&](ArcId arc) { return arcs.to(arc); });
        std::vector<End> order(path.nodes());
        std::iota(order.begin(), order.end(), End{1});
        order.back() = 0;
        matching.ask(order);
        CHECK(matching.chosen().size() == path.nodes());
    }
}
