// Centres, depths and heights of trees, and in which order their moves become ready.

#include "algorithms/beyond/any_network/centred_tree.hpp"
#include "collectives/graphs/spanning_trees.hpp"
#include "tests/support/any_networks.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>

using namespace dcube;
using namespace dcube::detail;

namespace {

CentredTree tree_of(const Arcs& arcs)
{
    return centred(arcs, packed_trees(arcs, PortModel::all, 1).front());
}

}  // namespace

TEST_CASE("centred trees: a path's middle is a node or a link", "[all-reduce]")
{
    const Arcs five(Topology::parse("path:5"));
    const CentredTree odd = tree_of(five);
    CHECK(odd.diameter == 4);
    CHECK_FALSE(odd.has_two_centres());
    CHECK(odd.nodes[2].up == CentredTree::no_arc);
    CHECK(odd.nodes[2].height == 2);
    CHECK(odd.nodes[0].depth == 2);
    CHECK(five.to(odd.nodes[0].up) == 1);

    const Arcs six(Topology::parse("path:6"));
    const CentredTree even = tree_of(six);
    CHECK(even.diameter == 5);
    CHECK(even.has_two_centres());
    CHECK(six.to(even.nodes[2].up) == 3);
    CHECK(six.to(even.nodes[3].up) == 2);
    CHECK(even.nodes[5].depth == 2);
    CHECK(even.downwards.size() == 6);
}

TEST_CASE("centred trees: a single node is its own centre, and a star's diameter is 2", "[all-reduce]")
{
    const CentredTree single = centred(Arcs(Topology::hypercube(0)), {});
    CHECK(single.diameter == 0);
    CHECK(single.is_centre(0));
    const CentredTree star = tree_of(Arcs(dcube::test::any_network("hub9")));
    CHECK(star.diameter == 2);
    CHECK(star.nodes[0].children == 9);
}

TEST_CASE("tree traffic: every link is crossed once in each direction, the sums before the whole", "[all-reduce]")
{
    for (const char* const name : {"bintree31", "random20", "mesh4x6"}) {
        const Arcs arcs(dcube::test::any_network(name));
        std::vector<CentredTree> trees;
        for (const auto& tree : packed_trees(arcs, PortModel::all, 4))
            trees.push_back(centred(arcs, tree));
        TreeTraffic traffic(arcs, trees);
        std::vector<TreeMove> moves;
        const auto ready = [&](const TreeMove& move) { moves.push_back(move); };
        traffic.begin(ready);
        // The contributors to each node's sum, followed by hand.
        std::vector<std::vector<NodeId>> shares(trees.size(), std::vector<NodeId>(arcs.nodes(), 1));
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const TreeMove move = moves[i];
            NodeId& from = shares[move.tree][arcs.from(move.arc)];
            NodeId& to = shares[move.tree][arcs.to(move.arc)];
            const bool whole = from == arcs.nodes();
            to = whole ? from : from + to;
            CHECK(to <= arcs.nodes());
            CHECK(move.left >= 1);
            traffic.arrive(move, ready);
        }
        CHECK(moves.size() == 4 * 2 * (arcs.nodes() - std::size_t{1}));
        CHECK(moves.size() == traffic.moves());
        for (const auto& of_tree : shares)
            CHECK(std::ranges::count(of_tree, arcs.nodes()) == arcs.nodes());
    }
}
