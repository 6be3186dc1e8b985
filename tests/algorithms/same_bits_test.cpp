// All-reduce of floats: one result at all nodes, whatever the order in which an algorithm adds.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/link_bound.hpp"
#include "tests/support/local_world.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/rough_floats.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

using namespace dcube;
using namespace test_support;

namespace {

constexpr std::size_t elements = 20;  // per block

std::vector<Topology> networks_of_all_kinds()
{
    std::vector<Topology> all;
    for (unsigned d = 0; d <= 5; ++d)
        all.push_back(Topology::hypercube(d));
    for (NodeId nodes = 3; nodes <= 8; ++nodes) {
        all.push_back(Topology::product({Graph::ring(nodes)}));
        all.push_back(Topology::product({Graph::complete(nodes)}));
    }
    for (const char* const text :
         {"ring:13", "torus:3x3", "torus:4x4", "mesh:3x4", "path:7", "ghc:3x4", "ring:5*path:4",
          "ring:3*path:2*complete:4", "petersen", "star:4", "ccc:3", "hypercube:4 without 3 0-1", "torus:4x3 without 5",
          "ring:9 without 0-1", "complete:6 without 2", "ring:5 with 0-1:3:50"})
        all.push_back(Topology::parse(text));
    for (unsigned seed = 1; seed <= 3; ++seed)
        all.push_back(dcube::test::random_product(seed));
    return all;
}

// All nodes' data in the end.
struct Ended {
    Report report;
    Bytes output;
};

Ended all_reduce_of(Machine& machine, const Entry& algorithm, const Problem& problem, std::span<const std::byte> input)
{
    Ended ended;
    const VerifiedRunOptions how{.input = input, .output = [&](std::span<const std::byte> output) {
                                     ended.output.assign(output.begin(), output.end());
                                 }};
    ended.report = run_verified(machine, algorithm, problem, how);
    return ended;
}

// Whether all nodes hold what the first one does.
bool alike(const Topology& topology, const Bytes& output)
{
    const std::size_t message = output.size() / topology.nodes();
    const std::byte* const first = output.data() + topology.member(0) * message;
    for (NodeId number = 1; number < topology.members(); ++number)
        if (std::memcmp(first, output.data() + topology.member(number) * message, message) != 0)
            return false;
    return true;
}

Problem sum_of_blocks(ElementType type, std::size_t blocks, const LinkModel& link = {})
{
    Problem problem{.collective = Collective::all_reduce, .bytes = elements * size_of(type), .packets = blocks};
    problem.type = type;
    problem.link = link;
    return problem;
}

// Both types; few blocks and, where that is planned quickly, as many as nodes; links that take time where nodes are
// few.
std::vector<Problem> sums_on(const Topology& topology)
{
    using enum ElementType;
    const bool small = topology.nodes() <= 9;
    std::vector<Problem> all{sum_of_blocks(float32, 1), sum_of_blocks(float64, 1), sum_of_blocks(float32, 3)};
    if (small || topology.is_hypercube())
        all.push_back(sum_of_blocks(float64, topology.nodes()));
    if (small)
        for (const LinkModel& link :
             {link_bound(1, 10), LinkModel{LinkKind::link_bound, {5, 2}, {7, 3}, LinkClock::lockstep}})
            for (const ElementType type : {float32, float64})
                all.push_back(sum_of_blocks(type, 1, link));
    return all;
}

// Visits every algorithm that can do this problem on a network, with a machine of as many ports as it uses, but those
// that plan for long. Links that take time have all ports.
template <class Visit>
void for_each_all_reduce(const Topology& topology, const Problem& problem, const Visit& visit)
{
    const std::uint64_t most_work = problem.link.bound() ? 1'000'000 : 50'000'000;  // there many cuts are planned
    for (const Entry& algorithm : catalogue()) {
        const PortModel ports = problem.link.bound() ? PortModel::all : algorithm.ports;
        if (algorithm.collective == Collective::all_reduce &&
            obstacle_of(algorithm, topology, ports, problem).empty() &&
            algorithm.planning_work(topology, problem) < most_work) {
            Machine machine(topology, {.ports = ports, .link = problem.link, .threads = 2});
            visit(algorithm, machine);
        }
    }
}

}  // namespace

TEST_CASE("same bits: every all-reduce of the catalogue promises one result at all nodes", "[all-reduce]")
{
    for (const Entry& algorithm : catalogue()) {
        CAPTURE(algorithm.name);
        CHECK(algorithm.same_bits == (algorithm.collective == Collective::all_reduce));
    }
}

TEST_CASE("same bits: sums of floats that do not add exactly are the same at all nodes, on every network, in place too",
          "[all-reduce][slow]")
{
    Sample sample;
    std::set<std::string_view> names;
    std::set<std::string> digests;  // of one sum: the data show in which order it was made
    for (const Topology& topology : networks_of_all_kinds())
        for (const Problem& problem : sums_on(topology)) {
            const Bytes input = rough_floats(problem.type, topology.nodes(), elements * problem.packets);
            Problem in_place = problem;
            in_place.in_place = true;
            for_each_all_reduce(topology, problem, [&](const Entry& algorithm, Machine& machine) {
                if (!sample.takes_next())
                    return;
                CAPTURE(topology.name(), algorithm.name, name(problem.link.kind), name(problem.type), problem.packets);
                const Ended apart = all_reduce_of(machine, algorithm, problem, input);
                const Ended aside = all_reduce_of(machine, algorithm, in_place, input);
                CHECK(alike(topology, apart.output));
                CHECK(apart.report.same_bits == std::optional(true));
                CHECK(apart.report.comparison == Comparison::rounding);
                CHECK(aside.output == apart.output);
                CHECK(aside.report.result_digest == apart.report.result_digest);
                names.insert(algorithm.name);
                if (topology.name() == "ring:7" && problem.type == ElementType::float32 && problem.packets == 1)
                    digests.insert(apart.report.result_digest);
            });
        }
    if (!sanitized) {
        std::set<std::string_view> all;
        for (const Entry& algorithm : catalogue())
            if (algorithm.collective == Collective::all_reduce && algorithm.name != "earliest-arrival-in-order")
                all.insert(algorithm.name);  // that one is for operations that do not commute
        CHECK(names == all);
        CHECK(digests.size() > 1);
    }
}

TEST_CASE("same bits: minima and maxima with zeros and not-a-numbers are the same by every algorithm",
          "[all-reduce][slow]")
{
    Sample sample;
    for (const Topology& topology : networks_of_all_kinds())
        for (const Operation operation : {Operation::min, Operation::max})
            for (const ElementType type : {ElementType::float32, ElementType::float64}) {
                Problem problem = sum_of_blocks(type, 1);
                problem.operation = operation;
                const Bytes input = rough_floats(type, topology.nodes(), elements);
                std::set<std::string> digests;
                for_each_all_reduce(topology, problem, [&](const Entry& algorithm, Machine& machine) {
                    if (!sample.takes_next())
                        return;
                    CAPTURE(topology.name(), algorithm.name, name(operation), name(type));
                    const Ended ended = all_reduce_of(machine, algorithm, problem, input);
                    CHECK(alike(topology, ended.output));
                    CHECK(ended.report.comparison == Comparison::bytes);
                    digests.insert(ended.report.result_digest);
                });
                CHECK(digests.size() <= 1);
            }
}

TEST_CASE("same bits: collectives that programs await give one result, and that of a call", "[all-reduce][slow]")
{
    Sample sample;
    for (const Topology& topology : networks_of_all_kinds()) {
        const Problem problem = sum_of_blocks(ElementType::float32, 2);
        const Bytes input = rough_floats(ElementType::float32, topology.nodes(), 2 * elements);
        const std::size_t message = 2 * problem.bytes;
        for_each_all_reduce(topology, problem, [&](const Entry& algorithm, Machine& machine) {
            if (!sample.takes_next())
                return;
            CAPTURE(topology.name(), algorithm.name);
            const Prepared prepared(topology, machine.ports(), problem, algorithm);
            Bytes output(input.size());
            const auto at = [&](auto& bytes, NodeId node) { return std::span(bytes).subspan(node * message, message); };
            const auto program = [&](Node& me) -> Task {
                return prepared(me, at(input, me.id()), at(output, me.id()));
            };
            machine.run(program);
            CHECK(output == all_reduce_of(machine, algorithm, problem, input).output);
        });
    }
}

namespace {

// The sum that pairs of neighbours make, pairs of these, and so on: of the nodes from `first` on, at most 2^level.
template <class T>
T in_pairs(const std::vector<T>& shares, std::size_t first, unsigned level)
{
    if (level == 0)
        return shares[first];
    const std::size_t half = std::size_t{1} << (level - 1);
    const T lower = in_pairs(shares, first, level - 1);
    return first + half < shares.size() ? lower + in_pairs(shares, first + half, level - 1) : lower;
}

}  // namespace

TEST_CASE("window sums: every node adds in pairs of neighbours, on rings and complete graphs of all sizes",
          "[all-reduce]")
{
    std::mt19937_64 random(5);
    for (NodeId nodes = 3; nodes <= smaller(70U, 20U); ++nodes)
        for (const auto& [kind, algorithm] :
             {std::pair("ring:", "window-sums"), std::pair("complete:", "by-dimensions")}) {
            CAPTURE(nodes, kind);
            const Topology topology = Topology::parse(kind + std::to_string(nodes));
            std::vector<float> shares;
            for (NodeId node = 0; node < nodes; ++node)
                shares.push_back(rough_float<float>(node, 3, random));
            std::vector<float> sums(nodes);
            Machine machine(topology);
            all_reduce(machine, std::as_bytes(std::span(shares)), std::as_writable_bytes(std::span(sums)), 4,
                       Operation::sum, ElementType::float32, {.algorithm = algorithm});
            CHECK(sums == std::vector<float>(nodes, in_pairs(shares, 0, 7)));
        }
}

namespace {

// On a ring every share goes round, and every node adds them as they come: its own first, then its left neighbour's.
Task round_and_round(Node& me, NodeData data, Combine combine)
{
    const std::span<std::byte> passing = me.allocate(2 * data.input.size());
    me.copy(data.output, data.input);
    std::span<const std::byte> last = data.input;
    for (NodeId t = 1; t < me.topology().nodes(); ++t) {
        me.send(0, last);
        co_await me.next_step();
        const std::span<std::byte> next = passing.subspan(t % 2 * data.input.size(), data.input.size());
        me.receive(1, next);
        me.combine(data.output, data.output, next, combine);
        last = next;
    }
}

Algorithm as_they_come(bool promised)
{
    return {.collective = Collective::all_reduce,
            .name = "as-they-come",
            .networks = Networks::products,
            .same_bits = promised,
            .prepare = [](const Topology&, const Problem& problem) -> CollectiveProgram {
                return [combine = combiner(problem)](Node& me, NodeData data) {
                    return round_and_round(me, data, combine);
                };
            }};
}

const std::vector<float> cancelling{1e8F, 1, -1e8F, 1, 1, 1, 1};

}  // namespace

TEST_CASE("same bits: an algorithm that promises them and adds in another order at every node is found out",
          "[all-reduce][negative]")
{
    Machine machine(Topology::parse("ring:7"));
    Problem problem{.collective = Collective::all_reduce, .bytes = 4};
    problem.type = ElementType::float32;
    const Bytes input = bytes_of(cancelling);
    CHECK_THROWS_MATCHES(run_verified(machine, as_they_come(true), problem, {.input = input}), VerificationError,
                         Catch::Message("node 1: the sum of all nodes' messages has other bits than at node 0: by "
                                        "as-they-come all nodes should have the same"));
    // Exact additions show nothing, and a minimum has no order.
    CHECK(run_verified(machine, as_they_come(true), problem).same_bits == std::optional(true));
    problem.operation = Operation::min;
    CHECK(run_verified(machine, as_they_come(true), problem, {.input = input}).same_bits == std::optional(true));
}

TEST_CASE("same bits: ranks compare their nodes with each other's", "[all-reduce][world]")
{
    Problem problem{.collective = Collective::all_reduce, .bytes = 4};
    problem.type = ElementType::float32;
    const Bytes input = bytes_of(std::vector<float>{1e8F, -1e8F, 1, 1, 1, 1, 1});
    for (const unsigned ranks : {2U, 3U, 7U}) {
        std::vector<std::string> errors(ranks);
        std::vector<std::optional<bool>> same(2 * ranks);
        run_ranks(ranks, [&](const std::shared_ptr<World>& world) {
            Machine machine(Topology::parse("ring:7"), {.threads = 1, .world = world});
            const unsigned rank = world->rank();
            errors[rank] = error_of([&] { run_verified(machine, as_they_come(true), problem, {.input = input}); });
            same[rank] = run_verified(machine, as_they_come(false), problem, {.input = input}).same_bits;
            same[ranks + rank] = run_verified(machine, problem, {.input = input}).same_bits;
        });
        CAPTURE(ranks);
        CHECK(errors == std::vector<std::string>(ranks, errors.front()));
        CHECK_THAT(errors.front(), Catch::Contains("has other bits than at node 0"));
        for (unsigned rank = 0; rank < ranks; ++rank) {
            CHECK(same[rank] == std::optional(false));
            CHECK(same[ranks + rank] == std::optional(true));
        }
    }
}

TEST_CASE("same bits: without a promise the report says whether all nodes have the same bits", "[all-reduce]")
{
    Machine machine(Topology::parse("ring:7"));
    Problem problem{.collective = Collective::all_reduce, .bytes = 4};
    problem.type = ElementType::float32;
    const Bytes input = bytes_of(cancelling);
    CHECK(run_verified(machine, as_they_come(false), problem, {.input = input}).same_bits == std::optional(false));
    problem.own_operation = OwnOperation{
        .name = "float sum",
        .combine = combiner(Operation::sum, ElementType::float32),
        .element = 4,
        .same = [](const std::byte*, const std::byte*, std::size_t) { return true; },
    };
    for (const bool promised : {false, true}) {
        const Report report = run_verified(machine, as_they_come(promised), problem, {.input = input});
        CHECK(report.same_bits == std::optional(false));
        CHECK(report.comparison == Comparison::own);
    }
}
