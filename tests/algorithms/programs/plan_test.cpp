#include "algorithms/beyond/cubes/one_port.hpp"
#include "algorithms/papers/bertsekas/all_gather.hpp"
#include "algorithms/papers/bertsekas/all_to_all.hpp"
#include "algorithms/programs/plan.hpp"
#include "emu/script.hpp"
#include "tests/support/catch.hpp"

#include <dcube/problem.hpp>

#include <algorithm>

using namespace dcube;
using namespace dcube::detail;
using Action = Script::Action;

namespace {

Problem problem_of(Collective collective, NodeId root = 0)
{
    Problem problem{collective};
    problem.root = root;
    return problem;
}

std::size_t count(const Plan& plan, NodeId node, Action::Kind kind)
{
    return static_cast<std::size_t>(std::ranges::count(plan.script(node).actions, kind, &Action::kind));
}

}  // namespace

TEST_CASE("in a translated plan all nodes have one script, seen from themselves", "[plan]")
{
    const Topology cube = Topology::hypercube(3);
    const Plan plan(cube, problem_of(Collective::all_gather), all_gather_schedule(cube, 1));
    CHECK(plan.steps() == 3);
    CHECK(plan.script(0).actions.data() == plan.script(5).actions.data());
    CHECK(plan.origin(5) == 5);
    CHECK(count(plan, 0, Action::Kind::send) == 7);
    CHECK(count(plan, 0, Action::Kind::keep) == 7);
    CHECK(plan.slots(0) == 0);
}

TEST_CASE("in a plan a sum is begun once and then added to", "[plan]")
{
    const Topology cube = Topology::hypercube(3);
    const Schedule gather = all_gather_schedule(cube, 1);
    const Plan plan(cube, problem_of(Collective::reduce_scatter), reversed(cube, gather, Arrival::added));
    // Root 0's tree has 7 links; its inner nodes 0, 1, 2, 4 and 6 begin a sum each, the other two links add.
    CHECK(count(plan, 0, Action::Kind::begin_sum) == 5);
    CHECK(count(plan, 0, Action::Kind::add) == 2);
    CHECK(count(plan, 0, Action::Kind::keep) == 0);
}

TEST_CASE("in a rooted plan every node has a script of its own, relabelled for the root", "[plan]")
{
    const Topology cube = Topology::hypercube(2);
    const Plan plan(cube, problem_of(Collective::scatter, 3), one_port_scatter(cube, 1));
    CHECK(plan.origin(1) == 3);
    CHECK(count(plan, 3, Action::Kind::send) == 3);
    CHECK(count(plan, 3, Action::Kind::keep) == 0);
    // The packet for 0, the root's antipode, passes through one neighbour; only that needs a slot.
    CHECK(plan.slots(3) == 0);
    CHECK(plan.slots(0) == 0);
    CHECK(plan.slots(1) + plan.slots(2) == 1);
}

TEST_CASE("packets in transit share slots", "[plan]")
{
    for (unsigned d = 1; d <= 8; ++d) {
        const Topology cube = Topology::hypercube(d);
        const Plan plan(cube, problem_of(Collective::all_to_all), all_to_all_schedule(cube));
        CHECK(plan.slots(0) == all_to_all_slots(d));
    }
}
