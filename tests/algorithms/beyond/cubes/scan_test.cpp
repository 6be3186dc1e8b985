// Scans on hypercubes: results in the order of the nodes, and steps and transmissions by their formulas and bounds.

#include "tests/support/catch.hpp"
#include "tests/support/map_composition.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <algorithm>
#include <string>

using namespace dcube;
using test_support::smaller;

namespace {

constexpr Collective scans[] = {Collective::scan, Collective::exscan};

Problem scan_problem(Collective collective, std::size_t blocks)
{
    Problem problem{.collective = collective, .packets = blocks};
    problem.own_operation = test_support::map_composition();
    problem.bytes = problem.own_operation->element;
    return problem;
}

Report scanned(unsigned d, PortModel ports, const Problem& problem, const std::string& algorithm, unsigned threads)
{
    Machine machine(Topology::hypercube(d), {.ports = ports, .threads = threads, .watch_lent_bytes = true});
    return run_verified(machine, problem, {}, {.algorithm = algorithm});
}

// Runs it, with operations that do not commute, and returns what it cost.
Cost cost_of_run(unsigned d, PortModel ports, Collective collective, std::size_t blocks, const std::string& algorithm)
{
    const Report report = scanned(d, ports, scan_problem(collective, blocks), algorithm, 1 + blocks % 2);
    CHECK(report.verified);
    return {report.counts.steps, report.counts.transmissions};
}

// All of them below 6 dimensions, and some above.
bool is_tried(unsigned d, std::size_t blocks)
{
    return d < smaller(6U, 4U) || blocks == 1 || blocks % 7 == 0 || blocks + 5 > 4 * std::size_t{d};
}

template <class Visit>
void for_each_size(const Visit& visit)
{
    for (unsigned d = 0; d <= smaller(8U, 4U); ++d)
        for (std::size_t blocks = 1; blocks <= 4 * std::size_t{d} + 3; ++blocks)
            if (is_tried(d, blocks))
                for (const Collective collective : scans)
                    visit(d, blocks, collective);
}

std::uint64_t least_transmissions(unsigned d, std::uint64_t blocks)
{
    return blocks * (2 * ((std::uint64_t{1} << d) - 1) - d);
}

}  // namespace

TEST_CASE("scan: an exchange takes m + d - 1 steps, and with one port m d", "[algorithms][scan][slow]")
{
    for_each_size([](unsigned d, std::size_t blocks, Collective collective) {
        CAPTURE(d, blocks, name(collective));
        const std::uint64_t n = std::uint64_t{1} << d;
        const std::uint64_t packets = d == 0 ? 0 : blocks * (n * (d - 1) + 1);
        CHECK(cost_of_run(d, PortModel::all, collective, blocks, "exchange") ==
              Cost{d == 0 ? 0 : blocks + d - 1, packets});
        CHECK(cost_of_run(d, PortModel::one, collective, blocks, "exchange-one-port") == Cost{blocks * d, packets});
    });
}

TEST_CASE("scan: up-down makes the fewest transmissions, and from 4d - 4 blocks on takes the fewest steps",
          "[algorithms][scan][slow]")
{
    for_each_size([](unsigned d, std::size_t blocks, Collective collective) {
        CAPTURE(d, blocks, name(collective));
        const Cost cost = cost_of_run(d, PortModel::all, collective, blocks, "up-down");
        const Topology cube = Topology::hypercube(d);
        const Problem problem = scan_problem(collective, blocks);
        CHECK(cost.transmissions == least_transmissions(d, d == 0 ? 0 : blocks));
        CHECK(cost.transmissions == transmissions_bound(cube, problem).value);
        if (d > 0 && blocks + 4 >= 4 * std::size_t{d}) {
            CHECK(cost.steps == blocks);
            CHECK(steps_bound(cube, PortModel::all, problem).value == blocks);
        } else if (d > 0) {
            CHECK(cost.steps == (blocks + 1) / 2 + 2 * d - 2);
        }
    });
}

TEST_CASE("scan: halving-doubling with every number of halvings gives the sums, as many steps as its rounds have",
          "[algorithms][scan][slow]")
{
    for (unsigned d = 0; d <= smaller(6U, 4U); ++d)
        for (std::size_t blocks = 1; blocks <= (std::size_t{1} << d) + 3; blocks += 1 + blocks / 9)
            for (const Collective collective : scans)
                for (unsigned q = 0; q <= d; ++q) {
                    CAPTURE(d, blocks, name(collective), q);
                    Problem problem = scan_problem(collective, blocks);
                    problem.tuning.halvings = q;
                    const Report report = scanned(d, PortModel::one, problem, "halving-doubling", 2);
                    std::uint64_t steps = (d - q) * ((blocks - 1) / (std::size_t{1} << q) + 1);
                    for (unsigned k = 1; k <= q; ++k)
                        steps += 2 * ((blocks - 1) / (std::size_t{1} << k) + 1);
                    CHECK(report.verified);
                    CHECK(report.counts.steps == steps);
                    if (q == d)
                        CHECK(report.counts.transmissions == least_transmissions(d, blocks));
                }
}

TEST_CASE("scan: halving-doubling takes 2 m (N - 1)/N steps if N divides m", "[algorithms][scan]")
{
    const auto cost = [](unsigned d, std::size_t blocks) {
        const Topology cube = Topology::hypercube(d);
        const Problem problem{Collective::scan, 1, blocks};
        return find_algorithm(cube, PortModel::one, problem, "halving-doubling").cost(cube, problem);
    };
    CHECK(cost(3, 8).steps == 14);
    CHECK(cost(5, 32).steps == 62);
    CHECK(cost(7, 128).steps == 254);
    for (unsigned d = 1; d <= 10; ++d)
        for (const std::size_t times : {1U, 2U, 5U}) {
            const std::size_t n = std::size_t{1} << d;
            CHECK(cost(d, times * n) == Cost{2 * times * (n - 1), least_transmissions(d, times * n)});
        }
}

TEST_CASE("scan: auto takes the exchange for few blocks, and up-down where it is faster or sends less",
          "[algorithms][scan]")
{
    const auto chosen = [](unsigned d, PortModel ports, std::size_t blocks) {
        return find_algorithm(Topology::hypercube(d), ports, {Collective::scan, 1, blocks}).name;
    };
    for (unsigned d = 2; d <= 8; ++d) {
        CHECK(chosen(d, PortModel::all, 1) == "exchange");
        CHECK(chosen(d, PortModel::all, 2 * d) == "up-down");
        CHECK(chosen(d, PortModel::all, 4 * d - 4) == "up-down");
        CHECK(chosen(d, PortModel::one, std::size_t{1} << d) == "halving-doubling");
    }
}

TEST_CASE("scan: floats, minima and single bytes are right too, in place and with several threads",
          "[algorithms][scan]")
{
    for (const Collective collective : scans)
        for (const char* const algorithm : {"exchange", "up-down", "exchange-one-port", "halving-doubling"})
            for (const auto& [operation, type] : {std::pair(Operation::sum, ElementType::float32),
                                                  {Operation::min, ElementType::int16},
                                                  {Operation::bit_xor, ElementType::uint8},
                                                  {Operation::sum, ElementType::float64}}) {
                Problem problem{collective, 3 * size_of(type), 9, 0, operation, type};
                CAPTURE(name(collective), algorithm, name(operation), name(type));
                const std::string apart = scanned(4, PortModel::all, problem, algorithm, 1).result_digest;
                problem.in_place = true;
                CHECK(scanned(4, PortModel::all, problem, algorithm, 3).result_digest == apart);
            }
}

TEST_CASE("scan: the first node of an exscan keeps its output, and a program that changes it is found",
          "[algorithms][scan][negative]")
{
    const Topology alone = Topology::hypercube(0);
    const Problem problem{.collective = Collective::exscan, .bytes = 4, .type = ElementType::uint32};
    Machine machine(alone);
    CHECK(run_verified(machine, problem).verified);
    Algorithm meddling = find_algorithm(alone, PortModel::all, problem, "exchange");
    meddling.prepare = [](const Topology&, const Problem&) -> CollectiveProgram {
        return [](Node& me, NodeData data) -> Task {
            me.copy(data.output, data.input);
            co_return;
        };
    };
    CHECK_THROWS_WITH(run_verified(machine, meddling, problem),
                      "node 0: its output has changed, and no node comes before it");
}

TEST_CASE("scan: a wrong order of operands is found where the operation does not commute",
          "[algorithms][scan][negative]")
{
    Machine machine(Topology::hypercube(1));
    const Algorithm turned{.collective = Collective::scan,
                           .name = "turned",
                           .keeps_order = true,
                           .cost =
                               [](const Topology&, const Problem&) {
                                   return Cost{1, 1};
                               },
                           .prepare = [](const Topology&, const Problem& problem) -> CollectiveProgram {
                               return [combine = combiner(problem)](Node& me, NodeData data) -> Task {
                                   if (me.id() == 0) {
                                       me.send(0, data.input);
                                       me.copy(data.output, data.input);
                                   }
                                   co_await me.next_step();
                                   if (me.id() == 1)
                                       me.receive(0, data.output, data.input, combine);  // its own in front
                               };
                           }};
    CHECK_THROWS_WITH(run_verified(machine, turned, scan_problem(Collective::scan, 1)),
                      Catch::Contains("node 1: byte") && Catch::Contains("the composition of the messages of nodes 0"));
    CHECK(run_verified(machine, turned, {.collective = Collective::scan}).verified);  // a sum commutes
}

TEST_CASE("scan: where links take time messages are cut into groups, and never worse than whole", "[algorithms][scan]")
{
    for (const unsigned d : {2U, 4U})
        for (const std::size_t bytes : {8U, 4096U}) {
            const Topology cube = Topology::hypercube(d);
            Problem problem{.collective = Collective::scan, .bytes = bytes};
            problem.own_operation = test_support::map_composition();
            problem.link = {LinkKind::link_bound, {1, 1}, {100, 1}, LinkClock::data_driven};
            const Rational whole{static_cast<std::int64_t>(d * (bytes + 100)), 1};
            const Entry& best = find_algorithm(cube, PortModel::all, problem);
            const Rational predicted = predicted_time(best, cube, problem).value().ns;
            CAPTURE(d, bytes, best.name);
            CHECK(predicted <= whole);
            CHECK((predicted < whole) == (bytes == 4096));
            CHECK(time_bound(cube, problem).value <= predicted);
            Machine machine(cube, {.link = problem.link});
            const Report report = run_verified(machine, problem);
            CHECK(report.verified);
            CHECK(report.virtual_time_ns == predicted);
        }
}
