// Layouts of a part of the nodes: the same bytes as in the whole layout, moved together.

#include <dcube/layout.hpp>

#include "collectives/example.hpp"
#include "tests/support/catch.hpp"

#include <dcube/collective.hpp>
#include <dcube/world.hpp>

#include <fmt/format.h>

#include <set>
#include <string>
#include <vector>

using namespace dcube;

namespace {

using PartOf = Layout::Part (Layout::*)(NodeId) const;

// The fault of the part of one side (input or output); empty if there is none. Every byte of the whole lies at one
// place of the nodes' own memory, in the same order, and nothing else does.
std::string fault(const Layout& whole, const Layout& own, NodeRange nodes, PartOf part, std::size_t own_bytes)
{
    std::size_t begin = 0;
    bool is_first = true;
    for (NodeId node = nodes.first; node < nodes.last; ++node) {
        const Layout::Part all = (whole.*part)(node);
        const Layout::Part mine = (own.*part)(node);
        if (mine.bytes != all.bytes)
            return fmt::format("node {}: {} bytes instead of {}", node, mine.bytes, all.bytes);
        if (mine.bytes == 0)
            continue;
        if (is_first)
            begin = all.offset - mine.offset;
        is_first = false;
        if (all.offset - begin != mine.offset || mine.offset + mine.bytes > own_bytes)
            return fmt::format("node {}: offset {} of {} bytes, {} in the whole", node, mine.offset, own_bytes,
                               all.offset);
    }
    return {};
}

std::vector<Problem> problems(Collective collective, const Topology& topology)
{
    std::vector<Problem> all;
    for (const NodeId root : std::set<NodeId>{0, topology.nodes() / 2, topology.nodes() - 1})
        for (const NodeId peer : std::set<NodeId>{0, 1, topology.nodes() - 1}) {
            if (has_peer(collective) && root == peer)
                continue;
            all.push_back(example_problem(collective, topology));
            all.back().root = root;
            all.back().peer = peer;
        }
    return all;
}

}  // namespace

TEST_CASE("layout: the parts of all ranks hold every byte of the whole once", "[collectives][world]")
{
    for (const Collective collective : all_collectives)
        for (const char* const text : {"hypercube:3", "ring:5", "hypercube:3 without 6"}) {
            const Topology topology = Topology::parse(text);
            if (is_matrix(collective) && text != std::string("hypercube:3"))
                continue;  // matrices lie on hypercubes only
            for (const Problem& problem : problems(collective, topology)) {
                const Layout whole(problem, topology);
                for (unsigned ranks = 1; ranks <= topology.nodes(); ++ranks) {
                    std::size_t inputs = 0;
                    std::size_t outputs = 0;
                    for (unsigned rank = 0; rank < ranks; ++rank) {
                        CAPTURE(name(collective), text, problem.root, problem.peer, ranks, rank);
                        const NodeRange nodes = nodes_of_rank(rank, ranks, topology.nodes());
                        const Layout own = whole.of(nodes);
                        REQUIRE(own.message == whole.message);
                        REQUIRE(fault(whole, own, nodes, &Layout::input, own.input_bytes) == "");
                        REQUIRE(fault(whole, own, nodes, &Layout::output, own.output_bytes) == "");
                        inputs += own.input_bytes;
                        outputs += own.output_bytes;
                    }
                    CAPTURE(name(collective), text, problem.root, problem.peer, ranks);
                    REQUIRE(inputs == whole.input_bytes);
                    REQUIRE(outputs == whole.output_bytes);
                }
            }
        }
}

TEST_CASE("layout: a rank whose nodes are not the ends of an exchange has an empty part", "[collectives][world]")
{
    const Topology topology = Topology::hypercube(2);
    Problem problem = example_problem(Collective::exchange, topology);
    problem.root = 3;
    problem.peer = 1;
    const Layout whole(problem, topology);
    CHECK(whole.output(1).offset == 0);  // the smaller id's message stands first
    CHECK(whole.output(3).offset == 8);
    const Layout last = whole.of({2, 4});
    CHECK(last.output_bytes == 8);
    CHECK(last.output(3).offset == 0);
    CHECK(whole.of({0, 1}).output_bytes == 0);
    CHECK(whole.of({1, 3}).output_bytes == 8);
    CHECK(whole.of({1, 4}).output_bytes == 16);
}
