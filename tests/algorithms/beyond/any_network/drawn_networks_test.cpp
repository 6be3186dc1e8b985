// All collectives on networks drawn at random, sixty and ten that lack something, with all ports and with one: what
// auto takes runs, the judge accepts its trace, and it takes no fewer steps than the bound; where bounds are known to
// be met, no more.

#include "tests/support/catch.hpp"
#include "tests/support/drawn_networks.hpp"
#include "tests/support/drawn_problems.hpp"
#include "tests/support/schedule_trace.hpp"
#include "tests/support/sizes.hpp"
#include "tests/support/trace_line.hpp"

#include <dcube/dcube.hpp>

#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace dcube;
using namespace dcube::test;
using namespace test_support;

namespace {

struct Traced {
    Report report;
    std::string trace;
};

Traced traced_run(const Topology& topology, PortModel ports, const Problem& problem, unsigned threads)
{
    Machine machine(topology, {.ports = ports, .threads = threads});
    Traced traced;
    CallOptions call;
    call.run.trace = [&](const Transmission& one) { traced.trace += trace_line(one); };
    traced.report = run_verified(machine, problem, {}, call);
    return traced;
}

// Shortest augmenting paths, flows in time and farthest first are optimal.
bool always_meets_bound(Collective collective, PortModel ports)
{
    return collective == Collective::send || collective == Collective::scatter || collective == Collective::gather ||
           (collective == Collective::exchange && ports == PortModel::all);
}

// The number of cases, and of those at the bound.
struct Tally {
    std::size_t cases = 0;
    std::size_t met = 0;
};

class DrawnCases {
public:
    // Side by side on each network, because what runs backwards in time has the same plan, which is kept for a while.
    void check(std::initializer_list<Collective> collectives)
    {
        for (std::size_t which = 0; which < drawn_networks; ++which) {
            if (!sample_.takes_next())
                continue;
            const Topology topology = drawn_network(which);
            for (const Collective collective : collectives)
                for (const PortModel ports : {PortModel::all, PortModel::one})
                    for (const std::size_t packets : {1U, 3U, 17U})
                        check(topology, ports, drawn_problem(topology, collective, packets, which));
        }
    }

    // The share of cases, in percent, that take no more steps than the bound.
    [[nodiscard]] std::size_t percent_at_bound(Collective collective, PortModel ports) const
    {
        const Tally& tally = tallies_.at({collective, ports});
        return 100 * tally.met / tally.cases;
    }

private:
    // The plans of few packets for permutations and all-reduce take as long as those of many.
    static std::uint64_t most_hops(Collective collective)
    {
        const bool takes_long = collective == Collective::permute || collective == Collective::all_reduce;
        return takes_long ? smaller(250U, 100U) : smaller(1500U, 250U);
    }

    void check(const Topology& topology, PortModel ports, const Problem& problem)
    {
        if (transmissions_bound(topology, problem).value > most_hops(problem.collective))
            return;
        const std::uint64_t bound = steps_bound(topology, ports, problem).value;
        const Entry& algorithm = find_algorithm(topology, ports, problem);
        CAPTURE(topology.name(), name(problem.collective), name(ports), problem.packets, algorithm.name, bound);
        const Cost cost = algorithm.cost(topology, problem);
        CHECK(cost.steps >= bound);
        if (always_meets_bound(problem.collective, ports))
            CHECK(cost.steps == bound);
        const Traced traced = traced_run(topology, ports, problem, 1);
        CHECK(traced.report.verified);
        CHECK(cost == Cost{traced.report.counts.steps, traced.report.counts.transmissions});
        CHECK(judged(topology, ports, problem, traced.trace) == "");
        if (++cases_ % 5 == 0)
            check_two_threads(topology, ports, problem, traced);
        Tally& tally = tallies_[{problem.collective, ports}];
        ++tally.cases;
        tally.met += cost.steps == bound ? 1 : 0;
    }

    static void check_two_threads(const Topology& topology, PortModel ports, const Problem& problem, const Traced& one)
    {
        const Traced two = traced_run(topology, ports, problem, 2);
        CHECK(two.trace == one.trace);
        CHECK(two.report.result_digest == one.report.result_digest);
        CHECK(two.report.counts.storage_bytes == one.report.counts.storage_bytes);
    }

    Sample sample_{7, 3};
    std::size_t cases_ = 0;
    std::map<std::pair<Collective, PortModel>, Tally> tallies_;
};

// Checks `forth` and its reverse in time.
void check_steps_of_reverse(Collective forth, Collective back)
{
    for (std::size_t which = 0; which < drawn_networks; which += smaller(1U, 3U, 5U)) {
        const Topology topology = drawn_network(which);
        for (const PortModel ports : {PortModel::all, PortModel::one}) {
            const Problem problem = drawn_problem(topology, forth, 3, which);
            if (transmissions_bound(topology, problem).value > 1500)
                continue;
            Problem reverse = problem;
            reverse.collective = back;
            CAPTURE(topology.name(), name(forth), name(ports));
            CHECK(find_algorithm(topology, ports, problem).cost(topology, problem).steps ==
                  find_algorithm(topology, ports, reverse).cost(topology, reverse).steps);
        }
    }
}

}  // namespace

TEST_CASE("drawn networks: connected, all different, 20 to 200 nodes; ten lack something", "[drawn]")
{
    std::vector<Topology> all;
    std::size_t lacking = 0;
    for (std::size_t which = 0; which < drawn_networks; ++which) {
        const Topology topology = drawn_network(which);
        CAPTURE(topology.name());
        CHECK(topology.nodes() >= 18);
        CHECK(topology.nodes() <= 200);
        CHECK(topology == drawn_network(which));
        for (const Topology& other : all)
            CHECK_FALSE(topology == other);
        all.push_back(topology);
        lacking += topology.faults().empty() ? 0 : 1;
    }
    CHECK(lacking == 10);
}

TEST_CASE("drawn networks: broadcast, reduce, all-gather and reduce-scatter work, and mostly meet their bounds",
          "[drawn][long]")
{
    DrawnCases cases;
    cases.check({Collective::broadcast, Collective::reduce, Collective::all_gather, Collective::reduce_scatter});
    for (const Collective collective : {Collective::broadcast, Collective::reduce}) {
        CHECK(cases.percent_at_bound(collective, PortModel::all) >= 95);
        CHECK(cases.percent_at_bound(collective, PortModel::one) >= 30);
    }
    for (const Collective collective : {Collective::all_gather, Collective::reduce_scatter}) {
        CHECK(cases.percent_at_bound(collective, PortModel::all) >= 90);
        CHECK(cases.percent_at_bound(collective, PortModel::one) >= 50);
    }
}

TEST_CASE("drawn networks: send, exchange, scatter and gather work, and exchanges mostly meet their bounds",
          "[drawn][slow]")
{
    DrawnCases cases;
    cases.check({Collective::send, Collective::exchange, Collective::scatter, Collective::gather});
    if (!sanitized)
        CHECK(cases.percent_at_bound(Collective::exchange, PortModel::one) >= 75);
}

TEST_CASE("drawn networks: all-to-all and permutations work, and all-to-all mostly meets its bound", "[drawn][slow]")
{
    DrawnCases cases;
    cases.check({Collective::all_to_all, Collective::permute});
    if (!sanitized)
        for (const PortModel ports : {PortModel::all, PortModel::one})
            CHECK(cases.percent_at_bound(Collective::all_to_all, ports) >= 75);
}

TEST_CASE("drawn networks: all-reduce works, and often meets its bound", "[drawn][slow]")
{
    DrawnCases cases;
    cases.check({Collective::all_reduce});
    if (!sanitized)
        CHECK(cases.percent_at_bound(Collective::all_reduce, PortModel::all) >= 35);
}

TEST_CASE("drawn networks: a collective and the same backwards in time take as many steps", "[drawn][slow]")
{
    check_steps_of_reverse(Collective::broadcast, Collective::reduce);
    check_steps_of_reverse(Collective::scatter, Collective::gather);
    check_steps_of_reverse(Collective::all_gather, Collective::reduce_scatter);
}
