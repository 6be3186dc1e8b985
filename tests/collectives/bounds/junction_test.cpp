// The bound on all-reduce at a few nodes without which a network falls apart, against all there is to try on tiny
// networks; and its value where it was worked out by hand.

#include "collectives/bounds/argument.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/hanging_networks.hpp"

#include <dcube/bounds.hpp>

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

using namespace dcube;

namespace {

using Edges = std::vector<std::pair<NodeId, NodeId>>;

Topology network_of(const Edges& edges)
{
    std::vector<Graph> factors{Graph::from_edges("drawn", edges)};
    return Topology::product(std::move(factors), "drawn");
}

Edges star_of(NodeId leaves)
{
    Edges edges;
    for (NodeId leaf = 1; leaf <= leaves; ++leaf)
        edges.emplace_back(0, leaf);
    return edges;
}

Problem blocks_of(std::size_t blocks)
{
    return {Collective::all_reduce, 1, blocks};
}

// Tries every schedule in which a packet holds all that its sender knows of one block: adding up shares never gives
// more. A bit for each block, node, and node whose share is known there.
class AllSchedules {
public:
    AllSchedules(const Topology& topology, unsigned blocks) : topology_(topology), blocks_(blocks), n_(topology.nodes())
    {
    }

    unsigned least_steps()
    {
        std::uint64_t start = 0;
        for (unsigned block = 0; block < blocks_; ++block)
            for (NodeId node = 0; node < n_; ++node)
                start |= std::uint64_t{1} << (place(block, node) + node);
        const unsigned bits = blocks_ * n_ * n_;
        const std::uint64_t all = ~std::uint64_t{0} >> (64 - bits);
        std::set<std::uint64_t> now{start};
        for (unsigned steps = 0;; ++steps) {
            if (now.contains(all))
                return steps;
            std::set<std::uint64_t> next;
            for (const std::uint64_t state : now)
                send(state, state, 0, 0, next);
            now = std::move(next);
        }
    }

private:
    [[nodiscard]] unsigned place(unsigned block, NodeId node) const { return (block * n_ + node) * n_; }
    [[nodiscard]] std::uint64_t known(std::uint64_t state, unsigned block, NodeId node) const
    {
        return state >> place(block, node) & ((std::uint64_t{1} << n_) - 1);
    }

    // The senders from this one on choose; what a step begins with is sent.
    void send(std::uint64_t before, std::uint64_t after, NodeId sender, std::uint32_t receivers,
              std::set<std::uint64_t>& next)
    {
        if (sender == n_) {
            next.insert(after);
            return;
        }
        for (Port port = 0; port < topology_.ports(sender); ++port) {
            const NodeId to = topology_.neighbour(sender, port);
            for (unsigned block = 0; block < blocks_; ++block) {
                const std::uint64_t news = known(before, block, sender) & ~known(before, block, to);
                if (news != 0 && (receivers >> to & 1) == 0)
                    send(before, after | news << place(block, to), sender + 1, receivers | 1U << to, next);
            }
        }
        send(before, after, sender + 1, receivers, next);
    }

    const Topology& topology_;
    unsigned blocks_;
    NodeId n_;
};

}  // namespace

TEST_CASE("junction: no schedule at all takes fewer steps than the bound", "[bounds][long]")
{
    const Edges path{{0, 1}, {1, 2}, {2, 3}};
    const Edges triangles{{0, 1}, {0, 2}, {1, 2}, {0, 3}, {0, 4}, {3, 4}};
    const Edges spider{{0, 1}, {1, 2}, {0, 3}, {0, 4}};
    const Edges two_and_three{{0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}};
    const Edges kite{{0, 1}, {0, 2}, {1, 2}, {2, 3}, {3, 4}};
    const Edges twins{{0, 1}, {0, 2}, {0, 3}, {1, 4}};
    for (const Edges& edges :
         {path, triangles, spider, two_and_three, kite, twins, star_of(2), star_of(3), star_of(4)}) {
        const Topology topology = network_of(edges);
        for (const unsigned blocks : {1U, 2U}) {
            if (blocks * topology.nodes() * topology.nodes() > 32)
                continue;
            CAPTURE(edges, blocks);
            CHECK(steps_bound(topology, PortModel::one, blocks_of(blocks)).value <=
                  AllSchedules(topology, blocks).least_steps());
        }
    }
}

TEST_CASE("junction: a hub with k leaves takes m k steps in, and k - 1 out after that", "[bounds]")
{
    for (const NodeId leaves : {2U, 3U, 4U, 9U})
        for (const std::size_t blocks : {1U, 2U, 6U}) {
            const Topology hub = network_of(star_of(leaves));
            CHECK(steps_bound(hub, PortModel::one, blocks_of(blocks)).value == blocks * leaves + leaves - 1);
        }
    CHECK(AllSchedules(network_of(star_of(2)), 1).least_steps() == 3);
    CHECK(AllSchedules(network_of(star_of(2)), 2).least_steps() == 5);
    CHECK(AllSchedules(network_of(star_of(4)), 1).least_steps() == 7);
}

TEST_CASE("junction: far nodes come late, and are informed late", "[bounds]")
{
    // Nine arms, three of five nodes and six of four: the first sum of a whole arm is there after 4 steps, and so are
    // the last of 9; of 8 others the last has 3 hops more to go.
    const Topology spider = dcube::test::hanging_network("spider-40");
    CHECK(steps_bound(spider, PortModel::one, blocks_of(6)).value == 3 + 6 * 9 + 8 + 3);
    // Two hubs, neither of which is a cut node: half as many each way.
    const Topology two =
        network_of({{0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}, {0, 7}, {1, 2}, {1, 3}, {1, 4}, {1, 5}, {1, 6}, {1, 7}});
    const Argument argument = steps_argument(two, PortModel::one, blocks_of(1));
    CHECK(argument.value() == 3 + 3);
    CHECK(argument.junction == std::vector<NodeId>{0, 1});
}

TEST_CASE("junction: all nodes are called as the user does where some are missing", "[bounds]")
{
    // Leaf 1 is gone.
    const Topology hub = network_of(star_of(5)).without({.nodes = {1}});
    const Argument argument = steps_argument(hub, PortModel::one, blocks_of(3));
    CHECK(argument.value() == 3 * 4 + 3);
    CHECK(argument.node == 0);
    CHECK(argument.reason ==
          "without node 0 the network falls into 4 parts: 12 packets come from them, one per step, and "
          "what the last one brings goes on to all other parts");
}
