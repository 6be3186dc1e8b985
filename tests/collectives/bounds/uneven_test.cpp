// Lower bounds of uneven messages: against what can be counted by hand, and against those of messages of one length.

#include "collectives/bounds/argument.hpp"
#include "collectives/bounds/uneven.hpp"
#include "tests/support/catch.hpp"

#include <dcube/bounds.hpp>
#include <dcube/message_counts.hpp>

#include <array>
#include <string_view>
#include <vector>

using namespace dcube;

namespace {

Problem uneven_of(Collective collective, std::vector<std::uint32_t> counts, NodeId root = 0)
{
    Problem problem{.collective = collective, .bytes = 4, .root = root};
    problem.counts = std::move(counts);
    return problem;
}

// An all-to-all with these packets only.
Problem only_these(const Topology& topology, const std::vector<std::array<std::uint32_t, 3>>& messages)
{
    std::vector<std::uint32_t> counts(std::size_t{topology.nodes()} * topology.nodes());
    for (const auto& [from, to, packets] : messages)
        counts[std::size_t{from} * topology.nodes() + to] = packets;
    return uneven_of(Collective::all_to_all, counts);
}

std::uint64_t uneven_bound(const Topology& topology, const Problem& problem, PortModel ports = PortModel::all)
{
    return steps_bound(topology, ports, problem).value;
}

constexpr Collective uneven_ones[] = {Collective::scatter, Collective::gather, Collective::all_gather,
                                      Collective::reduce_scatter, Collective::all_to_all};

}  // namespace

TEST_CASE("bounds: one message of an uneven all-to-all needs the steps of a send", "[bounds][uneven]")
{
    for (const char* const network : {"hypercube:3", "torus:4x3", "ring:7", "petersen"}) {
        const Topology topology = Topology::parse(network);
        for (const std::uint32_t packets : {1U, 2U, 5U, 17U}) {
            const NodeId far = topology.nodes() - 1;
            const Problem send{.collective = Collective::send, .bytes = 4, .packets = packets, .root = 0, .peer = far};
            CAPTURE(network, packets);
            CHECK(uneven_bound(topology, only_these(topology, {{0, far, packets}})) <= uneven_bound(topology, send));
            CHECK(uneven_bound(topology, only_these(topology, {{0, far, packets}})) >= topology.distance(0, far));
        }
    }
}

TEST_CASE("bounds: what one node gets comes by its links, and not sooner than it can", "[bounds][uneven]")
{
    const Topology cube = Topology::hypercube(3);
    CHECK(uneven_bound(cube, only_these(cube, {{1, 0, 9}, {2, 0, 9}, {4, 0, 9}})) == 9);
    CHECK(uneven_bound(cube, only_these(cube, {{7, 0, 9}})) == 5);  // 3 links, and 2 hops before them
    CHECK(uneven_bound(cube, only_these(cube, {{7, 0, 9}}), PortModel::one) == 11);
    // One link from the first step on, two others from the third on: T + 2 (T - 2) >= 9.
    CHECK(uneven_bound(cube, only_these(cube, {{1, 0, 9}})) == 5);
    CHECK(uneven_bound(cube, only_these(cube, {})) == 0);
}

TEST_CASE("bounds: what crosses a cut in one direction does not count in the other", "[bounds][uneven]")
{
    const Topology cube = Topology::hypercube(3);
    std::vector<std::array<std::uint32_t, 3>> up;
    for (std::uint32_t from = 0; from < 4; ++from)
        for (std::uint32_t to = 4; to < 8; ++to)
            up.push_back({from, to, 5});
    CHECK(uneven_bound(cube, only_these(cube, up)) >= 20);  // 80 packets over 4 links
    CHECK(transmissions_bound(cube, only_these(cube, up)).value == 5 * (4 * 1 + 8 * 2 + 4 * 3));
}

TEST_CASE("bounds: bytes pay for their paths as packets do", "[bounds][uneven]")
{
    std::size_t more = 0;
    for (const char* const network : {"petersen", "ccc:3", "circulant:13,1,5"})
        for (const std::uint64_t seed : {1U, 2U}) {
            const Topology topology = Topology::parse(network);
            Problem problem{.collective = Collective::all_to_all, .bytes = 64};
            problem.counts = counts_by_law("poisson:2", problem.collective, topology, seed);
            problem.link = {.kind = LinkKind::link_bound, .tau = {1, 1}, .beta = {10, 1}};
            CAPTURE(network, seed);
            const Argument steps = steps_argument(topology, PortModel::all, problem);
            const double time = time_bound(topology, problem).value.to_double();
            if (steps.kind != Argument::Kind::priced)
                continue;
            const std::uint64_t bytes = 64 * steps.factors.front();
            CHECK(time >= static_cast<double>((bytes + steps.per_step - 1) / steps.per_step + 10));
            ++more;
        }
    CHECK(more > 2);
}

TEST_CASE("bounds: with one port a node's bytes come one after the other", "[bounds][uneven]")
{
    const Topology cube = Topology::hypercube(3);
    Problem problem = only_these(cube, {{1, 0, 9}, {2, 0, 9}, {4, 0, 9}});
    problem.link = {.kind = LinkKind::link_bound, .tau = {2, 1}, .beta = {10, 1}};
    CHECK(time_bound(cube, problem).value == Rational{2 * 9 * 4 + 10, 1});
    for (const Duplex duplex : {Duplex::full, Duplex::half}) {
        problem.link.duplex = duplex;
        CHECK(time_bound(cube, problem).value == Rational{2 * 27 * 4 + 10, 1});
    }
    // All that node 0 has goes through its port, and what is for node 7 last has two more links to go.
    Problem out = uneven_of(Collective::scatter, {0, 0, 0, 0, 0, 0, 0, 5});
    out.link = problem.link;
    CHECK(time_bound(cube, out).value == Rational{2 * 5 * 4 + 10 + 2 * (2 + 10), 1});
}

TEST_CASE("bounds: what every node has for itself takes no time", "[bounds][uneven]")
{
    for (const char* const network : {"hypercube:2", "path:4", "complete:5 without 4"})
        for (const Collective collective : {Collective::scatter, Collective::gather, Collective::all_to_all})
            for (const Duplex duplex : {Duplex::per_link, Duplex::full, Duplex::half}) {
                const Topology topology = Topology::parse(network);
                Problem own = uneven_of(collective, std::vector<std::uint32_t>(counts_needed(collective, topology)));
                own.counts[0] = 5;
                own.link = {.kind = LinkKind::link_bound, .tau = {2, 1}, .beta = {10, 1}, .duplex = duplex};
                CAPTURE(network, name(collective), static_cast<int>(duplex));
                CHECK(time_bound(topology, own).value == Rational{0, 1});
            }
}

TEST_CASE("bounds: on hypercubes equal counts need as many steps as messages of one length", "[bounds][uneven]")
{
    for (const unsigned d : {1U, 2U, 3U, 4U, 5U})
        for (const Collective collective : uneven_ones)
            for (const std::uint32_t packets : {1U, 4U}) {
                const Topology cube = Topology::hypercube(d);
                const Problem even{.collective = collective, .bytes = 4, .packets = packets};
                const Problem same =
                    uneven_of(collective, std::vector<std::uint32_t>(counts_needed(collective, cube), packets));
                CAPTURE(d, name(collective), packets);
                CHECK(uneven_bound(cube, same) == uneven_bound(cube, even));
                CHECK(transmissions_bound(cube, same).value == transmissions_bound(cube, even).value);
            }
}

// Pairs of all nodes would be four thousand million.
TEST_CASE("bounds: of a scatter or gather among very many nodes only the root's messages count", "[bounds][uneven]")
{
    const Topology cube = Topology::hypercube(16);
    for (const Collective collective : {Collective::scatter, Collective::gather}) {
        const Problem ones = uneven_of(collective, std::vector<std::uint32_t>(cube.nodes(), 1), 5);
        CAPTURE(name(collective));
        CHECK(uneven_bound(cube, ones, PortModel::one) == cube.nodes() - 1);
        CHECK(transmissions_bound(cube, ones).value == 16 * (cube.nodes() / 2));
    }
}

TEST_CASE("bounds: a collective and the same backwards need as many steps", "[bounds][uneven]")
{
    for (const char* const network : {"hypercube:3", "torus:4x3", "mesh:3x3"}) {
        const Topology topology = Topology::parse(network);
        for (std::uint64_t seed = 1; seed <= 5; ++seed)
            for (const PortModel ports : {PortModel::all, PortModel::one}) {
                CAPTURE(network, seed, name(ports));
                const auto counts = counts_by_law("zipf:1:3", Collective::gather, topology, seed);
                CHECK(uneven_bound(topology, uneven_of(Collective::scatter, counts, 2), ports) ==
                      uneven_bound(topology, uneven_of(Collective::gather, counts, 2), ports));
                CHECK(uneven_bound(topology, uneven_of(Collective::all_gather, counts), ports) ==
                      uneven_bound(topology, uneven_of(Collective::reduce_scatter, counts), ports));
            }
    }
}

TEST_CASE("bounds: every argument says with its numbers what its value is", "[bounds][uneven]")
{
    const Topology torus = Topology::parse("torus:4x3");
    for (const Collective collective : uneven_ones)
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            const Problem problem = uneven_of(collective, counts_by_law("sparse:1/2:2", collective, torus, seed));
            const auto all = uneven_arguments(torus, PortModel::all, problem);
            for (const Argument& one : *all) {
                CAPTURE(name(collective), seed, one.name);
                CHECK_FALSE(one.reason.empty());
                CHECK(one.value() <= uneven_bound(torus, problem));
            }
        }
}
