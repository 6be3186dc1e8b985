// The matching of a one-port step: no larger one is possible, and the busiest nodes are in it.

#include "algorithms/any_network/busiest_first.hpp"
#include "tests/support/any_networks.hpp"
#include "tests/support/catch.hpp"

#include <dcube/random.hpp>

#include <algorithm>
#include <set>

using namespace dcube;
using namespace dcube::detail;

namespace {

std::vector<BusiestFirst::Offer> offers_of(const std::vector<ArcId>& usable)
{
    std::vector<BusiestFirst::Offer> offers;
    for (const ArcId arc : usable)
        offers.push_back({arc, 0});
    return offers;
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

TEST_CASE("busiest first: a largest matching of senders with receivers", "[all-reduce]")
{
    const Topology topology = dcube::test::any_network("random20");
    const Arcs arcs(topology);
    BusiestFirst matching(arcs);
    Random random(3);
    for (int trial = 0; trial < 100; ++trial) {
        std::set<ArcId> some;
        while (some.size() < 12)
            some.insert(static_cast<ArcId>(random.below(arcs.size())));
        const std::vector<ArcId> usable(some.begin(), some.end());
        std::vector<std::uint32_t> left(arcs.nodes());
        for (std::uint32_t& one : left)
            one = static_cast<std::uint32_t>(random.below(5));
        const auto found = matching.match(offers_of(usable), left, left);
        std::set<NodeId> senders;
        std::set<NodeId> receivers;
        for (const ArcId arc : found) {
            CHECK(some.contains(arc));
            CHECK(senders.insert(arcs.from(arc)).second);
            CHECK(receivers.insert(arcs.to(arc)).second);
        }
        CHECK(found.size() == most_arcs(arcs, usable, 0, {}, {}));
    }
}

TEST_CASE("busiest first: who has most to do takes part", "[all-reduce]")
{
    const Topology topology = Topology::parse("path:4");  // 0 - 1 - 2 - 3
    const Arcs arcs(topology);
    BusiestFirst matching(arcs);
    const auto arc = [&](NodeId from, NodeId to) {
        ArcId found = 0;
        for_each_out(arcs, from, [&](ArcId one) { found = arcs.to(one) == to ? one : found; });
        return found;
    };
    // One of 0 and 2 sends to 1: the one that has more left to send.
    for (const NodeId busy : {NodeId{0}, NodeId{2}}) {
        std::vector<ArcId> usable{arc(0, 1), arc(2, 1)};
        std::ranges::sort(usable);
        std::vector<std::uint32_t> sends{1, 1, 1, 1};
        sends[busy] = 5;
        const auto found = matching.match(offers_of(usable), sends, std::vector<std::uint32_t>(4, 1));
        CHECK(std::vector(found.begin(), found.end()) == std::vector{arc(busy, 1)});
    }
    // 1 could take from the busy 2, but so both can go.
    std::vector<ArcId> usable{arc(0, 1), arc(2, 1), arc(2, 3)};
    std::ranges::sort(usable);
    const std::vector<std::uint32_t> sends{1, 1, 9, 1};
    const std::vector<std::uint32_t> receives{1, 9, 1, 1};
    CHECK(matching.match(offers_of(usable), sends, receives).size() == 2);
}

TEST_CASE("busiest first: of partners with as much to do the one for which the most urgent move waits", "[all-reduce]")
{
    const Topology topology = dcube::test::any_network("hub9");
    const Arcs arcs(topology);
    BusiestFirst matching(arcs);
    std::vector<std::uint32_t> left(arcs.nodes(), 1);
    left[0] = 2;  // so the hub chooses
    for (ArcId urgent = 0; urgent < arcs.degree(0); ++urgent) {
        std::vector<BusiestFirst::Offer> offers;
        for_each_out(arcs, 0, [&](ArcId arc) { offers.push_back({arc, arc == arcs.first_out(0) + urgent ? 7 : 6}); });
        const auto found = matching.match(offers, left, left);
        CHECK(std::vector(found.begin(), found.end()) == std::vector{arcs.first_out(0) + urgent});
    }
}
