// Sums as values that move: the steps that are expected, plans that keep all rules, and the same sums at all nodes.

#include "algorithms/beyond/any_network/sum_plan.hpp"
#include "tests/support/any_networks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <bit>
#include <set>
#include <string>
#include <vector>

using namespace dcube;
using namespace dcube::detail;
using namespace test_support;

namespace {

Arcs arcs_of(const std::string& network)
{
    return Arcs(Topology::parse(network));
}

// The rule that a plan breaks; empty if it breaks none: packets over one link or, with one port, of one sender or
// receiver in a step; a value that is sent before it can be there; a node without the whole. Knows nothing of scripts.
std::string broken_rule(const SumPlan& plan, const Arcs& arcs, PortModel ports)
{
    std::vector<std::set<ValueId>> held(plan.nodes);
    const auto add_up = [&](std::set<ValueId>& values) {
        for (std::size_t i = 0; i < plan.sums.size(); ++i)
            if (values.contains(plan.sums[i].first) && values.contains(plan.sums[i].second))
                values.insert(plan.nodes + static_cast<ValueId>(i));
    };
    for (NodeId node = 0; node < plan.nodes; ++node)
        held[node].insert(node);
    std::size_t next = 0;
    for (Step step = 1; step <= plan.steps(); ++step) {
        const std::vector<std::set<ValueId>> before = held;
        std::set<std::uint32_t> links;
        std::set<NodeId> senders;
        std::set<NodeId> receivers;
        for (; next < plan.moves.moves.size() && plan.moves.moves[next].step == step; ++next) {
            const auto& [when, arc, value] = plan.moves.moves[next];
            if (!links.insert(arc).second)
                return "two packets on a link";
            if (!senders.insert(arcs.from(arc)).second && ports == PortModel::one)
                return "two packets of a sender";
            if (!receivers.insert(arcs.to(arc)).second && ports == PortModel::one)
                return "two packets for a receiver";
            if (!before[arcs.from(arc)].contains(value))
                return "a value that is not there";
            held[arcs.to(arc)].insert(value);
        }
        for (std::set<ValueId>& values : held)
            add_up(values);
    }
    if (next != plan.moves.moves.size())
        return "moves out of order";
    for (const std::set<ValueId>& values : held)
        if (!values.contains(plan.whole()))
            return "a node without the whole";
    return "";
}

// Every node's block is in the whole once.
bool has_all_once(const SumPlan& plan)
{
    std::vector<std::multiset<NodeId>> of_value;
    for (NodeId node = 0; node < plan.nodes; ++node)
        of_value.push_back({node});
    for (const auto& [first, second] : plan.sums) {
        of_value.push_back(of_value[first]);
        of_value.back().insert(of_value[second].begin(), of_value[second].end());
    }
    std::multiset<NodeId> all;
    for (NodeId node = 0; node < plan.nodes; ++node)
        all.insert(node);
    return of_value.back() == all;
}

Step steps_on(const std::string& network, PortModel ports, SumOrder order = SumOrder::any)
{
    const Arcs arcs = arcs_of(network);
    const SumPlan plan = sum_on_network(arcs, ports, order);
    CAPTURE(network);
    CHECK(broken_rule(plan, arcs, ports) == "");
    CHECK(has_all_once(plan));
    if (order == SumOrder::of_nodes)
        CHECK(keeps_order(plan));
    return plan.steps();
}

}  // namespace

TEST_CASE("sum plans: complete graphs with one port take ceil(log2 n) steps, or one more",
          "[all-reduce][sum-plan][slow]")
{
    // 1, 3, 5 and 9 times a power of two.
    const std::set<NodeId> optimal{2,  3,  4,  5,  6,  8,  9,   10,  12,  16,  18,  20,  24,  32,  36,
                                   40, 48, 64, 72, 80, 96, 128, 144, 160, 192, 256, 288, 320, 384, 512};
    Sample sample;
    for (NodeId nodes = 2; nodes <= smaller(512U, 80U); nodes += nodes < 70 ? 1 : 9) {
        if (!sample.takes_next())
            continue;
        const Arcs arcs = arcs_of("complete:" + std::to_string(nodes));
        const SumPlan plan = sum_on_complete_graph(arcs);
        CAPTURE(nodes);
        CHECK(plan.steps() == static_cast<Step>(std::bit_width(nodes - 1)) + (optimal.contains(nodes) ? 0 : 1));
        CHECK(broken_rule(plan, arcs, PortModel::one) == "");
        CHECK(has_all_once(plan));
        CHECK(keeps_order(plan));
    }
}

TEST_CASE("sum plans: groups of nodes become one on regular networks, with one port", "[all-reduce][sum-plan]")
{
    for (const NodeId half : {2U, 3U, 4U, 7U, 16U})
        CHECK(steps_on("ring:" + std::to_string(2 * half), PortModel::one) == half);  // the diameter
    CHECK(steps_on("torus:4x4", PortModel::one) == 4);
    CHECK(steps_on("petersen", PortModel::one) == 5);
    CHECK(steps_on("ghc:2x4", PortModel::one) == 3);
    CHECK(steps_on("path:6", PortModel::one) == 5);
}

TEST_CASE("sum plans: networks on all ports take the expected steps", "[all-reduce][sum-plan]")
{
    CHECK(steps_on("petersen", PortModel::all) == 3);
    CHECK(steps_on("complete:9", PortModel::all) == 1);
    CHECK(steps_on("ring:9", PortModel::all) == 4);
    CHECK(steps_on("pancake:4", PortModel::all) <= 5);
}

TEST_CASE("sum plans: any network has a plan, for any order of the terms and for the order of the nodes",
          "[all-reduce][sum-plan][slow]")
{
    for (unsigned seed = 1; seed <= smaller(60U, 8U); ++seed) {
        const Topology topology =
            Topology::product({dcube::test::random_graph(seed, 2 + static_cast<NodeId>(seed % 19))});
        const Arcs arcs(topology);
        for (const PortModel ports : {PortModel::all, PortModel::one})
            for (const SumOrder order : {SumOrder::any, SumOrder::of_nodes}) {
                CAPTURE(seed, ports, order);
                const SumPlan plan = sum_on_network(arcs, ports, order);
                CHECK(broken_rule(plan, arcs, ports) == "");
                CHECK(has_all_once(plan));
                if (order == SumOrder::of_nodes)
                    CHECK(keeps_order(plan));
                CHECK(plan.steps() >= topology.diameter());
            }
    }
}

TEST_CASE("sum plans: a move that is left out, early or doubled breaks a rule", "[all-reduce][sum-plan][negative]")
{
    for (const char* const network : {"complete:5", "complete:7", "complete:12"}) {
        const Arcs arcs = arcs_of(network);
        const SumPlan right = sum_on_complete_graph(arcs);
        for (std::size_t i = 0; i < right.moves.moves.size(); ++i) {
            CAPTURE(network, i);
            SumPlan wrong = right;
            wrong.moves.moves.erase(wrong.moves.moves.begin() + static_cast<std::ptrdiff_t>(i));
            CHECK(broken_rule(wrong, arcs, PortModel::one) != "");
            wrong = right;
            wrong.moves.moves.insert(wrong.moves.moves.begin() + static_cast<std::ptrdiff_t>(i), right.moves.moves[i]);
            CHECK(broken_rule(wrong, arcs, PortModel::one) != "");
        }
    }
}

TEST_CASE("sum plans: scripts use few places, and none that is still read", "[all-reduce][sum-plan]")
{
    for (const char* const network : {"complete:8", "complete:16", "complete:64"}) {
        const Arcs arcs = arcs_of(network);
        const std::vector<SumScript> scripts = scripts_of(sum_on_complete_graph(arcs), arcs);
        CHECK(scripts.size() == arcs.members().size());
        for (const SumScript& script : scripts)
            CHECK(script.places <= 4);  // its own, one that is sent, one that arrives
    }
}
