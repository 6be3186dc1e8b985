// Tightening: plans become shorter, their steps are all used, and what is sent stays the same.

#include "algorithms/beyond/any_network/tighten.hpp"
#include "algorithms/beyond/any_network/tree_all_reduce.hpp"
#include "tests/support/any_networks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/hanging_networks.hpp"

#include <dcube/random.hpp>

#include <set>

using namespace dcube;
using namespace dcube::detail;

namespace {

ArcId arc_between(const Arcs& arcs, NodeId from, NodeId to)
{
    ArcId found = 0;
    for_each_out(arcs, from, [&](ArcId one) { found = arcs.to(one) == to ? one : found; });
    return found;
}

std::set<Step> used_steps(const std::vector<TimedMove>& moves)
{
    std::set<Step> steps;
    for (const TimedMove& move : moves)
        steps.insert(move.step);
    return steps;
}

}  // namespace

TEST_CASE("tighten: moves come as early as what they wait for, and their ports, allow", "[all-reduce]")
{
    const Topology topology = Topology::parse("path:4");
    const Arcs arcs(topology);
    const auto arc = [&](NodeId from, NodeId to) { return arc_between(arcs, from, to); };
    // Packet 0 from 0 to 3, packet 1 from 1 to 2; one link, or one port, has both.
    std::vector<TimedMove> moves{{2, arc(0, 1), 0}, {5, arc(1, 2), 0}, {6, arc(1, 2), 1}, {9, arc(2, 3), 0}};
    CHECK(tighten(arcs, PortModel::one, moves) == 3);
    CHECK(moves == std::vector<TimedMove>{{1, arc(0, 1), 0}, {1, arc(1, 2), 1}, {2, arc(1, 2), 0}, {3, arc(2, 3), 0}});
    // With one port 1 cannot send to both its neighbours in one step.
    for (const auto& [ports, steps] : {std::pair{PortModel::all, Step{1}}, {PortModel::one, Step{2}}}) {
        std::vector<TimedMove> both{{4, arc(1, 0), 0}, {8, arc(1, 2), 1}};
        CHECK(tighten(arcs, ports, both) == steps);
    }
    std::vector<TimedMove> none;
    CHECK(tighten(arcs, PortModel::one, none) == 0);
}

TEST_CASE("tighten: no plan has a step in which nobody sends, and none becomes longer", "[all-reduce]")
{
    for (const char* const name : {"spider-40", "tree-19", "caterpillar-36", "hubs-22"})
        for (const PortModel ports : {PortModel::all, PortModel::one}) {
            CAPTURE(name, ports);
            const Topology topology = dcube::test::hanging_network(name);
            const Arcs arcs(topology);
            BlockPlan plan = plan_of_rhythm(periodic_trees(arcs, ports, 1, 7), 7);
            std::vector<TimedMove> moves = plan.moves;
            const Step steps = tighten(arcs, ports, moves);
            CHECK(steps <= plan.steps);
            CHECK(used_steps(moves).size() == steps);
            CHECK(moves.size() == plan.moves.size());
        }
}
