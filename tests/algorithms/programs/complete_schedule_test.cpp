// Whether a schedule achieves its collective: the check agrees with the judge on what is right and on what is not.

#include "algorithms/any_network/shortest_path_schedule.hpp"
#include "algorithms/dimakopoulos/exchanges.hpp"
#include "algorithms/programs/complete_schedule.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/schedule_trace.hpp"

#include <dcube/random.hpp>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

using namespace dcube;
using test_support::contains;
using test_support::error_of;
using test_support::Move;

namespace {

std::string completeness_error(const Schedule& schedule, const Topology& topology, PortModel ports,
                               const Problem& problem)
{
    return error_of([&] { detail::require_complete(schedule, topology, ports, problem); });
}

std::string judged_schedule(const Schedule& schedule, const Topology& topology, PortModel ports, const Problem& problem)
{
    std::vector<Move> moves;
    for (const Hop& hop : schedule.hops)
        moves.push_back({hop.step, hop.from, hop.port, hop.packet});
    std::ranges::sort(moves, {}, [](const Move& move) { return std::tuple(move.step, move.from, move.port); });
    return test_support::judged(topology, ports, problem, test_support::trace_of(topology, problem, moves));
}

Problem checked_problem(const Topology& topology, Collective collective)
{
    Problem problem{collective};
    problem.bytes = 1;
    problem.packets = collective == Collective::all_gather || collective == Collective::reduce_scatter ? 1 : 2;
    problem.root = has_root(collective) || has_peer(collective) ? 2 : 0;
    problem.peer = has_peer(collective) ? topology.nodes() - 1 : 0;
    if (has_permutation(collective))
        for (NodeId node = 0; node < topology.nodes(); ++node)
            problem.permutation.push_back((node * 5 + 1) % topology.nodes());
    return problem;
}

// One hop is another, is missing, or stands there twice.
Schedule changed(Schedule schedule, const Topology& topology, Random& random)
{
    const std::size_t at = random() % schedule.hops.size();
    Hop& hop = schedule.hops[at];
    switch (random() % 6) {
    case 0: schedule.hops.erase(schedule.hops.begin() + static_cast<std::ptrdiff_t>(at)); break;
    case 1: schedule.hops.push_back(hop); break;
    case 2: hop.step = 1 + static_cast<Step>(random() % schedule.steps); break;
    case 3: hop.port = static_cast<Port>(random() % topology.ports(hop.from)); break;
    case 4: hop.packet.copy ^= 1; break;
    case 5: std::swap(hop.step, schedule.hops[random() % schedule.hops.size()].step); break;
    }
    schedule.steps = schedule.hops.empty() ? 0 : std::ranges::max_element(schedule.hops, {}, &Hop::step)->step;
    return schedule;
}

}  // namespace

TEST_CASE("complete schedule: it is believed where the judge believes it, and nowhere else", "[algorithms]")
{
    const Topology topology = Topology::parse("mesh:3x4");
    Random random(17);
    int refused = 0;
    for (const Collective collective : all_collectives) {
        if (is_matrix(collective) || collective == Collective::all_reduce || collective == Collective::all_to_all)
            continue;
        for (const PortModel ports : {PortModel::one, PortModel::all}) {
            const Problem problem = checked_problem(topology, collective);
            const Schedule right = *detail::shortest_path_schedule(topology, problem, ports);
            CAPTURE(name(collective), name(ports));
            CHECK(completeness_error(right, topology, ports, problem).empty());
            CHECK(judged_schedule(right, topology, ports, problem).empty());
            for (int i = 0; i < 60; ++i) {
                const Schedule wrong = changed(right, topology, random);
                const std::string error = completeness_error(wrong, topology, ports, problem);
                const std::string verdict = judged_schedule(wrong, topology, ports, problem);
                CAPTURE(error, verdict);
                CHECK(error.empty() == verdict.empty());
                refused += error.empty() ? 0 : 1;
            }
        }
    }
    CHECK(refused > 400);
}

TEST_CASE("complete schedule: all-reduce without one of its hops is incomplete", "[algorithms]")
{
    for (const char* const name : {"petersen", "torus:3x3", "mesh:3x3"}) {
        const Topology topology = Topology::parse(name);
        Problem problem{Collective::all_reduce};
        for (const std::size_t packets : {1U, 3U, 11U}) {
            problem.packets = packets;
            const Schedule right = *detail::shortest_path_schedule(topology, problem, PortModel::all);
            CAPTURE(name, packets);
            CHECK(completeness_error(right, topology, PortModel::all, problem).empty());
            for (std::size_t hop = 0; hop < right.hops.size(); ++hop) {
                Schedule wrong = right;
                wrong.hops.erase(wrong.hops.begin() + static_cast<std::ptrdiff_t>(hop));
                CHECK(!completeness_error(wrong, topology, PortModel::all, problem).empty());
            }
        }
    }
}

TEST_CASE("complete schedule: translated ones are checked at every node", "[algorithms]")
{
    const Problem problem{Collective::all_to_all};
    for (const char* const name : {"torus:3x5", "ring:6*ring:4", "ghc:3x4"}) {
        const Topology topology = Topology::parse(name);
        const Schedule right = detail::interleaved(topology);
        CAPTURE(name);
        CHECK(completeness_error(right, topology, PortModel::all, problem).empty());
        for (std::size_t hop = 0; hop < right.hops.size(); ++hop) {
            Schedule wrong = right;
            wrong.hops.erase(wrong.hops.begin() + static_cast<std::ptrdiff_t>(hop));
            CHECK(!completeness_error(wrong, topology, PortModel::all, problem).empty());
        }
    }
}

TEST_CASE("complete schedule: what is wrong is said", "[algorithms]")
{
    const Topology path = Topology::parse("path:3");
    const Problem problem{Collective::broadcast};
    const Hop first{.step = 1, .from = 0, .port = 0};
    const Hop second{.step = 2, .from = 1, .port = 1};
    const auto error = [&](Schedule schedule, PortModel ports = PortModel::all) {
        return completeness_error(schedule, path, ports, problem);
    };
    CHECK(error({Symmetry::none, 2, {first, second}}).empty());
    CHECK(contains(error({Symmetry::none, 2, {first, first, second}}), "step 1: link 0 has two packets"));
    CHECK(contains(error({Symmetry::none, 3, {first, second}}), "the schedule claims 3 steps but takes 2"));
    CHECK(contains(error({Symmetry::none, 1, {first}}), "2 of 3 nodes have it in the end"));
    CHECK(contains(error({Symmetry::none, 0, {}}), "0 of 1 packets are sent"));
    CHECK(contains(error({Symmetry::none, 2, {first, {.step = 2, .from = 1, .port = 2}}}), "there is no step 2, node 1 "
                                                                                           "or port 2"));
    CHECK(contains(error({Symmetry::none, 1, {first, {.step = 1, .from = 1, .port = 1}}}), "it is not there"));
    CHECK(contains(error({Symmetry::none, 2, {first, {.step = 2, .from = 1, .port = 0}}}), "it is there already"));
    CHECK(contains(error({Symmetry::none, 2, {first, second, {2, 0, 0, {0, 0, 1}}}}), "there is no such packet"));
    CHECK(contains(error({Symmetry::none, 2, {first, {2, 1, 1, {5, 0, 0}}}}), "named by a node that does not exist"));
    CHECK(
        contains(error({Symmetry::none, 2, {first, {2, 1, 1, {}, Arrival::added}}}), "what is combined is not a sum"));
    CHECK(contains(error({Symmetry::translated, 2, {first, second}}), "of a symmetry that it cannot have"));
}
