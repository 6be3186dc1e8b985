// The search for cores: their dimensions, the number that could be best first, and random places for them, a few times
// each. Spreading from them is any_network's spread.

#include "algorithms/bertsekas/all_reduce_cores.hpp"
#include "algorithms/programs/cube.hpp"
#include "base/arithmetic.hpp"
#include "base/memo.hpp"
#include "base/planning.hpp"
#include <dcube/random.hpp>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace dcube::detail {

std::vector<NodeId> nodes_of(const Core& core, unsigned dimensions, unsigned d)
{
    std::vector<NodeId> nodes{core.base};
    for (unsigned i = 0; i < dimensions; ++i)
        for (std::size_t node = 0, before = nodes.size(); node < before; ++node)
            nodes.push_back(nodes[node] ^ bit((core.first + i) % d));
    return nodes;
}

namespace {

// Of each number of dimensions: what takes about half a second, but 4 at least and 24 at most.
std::uint64_t tries_of(unsigned d, std::size_t blocks)
{
    constexpr std::uint64_t moves_of_all = 600'000;
    return std::clamp<std::uint64_t>(moves_of_all / (blocks * bit(d)), 4, 24);
}

class CoreSearch {
public:
    CoreSearch(unsigned d, PortModel ports, std::size_t blocks, std::uint64_t bound)
        : d_(d), ports_(ports), blocks_(blocks), bound_(bound), arcs_(Topology::hypercube(d))
    {
    }

    Cores best()
    {
        std::vector<unsigned> numbers;
        for (unsigned dimensions = 0; dimensions <= d_; ++dimensions)
            if (fits(dimensions))
                numbers.push_back(dimensions);
        std::ranges::stable_sort(numbers, {}, [this](unsigned dimensions) { return least_steps(dimensions); });
        for (const unsigned dimensions : numbers)
            for (unsigned seed = 0; seed < tries_of(d_, blocks_) && least_steps(dimensions) < steps_ && steps_ > bound_;
                 ++seed) {
                planning("cores", static_cast<double>(dimensions) / (d_ + 1));
                attempt(dimensions, seed);
            }
        return std::move(best_);
    }

private:
    // Cores that begin with the same dimension share no node, so that they swap over different links. Of single nodes
    // there is nothing to swap.
    [[nodiscard]] bool fits(unsigned dimensions) const
    {
        return dimensions == 0 || ceil_div(blocks_, starts()) <= bit(d_ - dimensions);
    }
    // One port: every node swaps over the same dimension.
    [[nodiscard]] unsigned starts() const { return ports_ == PortModel::all ? std::max(1U, d_) : 1; }

    [[nodiscard]] Step least_spread(unsigned dimensions) const
    {
        const std::uint64_t receptions = blocks_ * (bit(d_) - std::uint64_t{bit(dimensions)});
        const std::uint64_t together = std::uint64_t{bit(d_)} * starts();
        return static_cast<Step>(std::max<std::uint64_t>(d_ - dimensions, ceil_div(receptions, together)));
    }
    [[nodiscard]] std::uint64_t least_steps(unsigned dimensions) const
    {
        return std::uint64_t{2} * least_spread(dimensions) + dimensions;
    }

    void attempt(unsigned dimensions, unsigned seed)
    {
        Random random(seed, dimensions);
        Cores cores{dimensions, placed(dimensions, random)};
        std::vector<std::vector<NodeId>> holders;
        for (const Core& core : cores.cores)
            holders.push_back(nodes_of(core, dimensions, d_));
        const auto below = static_cast<Step>(std::min<std::uint64_t>((steps_ - dimensions + 1) / 2, ~Step{0}));
        std::optional<Spread> found = spread(arcs_, ports_, holders, least_spread(dimensions), below, {.seeds = 1});
        if (!found)
            return;
        cores.spread = *std::move(found);
        steps_ = cores.steps();
        best_ = std::move(cores);
    }

    // Block after block where the fewest blocks are so far, of equal places at random.
    [[nodiscard]] std::vector<Core> placed(unsigned dimensions, Random& random) const
    {
        std::vector<Core> cores;
        std::vector<std::uint32_t> held(bit(d_));  // blocks at every node
        std::vector<std::vector<Core>> free;       // by first dimension
        for (unsigned first = 0; first < starts(); ++first)
            free.push_back(places(first, dimensions));
        for (std::size_t block = 0; block < blocks_; ++block) {
            std::vector<Core>& choice = free[block % starts()];
            const auto chosen = rarest(choice, dimensions, held, random);
            cores.push_back(*chosen);
            for (const NodeId node : nodes_of(*chosen, dimensions, d_))
                ++held[node];
            if (dimensions > 0)
                choice.erase(chosen);
        }
        return cores;
    }

    [[nodiscard]] std::vector<Core> places(unsigned first, unsigned dimensions) const
    {
        NodeId inner = 0;
        for (unsigned i = 0; i < dimensions; ++i)
            inner |= bit((first + i) % d_);
        std::vector<Core> all;
        for (NodeId base = 0; base < bit(d_); ++base)
            if ((base & inner) == 0)
                all.push_back({base, first});
        return all;
    }

    [[nodiscard]] std::vector<Core>::iterator rarest(std::vector<Core>& choice, unsigned dimensions,
                                                     const std::vector<std::uint32_t>& held, Random& random) const
    {
        auto chosen = choice.begin();
        std::pair<std::uint64_t, std::uint64_t> least{~std::uint64_t{0}, 0};
        for (auto core = choice.begin(); core != choice.end(); ++core) {
            std::uint64_t there = 0;
            for (const NodeId node : nodes_of(*core, dimensions, d_))
                there += held[node];
            if (const std::pair rank(there, random()); rank < least) {
                least = rank;
                chosen = core;
            }
        }
        return chosen;
    }

    unsigned d_;
    PortModel ports_;
    std::size_t blocks_;
    std::uint64_t bound_;
    Arcs arcs_;
    std::uint64_t steps_ = std::uint64_t{1} << 32;  // of the best
    Cores best_;
};

}  // namespace

std::shared_ptr<const Cores> cores_for(unsigned d, PortModel ports, std::size_t blocks, std::uint64_t bound)
{
    static Memo<std::tuple<unsigned, PortModel, std::size_t>, Cores> kept(16);
    return kept.get({d, ports, blocks}, [&] { return CoreSearch(d, ports, blocks, bound).best(); });
}

std::uint64_t cores_work(unsigned d, std::size_t blocks)
{
    constexpr std::uint64_t numbers = 3;  // of dimensions, that could be best
    constexpr std::uint64_t operations_of_a_move = 500;
    return tries_of(d, blocks) * numbers * operations_of_a_move * blocks * bit(d);
}

}  // namespace dcube::detail
