// Every number of a proof is worked out again, and its last one is the bound.

#include "inspect/explain/proof.hpp"
#include "tests/inspect/explain/arithmetic.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/bounds.hpp>
#include <dcube/link.hpp>
#include <dcube/message_counts.hpp>
#include <dcube/permutation.hpp>
#include <dcube/problem.hpp>
#include <dcube/run.hpp>

#include <set>
#include <string>
#include <vector>

using namespace dcube;
using namespace dcube::explain;
using dcube::test::evaluated;

namespace {

const std::vector<std::string> networks{
    "hypercube:1", "hypercube:2", "hypercube:3", "hypercube:4",    "torus:6x6",
    "torus:3x3",   "mesh:3x5",    "path:5",      "star:4",         "ring:5*path:4*complete:3",
    "petersen",    "ring:7",      "ghc:3x4",     "path:3*petersen"};

Problem problem_of(Collective collective, const Topology& topology, std::size_t packets)
{
    Problem problem{.collective = collective, .bytes = 48, .packets = packets};
    if (has_root(collective) || has_peer(collective))
        problem.root = topology.nodes() / 2;
    if (has_peer(collective))
        problem.peer = topology.nodes() - 1 == problem.root ? 0 : topology.nodes() - 1;
    if (has_permutation(collective))
        problem.permutation = permutation_by_name("rotation", topology, 1);
    if (is_matrix(collective)) {
        problem.packets = 1;
        problem.bytes = 64;
        problem.rows = problem.columns = std::size_t{topology.nodes()} * topology.nodes();
        problem.to_layout = MatrixLayout::rows_striped;
    }
    return problem;
}

void check_lines(const Proof& proof)
{
    REQUIRE(!proof.lines.empty());
    for (const ProofLine& line : proof.lines) {
        CAPTURE(line.words, line.number);
        CHECK(!line.words.empty());
        CHECK(evaluated(line.number).right);
    }
    CHECK(evaluated(proof.lines.back().number).value == detail::exact(proof.value));
    CHECK(!proof.title.empty());
    CHECK(!proof.reason.empty());
}

// The tally can only be larger than the load that the binding links have to carry.
void check_links(const Proof& proof, const Topology& topology)
{
    std::set<std::uint64_t> all;
    for (const BindingLink& link : proof.links) {
        REQUIRE(link.node < topology.nodes());
        REQUIRE(link.port < topology.ports(link.node));
        all.insert(topology.link(link.node, link.port));
    }
    CHECK(all.size() == proof.links.size());
}

}  // namespace

TEST_CASE("proofs: the arithmetic is right, and comes to the bound of steps", "[explain]")
{
    for (const std::string& name : networks) {
        const Topology topology = Topology::parse(name);
        for (const Collective collective : all_collectives)
            for (const PortModel ports : {PortModel::all, PortModel::one})
                for (const std::size_t packets : {1U, 2U, 7U, 40U}) {
                    const Problem problem = problem_of(collective, topology, packets);
                    CAPTURE(name, dcube::name(collective), dcube::name(ports), packets);
                    const Proof proof = steps_proof(topology, ports, problem);
                    const Bound bound = steps_bound(topology, ports, problem);
                    CHECK(proof.value == Rational{static_cast<std::int64_t>(bound.value), 1});
                    CHECK(proof.reason == bound.reason);
                    check_lines(proof);
                    check_links(proof, topology);
                }
    }
}

TEST_CASE("proofs: the arithmetic is right, and comes to the bound of time", "[explain]")
{
    test_support::Sample sample;
    const std::vector<std::pair<Rational, Rational>> links{
        {{1, 1}, {10, 1}}, {{5, 2}, {1000, 3}}, {{1, 1}, {0, 1}}, {{0, 1}, {7, 1}}};
    for (const std::string& name : networks) {
        const Topology topology = Topology::parse(name);
        for (const Collective collective : all_collectives)
            for (const auto& [tau, beta] : links)
                for (const std::size_t packets : {1U, 100U}) {
                    if (!sample.takes_next())
                        continue;
                    Problem problem = problem_of(collective, topology, packets);
                    problem.link = {.kind = LinkKind::link_bound, .tau = tau, .beta = beta};
                    CAPTURE(name, dcube::name(collective), to_string(tau), to_string(beta), packets);
                    const Proof proof = time_proof(topology, problem);
                    const TimeBound bound = time_bound(topology, problem);
                    CHECK(proof.value == bound.value);
                    CHECK(proof.reason == bound.reason);
                    check_lines(proof);
                    check_links(proof, topology);
                }
    }
}

TEST_CASE("proofs: the arithmetic is right for uneven messages", "[explain][uneven]")
{
    for (const char* const name : {"hypercube:2", "hypercube:3", "torus:3x3", "mesh:3x4", "petersen", "ring:7"}) {
        const Topology topology = Topology::parse(name);
        for (const Collective collective : {Collective::scatter, Collective::gather, Collective::all_gather,
                                            Collective::reduce_scatter, Collective::all_to_all})
            for (const char* const law : {"zipf:1:2", "sparse:1/4:3", "poisson:2"})
                for (const std::uint64_t seed : {1U, 2U, 3U})
                    for (const PortModel ports : {PortModel::all, PortModel::one}) {
                        Problem problem{.collective = collective, .bytes = 8, .root = topology.nodes() - 1};
                        problem.counts = counts_by_law(law, collective, topology, seed);
                        CAPTURE(name, dcube::name(collective), law, seed, dcube::name(ports));
                        const Proof proof = steps_proof(topology, ports, problem);
                        const Bound bound = steps_bound(topology, ports, problem);
                        CHECK(proof.value == Rational{static_cast<std::int64_t>(bound.value), 1});
                        if (bound.value == 0)
                            continue;
                        check_lines(proof);
                        check_links(proof, topology);
                        problem.link = {.kind = LinkKind::link_bound, .tau = {1, 1}, .beta = {10, 1}};
                        const Proof time = time_proof(topology, problem);
                        CHECK(time.value == time_bound(topology, problem).value);
                        check_lines(time);
                        check_links(time, topology);
                    }
    }
}

TEST_CASE("proofs: links that bind carry what the tally says, and no more where the run is optimal", "[explain]")
{
    struct Case {
        const char* network;
        Collective collective;
        PortModel ports;
        std::size_t packets;
    };
    const std::vector<Case> cases{{"hypercube:4", Collective::all_to_all, PortModel::all, 1},
                                  {"hypercube:3", Collective::all_to_all, PortModel::all, 3},
                                  {"hypercube:5", Collective::broadcast, PortModel::all, 8},
                                  {"hypercube:4", Collective::scatter, PortModel::all, 2},
                                  {"hypercube:4", Collective::gather, PortModel::one, 1},
                                  {"hypercube:4", Collective::all_gather, PortModel::all, 1},
                                  {"hypercube:4", Collective::reduce_scatter, PortModel::all, 1},
                                  {"hypercube:4", Collective::reduce, PortModel::all, 9},
                                  {"torus:6x6", Collective::all_to_all, PortModel::all, 1},
                                  {"torus:3x4", Collective::all_to_all, PortModel::all, 1},
                                  {"mesh:3x5", Collective::all_to_all, PortModel::all, 1}};
    for (const Case& one : cases) {
        CAPTURE(one.network, name(one.collective), one.packets);
        const Topology topology = Topology::parse(one.network);
        const Problem problem{.collective = one.collective, .bytes = 8, .packets = one.packets};
        const Proof proof = steps_proof(topology, one.ports, problem);
        REQUIRE(proof.tally);
        REQUIRE(!proof.links.empty());
        std::set<std::uint64_t> binding;
        for (const BindingLink& link : proof.links)
            binding.insert(topology.link(link.node, link.port));
        Machine machine(topology, {.ports = one.ports});
        std::uint64_t carried = 0;
        CallOptions options;
        options.run.trace = [&](const Transmission& sent) {
            carried += binding.contains(topology.link(sent.from, sent.port)) ? 1 : 0;
        };
        const Report report = run_verified(machine, problem, {}, options);
        CHECK(report.steps_optimal());
        CHECK(carried == proof.tally->total);
    }
}

TEST_CASE("proofs: sums that arrive are not counted, because some are only parts of what must come", "[explain]")
{
    const auto tally = [](const char* network, Collective collective, std::size_t packets) {
        return steps_proof(Topology::parse(network), PortModel::all, {.collective = collective, .packets = packets})
            .tally;
    };
    CHECK(!tally("hypercube:3", Collective::all_reduce, 3));  // the antipode's share decides
    CHECK(!tally("ring:7", Collective::reduce, 1));
    REQUIRE(tally("hypercube:3", Collective::reduce, 4));
    CHECK(tally("hypercube:3", Collective::reduce, 4)->words == "{n} of {total} have left node 7");
    REQUIRE(tally("hypercube:3", Collective::all_reduce, 64));
    CHECK(tally("hypercube:3", Collective::all_reduce, 64)->total == 2 * 7 * 64);
    CHECK(tally("hypercube:3", Collective::gather, 3)->words == "{n} of {total} have reached node 0");
}

TEST_CASE("proofs: each line counts one direction, in the words of the network", "[explain]")
{
    const Proof cube = steps_proof(Topology::hypercube(4), PortModel::all, {.collective = Collective::all_to_all});
    REQUIRE(cube.lines.size() == 3);
    CHECK(cube.lines[0].words == "Blocks that must cross dimension 3 from 0xxx to 1xxx: 8 senders, 8 targets");
    CHECK(cube.lines[0].number == "8 x 8 = 64");
    CHECK(cube.lines[1].words == "Links that lead across");
    CHECK(cube.lines[1].number == "8");
    CHECK(cube.lines[2].words == "One packet per link per step, so at least");
    CHECK(cube.lines[2].number == "64 / 8 = 8 steps");
    CHECK(cube.links.size() == 8);
    for (const BindingLink& link : cube.links)
        CHECK((link.node < 8 && link.port == 3));
    CHECK(cube.tally->words == "{n} of {total} have crossed dimension 3");
    CHECK(cube.tally->total == 64);

    const Proof torus =
        steps_proof(Topology::parse("torus:6x6"), PortModel::all, {.collective = Collective::all_to_all});
    CHECK(torus.lines[0].number == "18 x 18 = 324");
    CHECK(torus.lines[1].number == "6 x 2 = 12");
    CHECK(torus.lines[2].number == "324 / 12 = 27 steps");
    CHECK(torus.links.size() == 12);

    const Proof broadcast =
        steps_proof(Topology::hypercube(5), PortModel::all, {.collective = Collective::broadcast, .packets = 8});
    CHECK(broadcast.lines.back().number == "5 + 2 - 1 = 6 steps");
    CHECK(broadcast.links.size() == 5);

    Problem timed{.collective = Collective::broadcast, .bytes = 65536};
    timed.link = {.kind = LinkKind::link_bound, .tau = {1, 1}, .beta = {1000, 1}};
    const Proof time = time_proof(Topology::hypercube(4), timed);
    REQUIRE(time.lines.size() == 4);
    CHECK(time.lines[0].words == "Bytes that must leave node 0");
    CHECK(time.lines[0].number == "65 536");
    CHECK(time.lines[3].number == "16 384 + 1 000 = 17 384 ns");
}

TEST_CASE("proofs: a distance of one link is not plural", "[explain]")
{
    const Problem one_link{.collective = Collective::matrix_relayout,
                           .rows = 4,
                           .columns = 4,
                           .layout = MatrixLayout::rows_blocked,
                           .to_layout = MatrixLayout::rows_blocked_gray};
    const Proof proof = steps_proof(Topology::hypercube(2), PortModel::all, one_link);
    CHECK(proof.lines.front().words == "Node 3 is 1 link away from node 2, and a packet crosses one link per step");
    CHECK(proof.lines.front().number == "1 step");
}
