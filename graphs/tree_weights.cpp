#include "graphs/tree_weights.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

constexpr double rounding_margin = 1e-9;  // relative; sums of at most some millions of terms are exact to much less

class DisjointSets {
public:
    explicit DisjointSets(NodeId nodes) : parent_(nodes) { std::iota(parent_.begin(), parent_.end(), NodeId{0}); }

    NodeId find(NodeId node)
    {
        while (parent_[node] != node)
            node = parent_[node] = parent_[parent_[node]];
        return node;
    }
    // Whether they were apart.
    bool unite(NodeId a, NodeId b)
    {
        a = find(a);
        b = find(b);
        parent_[a] = b;
        return a != b;
    }

private:
    std::vector<NodeId> parent_;
};

double weight_of_link(const Arcs& arcs, PortModel ports, std::span<const double> weights, ArcId arc)
{
    return ports == PortModel::all ? weights[arc] : weights[arcs.from(arc)] + weights[arcs.to(arc)];
}

// Kruskal's algorithm.
double least_tree(const Arcs& arcs, PortModel ports, std::span<const double> weights)
{
    std::vector<std::pair<double, ArcId>> links;
    for (ArcId arc = 0; arc < arcs.size(); ++arc)
        if (arc < arcs.opposite(arc))
            links.emplace_back(weight_of_link(arcs, ports, weights, arc), arc);
    std::ranges::sort(links);
    DisjointSets parts(arcs.nodes());
    double sum = 0;
    for (const auto& [weight, arc] : links)
        if (parts.unite(arcs.from(arc), arcs.to(arc)))
            sum += weight;
    return sum;
}

// Of all links, or of all nodes.
double all_weight(PortModel ports, std::span<const double> weights)
{
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    return ports == PortModel::all ? sum / 2 : sum;
}

// Keeps the best weights.
class BestWeights {
public:
    BestWeights(const Arcs& arcs, PortModel ports) : arcs_(arcs), ports_(ports) {}

    void consider(std::vector<double> weights)
    {
        const double value = bound_of_weights(arcs_, ports_, weights);
        if (value > best_.value)
            best_ = {value, std::move(weights)};
    }
    PartitionBound take() { return std::move(best_); }

private:
    const Arcs& arcs_;
    PortModel ports_;
    PartitionBound best_;
};

// The loads that occur, from the largest on; of many only some.
std::vector<std::uint32_t> load_thresholds(std::span<const std::uint32_t> load)
{
    constexpr std::size_t most = 48;
    const std::set<std::uint32_t> different(load.begin(), load.end());
    std::vector<std::uint32_t> all(different.rbegin(), different.rend());
    if (all.size() > most) {
        all.resize(most);
        all.push_back(*different.begin());  // all links, or nodes, alike
    }
    return all;
}

// 1 for the links between the parts that the less crowded links leave: a single partition, which is at least as good
// as the best sum of several that has the same order of links.
std::vector<double> weights_of_partition(const Arcs& arcs, std::span<const std::uint32_t> load, std::uint32_t least)
{
    DisjointSets parts(arcs.nodes());
    for (ArcId arc = 0; arc < arcs.size(); ++arc)
        if (load[arc] < least)
            parts.unite(arcs.from(arc), arcs.to(arc));
    std::vector<double> weights(arcs.size());
    for (ArcId arc = 0; arc < arcs.size(); ++arc)
        weights[arc] = parts.find(arcs.from(arc)) != parts.find(arcs.to(arc)) ? 1 : 0;
    return weights;
}

std::vector<double> weights_of_nodes(const Arcs& arcs, std::span<const std::uint32_t> load, std::uint32_t least)
{
    std::vector<double> weights(load.size());
    for (const NodeId node : arcs.members())
        weights[node] = load[node] >= least ? 1 : 0;
    return weights;
}

std::vector<double> exponential_weights(const Arcs& arcs, std::span<const std::uint32_t> load, double beta)
{
    const double top = std::max(1U, *std::ranges::max_element(load));
    std::vector<double> weights(load.size());
    for (const NodeId node : arcs.members())
        weights[node] = std::exp(beta * (load[node] / top - 1));
    return weights;
}

}  // namespace

double bound_of_weights(const Arcs& arcs, PortModel ports, std::span<const double> weights)
{
    const double all = all_weight(ports, weights);
    return all > 0 ? least_tree(arcs, ports, weights) / all * (1 - rounding_margin) : 0;
}

PartitionBound bound_of_loads(const Arcs& arcs, PortModel ports, std::span<const std::uint32_t> load)
{
    BestWeights best(arcs, ports);
    if (load.empty() || arcs.members().size() < 2)
        return {};
    for (const std::uint32_t least : load_thresholds(load))
        best.consider(ports == PortModel::all ? weights_of_partition(arcs, load, least)
                                              : weights_of_nodes(arcs, load, least));
    if (ports == PortModel::one)
        for (const double beta : {0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0})
            best.consider(exponential_weights(arcs, load, beta));
    return best.take();
}

}  // namespace dcube::detail
