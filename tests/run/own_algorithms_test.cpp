// Algorithms and operations of the caller's own: run, verified, counted; and refused where they cannot be.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include <dcube/dcube.hpp>

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

using namespace dcube;
using test_support::error_of;

namespace {

// Broadcast along a path, from node 0.
Schedule along_path(const Topology& path, const Problem& problem)
{
    Schedule schedule{.symmetry = Symmetry::none, .steps = path.nodes() - 2 + static_cast<Step>(problem.packets)};
    for (NodeId node = 0; node + 1 < path.nodes(); ++node)
        for (std::uint32_t copy = 0; copy < problem.packets; ++copy)
            schedule.hops.push_back({.step = node + copy + 1,
                                     .from = node,
                                     .port = path.ports(node) - 1,
                                     .packet = {.origin = 0, .copy = copy}});
    return schedule;
}

// Reduce to node 0 in the order of the nodes: node n holds the product of the 2^k nodes from n on, and so does its
// partner, which comes behind.
Schedule in_order(const Topology& cube, const Problem& problem)
{
    Schedule schedule{.steps = cube.dimension()};
    for (Port k = 0; k < cube.dimension(); ++k)
        for (NodeId node = 0; node < cube.nodes(); node += NodeId{2} << k)
            schedule.hops.push_back({.step = k + 1,
                                     .from = node | NodeId{1} << k,
                                     .port = k,
                                     .packet = {.target = problem.root},
                                     .arrival = Arrival::added});
    return schedule;
}

// x -> a x + b modulo 256, one after the other: associative, and f after g is not g after f.
void compose(std::byte* into, const std::byte* a, const std::byte* b, std::size_t bytes)
{
    for (std::size_t i = 0; i < bytes; i += 2) {
        const auto at = [i](const std::byte* f, std::size_t j) { return std::to_integer<unsigned>(f[i + j]); };
        const unsigned factor = at(a, 0) * at(b, 0);
        const unsigned offset = at(a, 0) * at(b, 1) + at(a, 1);
        into[i] = static_cast<std::byte>(factor);
        into[i + 1] = static_cast<std::byte>(offset);
    }
}

OwnOperation composition()
{
    return {.name = "composition", .combine = compose, .element = 2, .commutative = false};
}

// The product of three-byte elements, byte by byte.
void multiply(std::byte* into, const std::byte* a, const std::byte* b, std::size_t bytes)
{
    for (std::size_t i = 0; i < bytes; ++i)
        into[i] = static_cast<std::byte>(std::to_integer<unsigned>(a[i]) * std::to_integer<unsigned>(b[i]));
}

Problem with(Collective collective, std::size_t bytes, const OwnOperation& operation)
{
    Problem problem{.collective = collective, .bytes = bytes};
    problem.own_operation = operation;
    return problem;
}

// Every node sends its byte along all ports: nothing more is needed where all are neighbours.
Task to_neighbours(Node& me, NodeData data)
{
    std::memcpy(data.output.data() + me.id() * data.input.size(), data.input.data(), data.input.size());
    for (Port port = 0; port < me.ports(); ++port)
        me.send(port, data.input);
    co_await me.next_step();
    for (Port port = 0; port < me.ports(); ++port) {
        const NodeId from = me.topology().neighbour(me.id(), port);
        me.receive(port, data.output.subspan(from * data.input.size(), data.input.size()));
    }
}

Algorithm neighbours()
{
    return {.collective = Collective::all_gather,
            .name = "neighbours",
            .networks = Networks::products,
            .prepare = [](const Topology&, const Problem&) -> CollectiveProgram { return to_neighbours; }};
}

}  // namespace

TEST_CASE("own algorithms: a schedule is run, verified, counted and compared with the bounds", "[run]")
{
    Machine machine(Topology::parse("path:5"), {.watch_lent_bytes = true});
    const Algorithm mine = algorithm_of({.collective = Collective::broadcast, .name = "along-path"}, along_path);
    const Report report = run_verified(machine, mine, {.collective = Collective::broadcast, .bytes = 12, .packets = 3});
    CHECK(report.verified);
    CHECK(report.algorithm == "along-path");
    CHECK(report.origin == "own");
    CHECK(report.counts.steps == 6);
    CHECK(report.counts.transmissions == 12);
    CHECK(report.steps_lower_bound == 6);
}

TEST_CASE("own algorithms: a coroutine is an algorithm too, on data of the caller's", "[run]")
{
    Machine machine(Topology::parse("complete:4"));
    const std::vector<std::byte> input{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
    std::vector<std::byte> output(16);
    const Report report = run(machine, neighbours(), {.collective = Collective::all_gather, .bytes = 1}, input, output);
    CHECK(report.counts.steps == 1);
    for (std::size_t i = 0; i < output.size(); ++i)
        CHECK(output[i] == input[i % 4]);
    CHECK(run_verified(machine, neighbours(), {.collective = Collective::all_gather, .bytes = 7}).verified);
}

TEST_CASE("own algorithms: an algorithm that does not achieve its collective fails verification", "[run][negative]")
{
    Machine machine(Topology::parse("ring:5"));
    CHECK_THROWS_AS(run_verified(machine, neighbours(), {.collective = Collective::all_gather}), VerificationError);
}

TEST_CASE("own algorithms: an algorithm for another collective, without a program, or with an obstacle is refused",
          "[run][negative]")
{
    Machine machine(Topology::parse("path:3"));
    const auto refused = [&](const Algorithm& algorithm, const Problem& problem) {
        return error_of([&] { run_verified(machine, algorithm, problem); });
    };
    CHECK(refused(neighbours(), {.collective = Collective::gather}) ==
          "algorithm: gather by neighbours is not possible here: it is for all-gather");
    CHECK(refused({.collective = Collective::gather, .name = "none", .networks = Networks::products},
                  {.collective = Collective::gather}) ==
          "algorithm: gather by none is not possible here: it has no program");
    Algorithm cubes = neighbours();
    cubes.networks = Networks::hypercubes;
    CHECK(refused(cubes, {.collective = Collective::all_gather}) ==
          "algorithm: all-gather by neighbours is not possible here: it is for hypercubes");
}

TEST_CASE("own operations: every algorithm that reduces combines them", "[run]")
{
    const OwnOperation product{.name = "product", .combine = multiply, .element = 3};
    std::size_t runs = 0;
    for (const Entry& algorithm : catalogue()) {
        if (!is_reduction(algorithm.collective))
            continue;
        for (const char* const network : {"hypercube:3", "hypercube:4", "torus:3x3"}) {
            const Topology topology = Topology::parse(network);
            Problem problem = with(algorithm.collective, 15, product);
            problem.packets = topology.nodes();
            if (algorithm.link == LinkKind::link_bound)
                problem.link = {LinkKind::link_bound, {1, 1}, {9, 1}, LinkClock::data_driven};
            if (!obstacle_of(algorithm, topology, algorithm.ports, problem).empty())
                continue;
            CAPTURE(name(algorithm.collective), algorithm.name, network);
            Machine machine(topology, {.ports = algorithm.ports, .link = problem.link});
            CHECK(run_verified(machine, algorithm, problem, {}).verified);
            ++runs;
        }
    }
    CHECK(runs > 30);
}

TEST_CASE("own operations: one that does not commute is refused by algorithms that do not keep the nodes' order",
          "[run][negative]")
{
    Machine machine(Topology::hypercube(3));
    CHECK_THAT(error_of([&] { run_verified(machine, with(Collective::reduce, 4, composition())); }),
               Catch::Contains("does not combine in the order of the nodes, and the operation 'composition' does not "
                               "commute"));
}

TEST_CASE("own operations: a schedule that keeps the nodes' order combines operations that do not commute", "[run]")
{
    for (unsigned d = 0; d <= 5; ++d) {
        Machine machine(Topology::hypercube(d), {.ports = PortModel::one, .watch_lent_bytes = true});
        const Algorithm ordered = algorithm_of(
            {.collective = Collective::reduce, .name = "in-order", .ports = PortModel::one, .keeps_order = true},
            in_order);
        const Report report = run_verified(machine, ordered, with(Collective::reduce, 4096, composition()));
        CHECK(report.verified);
        CHECK(report.counts.steps == d);
        CHECK(report.steps_optimal());
    }
}

TEST_CASE("own operations: on a ring every node combines in the nodes' order", "[run]")
{
    for (const char* const network : {"ring:3", "ring:4", "ring:7", "ring:12"}) {
        CAPTURE(network);
        Machine machine(Topology::parse(network), {.watch_lent_bytes = true});
        const Report report = run_verified(machine, with(Collective::all_reduce, 64, composition()));
        CHECK(report.algorithm == "window-sums");
        CHECK(report.steps_optimal());
        CHECK(report.same_bits == std::optional(true));
    }
}

TEST_CASE("own operations: an algorithm that wrongly claims to keep the nodes' order fails verification",
          "[run][negative]")
{
    Machine machine(Topology::hypercube(3));
    Algorithm boasting = find_algorithm(machine.topology(), PortModel::all, {Collective::all_reduce, 64}, "exchange");
    boasting.keeps_order = true;
    CHECK_THROWS_AS(run_verified(machine, boasting, with(Collective::all_reduce, 64, composition())),
                    VerificationError);
}

TEST_CASE("own operations: a call combines the caller's data", "[run]")
{
    constexpr NodeId nodes = 8;
    Machine machine(Topology::hypercube(3));
    const OwnOperation longest{.name = "longest",
                               .combine =
                                   [](std::byte* into, const std::byte* a, const std::byte* b, std::size_t bytes) {
                                       for (std::size_t i = 0; i < bytes; i += 4) {
                                           const bool first = a[i] > b[i] || (a[i] == b[i] && a[i + 1] <= b[i + 1]);
                                           std::memmove(into + i, (first ? a : b) + i, 4);
                                       }
                                   },
                               .element = 4};
    std::vector<std::byte> vectors(nodes * 4);
    for (NodeId node = 0; node < nodes; ++node) {
        vectors[node * 4] = static_cast<std::byte>(node == 3 || node == 6 ? 9 : node);
        vectors[node * 4 + 1] = static_cast<std::byte>(node);
    }
    std::vector<std::byte> everywhere(nodes * 4);
    all_reduce(machine, vectors, everywhere, 4, longest);
    for (NodeId node = 0; node < nodes; ++node)
        CHECK(everywhere[node * 4 + 1] == std::byte{3});
    std::vector<std::byte> one(4);
    reduce(machine, vectors, one, 5, 4, longest);
    CHECK(one[1] == std::byte{3});
    std::vector<std::byte> blocks(nodes * nodes * 4);
    for (std::size_t i = 0; i < nodes * nodes; ++i)
        blocks[i * 4] = static_cast<std::byte>(i);
    std::vector<std::byte> sums(nodes * 4);
    reduce_scatter(machine, blocks, sums, 4, longest);
    for (NodeId node = 0; node < nodes; ++node)
        CHECK(sums[node * 4] == static_cast<std::byte>((nodes - 1) * nodes + node));
}

TEST_CASE("own operations: results are compared by what the operation calls the same", "[run]")
{
    Machine machine(Topology::hypercube(3));
    OwnOperation sloppy{.name = "sloppy",
                        .combine = [](std::byte* into, const std::byte* a, const std::byte* b,
                                      std::size_t bytes) {  // the low bits depend on the order
                            for (std::size_t i = 0; i < bytes; ++i) {
                                const unsigned sum = std::to_integer<unsigned>(a[i] & std::byte{0x80}) ^
                                                     std::to_integer<unsigned>(b[i] & std::byte{0x80});
                                into[i] = static_cast<std::byte>(sum | std::to_integer<unsigned>(a[i] & std::byte{1}));
                            }
                        }};
    const Problem problem = with(Collective::all_reduce, 64, sloppy);
    CHECK_THROWS_AS(run_verified(machine, problem), VerificationError);
    sloppy.same = [](const std::byte* expected, const std::byte* found, std::size_t bytes) {
        for (std::size_t i = 0; i < bytes; ++i)
            if (((expected[i] ^ found[i]) & std::byte{0x80}) != std::byte{0})
                return false;
        return true;
    };
    CHECK(run_verified(machine, with(Collective::all_reduce, 64, sloppy)).verified);
}

TEST_CASE(
    "own operations: an operation without a function, of no bytes, or whose elements do not fill packets is refused",
    "[run][negative]")
{
    Machine machine(Topology::hypercube(2));
    const auto refused = [&](const OwnOperation& operation) {
        return error_of([&] { run_verified(machine, with(Collective::reduce, 8, operation)); });
    };
    CHECK(refused({.name = "none"}) == "the operation 'none' has no function that combines");
    CHECK(refused({.name = "nothing", .combine = multiply, .element = 0}) ==
          "the operation 'nothing' is of elements of 0 bytes: 1 byte or more is allowed");
    CHECK(refused({.name = "three", .combine = multiply, .element = 3}) ==
          "bytes: packets of 8 bytes do not hold whole three elements: a multiple of 3 bytes is allowed");
}
