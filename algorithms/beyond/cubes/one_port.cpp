// One port, by well-known algorithms that Bertsekas et al. 1991, section 1, refer to or leave to others. m packets
// per message, N = 2^d nodes.
//
//   collective       name                 steps         transmissions
//   scatter          farthest-first       m(N-1)        m d 2^(d-1)
//   gather           nearest-first        the scatter backwards
//   all-gather       recursive-doubling   m(N-1)        mN(N-1)
//   reduce-scatter   recursive-halving    the all-gather backwards
//   all-to-all       dimension-exchange   m d 2^(d-1)   m d 2^(2d-1)
//   all-to-all       offset-by-offset     m d 2^(d-1)   m d 2^(2d-1)
//
// All are optimal. Broadcast and reduce are in one_port_pipeline.cpp.
//   farthest-first: the root sends a packet per step, the farthest first.
//   recursive-doubling: partners over port k swap all that they hold, the packets of 2^k origins, one per step.
//   dimension-exchange: after phase k a node holds the packets whose origins agree with it above bit k, and whose
//   destinations agree with it up to bit k.
//   offset-by-offset: all nodes send their block for one offset all its way before the next.
//
// Planning: as many planned hops as transmissions, of a node where all act alike (plan_bytes).

#include "algorithms/beyond/cubes/one_port.hpp"

#include "algorithms/programs/cube.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <vector>

namespace dcube::detail {

// An offset is a packet's target xor its origin; of it `made` has been crossed.
Schedule offset_by_offset(const Topology& topology)
{
    Schedule schedule{Symmetry::translated, 0, {}};
    for (NodeId x = 1; x < topology.nodes(); ++x)
        for (Port k = 0; k < topology.dimension(); ++k)
            if (has_bit(x, k)) {
                const NodeId made = x & (bit(k) - 1);
                schedule.hops.push_back({++schedule.steps, 0, k, {made, made ^ x, 0}});
            }
    return schedule;
}

// Bit by bit, the lowest first; a node at distance h only receives in the step s + h - 1 for the one packet of step s
// that passes it.
Schedule one_port_scatter(const Topology& topology, std::uint32_t packets)
{
    std::vector<NodeId> nodes(topology.nodes() - 1);
    std::iota(nodes.begin(), nodes.end(), NodeId{1});
    std::ranges::stable_sort(nodes, std::greater(), [](NodeId node) { return std::popcount(node); });

    Schedule schedule{Symmetry::rooted, 0, {}};
    for (const NodeId node : nodes)
        for (std::uint32_t copy = 0; copy < packets; ++copy) {
            Step step = ++schedule.steps;
            for (NodeId left = node; left != 0; left &= left - 1)
                schedule.hops.push_back(
                    {step++, node ^ left, static_cast<Port>(std::countr_zero(left)), {0, node, copy}});
        }
    return schedule;
}

Schedule one_port_all_gather(const Topology& topology, std::uint32_t packets)
{
    Schedule schedule{Symmetry::translated, 0, {}};
    for (Port port = 0; port < topology.dimension(); ++port)
        for (NodeId origin = 0; origin < bit(port); ++origin)
            for (std::uint32_t copy = 0; copy < packets; ++copy)
                schedule.hops.push_back({++schedule.steps, 0, port, {origin, 0, copy}});
    return schedule;
}

Schedule one_port_all_to_all(const Topology& topology)
{
    const unsigned d = topology.dimension();
    Schedule schedule{Symmetry::translated, 0, {}};
    for (Port k = 0; k < d; ++k)
        for (NodeId origin = 0; origin < bit(k); ++origin)
            for (NodeId high = 0; high < bit(d - 1 - k); ++high)
                schedule.hops.push_back({++schedule.steps, 0, k, {origin, high << (k + 1) | bit(k), 0}});
    return schedule;
}

}  // namespace dcube::detail
