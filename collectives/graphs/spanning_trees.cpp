#include "collectives/graphs/spanning_trees.hpp"

#include "base/planning.hpp"
#include "base/sizes.hpp"

#include <dcube/random.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

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

template <class Weight>
Weight weight_of_link(const Arcs& arcs, PortModel ports, std::span<const Weight> weights, ArcId arc)
{
    return ports == PortModel::all ? weights[arc] : weights[arcs.from(arc)] + weights[arcs.to(arc)];
}

// Kruskal's algorithm.
template <class Weight>
Weight weight_of_least_tree(const Arcs& arcs, PortModel ports, std::span<const Weight> weights)
{
    std::vector<std::pair<Weight, ArcId>> links;
    for (ArcId arc = 0; arc < arcs.size(); ++arc)
        if (arc < arcs.opposite(arc))
            links.emplace_back(weight_of_link(arcs, ports, weights, arc), arc);
    std::ranges::sort(links);
    DisjointSets parts(arcs.nodes());
    Weight sum = 0;
    for (const auto& [weight, arc] : links)
        if (parts.unite(arcs.from(arc), arcs.to(arc)))
            sum += weight;
    return sum;
}

// The weight of all links, or of all nodes.
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

// The bound that follows from how crowded links or nodes are: the best of several weightings that grow with the loads
// (of arcs with all ports, of nodes with one port). Any loads give a true bound; those of well packed trees give a good
// one.
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

constexpr unsigned packing_rounds = 24;

// Weights as whole numbers, so that the trees do not depend on a last bit of std::exp.
using FixedWeight = std::uint64_t;
constexpr double fixed_one = 0x1p32;

// Round after round every tree is taken back and laid again over what is crowded least (Prim's algorithm, own code:
// the weights change with every tree, and come from a table of the loads).
class TreePacking {
public:
    TreePacking(const Arcs& arcs, PortModel ports, unsigned trees, double flat)
        : arcs_(arcs), ports_(ports), trees_(trees), load_(ports == PortModel::all ? arcs.size() : arcs.nodes()),
          level_(arcs.nodes()), price_of_level_(flat * fixed_one / static_cast<double>(arcs.members().size()))
    {
    }

    void pack()
    {
        best_ = trees_;
        if (arcs_.members().size() < 2)
            return;
        std::uint32_t least = ~std::uint32_t{0};
        double beta = 3;
        for (unsigned round = 0; round < packing_rounds; ++round, beta *= 1.2) {
            set_weights(beta, round == 0 ? even_load() : top());
            for (std::size_t i = 0; i < trees_.size(); ++i) {
                planning("spanning trees",
                         (round + static_cast<double>(i) / static_cast<double>(trees_.size())) / packing_rounds);
                lay_again(trees_[i]);
            }
            if (top() >= least)
                continue;
            least = top();
            best_ = trees_;
            best_load_ = load_;
            if (least <= least_load())
                return;
        }
    }

    [[nodiscard]] std::vector<std::vector<ArcId>> take() { return std::move(best_); }
    [[nodiscard]] const std::vector<std::uint32_t>& load() const { return best_load_; }

private:
    struct Reach {
        FixedWeight weight;
        std::uint64_t tie;
        ArcId arc;

        friend bool operator>(const Reach& a, const Reach& b)
        {
            return std::tuple(a.weight, a.tie, a.arc) > std::tuple(b.weight, b.tie, b.arc);
        }
    };

    [[nodiscard]] std::uint32_t top() const { return *std::ranges::max_element(load_); }

    // The largest load if all links, or all nodes, had the same.
    [[nodiscard]] std::uint32_t even_load() const
    {
        const std::size_t links = trees_.size() * (arcs_.members().size() - 1);
        const std::size_t places = ports_ == PortModel::all ? arcs_.size() / 2 : arcs_.members().size();
        const std::size_t ends = ports_ == PortModel::all ? links : 2 * links;
        return static_cast<std::uint32_t>((ends + places - 1) / places);
    }

    // A load that no packing can go below, as far as the loads show it.
    [[nodiscard]] std::uint32_t least_load() const
    {
        const double bound = bound_of_loads(arcs_, ports_, load_).value * static_cast<double>(trees_.size());
        return std::max(even_load(), static_cast<std::uint32_t>(std::ceil(bound)));
    }

    void set_weights(double beta, std::uint32_t top)
    {
        beta_ = beta;
        top_ = std::max(1U, top);
        weight_.clear();
    }

    // The weight of a place that has this load when the tree is there.
    FixedWeight weight(std::uint32_t load)
    {
        while (load >= weight_.size()) {
            const double over = static_cast<double>(weight_.size()) / top_ - 1;
            const double exponent = std::min(beta_ * over, 12.0);  // sums stay far below 2^64
            weight_.push_back(static_cast<FixedWeight>(std::llround(std::exp(exponent) * fixed_one)));
        }
        return weight_[load];
    }

    FixedWeight weight_of(ArcId arc)
    {
        if (ports_ == PortModel::all)
            return weight(load_[arc] + 1);
        return weight(load_[arcs_.from(arc)] + 1) + weight(load_[arcs_.to(arc)] + 1);
    }

    void count(ArcId arc, std::uint32_t change)
    {
        const bool all = ports_ == PortModel::all;
        load_[all ? arc : arcs_.from(arc)] += change;
        load_[all ? arcs_.opposite(arc) : arcs_.to(arc)] += change;
    }

    void lay_again(std::vector<ArcId>& tree)
    {
        for (const ArcId arc : tree)
            count(arc, ~std::uint32_t{0});
        grow(tree);
        for (const ArcId arc : tree)
            count(arc, 1);
    }

    // Grows a tree from a random node; of equal nodes it takes the nearest, so that the tree is not deep.
    void grow(std::vector<ArcId>& tree)
    {
        tree.clear();
        std::ranges::fill(level_, unreached);
        reach_ = {};
        const auto members = arcs_.members();
        const NodeId start = members[as_size(random_.below(members.size()))];
        level_[start] = 0;
        push_from(start);
        while (tree.size() + 1 < members.size()) {
            const ArcId arc = reach_.top().arc;
            reach_.pop();
            const NodeId node = arcs_.to(arc);
            if (level_[node] != unreached)
                continue;
            level_[node] = level_[arcs_.from(arc)] + 1;
            tree.push_back(arc);
            push_from(node);
        }
    }

    void push_from(NodeId node)
    {
        const auto of_level = static_cast<FixedWeight>(price_of_level_ * level_[node]);
        for_each_out(arcs_, node, [&](ArcId arc) {
            if (level_[arcs_.to(arc)] == unreached)
                reach_.push({weight_of(arc) + of_level, random_(), arc});
        });
    }

    static constexpr std::uint32_t unreached = ~std::uint32_t{0};

    const Arcs& arcs_;
    PortModel ports_;
    std::vector<std::vector<ArcId>> trees_;
    std::vector<std::uint32_t> load_;  // all ports: of arcs, one port: of nodes
    std::vector<std::vector<ArcId>> best_;
    std::vector<std::uint32_t> best_load_ = load_;
    Random random_{13};
    double beta_ = 0;
    std::uint32_t top_ = 1;
    std::vector<FixedWeight> weight_;  // by load
    std::vector<std::uint32_t> level_;
    double price_of_level_;
    std::priority_queue<Reach, std::vector<Reach>, std::greater<>> reach_;
};

// Enough trees for their loads to show which places are crowded and which are not.
unsigned trees_of_bound(const Arcs& arcs)
{
    constexpr std::uint64_t most_work = 400'000'000;
    const std::uint64_t affordable = most_work / std::max<std::uint64_t>(1, packing_work(arcs.size(), 1));
    return static_cast<unsigned>(std::clamp<std::uint64_t>(affordable, 8, 100));
}

}  // namespace

double bound_of_weights(const Arcs& arcs, PortModel ports, std::span<const double> weights)
{
    const double all = all_weight(ports, weights);
    return all > 0 ? weight_of_least_tree(arcs, ports, weights) / all * (1 - rounding_margin) : 0;
}

std::uint64_t least_tree(const Arcs& arcs, PortModel ports, std::span<const std::uint64_t> weights)
{
    return weight_of_least_tree(arcs, ports, weights);
}

PartitionBound partition_bound(const Arcs& arcs, PortModel ports)
{
    TreePacking packing(arcs, ports, trees_of_bound(arcs), 0.02);
    packing.pack();
    return bound_of_loads(arcs, ports, packing.load());
}

std::vector<std::vector<ArcId>> packed_trees(const Arcs& arcs, PortModel ports, unsigned trees, double flat)
{
    TreePacking packing(arcs, ports, trees, flat);
    packing.pack();
    return packing.take();
}

std::uint64_t packing_work(std::uint64_t arcs, std::uint64_t trees)
{
    return packing_rounds * trees * arcs * static_cast<std::uint64_t>(std::bit_width(arcs));
}

}  // namespace dcube::detail
