// Schedules of anybody's: what cannot be is refused, with the hop.

#include "algorithms/beyond/cubes/one_port.hpp"
#include "algorithms/papers/bertsekas/all_to_all.hpp"
#include "algorithms/papers/dimakopoulos/factor_schedules.hpp"
#include "collectives/example.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include <dcube/dcube.hpp>

using namespace dcube;
using test_support::error_of;

namespace {

const Topology four_nodes = Topology::hypercube(2);

std::string refusal(const Schedule& schedule, const Problem& problem, const Topology& topology = four_nodes)
{
    return error_of([&] { require_possible(schedule, topology, problem); });
}

const Problem on_square{Collective::scatter, 8};

// A scatter on the four_nodes with its first hop changed.
template <class Change>
std::string with_first(const Change& change)
{
    Schedule schedule{
        Symmetry::none, 2, {{1, 0, 0, {0, 3, 0}}, {1, 0, 1, {0, 2, 0}}, {2, 0, 0, {0, 1, 0}}, {2, 1, 1, {0, 3, 0}}}};
    change(schedule.hops.front());
    return refusal(schedule, on_square);
}

}  // namespace

TEST_CASE("schedules: the papers' own are possible", "[algorithms]")
{
    const Topology cube = Topology::hypercube(4);
    CHECK(refusal(detail::all_to_all_schedule(cube), {Collective::all_to_all}, cube) == "");
    const Schedule gather = detail::one_port_all_gather(cube, 1);
    CHECK(refusal(gather, {Collective::all_gather}, cube) == "");
    const Schedule scattered = reversed(cube, gather, Arrival::added);
    CHECK(refusal(scattered, {Collective::reduce_scatter}, cube) == "");
    CHECK(refusal(followed_by(scattered, gather), {Collective::all_reduce}, cube) == "");
    const Topology ring = Topology::parse("ring:6");
    CHECK(refusal(detail::even_ring_all_ports(ring.factor(0)), {Collective::all_to_all}, ring) == "");
    CHECK(with_first([](Hop&) {}) == "");
}

TEST_CASE("schedules: a hop that cannot be is named, and why", "[algorithms][negative]")
{
    CHECK(with_first([](Hop& hop) { hop.step = 0; }) ==
          "hop 0 of the schedule (step 0, from 0, port 0): the schedule has steps 1 to 2");
    CHECK(with_first([](Hop& hop) { hop.step = 3; }) ==
          "hop 0 of the schedule (step 3, from 0, port 0): the schedule has steps 1 to 2");
    CHECK_THAT(with_first([](Hop& hop) { hop.from = 4; }), Catch::Contains("node 4 is not possible: expected 0 to 3"));
    CHECK_THAT(with_first([](Hop& hop) { hop.port = 2; }), Catch::Contains("port 2 is not possible: expected 0 to 1"));
    CHECK_THAT(with_first([](Hop& hop) { hop.packet.copy = 1; }), Catch::Contains("copy 1 is not possible"));
    CHECK_THAT(with_first([](Hop& hop) { hop.packet.target = 4; }), Catch::Contains("target 4 is not possible"));
    CHECK_THAT(with_first([](Hop& hop) { hop.packet.origin = 1; }),
               Catch::Contains("the packet comes from node 1, where the root is 0"));
    CHECK_THAT(with_first([](Hop& hop) { hop.arrival = Arrival::added; }), Catch::Contains("scatter adds nothing up"));
    CHECK_THAT(with_first([](Hop& hop) { hop.step = 2; }),
               Catch::Contains("hop 3 of the schedule (step 2, from 1, port 1): packet 0 from node 0 to node 3 is "
                               "sent, but comes there in step 2"));
    CHECK_THAT(with_first([](Hop& hop) { hop.packet.target = 1; }), Catch::Contains("is sent, but never comes there"));
}

TEST_CASE("schedules: a symmetry that the collective or the network does not have is refused", "[algorithms][negative]")
{
    CHECK_THAT(refusal({.symmetry = Symmetry::translated}, on_square),
               Catch::Contains("a translated schedule is not possible for scatter"));
    CHECK_THAT(refusal({.symmetry = Symmetry::translated}, {Collective::all_to_all}, Topology::parse("path:3")),
               Catch::Contains("path:3 has no symmetry"));
    CHECK_THAT(refusal({.symmetry = Symmetry::rooted}, {.collective = Collective::send, .peer = 1}),
               Catch::Contains("a rooted schedule is not possible for send"));
    CHECK_THAT(refusal({.symmetry = Symmetry::translated, .alternating = {7}}, {Collective::all_to_all}),
               Catch::Contains("alternates in digit 7"));
    Problem matrix = example_problem(Collective::matrix_transpose, four_nodes);
    CHECK_THAT(refusal({}, matrix), Catch::Contains("has no packets of equal size"));
}

TEST_CASE("schedules: point-to-point messages are those that the problem has", "[algorithms][negative]")
{
    const Schedule there{Symmetry::none, 2, {{1, 0, 0, {0, 3, 0}}, {2, 1, 1, {0, 3, 0}}}};
    CHECK(refusal(there, {.collective = Collective::send, .peer = 3}) == "");
    CHECK_THAT(refusal(there, {.collective = Collective::send, .peer = 2}),
               Catch::Contains("send has no message from node 0 to node 3"));
    Machine machine(four_nodes);
    for (const Collective collective : {Collective::send, Collective::exchange}) {
        Schedule schedule = there;
        if (collective == Collective::exchange)
            schedule.hops.insert(schedule.hops.end(), {{1, 3, 0, {3, 0, 0}}, {2, 2, 1, {3, 0, 0}}});
        const Algorithm mine = algorithm_of({.collective = collective, .name = "there"},
                                            [&](const Topology&, const Problem&) { return schedule; });
        CHECK(run_verified(machine, mine, {.collective = collective, .peer = 3}).verified);
    }
}

TEST_CASE("schedules: an alternating schedule has no reverse", "[algorithms][negative]")
{
    const Topology ring = Topology::parse("ring:6");
    CHECK_THAT(error_of([&] { reversed(ring, detail::even_ring_all_ports(ring.factor(0)), Arrival::added); }),
               Catch::Contains("has no reverse"));
}
