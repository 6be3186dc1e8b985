// cores, cores-one: all-reduce of m blocks on a d-cube of N nodes. Every block has a core, a subcube of K dimensions
// c, c + 1, .. modulo d, c = b mod d for block b (one port: c = 0). Its sum grows from all nodes into the core, is
// swapped there over one dimension after the other, so that every node of the core has all of it, and spreads to all
// again. dcube's.
//
// Steps: 2 T + K, where T is what spreading all blocks from their cores takes, at least max(d - K, ceil(m (N - 2^K) /
// (d N))) (one port: without the d). Gathering is the same backwards. Cores of the same c share no node, so that no two
// of them swap over one link in a step, and K is what gives the fewest steps; K = 0: single nodes. Transmissions:
// m (2 (N - 2^K) + K 2^K).
//
// Planning: a few spreads (algorithms/beyond/any_network/spread.hpp) of m packets for each K that could be best.

#include "algorithms/beyond/cubes/all_reduce_cores.hpp"

#include "algorithms/families.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/piece_plan.hpp"
#include "base/arithmetic.hpp"
#include "base/memo.hpp"
#include "base/planning.hpp"

#include <dcube/bounds.hpp>
#include <dcube/random.hpp>
#include <dcube/schedule.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <tuple>
#include <utility>

namespace dcube::detail {

// The search for cores: their dimensions, the number that could be best first, and random places for them, a few times
// each. Spreading from them is any_network's spread.

std::vector<NodeId> nodes_of(const Core& core, unsigned dimensions, unsigned d)
{
    std::vector<NodeId> nodes{core.base};
    for (unsigned i = 0; i < dimensions; ++i)
        for (std::size_t node = 0, before = nodes.size(); node < before; ++node)
            nodes.push_back(nodes[node] ^ bit((core.first + i) % d));
    return nodes;
}

namespace {

// The tries for a number of dimensions: as many as take about half a second, but at least 4 and at most 24.
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
    // Cores that begin with the same dimension share no node, so that they swap over different links. Cores of single
    // nodes have nothing to swap.
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
        std::optional<MovePlan> found = spread(arcs_, ports_, holders, least_spread(dimensions), below, {.seeds = 1});
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
    std::uint64_t steps_ = std::uint64_t{1} << 32;  // the best cores'
    Cores best_;
};

}  // namespace

std::shared_ptr<const Cores> cores_for(unsigned d, PortModel ports, std::size_t blocks, std::uint64_t bound)
{
    static Memo<std::tuple<unsigned, PortModel, std::size_t>, Cores> kept(16);
    return kept.get({d, ports, blocks}, [&] { return CoreSearch(d, ports, blocks, bound).best(); });
}

namespace {

// About how many elementary operations planning takes.
std::uint64_t cores_work(unsigned d, std::size_t blocks)
{
    constexpr std::uint64_t numbers = 3;  // of dimensions that could be best
    constexpr std::uint64_t operations_of_a_move = 500;
    return tries_of(d, blocks) * numbers * operations_of_a_move * blocks * bit(d);
}

constexpr std::uint64_t most_core_receptions = 2'000'000;  // more would take minutes and gigabytes

std::shared_ptr<const Cores> planned_cores(const Topology& topology, const Problem& problem, PortModel ports)
{
    return cores_for(topology.dimension(), ports, problem.packets, steps_bound(topology, ports, problem).value);
}

std::uint64_t cores_transmissions(unsigned d, std::size_t blocks, unsigned dimensions)
{
    const std::uint64_t core = bit(dimensions);
    return blocks * (2 * (bit(d) - core) + dimensions * core);
}

// A spread, a swap for each of the core's dimensions after the spread backwards, which comes first.
PieceSchedule pieces_of_cores(const Cores& cores, unsigned d, std::size_t bytes)
{
    const Arcs arcs(Topology::hypercube(d));
    PieceSchedule schedule;
    const auto add = [&](Step step, ArcId arc, std::uint32_t block) {
        const Piece piece{.origin = {}, .target = {}, .offset = block * bytes, .length = bytes};
        schedule.add(step, arcs.from(arc), arcs.port(arc), std::span(&piece, 1));
    };
    const Step last = cores.spread.steps;
    for (const auto& [step, arc, block] : std::views::reverse(cores.spread.moves))
        add(last + 1 - step, arcs.opposite(arc), block);
    for (unsigned i = 0; i < cores.dimensions; ++i)
        for (std::uint32_t block = 0; block < cores.cores.size(); ++block) {
            const Core& core = cores.cores[block];
            for (const NodeId node : nodes_of(core, cores.dimensions, d))
                add(last + 1 + i, arcs.first_out(node) + (core.first + i) % d, block);
        }
    for (const auto& [step, arc, block] : cores.spread.moves)
        add(last + cores.dimensions + step, arc, block);
    return schedule;
}

std::string cores_obstacle(const Topology& topology, const Problem& problem)
{
    const std::uint64_t most = most_core_receptions / topology.nodes();
    if (problem.packets > most)
        return fmt::format("it would have to plan too long: at most {} blocks are allowed on {} nodes", most,
                           topology.nodes());
    return {};
}

Phases cores_phases(const Cores& cores)
{
    const unsigned dimensions = cores.dimensions;
    const std::string core = dimensions == 0 ? "a node" : fmt::format("a subcube of {} nodes", bit(dimensions));
    PhaseLine line;
    line.add(cores.spread.steps, {dimensions == 0 ? "sums to one node" : "sums to the cores",
                                  fmt::format("The sums of every block grow from all sides into its core, {}.", core)});
    for (unsigned i = 0; i < dimensions; ++i)
        line.add(1, {fmt::format("in the cores: swap {}", i + 1),
                     fmt::format("The nodes of every core send their partners in it what they have, and add, each core "
                                 "over its dimension {} of {}.",
                                 i + 1, dimensions)});
    line.add(cores.spread.steps, {"sums to all", fmt::format("The whole sums spread from their cores, each {}, to all "
                                                             "nodes.",
                                                             core)});
    return line.take();
}

Entry cores_entry(Entry head)
{
    const auto cores = [ports = head.ports](const Topology& topology, const Problem& problem) {
        return planned_cores(topology, problem, ports);
    };
    head.obstacle = cores_obstacle;
    head.cost = [cores](const Topology& topology, const Problem& problem) {
        const std::shared_ptr<const Cores> found = cores(topology, problem);
        return Cost{found->steps(), cores_transmissions(topology.dimension(), problem.packets, found->dimensions)};
    };
    head.planning_work = [](const Topology& topology, const Problem& problem) {
        return cores_work(topology.dimension(), problem.packets);
    };
    head.storage = [cost = head.cost](const Topology& topology, const Problem& problem) {
        return Layout(problem, topology).output_bytes + cost(topology, problem).transmissions * plan_bytes_of_a_piece;
    };
    head.phases = [cores](const Topology& topology, const Problem& problem) {
        return cores_phases(*cores(topology, problem));
    };
    head.prepare = [cores](const Topology& topology, const Problem& problem) {
        return program_of(pieces_of_cores(*cores(topology, problem), topology.dimension(), problem.bytes), topology,
                          problem);
    };
    return head;
}

}  // namespace

std::vector<Entry> cores_family()
{
    constexpr std::string_view spread = "textbook: halving and doubling in subcubes; dcube's spread";
    return {
        cores_entry(
            {{.collective = Collective::all_reduce, .name = "cores-one", .ports = PortModel::one, .same_bits = true},
             {.paper = spread,
              .origin = Origin::dcube,
              .summary = "every block is summed up in a subcube of its own, swapped there, and spread again",
              .idea = "Cores with one port: all of them are subcubes over the same K dimensions, no two with a "
                      "common node, so every node swaps over one port at a time.",
              .formula = {.words = "2 T + K steps, where T is what the planned spread takes: max(d - K, ceil(m "
                                   "(N - 2^K)/N)) or little more."},
              .paper_note = "None of the papers has an all-reduce."}}),
        cores_entry(
            {{.collective = Collective::all_reduce, .name = "cores", .same_bits = true},
             {.paper = spread,
              .origin = Origin::dcube,
              .summary = "every block is summed up in a subcube of its own, swapped there, and spread again",
              .idea = "Every block has a core, a subcube of K dimensions. Its sum grows from all sides into the "
                      "core, is swapped there dimension by dimension, and spreads to all nodes again, over the "
                      "same links. A large core shortens the way, a small one saves packets. What crosses each "
                      "link when is planned step by step, by matchings.",
              .formula = {.words = "2 T + K steps, where T is what the planned spread takes: max(d - K, ceil(m "
                                   "(N - 2^K)/(d N))) or little more."},
              .paper_note = "None of the papers has an all-reduce."}}),
    };
}

}  // namespace dcube::detail
