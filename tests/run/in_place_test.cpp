// Runs in place: each node has one array, in which its output takes the place of its input.

#include "tests/support/catch.hpp"
#include "tests/support/local_world.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <vector>

using namespace dcube;
using test_support::run_ranks;
using test_support::smaller;

namespace {

Problem in_place(Collective collective, std::size_t bytes, std::size_t packets = 1)
{
    Problem problem{collective, bytes, packets};
    problem.in_place = true;
    if (is_reduction(collective))
        problem.type = ElementType::uint8;
    return problem;
}

Report run_by(const Topology& topology, const Problem& problem, const std::string& algorithm, unsigned threads,
              PortModel ports = PortModel::all)
{
    Machine machine(topology, {.ports = ports, .threads = threads, .watch_lent_bytes = true});
    CallOptions options;
    options.algorithm = algorithm;
    return run_verified(machine, problem, {.repeat = 2}, options);
}

// A run in place has the same costs as one that is not, and its nodes end with the same bytes.
void check_like_apart(const Topology& topology, const Problem& problem, const std::string& algorithm,
                      PortModel ports = PortModel::all)
{
    const Report there = run_by(topology, out_of_place(problem), algorithm, 1, ports);
    for (const unsigned threads : {1U, 2U}) {
        const Report here = run_by(topology, problem, algorithm, threads, ports);
        CHECK(here.result_digest == there.result_digest);
        CHECK(here.counts.steps == there.counts.steps);
        CHECK(here.counts.transmissions == there.counts.transmissions);
    }
}

constexpr Collective of_blocks[] = {Collective::all_to_all, Collective::all_gather, Collective::reduce_scatter,
                                    Collective::all_reduce, Collective::scan,       Collective::exscan};

}  // namespace

TEST_CASE("in place: on small cubes every algorithm gives the same result as out of place", "[run][in-place][slow]")
{
    for (unsigned d = 0; d <= smaller(6U, 5U, 3U); ++d)
        for (const Collective collective : of_blocks)
            for (const std::size_t packets :
                 d < 6 ? std::set<std::size_t>{1, 3, 8, std::size_t{1} << d} : std::set<std::size_t>{1, 3})
                for (const Entry* const algorithm : algorithms_for(collective)) {
                    const Topology cube = Topology::hypercube(d);
                    const Problem problem = in_place(collective, 8, packets);
                    if (algorithm->link != LinkKind::unit || !contains(algorithm->networks, cube) ||
                        !obstacle_of(*algorithm, cube, algorithm->ports, problem).empty())
                        continue;
                    CAPTURE(d, name(collective), packets, algorithm->name);
                    check_like_apart(cube, problem, std::string(algorithm->name), algorithm->ports);
                }
}

TEST_CASE("in place: on larger cubes auto gives the same result as out of place", "[run][in-place][long]")
{
    for (unsigned d = 7; d <= smaller(9U, 8U, 7U); ++d)
        for (const Collective collective : of_blocks) {
            CAPTURE(d, name(collective));
            check_like_apart(Topology::hypercube(d), in_place(collective, 4, d % 2 + 1), "auto");
        }
}

TEST_CASE("in place: on other networks every collective that can gives the same result as out of place",
          "[run][in-place]")
{
    for (const char* const network : {"torus:4x4", "torus:5x3", "mesh:3x4", "ghc:3x4", "petersen", "kary:3^3"}) {
        const Topology topology = Topology::parse(network);
        for (const Collective collective : of_blocks)
            for (const PortModel ports : {PortModel::all, PortModel::one}) {
                CAPTURE(network, name(collective), name(ports));
                check_like_apart(topology, in_place(collective, 5, 2), "auto", ports);
            }
        Problem permute = in_place(Collective::permute, 7);
        permute.permutation = permutation_by_name("inversion", topology);
        check_like_apart(topology, permute, "auto");
        Problem exchange = in_place(Collective::exchange, 7);
        exchange.peer = topology.nodes() - 1;
        check_like_apart(topology, exchange, "auto");
        for (const Collective turn : {Collective::matrix_transpose, Collective::matrix_half_turn}) {
            Problem matrix = in_place(turn, 1);
            matrix.rows = matrix.columns = topology.nodes();
            check_like_apart(topology, matrix, "auto");
        }
    }
}

TEST_CASE("in place: with missing nodes and links the result is the same as out of place", "[run][in-place]")
{
    const Topology topology = Topology::parse("torus:4x4").without({.links = {{0, 1}}, .nodes = {9}});
    for (const Collective collective : of_blocks)
        check_like_apart(topology, in_place(collective, 3), "auto");
    CHECK(run_by(topology, in_place(Collective::all_to_all, 3), "auto", 2).blocks_verified == 15 * 15);
}

TEST_CASE("the places of missing nodes count for nothing, and are zeros in what is handed out", "[run][in-place]")
{
    const Topology topology = Topology::parse("ring:5 without 3");
    for (const Collective collective : {Collective::gather, Collective::all_gather, Collective::all_to_all}) {
        CAPTURE(name(collective));
        Problem problem{collective, 2};
        Machine machine(topology);
        std::string digest;
        const Layout layout(problem, topology);
        std::vector<std::byte> handed_out;
        const auto keep = [&](std::span<const std::byte> all) { handed_out.assign(all.begin(), all.end()); };
        const auto unused = [&](std::size_t byte) {  // of an output of all nodes' messages, or of the root's
            return byte / 2 % 5 == 3 || (layout.output_bytes > 10 && byte / 10 == 3);
        };
        for (const bool aside : {false, true}) {
            if (aside && collective == Collective::gather)
                continue;
            problem.in_place = aside;
            const Report report = run_verified(machine, problem, {.output = keep});
            CHECK((digest.empty() || digest == report.result_digest));
            digest = report.result_digest;
            REQUIRE(handed_out.size() == layout.output_bytes);
            for (std::size_t byte = 0; byte < handed_out.size(); ++byte)
                CHECK((!unused(byte) || handed_out[byte] == std::byte{0}));
        }
        // A caller's own array keeps what it had there, and has the digest of one with zeros there.
        problem.in_place = false;
        std::vector<std::byte> input(layout.input_bytes);
        std::set<std::string> digests;
        for (const std::byte before : {std::byte{0}, std::byte{7}}) {
            std::vector<std::byte> output(layout.output_bytes, before);
            digests.insert(run(machine, problem, input, output).result_digest);
            for (std::size_t byte = 0; byte < output.size(); ++byte)
                CHECK((!unused(byte) || output[byte] == before));
        }
        CHECK(digests.size() == 1);
    }
}

TEST_CASE("in place: on links that take time the result is the same as out of place", "[run][in-place]")
{
    LinkModel link;
    link.kind = LinkKind::link_bound;
    link.tau = {1, 1};
    link.beta = {50, 1};
    for (const Topology& topology : {Topology::hypercube(4), Topology::parse("torus:3x4")})
        for (const Collective collective : of_blocks)
            for (const std::size_t bytes : {8U, 600U}) {
                Machine machine(topology, {.link = link, .threads = 2, .watch_lent_bytes = true});
                CAPTURE(topology.name(), name(collective), bytes);
                const Report there = run_verified(machine, out_of_place(in_place(collective, bytes)));
                const Report here = run_verified(machine, in_place(collective, bytes));
                CHECK(here.result_digest == there.result_digest);
                CHECK(here.virtual_time_ns == there.virtual_time_ns);
            }
}

TEST_CASE("in place: on several ranks the result is the same as out of place", "[run][in-place][world]")
{
    for (const unsigned ranks : {2U, 3U})
        for (const Topology& topology : {Topology::hypercube(4), Topology::parse("torus:3x5")})
            for (const Collective collective : of_blocks) {
                const Problem problem = in_place(collective, 8, 2);
                const std::string digest = run_by(topology, out_of_place(problem), "auto", 1).result_digest;
                run_ranks(ranks, [&](const std::shared_ptr<World>& world) {
                    Machine machine(topology, {.threads = 2, .world = world});
                    const Report report = run_verified(machine, problem);
                    if (report.result_digest != digest)
                        throw Error("rank " + std::to_string(world->rank()) + " has other bytes");
                });
            }
}

TEST_CASE("in place: a total exchange keeps as many blocks as its slots, and one more for each neighbour",
          "[run][in-place][slow]")
{
    for (unsigned d = 1; d <= smaller(10U, 8U, 7U); ++d) {
        const Topology cube = Topology::hypercube(d);
        const std::size_t slots = run_by(cube, out_of_place(in_place(Collective::all_to_all, 1)), "staircase", 1)
                                      .counts.largest_storage_bytes;
        CHECK(run_by(cube, in_place(Collective::all_to_all, 1), "staircase", 2).counts.largest_storage_bytes ==
              slots + d);
        CHECK(run_by(cube, in_place(Collective::all_gather, 1), "auto", 2).counts.largest_storage_bytes == 0);
        CHECK(run_by(cube, in_place(Collective::reduce_scatter, 1), "auto", 2).counts.largest_storage_bytes == 0);
        CHECK(run_by(cube, in_place(Collective::all_reduce, 1, cube.nodes()), "reduce-scatter-all-gather", 2)
                  .counts.largest_storage_bytes == 0);
    }
}

TEST_CASE("in place: a call may be given one array as input and output", "[run][in-place]")
{
    const unsigned d = 3;
    const std::size_t n = 8;
    Machine machine(Topology::hypercube(d), {.threads = 2});
    std::vector<std::uint64_t> blocks(n * n);
    std::iota(blocks.begin(), blocks.end(), 0);
    const auto bytes = std::as_writable_bytes(std::span(blocks));
    all_to_all(machine, bytes, bytes, sizeof(std::uint64_t));
    for (std::size_t node = 0; node < n; ++node)
        for (std::size_t origin = 0; origin < n; ++origin)
            CHECK(blocks[node * n + origin] == origin * n + node);

    for (std::size_t node = 0; node < n; ++node)  // each has its own message where it is to be
        for (std::size_t origin = 0; origin < n; ++origin)
            blocks[node * n + origin] = origin == node ? 100 + node : 0;
    all_gather(machine, bytes, bytes, sizeof(std::uint64_t));
    for (std::size_t place = 0; place < n * n; ++place)
        CHECK(blocks[place] == 100 + place % n);

    reduce_scatter(machine, bytes, bytes, sizeof(std::uint64_t), Operation::sum, ElementType::uint64);
    for (std::size_t node = 0; node < n; ++node)
        CHECK(blocks[node * n + node] == n * (100 + node));
}

TEST_CASE("in place: given data are used, and results handed out, as out of place", "[run][in-place]")
{
    for (const Topology& topology : {Topology::hypercube(3), Topology::parse("ring:5").without({.nodes = {0}}),
                                     Topology::parse("torus:3x3").without({.nodes = {4}})})
        for (const Collective collective : of_blocks) {
            CAPTURE(topology.name(), name(collective));
            Machine machine(topology, {.threads = 2});
            const Problem problem = in_place(collective, 2);
            const Layout layout(out_of_place(problem), topology);
            std::vector<std::byte> input(layout.input_bytes);
            for (std::size_t i = 0; i < input.size(); ++i)
                input[i] = static_cast<std::byte>(i * 7);
            std::vector<std::byte> handed[2];
            for (const bool here : {false, true}) {
                VerifiedRunOptions how;
                how.input = input;
                how.output = [&](std::span<const std::byte> all) { handed[here].assign(all.begin(), all.end()); };
                run_verified(machine, here ? problem : out_of_place(problem), how);
            }
            REQUIRE(handed[0].size() == layout.output_bytes);
            REQUIRE(handed[1].size() == layout.output_bytes);
            const bool one_each = traits(collective).after.share == Share::message;
            for (NodeId node = 0; node < topology.nodes(); ++node)
                for (NodeId origin = 0; origin < (one_each ? 1 : topology.nodes()); ++origin) {
                    if (!topology.is_member(node) || !(one_each || topology.is_member(origin)))
                        continue;
                    const std::size_t at = layout.output(node).offset + origin * layout.message;
                    CHECK(std::equal(handed[0].begin() + static_cast<std::ptrdiff_t>(at),
                                     handed[0].begin() + static_cast<std::ptrdiff_t>(at + layout.message),
                                     handed[1].begin() + static_cast<std::ptrdiff_t>(at)));
                }
        }
}

TEST_CASE("in place: collectives whose nodes do not all hold data before and after are refused",
          "[run][in-place][negative]")
{
    Machine machine(Topology::hypercube(2));
    for (const Collective collective :
         {Collective::broadcast, Collective::reduce, Collective::scatter, Collective::gather})
        CHECK_THROWS_WITH(run_verified(machine, in_place(collective, 4)),
                          Catch::Contains("in_place is not possible for ") &&
                              Catch::Contains(": not the same nodes hold data before and after it"));
    Problem send = in_place(Collective::send, 4);
    send.peer = 1;
    CHECK_THROWS_WITH(run_verified(machine, send), Catch::Contains("in_place is not possible for send"));
}

TEST_CASE("in place: a node program may await a collective in place", "[run][in-place]")
{
    const std::size_t n = 8;
    Machine machine(Topology::hypercube(3), {.threads = 2});
    const Prepared exchange(machine, in_place(Collective::all_to_all, sizeof(std::uint64_t)));
    std::vector<std::uint64_t> blocks(n * n);
    std::iota(blocks.begin(), blocks.end(), 0);
    machine.run([&](Node& me) -> Task {
        return [](Node& self, const Prepared& all, std::span<std::uint64_t> mine) -> Task {
            co_await all(self, mine, mine);
        }(me, exchange, std::span(blocks).subspan(me.id() * n, n));
    });
    for (std::size_t node = 0; node < n; ++node)
        for (std::size_t origin = 0; origin < n; ++origin)
            CHECK(blocks[node * n + origin] == origin * n + node);

    std::vector<std::uint64_t> elsewhere(n);
    CHECK_THROWS_WITH(machine.run([&](Node& me) -> Task {
        return
            [](Node& self, const Prepared& all, std::span<std::uint64_t> mine, std::span<std::uint64_t> other) -> Task {
                co_await all(self, mine, other);
            }(me, exchange, std::span(blocks).subspan(me.id() * n, n), elsewhere);
    }),
                      Catch::Contains("are not one array: in place they must be"));
}
