#include "tests/support/drawn_networks.hpp"

#include <dcube/error.hpp>
#include <dcube/random.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace dcube::test {

namespace {

// A graph that grows by edges between random nodes; one that is there already is not added again.
class Drawing {
public:
    Drawing(Random& random, NodeId nodes) : random_(random), nodes_(nodes), joined_(std::size_t{nodes} * nodes) {}

    [[nodiscard]] NodeId nodes() const { return nodes_; }
    NodeId below(NodeId limit) { return static_cast<NodeId>(random_.below(limit)); }

    void join(NodeId a, NodeId b)
    {
        if (a == b || joined_[index(a, b)])
            return;
        joined_[index(a, b)] = joined_[index(b, a)] = true;
        edges_.emplace_back(std::min(a, b), std::max(a, b));
    }
    void join_any(NodeId edges)
    {
        for (NodeId i = 0; i < edges; ++i) {
            const NodeId a = below(nodes_);
            join(a, below(nodes_));
        }
    }
    // Every node to one of the `reach` before it.
    void grow_tree(NodeId reach)
    {
        for (NodeId node = 1; node < nodes_; ++node)
            join(node, node - 1 - below(std::min(reach, node)));
    }
    // An end of a random edge: the more neighbours, the likelier.
    NodeId drawn_end()
    {
        const auto& [a, b] = edges_[below(static_cast<NodeId>(edges_.size()))];
        return below(2) == 0 ? a : b;
    }

    [[nodiscard]] Graph graph() const { return Graph::from_edges("drawn", edges_); }

private:
    [[nodiscard]] std::size_t index(NodeId a, NodeId b) const { return std::size_t{a} * nodes_ + b; }

    Random& random_;
    NodeId nodes_;
    std::vector<bool> joined_;
    std::vector<std::pair<NodeId, NodeId>> edges_;
};

using Draw = void(Drawing&);

void tree(Drawing& drawing)
{
    drawing.grow_tree(drawing.nodes());
}

void twig(Drawing& drawing)
{
    drawing.grow_tree(3);
}

// A path of hubs; all others are leaves.
void hubs(Drawing& drawing)
{
    const NodeId centres = 1 + drawing.below(drawing.nodes() / 10);
    for (NodeId node = 1; node < drawing.nodes(); ++node)
        drawing.join(node, node < centres ? node - 1 : drawing.below(centres));
}

// Every node to two that have many neighbours already.
void attached(Drawing& drawing)
{
    drawing.join(0, 1);
    for (NodeId node = 2; node < drawing.nodes(); ++node)
        for (const NodeId end : {drawing.drawn_end(), drawing.drawn_end()})
            drawing.join(node, end == node ? 0 : end);
}

void sparse(Drawing& drawing)
{
    drawing.grow_tree(drawing.nodes());
    drawing.join_any(drawing.nodes() / 4);
}

void medium(Drawing& drawing)
{
    drawing.grow_tree(drawing.nodes());
    drawing.join_any(drawing.nodes() + drawing.nodes() / 2);
}

void dense(Drawing& drawing)
{
    drawing.grow_tree(drawing.nodes());
    drawing.join_any(drawing.nodes() * drawing.nodes() / 6);
}

// Cycles of 3 to 8 nodes, each with a node of what was there before.
void cycles(Drawing& drawing)
{
    for (NodeId done = 1; done < drawing.nodes();) {
        const NodeId last = std::min(drawing.nodes(), done + 2 + drawing.below(6)) - 1;
        const NodeId shared = drawing.below(done);
        drawing.join(shared, done);
        for (NodeId node = done; node < last; ++node)
            drawing.join(node, node + 1);
        drawing.join(last, shared);
        done = last + 1;
    }
}

// A ring with chords, most of them short.
void chords(Drawing& drawing)
{
    for (NodeId node = 0; node < drawing.nodes(); ++node) {
        drawing.join(node, (node + 1) % drawing.nodes());
        if (drawing.below(3) > 0)
            drawing.join(node, (node + 2 + drawing.below(4)) % drawing.nodes());
    }
    drawing.join_any(drawing.nodes() / 10);
}

// Complete graphs of 3 to 9 nodes, each with one link to what was there before.
void clusters(Drawing& drawing)
{
    for (NodeId done = 0; done < drawing.nodes();) {
        const NodeId end = std::min(drawing.nodes(), done + 3 + drawing.below(7));
        if (done > 0)
            drawing.join(done, drawing.below(done));
        for (NodeId a = done; a < end; ++a)
            for (NodeId b = done; b < a; ++b)
                drawing.join(a, b);
        done = end;
    }
}

Graph drawn(Draw* draw, Random& random, NodeId nodes)
{
    Drawing drawing(random, nodes);
    draw(drawing);
    return drawing.graph();
}

using Factors = std::vector<Graph>(Random&, NodeId);

template <Draw* draw>
std::vector<Graph> one_factor(Random& random, NodeId nodes)
{
    return {drawn(draw, random, nodes)};
}

std::vector<Graph> irregular_factors(Random& random, NodeId nodes)
{
    const NodeId first = 3 + static_cast<NodeId>(random.below(3));
    return {drawn(sparse, random, first), drawn(medium, random, nodes / first)};
}

std::vector<Graph> mixed_factors(Random& random, NodeId nodes)
{
    const NodeId first = 3 + static_cast<NodeId>(random.below(3));
    return {random.below(2) == 0 ? Graph::ring(first) : Graph::complete(first), drawn(sparse, random, nodes / first)};
}

struct Kind {
    std::string_view name;
    Factors* factors;
};

constexpr Kind kinds[] = {
    {"tree", one_factor<tree>},         {"twig", one_factor<twig>},     {"hubs", one_factor<hubs>},
    {"attached", one_factor<attached>}, {"sparse", one_factor<sparse>}, {"medium", one_factor<medium>},
    {"dense", one_factor<dense>},       {"cycles", one_factor<cycles>}, {"chords", one_factor<chords>},
    {"clusters", one_factor<clusters>}, {"product", irregular_factors}, {"mixed", mixed_factors}};
constexpr NodeId sizes[] = {20, 28, 45, 80, 200};

// These lack links and nodes, as many as leave them in one piece.
constexpr std::string_view to_damage[] = {"hypercube:5",      "torus:5x6", "mesh:4x7",    "ghc:3x3x4", "ring:6*path:5",
                                          "circulant:41,1,6", "ccc:3",     "hypercube:6", "torus:8x8", "mesh:9x11"};

static_assert(std::size(kinds) * std::size(sizes) + std::size(to_damage) == drawn_networks);

// Faults are tried one by one: what would cut something off is left out.
Topology damaged(Topology network, Random& random)
{
    const auto try_without = [&network](const Faults& faults) {
        try {
            network = network.without(faults);
        } catch (const InvalidArgument&) {
        }
    };
    for (NodeId tries = 0; tries < network.nodes() / 10; ++tries) {
        try_without({.nodes = {static_cast<NodeId>(random.below(network.nodes()))}});
        const auto from = static_cast<NodeId>(random.below(network.nodes()));
        if (network.ports(from) > 0)
            try_without(
                {.links = {{from, network.neighbour(from, static_cast<Port>(random.below(network.ports(from))))}}});
    }
    return network;
}

}  // namespace

Topology drawn_network(std::size_t which)
{
    Random random(13, which);
    constexpr std::size_t drawn_freely = std::size(kinds) * std::size(sizes);
    if (which >= drawn_freely)
        return damaged(Topology::parse(to_damage[which - drawn_freely]), random);
    const Kind& kind = kinds[which % std::size(kinds)];
    std::vector<Graph> factors = kind.factors(random, sizes[which / std::size(kinds)]);
    NodeId nodes = 1;
    for (const Graph& factor : factors)
        nodes *= factor.nodes();
    return Topology::product(std::move(factors), fmt::format("{}-{}-{}", kind.name, nodes, which));
}

}  // namespace dcube::test
