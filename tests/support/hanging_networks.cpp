#include "tests/support/hanging_networks.hpp"

#include <dcube/random.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace dcube::test {

namespace {

// Links between nodes 0, 1, ..; one that is there already is not added again.
class Links {
public:
    void join(NodeId a, NodeId b)
    {
        if (a != b)
            links_.emplace(std::min(a, b), std::max(a, b));
    }
    void complete(NodeId first, NodeId end)
    {
        for (NodeId a = first; a < end; ++a)
            for (NodeId b = first; b < a; ++b)
                join(a, b);
    }
    [[nodiscard]] Topology topology(std::string name) const
    {
        const std::vector<std::pair<NodeId, NodeId>> edges(links_.begin(), links_.end());
        std::vector<Graph> factors{Graph::from_edges(name, edges)};
        return Topology::product(std::move(factors), std::move(name));
    }

private:
    std::set<std::pair<NodeId, NodeId>> links_;
};

NodeId drawn_below(Random& random, NodeId limit)
{
    return static_cast<NodeId>(random.below(limit));
}

// `arms` paths that meet in node 0, as equally long as the number of nodes allows.
Topology spider_of(NodeId arms, NodeId nodes)
{
    Links links;
    for (NodeId node = 1; node < nodes; ++node)
        links.join(node, node <= arms ? 0 : node - arms);
    return links.topology(fmt::format("spider-{}x{}", arms, nodes));
}

// A path of centres; every other node hangs on one or two of them, and some of those are joined to another one.
Topology hubs_of(NodeId centres, NodeId nodes, std::uint64_t seed)
{
    Random random(seed, 1);
    Links links;
    for (NodeId hub = 1; hub < centres; ++hub)
        links.join(hub, hub - 1);
    for (NodeId node = centres; node < nodes; ++node) {
        for (NodeId i = 0; i < 1 + drawn_below(random, 2); ++i)
            links.join(node, drawn_below(random, centres));
        if (node > centres && drawn_below(random, 3) == 0)
            links.join(node, centres + drawn_below(random, node - centres));
    }
    return links.topology(fmt::format("hubs-{}-{}", centres, nodes));
}

// Every node hangs on one of the `reach` before it.
Topology random_tree(NodeId nodes, NodeId reach, std::uint64_t seed)
{
    Random random(seed, 2);
    Links links;
    for (NodeId node = 1; node < nodes; ++node)
        links.join(node, node - 1 - drawn_below(random, std::min(reach, node)));
    return links.topology(fmt::format("tree-{}", nodes));
}

// A path of `spine` nodes; all others hang on it.
Topology caterpillar_of(NodeId spine, NodeId nodes, std::uint64_t seed)
{
    Random random(seed, 3);
    Links links;
    for (NodeId node = 1; node < nodes; ++node)
        links.join(node, node < spine ? node - 1 : drawn_below(random, spine));
    return links.topology(fmt::format("caterpillar-{}", nodes));
}

// Two complete graphs joined by a path of this many links.
Topology bridged(NodeId left, NodeId right, NodeId path = 1)
{
    Links links;
    links.complete(0, left);
    const NodeId first_right = left + path - 1;
    for (NodeId node = left - 1; node < first_right; ++node)
        links.join(node, node + 1);
    links.complete(first_right, first_right + right);
    return links.topology(fmt::format("bridge-{}+{}", left, right));
}

// Complete graphs, each joined by a link to one of those before it.
Topology clusters_in_tree(NodeId count, NodeId size, std::uint64_t seed)
{
    Random random(seed, 4);
    Links links;
    for (NodeId cluster = 0; cluster < count; ++cluster) {
        links.complete(cluster * size, (cluster + 1) * size);
        if (cluster > 0)
            links.join(cluster * size + drawn_below(random, size), drawn_below(random, cluster * size));
    }
    return links.topology(fmt::format("clusters-{}x{}", count, size));
}

Topology clusters_in_ring(NodeId count, NodeId size)
{
    Links links;
    for (NodeId cluster = 0; cluster < count; ++cluster) {
        links.complete(cluster * size, (cluster + 1) * size);
        links.join(cluster * size + size - 1, (cluster + 1) % count * size);
    }
    return links.topology(fmt::format("ring-of-clusters-{}x{}", count, size));
}

struct Hanging {
    std::string_view name;
    std::function<Topology()> make;
};

const std::vector<Hanging>& all_hanging()
{
    static const std::vector<Hanging> all{
        {"spider-40", [] { return spider_of(9, 40); }},
        {"caterpillar-36", [] { return caterpillar_of(9, 36, 1); }},
        {"tree-19", [] { return random_tree(19, 19, 1); }},
        {"tree-29", [] { return random_tree(29, 29, 2); }},
        {"tree-100", [] { return random_tree(100, 100, 3); }},
        {"deep-61", [] { return random_tree(61, 4, 4); }},
        {"hubs-22", [] { return hubs_of(1, 22, 5); }},
        {"hubs-33", [] { return hubs_of(2, 33, 6); }},
        {"hubs-58", [] { return hubs_of(3, 58, 7); }},
        {"hubs-96", [] { return hubs_of(4, 96, 8); }},
        {"bridge-8+11", [] { return bridged(8, 11); }},
        {"bridge-20+20", [] { return bridged(20, 20); }},
        {"lollipop-26", [] { return bridged(14, 1, 12); }},
        {"clusters-4x6", [] { return clusters_in_tree(4, 6, 9); }},
        {"clusters-9x7", [] { return clusters_in_tree(9, 7, 10); }},
        {"clusters-12x9", [] { return clusters_in_tree(12, 9, 11); }},
        {"ring-of-clusters-5x5", [] { return clusters_in_ring(5, 5); }},
    };
    return all;
}

std::vector<std::string_view> names_of_hanging()
{
    std::vector<std::string_view> names;
    for (const Hanging& one : all_hanging())
        names.push_back(one.name);
    return names;
}

}  // namespace

const std::vector<std::string_view> hanging_networks = names_of_hanging();

Topology hanging_network(std::string_view name)
{
    for (const Hanging& one : all_hanging())
        if (one.name == name)
            return one.make();
    throw std::invalid_argument("no such network: " + std::string(name));
}

}  // namespace dcube::test
