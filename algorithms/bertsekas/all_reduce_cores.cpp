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
// Planning: a few spreads (algorithms/any_network/spread.hpp) of m packets for each K that could be best.

#include "algorithms/bertsekas/all_reduce_cores.hpp"

#include "algorithms/families.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/phases.hpp"
#include <dcube/bounds.hpp>
#include <dcube/piece_schedule.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <utility>

namespace dcube::detail {

namespace {

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

Algorithm cores_entry(Algorithm head)
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
        constexpr std::size_t bytes_of_a_hop = 200;  // of the plan: measured on all-to-all
        return Layout(problem, topology).output_bytes + cost(topology, problem).transmissions * bytes_of_a_hop;
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

std::vector<Algorithm> cores_family()
{
    constexpr std::string_view spread = "well known: halving and doubling in subcubes; dcube's spread";
    return {
        cores_entry({.collective = Collective::all_reduce,
                     .name = "cores-one",
                     .paper = spread,
                     .origin = Origin::dcube,
                     .summary = "every block is summed up in a subcube of its own, swapped there, and spread again",
                     .ports = PortModel::one}),
        cores_entry({.collective = Collective::all_reduce,
                     .name = "cores",
                     .paper = spread,
                     .origin = Origin::dcube,
                     .summary = "every block is summed up in a subcube of its own, swapped there, and spread again"}),
    };
}

}  // namespace dcube::detail
