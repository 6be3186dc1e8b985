// Broadcast along d independent trees: their paths, exhaustively; what the program sends, against them; and that it
// delivers whatever d-1 links or nodes fail.

#include "tests/support/catch.hpp"
#include "tests/support/link_bound.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

using namespace dcube;
using namespace test_support;

namespace {

constexpr NodeId one_bit(unsigned k)
{
    return NodeId{1} << k;
}

// The dimensions in which tree t's path from node 0 to v goes, in turn: docs/results.md.
std::vector<unsigned> path_in_tree(unsigned d, unsigned t, NodeId v)
{
    std::vector<unsigned> path;
    if ((v & one_bit(t)) == 0)
        path.push_back(t);
    for (unsigned i = 0; i < d; ++i)
        if ((v & one_bit((t + i) % d)) != 0)
            path.push_back((t + i) % d);
    if ((v & one_bit(t)) == 0)
        path.push_back(t);
    return path;
}

std::vector<NodeId> nodes_on(const std::vector<unsigned>& path)
{
    std::vector<NodeId> nodes{0};
    for (const unsigned k : path)
        nodes.push_back(nodes.back() ^ one_bit(k));
    return nodes;
}

Problem broadcast_of(std::size_t packets, NodeId root)
{
    return {.collective = Collective::broadcast, .bytes = 3, .packets = packets, .root = root};
}

// Runs it, with every byte verified but of nodes that fail.
Report run_failing(Machine& machine, const Problem& problem, std::vector<Failing> failing)
{
    CallOptions call;
    call.algorithm = "independent-trees";
    call.run.failing = std::move(failing);
    return run_verified(machine, problem, {}, call);
}

std::vector<Failing> all_links(unsigned d, Step from)
{
    std::vector<Failing> links;
    for (NodeId node = 0; node < one_bit(d); ++node)
        for (unsigned k = 0; k < d; ++k)
            if ((node & one_bit(k)) == 0)
                links.push_back({node, node | one_bit(k), from});
    return links;
}

std::vector<Failing> all_nodes_but(NodeId root, unsigned d, Step from)
{
    std::vector<Failing> nodes;
    for (NodeId node = 0; node < one_bit(d); ++node)
        if (node != root)
            nodes.push_back(failing_node(node, from));
    return nodes;
}

// Calls `visit` with every subset of `count` of them. Returns how many there are.
template <class Visit>
std::size_t for_each_subset(const std::vector<Failing>& all, std::size_t count, const Visit& visit,
                            std::vector<Failing> chosen = {}, std::size_t next = 0)
{
    if (chosen.size() == count) {
        visit(chosen);
        return 1;
    }
    std::size_t subsets = 0;
    for (; next < all.size(); ++next) {
        chosen.push_back(all[next]);
        subsets += for_each_subset(all, count, visit, chosen, next + 1);
        chosen.pop_back();
    }
    return subsets;
}

}  // namespace

TEST_CASE("independent-trees: the d paths to a node share no inner node and no link, and are at most d + 1 long",
          "[algorithms][failing]")
{
    for (unsigned d = 1; d <= smaller(8U, 6U); ++d)
        for (NodeId v = 1; v < one_bit(d); ++v) {
            std::set<NodeId> inner;
            std::set<std::pair<NodeId, NodeId>> links;
            std::size_t inner_nodes = 0;
            std::size_t hops = 0;
            for (unsigned t = 0; t < d; ++t) {
                const std::vector<NodeId> nodes = nodes_on(path_in_tree(d, t, v));
                REQUIRE(nodes.back() == v);
                REQUIRE(nodes.size() - 1 <= (d == 1 ? 1 : d + 1));
                inner.insert(nodes.begin() + 1, nodes.end() - 1);
                inner_nodes += nodes.size() - 2;
                for (std::size_t i = 1; i < nodes.size(); ++i)
                    links.insert(std::minmax(nodes[i - 1], nodes[i]));
                hops += nodes.size() - 1;
            }
            REQUIRE(inner.size() == inner_nodes);
            REQUIRE_FALSE(inner.contains(0));
            REQUIRE_FALSE(inner.contains(v));
            REQUIRE(links.size() == hops);
        }
}

TEST_CASE("independent-trees: the paths make trees, and every link that does not enter the root is in one of them",
          "[algorithms][failing]")
{
    for (unsigned d = 1; d <= smaller(8U, 6U); ++d) {
        std::map<std::pair<NodeId, NodeId>, std::set<unsigned>> trees;  // by directed link
        for (unsigned t = 0; t < d; ++t)
            for (NodeId v = 1; v < one_bit(d); ++v) {
                std::vector<unsigned> path = path_in_tree(d, t, v);
                const NodeId parent = v ^ one_bit(path.back());
                trees[{parent, v}].insert(t);
                path.pop_back();
                REQUIRE((parent == 0 || path == path_in_tree(d, t, parent)));
            }
        CHECK(trees.size() == std::size_t{d} * (one_bit(d) - 1));
        for (const auto& [link, of] : trees)
            REQUIRE(of.size() == 1);
    }
}

TEST_CASE("independent-trees: every packet goes down every tree, a step a link, and nothing else is sent",
          "[algorithms][failing]")
{
    using Sent = std::tuple<Step, NodeId, NodeId, std::uint64_t>;
    for (unsigned d = 0; d <= smaller(6U, 4U); ++d)
        for (const std::size_t packets : {1U, 2U, 5U, 11U})
            for (const NodeId root : std::set<NodeId>{0, one_bit(d) / 3, one_bit(d) - 1}) {
                CAPTURE(d, packets, root);
                std::set<Sent> expected;
                for (unsigned t = 0; t < d; ++t)
                    for (NodeId v = 1; v < one_bit(d); ++v)
                        for (std::size_t p = 0; p < packets; ++p) {
                            const std::vector<unsigned> path = path_in_tree(d, t, v);
                            const auto step = static_cast<Step>(p + path.size());
                            expected.insert({step, v ^ one_bit(path.back()) ^ root, v ^ root, 3 * p});
                        }
                std::set<Sent> sent;
                Machine machine(Topology::hypercube(d), {.threads = 2});
                CallOptions call;
                call.algorithm = "independent-trees";
                call.run.trace = [&](const Transmission& one) {
                    sent.insert({one.step, one.from, one.to, one.pieces.front().offset});
                };
                const Report report = run_verified(machine, broadcast_of(packets, root), {}, call);
                CHECK(sent == expected);
                CHECK(report.counts.transmissions == expected.size());
                CHECK(report.counts.steps == (d == 0 ? 0 : packets + (d == 1 ? 0 : d)));
            }
}

TEST_CASE("independent-trees: under the link-bound model a packet takes a link's time where it took a step",
          "[algorithms][failing]")
{
    for (unsigned d = 0; d <= 4; ++d)
        for (const LinkClock clock : {LinkClock::data_driven, LinkClock::lockstep}) {
            CAPTURE(d);
            LinkModel link = link_bound(2, 5);
            link.clock = clock;
            Machine machine(Topology::hypercube(d), {.link = link});
            const Report report = run_failing(machine, broadcast_of(4, 0), {});
            const std::int64_t hops = d == 0 ? 0 : d == 1 ? 4 : 4 + d;
            CHECK(report.virtual_time_ns == Rational{hops * (3 * 2 + 5), 1});
            CHECK(report.predicted_time_ns == report.virtual_time_ns);
            if (d > 2)
                CHECK(run_failing(machine, broadcast_of(4, 0), {{0, 1, 2}, failing_node(3, 1)}).counts.lost > 0);
        }
}

TEST_CASE("independent-trees: a broadcast delivers whatever d-1 links fail, from whatever step on",
          "[algorithms][failing]")
{
    for (unsigned d = 1; d <= 3; ++d) {
        Machine machine(Topology::hypercube(d), {.threads = 1});
        for (Step from = 1; from <= 2 + d; ++from) {
            Sample sample;
            const std::size_t sets = for_each_subset(all_links(d, from), d - 1, [&](const std::vector<Failing>& links) {
                if (!sample.takes_next())
                    return;
                INFO(to_string(links.empty() ? Failing() : links.front()));
                CHECK(run_failing(machine, broadcast_of(2, one_bit(d) - 1), links).blocks_verified == one_bit(d));
            });
            CHECK(sets == (d == 1 ? 1 : d == 2 ? 4 : 66));
        }
    }
}

TEST_CASE("independent-trees: a broadcast on the 4-cube delivers whatever three links fail",
          "[algorithms][failing][slow]")
{
    constexpr std::size_t one_in = smaller(1, 20);
    Machine machine(Topology::hypercube(4), {.threads = 1});
    std::size_t seen = 0;
    std::size_t sets = 0;
    for (const std::size_t count : {1U, 2U, 3U})
        sets += for_each_subset(all_links(4, 1), count, [&](const std::vector<Failing>& links) {
            if (seen++ % one_in == 0)
                REQUIRE(run_failing(machine, broadcast_of(1, 0), links).blocks_verified == 16);
        });
    CHECK(sets == 32 + 496 + 4960);
}

TEST_CASE("independent-trees: a broadcast reaches all other nodes whatever d-1 nodes but the root fail",
          "[algorithms][failing]")
{
    for (unsigned d = 1; d <= 4; ++d) {
        Machine machine(Topology::hypercube(d), {.threads = 1});
        const NodeId root = one_bit(d) / 2;
        Sample sample;
        const std::size_t sets =
            for_each_subset(all_nodes_but(root, d, 1), d - 1, [&](const std::vector<Failing>& nodes) {
                if (sample.takes_next())
                    REQUIRE(run_failing(machine, broadcast_of(2, root), nodes).blocks_verified ==
                            one_bit(d) - nodes.size());
            });
        CHECK(sets == (d == 1 ? 1 : d == 2 ? 3 : d == 3 ? 21 : 455));
    }
}

TEST_CASE("independent-trees: a broadcast delivers when d-1 random links and nodes fail in random steps",
          "[algorithms][failing]")
{
    Random random(1);
    for (unsigned d = 5; d <= smaller(10U, 7U); ++d) {
        Machine machine(Topology::hypercube(d), {.threads = 2});
        for (int trial = 0; trial < 6; ++trial) {
            const std::size_t packets = 1 + random.below(2 * d);
            const auto root = static_cast<NodeId>(random.below(one_bit(d)));
            std::vector<Failing> failing;
            std::size_t nodes = 0;
            while (failing.size() + 1 < d) {
                const auto node = static_cast<NodeId>(random.below(one_bit(d)));
                const auto from = static_cast<Step>(1 + random.below(packets + d));
                const bool whole = trial % 2 == 0 && node != root && !has_failed(failing, node, 100);
                failing.push_back(whole ? failing_node(node, from)
                                        : Failing{node, node ^ one_bit(static_cast<unsigned>(random.below(d))), from});
                nodes += whole;
            }
            CAPTURE(d, trial, packets, root);
            const Report report = run_failing(machine, broadcast_of(packets, root), failing);
            CHECK(report.blocks_verified == one_bit(d) - nodes);
            CHECK(report.counts.steps == packets + d);
        }
    }
}

TEST_CASE("independent-trees: d failing links can cut a node off, and the error says which packets were lost",
          "[algorithms][negative]")
{
    Machine machine(Topology::hypercube(3), {.threads = 2});
    const Problem problem = broadcast_of(2, 0);
    CHECK_THROWS_WITH(run_failing(machine, problem, {{7, 6, 1}, {7, 5, 1}, {7, 3, 1}}),
                      Catch::StartsWith("node 7: ") &&
                          Catch::EndsWith("; 6 packets were lost, the first in step 3 from node 3 to node 7: link 7-3 "
                                          "fails from step 1 on"));
    CHECK_NOTHROW(run_failing(machine, problem, {failing_node(7, 1)}));
    CHECK_NOTHROW(run_failing(machine, problem, {{7, 6, 5}, {7, 5, 1}, {7, 3, 1}, {0, 1, 3}}));
}

TEST_CASE("independent-trees: auto does not take them, and another algorithm loses the packet that they deliver",
          "[algorithms][failing][negative]")
{
    Machine machine(Topology::hypercube(3), {.threads = 2});
    const Problem problem = broadcast_of(2, 0);
    CHECK(find_algorithm(machine.topology(), PortModel::all, problem).name == "pipelined-trees");
    CallOptions call;
    call.run.failing = {{0, 1, 1}};
    CHECK_THROWS_WITH(run_verified(machine, problem, {}, call),
                      "packet-lost in step 1 at node 0, port 0: the packet of 3 bytes to node 1 was lost: link 0-1 "
                      "fails from step 1 on");
    CHECK(run_failing(machine, problem, call.run.failing).counts.lost > 0);
}
