// All-reduce of few blocks: by an all-gather, and with one port by dimensions. The choice of "auto", against replayed
// schedules of other sources; and results that are the same at all nodes.

#include "tests/support/catch.hpp"
#include "tests/support/link_bound.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace dcube;
using namespace test_support;

namespace {

Topology list_of_edges(const std::string& network)
{
    const Topology named = Topology::parse(network);
    std::string edges;
    for (NodeId node = 0; node < named.nodes(); ++node)
        for (Port port = 0; port < named.ports(node); ++port)
            if (const NodeId other = named.neighbour(node, port); node < other)
                edges += std::to_string(node) + " " + std::to_string(other) + "\n";
    return Topology::product({Graph::from_text(network + " as a list", edges)});
}

std::uint64_t best_steps(const Topology& topology, PortModel ports, std::size_t blocks = 1)
{
    const Problem problem{Collective::all_reduce, 8, blocks};
    return find_algorithm(topology, ports, problem).cost(topology, problem).steps;
}
std::uint64_t best_steps(const std::string& network, PortModel ports, std::size_t blocks = 1)
{
    return best_steps(Topology::parse(network), ports, blocks);
}

// Two quads, and a link between the same nodes of both.
Topology hybrid_cube_mesh()
{
    std::string edges;
    for (NodeId quad = 0; quad < 8; quad += 4)
        for (NodeId a = quad; a < quad + 4; ++a)
            for (NodeId b = a + 1; b < quad + 4; ++b)
                edges += std::to_string(a) + " " + std::to_string(b) + "\n";
    for (NodeId a = 0; a < 4; ++a)
        edges += std::to_string(a) + " " + std::to_string(a + 4) + "\n";
    return Topology::product({Graph::from_text("hybrid cube mesh", edges)});
}

void compose(std::byte* into, const std::byte* a, const std::byte* b, std::size_t bytes)
{
    for (std::size_t i = 0; i < bytes; i += 2) {  // x -> m x + c: first a, then b
        const auto m = std::to_integer<unsigned>(a[i]) * std::to_integer<unsigned>(b[i]);
        const auto c =
            std::to_integer<unsigned>(a[i + 1]) * std::to_integer<unsigned>(b[i]) + std::to_integer<unsigned>(b[i + 1]);
        into[i] = static_cast<std::byte>(m);
        into[i + 1] = static_cast<std::byte>(c);
    }
}

constexpr const char* all_reduce_entries[] = {"gather-and-combine", "gather-and-combine-one", "recursive-doubling",
                                              "merged-groups", "merged-groups-one"};
constexpr const char* small_networks[] = {"petersen",
                                          "ring:5",
                                          "ring:8",
                                          "complete:5",
                                          "complete:7",
                                          "complete:12",
                                          "torus:3x4",
                                          "ring:5*path:3",
                                          "ghc:4x4",
                                          "path:4",
                                          "hypercube:3 without 7",
                                          "hypercube:4 without 0-1",
                                          "star:3",
                                          "mesh:2x3"};

}  // namespace

TEST_CASE("all-reduce takes no more steps than an all-gather followed by local sums", "[all-reduce]")
{
    using enum PortModel;
    CHECK(best_steps(list_of_edges("complete:8"), all) == 1);
    CHECK(best_steps("circulant:9,1,3", all) == 2);
    CHECK(best_steps(hybrid_cube_mesh(), all) == 2);
    CHECK(best_steps("petersen", all) == 3);
    CHECK(best_steps(list_of_edges("ring:8"), all) == 4);
    CHECK(best_steps("hypercube:3 without 0-1", all) == 3);
    CHECK(best_steps("hypercube:4 without 0-1", all) == 4);
    CHECK(best_steps("complete:5", one) <= 4);
}

TEST_CASE("all-reduce on links that take time takes no more time than an all-gather followed by local sums",
          "[all-reduce][link-bound]")
{
    Problem problem{Collective::all_reduce, 8, 1};
    problem.link = {LinkKind::link_bound, {1, 25}, {1000, 1}, LinkClock::data_driven};
    const auto time = [&](const Topology& topology) {
        return predicted_time(find_algorithm(topology, PortModel::all, problem), topology, problem)->ns;
    };
    CHECK(time(Topology::parse("petersen")) == Rational{50024, 25});  // two hops: 8/25 + 1000, then 16/25 + 1000
    CHECK(time(list_of_edges("ring:8")) == Rational{100032, 25});     // 4 of them
}

TEST_CASE("all-reduce on a complete graph with one port takes log2 n steps", "[all-reduce]")
{
    const std::pair<const char*, std::uint64_t> steps_of[] = {
        {"complete:3", 2}, {"complete:4", 2},  {"complete:5", 3},  {"complete:6", 3},  {"complete:7", 4},
        {"complete:8", 3}, {"complete:16", 4}, {"complete:32", 5}, {"complete:33", 7}, {"complete:512", 9}};
    for (const auto& [network, steps] : steps_of) {
        CAPTURE(network);
        CHECK(best_steps(network, PortModel::one) == steps);
    }
    CHECK(best_steps(list_of_edges("complete:8"), PortModel::one) == 3);
}

TEST_CASE("all-reduce with one port takes as many steps on a product that is a cube as on the cube", "[all-reduce]")
{
    CHECK(best_steps("torus:4x4", PortModel::one) == 4);
    CHECK(best_steps("ghc:4x4", PortModel::one) == 4);
    CHECK(best_steps("torus:4x4x4", PortModel::one) == 6);
    CHECK(best_steps("ring:4*complete:8*path:2", PortModel::one) == 6);
    CHECK(best_steps("ghc:2x4", PortModel::one) == 3);
}

TEST_CASE("all-reduce by gathering and by dimensions gives every byte, at the promised cost, on machines of every kind",
          "[all-reduce]")
{
    Sample sample;
    for (const char* const network : small_networks)
        for (const char* const entry : all_reduce_entries)
            for (const std::size_t blocks : {1U, 3U}) {
                const Topology topology = Topology::parse(network);
                const Problem problem{Collective::all_reduce, 4, blocks, 0, Operation::sum, ElementType::int32};
                const auto known = algorithms_for(Collective::all_reduce);
                const auto found = std::ranges::find(known, std::string_view(entry), &Entry::name);
                REQUIRE(found != known.end());
                if (!obstacle_of(**found, topology, (*found)->ports, problem).empty() || !sample.takes_next())
                    continue;
                CAPTURE(network, entry, blocks);
                Machine machine(topology, {.ports = (*found)->ports, .threads = 3, .watch_lent_bytes = true});
                CallOptions call;
                call.algorithm = entry;
                const Report report = run_verified(machine, problem, {}, call);
                CHECK(report.verified);
                CHECK(report.counts.steps == (*found)->cost(topology, problem).steps);
                CHECK(report.counts.transmissions == (*found)->cost(topology, problem).transmissions);
                CHECK(report.counts.storage_bytes <= storage_of(**found, topology, problem));
            }
}

TEST_CASE("all-reduce by gathering and by dimensions takes the predicted times", "[all-reduce][link-bound]")
{
    for (const char* const network : {"petersen", "complete:5", "ring:5*path:3", "hypercube:3 without 7"})
        for (const std::size_t bytes : {8U, 1000U})
            for (const char* const entry : all_reduce_entries) {
                Problem problem{Collective::all_reduce, bytes, 1};
                problem.link = link_bound(1, 100);
                const Topology topology = Topology::parse(network);
                const auto known = algorithms_for(Collective::all_reduce);
                const Entry& algorithm = **std::ranges::find(known, std::string_view(entry), &Entry::name);
                if (!obstacle_of(algorithm, topology, PortModel::all, problem).empty())
                    continue;
                CAPTURE(network, bytes, entry);
                MachineOptions options{.threads = 2};
                options.link = problem.link;
                Machine machine(topology, options);
                const Report report = run_verified(machine, algorithm, problem);
                const auto time = predicted_time(algorithm, topology, problem);
                REQUIRE(time);
                CHECK(time->exact);
                CHECK(report.virtual_time_ns == time->ns);
                const auto bytes_over_links = predicted_link_bytes(algorithm, topology, problem);
                CHECK(bytes_over_links.value_or(report.counts.bytes) == report.counts.bytes);
            }
}

TEST_CASE("all-reduce combines with operations that do not commute on any network", "[all-reduce]")
{
    for (const char* const network : small_networks)
        for (const PortModel ports : {PortModel::all, PortModel::one}) {
            const Topology topology = Topology::parse(network);
            Machine machine(topology, {.ports = ports, .threads = 2});
            Problem problem{Collective::all_reduce, 4, 2};
            problem.own_operation =
                OwnOperation{.name = "composition", .combine = compose, .element = 2, .commutative = false};
            CAPTURE(network, ports);
            CHECK(run_verified(machine, problem).verified);
        }
    const Topology ring = Topology::parse("ring:70");
    Problem problem{Collective::all_reduce, 4, 1};
    problem.own_operation = OwnOperation{.name = "composition", .combine = compose, .element = 2, .commutative = false};
    CHECK_THROWS_WITH(find_algorithm(ring, PortModel::one, problem, "merged-groups-one"),
                      Catch::Contains("a factor has 70 nodes: at most 64 are allowed"));
}

TEST_CASE("all-reduce by gathering and by dimensions gives all nodes the same bits of floats", "[all-reduce]")
{
    std::mt19937 random(3);
    for (const char* const network : small_networks)
        for (const char* const entry : all_reduce_entries) {
            const Topology topology = Topology::parse(network);
            const Problem problem{Collective::all_reduce, 40, 1, 0, Operation::sum, ElementType::float32};
            const auto known = algorithms_for(Collective::all_reduce);
            const Entry& algorithm = **std::ranges::find(known, std::string_view(entry), &Entry::name);
            if (!obstacle_of(algorithm, topology, algorithm.ports, problem).empty())
                continue;
            CAPTURE(network, entry);
            std::vector<float> input(10 * topology.nodes());
            for (float& one : input)
                one = std::ldexp(static_cast<float>(random() % 2001) - 1000, static_cast<int>(random() % 40));
            std::vector<float> output(input.size());
            Machine machine(topology, {.ports = algorithm.ports, .threads = 2});
            run(machine, algorithm, problem, std::as_bytes(std::span(input)),
                std::as_writable_bytes(std::span(output)));
            for (NodeId number = 1; number < topology.members(); ++number)
                CHECK(std::memcmp(&output[10 * topology.member(number)], &output[10 * topology.member(0)], 40) == 0);
        }
}

TEST_CASE("all-reduce does not gather blocks that would take too much memory", "[all-reduce][negative]")
{
    const Topology topology = Topology::parse("complete:512");
    CHECK_THROWS_WITH(
        find_algorithm(topology, PortModel::all, {Collective::all_reduce, std::size_t{1} << 20, 1},
                       "gather-and-combine"),
        Catch::Contains(
            "its nodes would hold 274877906944 bytes, the blocks of all nodes at each: at most 4294967296 are "
            "allowed"));
}
