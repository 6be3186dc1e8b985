// Scatter and gather. Stout & Wagar 1990, section 5 (DISTRIBUTE; COLLECT is the same backwards). m bytes for every node
// of a d-cube, N = 2^d.
//
//   name                 paper         time
//   farthest-first       DISTRIBUTE 1  (2^d - 1) tau m/d + d beta                    exact if lcm(1..d) divides m
//   farthest-first-even  ours          the same                                      (staggered odd bytes: a few more)
//   waves                DISTRIBUTE 2  (2^d - 1) tau m/d + k beta for long messages, k = the number of waves; the exact
//                                      time of any plan is in wave_plan.cpp
//
// Transmissions are counted by asking the routing: a packet on every link in which something is due, in every stage.
// Planning: a table of all packets. farthest-first: d 2^(d-1) pieces, in time and memory; the others cut every message
// to a node at distance s anew on its s 2^(s-1) links, d 3^(d-1) pieces in all.

#include "algorithms/papers/stout_wagar/scatter.hpp"

#include "algorithms/papers/stout_wagar/opposite_corner_send.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/cut.hpp"
#include "base/names.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>
#include <vector>

namespace dcube::detail {

LengthOf equal_lengths(const Problem& problem)
{
    return [bytes = message_bytes(problem)](NodeId) { return bytes; };
}

// The message to a node at distance s is an O.C. SEND 2 within the subcube of the node and the root, begun in stage d -
// s: the farthest messages leave first, and all arrive in the last stage. All parts due on one link in one stage are
// one packet.
Routing distribute_1(const Topology& topology, const LengthOf& length_of)
{
    const unsigned d = topology.dimension();
    RoutingTable table(topology);
    for (NodeId target = 1; target < topology.nodes(); ++target) {
        const std::vector<Port> dims = one_positions(target);
        const std::size_t s = dims.size();
        const std::size_t staggered = std::accumulate(dims.begin(), dims.end(), std::size_t{0}) % s;
        for (std::size_t i = 0; i < s; ++i) {
            const auto [offset, bytes] = staggered_part(length_of(target), s, i, staggered);
            NodeId at = 0;
            for (std::size_t j = 0; j < s; ++j) {
                const Port w = dims[(i + j) % s];
                table.add(static_cast<Step>(d - s + j), at, w, Fragment{target, offset, bytes});
                at ^= bit(w);
            }
        }
    }
    return std::move(table).routing();
}

// The same with O.C. SEND 3 instead, which loads a level's links evenly. DISTRIBUTE 2 needs that; the time is the
// same, for the root's links carry the most.
Routing distribute_1_even(const Topology& topology, const LengthOf& length_of)
{
    RoutingTable table(topology);
    for (NodeId target = 1; target < topology.nodes(); ++target) {
        const std::vector<Port> dims = one_positions(target);
        spreading(table, 0, dims, {{target, 0, length_of(target)}},
                  static_cast<Step>(topology.dimension() - dims.size()));
    }
    return std::move(table).routing();
}

namespace {

// The bytes of a message that a wavelet carries.
Stretch share_of(const Wavelet& wavelet, std::size_t bytes)
{
    const auto begin = ceiling(wavelet.begin * bytes).convert_to<std::size_t>();
    const auto end = ceiling(wavelet.end * bytes).convert_to<std::size_t>();
    return {begin, end - begin};
}

// A wavelet by itself, one stage a level.
RoutingTable wavelet_table(const Topology& topology, const Wavelet& wavelet, const LengthOf& length_of)
{
    RoutingTable table(topology);
    for (NodeId target = 1; target < topology.nodes(); ++target) {
        if (static_cast<unsigned>(std::popcount(target)) != wavelet.distance)
            continue;
        const auto [offset, bytes] = share_of(wavelet, length_of(target));
        spreading(table, 0, one_positions(target), {{target, offset, bytes}}, 0);
    }
    return table;
}

}  // namespace

void for_each_wavelet(unsigned d, const WavePlan& plan, const VisitWavelet& visit)
{
    std::vector<Step> next_stage(d);  // by level
    for (Step wave = 0; wave < plan.size(); ++wave) {
        for (const Wavelet& wavelet : plan[wave]) {
            std::vector<Step> stages{wave};
            for (unsigned level = 1; level < wavelet.distance; ++level) {
                stages.push_back(std::max(stages.back() + 1, next_stage[level]));
                next_stage[level] = stages.back() + 1;
            }
            visit(wave, wavelet, stages);
        }
    }
}

// The root sends a wave in every stage.
Routing distribute_2(const Topology& topology, const WavePlan& plan, const LengthOf& length_of)
{
    RoutingTable table(topology);
    for_each_wavelet(topology.dimension(), plan, [&](Step, const Wavelet& wavelet, std::span<const Step> stages) {
        table.add_all(wavelet_table(topology, wavelet, length_of), stages);
    });
    return std::move(table).routing();
}

WavePlan wave_plan_for(const Topology& topology, const Problem& problem)
{
    const unsigned d = topology.dimension();
    if (!problem.tuning.waves.empty())
        return about("waves", [&] { return parse_wave_plan(problem.tuning.waves, d); });
    return best_wave_plan(d, message_bytes(problem), LinkCosts(problem.link));
}

}  // namespace dcube::detail
