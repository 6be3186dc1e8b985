#include "graphs/spanning_trees.hpp"

#include "base/planning.hpp"
#include "graphs/tree_weights.hpp"

#include <dcube/random.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

namespace dcube::detail {

namespace {

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
                planning("spanning trees", (round + static_cast<double>(i) / static_cast<double>(trees_.size())) /
                                              packing_rounds);
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

    // If all links, or all nodes, had the same.
    [[nodiscard]] std::uint32_t even_load() const
    {
        const std::size_t links = trees_.size() * (arcs_.members().size() - 1);
        const std::size_t places = ports_ == PortModel::all ? arcs_.size() / 2 : arcs_.members().size();
        const std::size_t ends = ports_ == PortModel::all ? links : 2 * links;
        return static_cast<std::uint32_t>((ends + places - 1) / places);
    }

    // What no packing can fall below, as far as the loads show it.
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

    // Of a place that has this load when the tree is there.
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

    // From a random node; of equals the one nearer to it, so that the tree is not deep.
    void grow(std::vector<ArcId>& tree)
    {
        tree.clear();
        std::ranges::fill(level_, unreached);
        reach_ = {};
        const auto members = arcs_.members();
        const NodeId start = members[random_.below(members.size())];
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

// Enough for loads that tell the crowded places from the others.
unsigned trees_of_bound(const Arcs& arcs)
{
    constexpr std::uint64_t most_work = 400'000'000;
    const std::uint64_t affordable = most_work / std::max<std::uint64_t>(1, packing_work(arcs.size(), 1));
    return static_cast<unsigned>(std::clamp<std::uint64_t>(affordable, 8, 100));
}

}  // namespace

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
    return packing_rounds * trees * arcs * std::bit_width(arcs);
}

}  // namespace dcube::detail
