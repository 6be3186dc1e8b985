// All-to-all whose packets hardly rest. m packets per message, N = 2^d nodes; dcube's, beyond the papers.
//
//   staircase   all ports   m 2^(d-1) steps   m d 2^(2d-1) transmissions   both optimal
//
// Idea: all nodes act alike, so what has to be found is which offset x (target xor origin) every port
// serves in every step. Each x must have each of its bits served once, no two in one step. An offset x and its
// complement together need every port exactly once. So number the N/2 such pairs, and
//
//   in step t (0, 1, ..) port k serves pair (t - k) mod N/2: the one of the two offsets that has bit k.
//
// In a step the d ports serve d different pairs, and in N/2 steps every pair meets every port. Packets cross dimensions
// in ascending order, dimension k in step j + k for pair j, or rest in that step because they lack the bit. The last d
// pairs are the masks of d, d-1, .., 1 ones, so that what wraps round is split where it need not wait. Then at most
// 2d - 4 blocks of others are in transit in a node (d >= 3), where `optimal` has 2^(d-2) and more; docs/results.md
// has the proof, and docs/optimality.md that d - 1 is the least that any schedule of N/2 steps can have.
//
// No node needs a table: a packet that was sent over port k and must next cross h > k leaves over h exactly h - k steps
// later.
//
// Several packets per message: the copies of a pair follow one another, so that blocks which lie side by side are
// touched at the same time. A plan has as many copies as a line of the cache holds; the schedule is repeated for the
// rest.
//
// Planning: m d 2^(d-1) planned hops (plan_bytes), of no more copies than that.

#include "algorithms/beyond/cubes/staircase.hpp"

#include "algorithms/programs/cube.hpp"

#include <algorithm>
#include <vector>

namespace dcube::detail {

std::vector<NodeId> plain_pairs(unsigned d)
{
    std::vector<NodeId> pairs;
    for (NodeId j = 0; j < bit(d - 1); ++j)
        if ((j & (j + 1)) != 0)
            pairs.push_back(j);
    return pairs;
}

namespace {

struct PairOfCopy {
    NodeId offset;
    std::uint32_t copy;
};

std::vector<PairOfCopy> pairs_in_order(unsigned d, std::uint32_t copies)
{
    std::vector<PairOfCopy> pairs;
    for (const NodeId offset : plain_pairs(d))
        for (std::uint32_t copy = 0; copy < copies; ++copy)
            pairs.push_back({offset, copy});
    for (std::uint32_t copy = 0; copy < copies; ++copy)
        for (unsigned ones = d; ones >= 1; --ones)
            pairs.push_back({bit(ones) - 1, copy});
    return pairs;
}

// A hop of the packet to node 0's offset x over port k, when it has crossed all lower dimensions that it has to.
Hop ascending_hop(Step step, Port k, NodeId x, std::uint32_t copy)
{
    const NodeId made = x & (bit(k) - 1);
    return {step, 0, k, {made, made ^ x, copy}};
}

}  // namespace

// Copies of a pair that a plan has one after the other: as many as a line holds, of those that divide the packets.
std::uint32_t copies_together(const Topology& topology, const Problem& problem)
{
    constexpr std::size_t line = 64;
    constexpr std::uint64_t most_hops = 1 << 18;  // a plan of these takes a quarter of a second to make
    const std::uint64_t hops = std::max<std::uint64_t>(topology.status(0), 1);
    const std::size_t most = std::min<std::size_t>(line / std::max<std::size_t>(problem.bytes, 1), most_hops / hops);
    std::size_t copies = std::clamp<std::size_t>(most, 1, problem.packets);
    while (problem.packets % copies != 0)
        --copies;
    return static_cast<std::uint32_t>(copies);
}

std::uint32_t rounds_of_staircase(const Topology& topology, const Problem& problem)
{
    return static_cast<std::uint32_t>(problem.packets / copies_together(topology, problem));
}

Schedule staircase(unsigned d, std::uint32_t copies)
{
    Schedule schedule{Symmetry::translated, 0, {}};
    if (d == 0)
        return schedule;
    const std::vector<PairOfCopy> pairs = pairs_in_order(d, copies);
    const std::size_t count = pairs.size();
    schedule.steps = static_cast<Step>(count);
    schedule.hops.reserve(count * d);
    for (std::size_t t = 0; t < count; ++t)
        for (Port k = 0; k < d; ++k) {
            const auto [offset, copy] = pairs[(t + count - k) % count];
            const NodeId x = has_bit(offset, k) ? offset : ~offset & (bit(d) - 1);
            schedule.hops.push_back(ascending_hop(static_cast<Step>(t + 1), k, x, copy));
        }
    return schedule;
}

std::size_t staircase_in_transit(unsigned d)
{
    return d < 3 ? d / 2 : 2 * d - 4;
}

// In the step of its age s a pair holds the packets with bits on both sides of ports s-1 and s, and one that was lent
// in the step before: 1, 2, then 3 each, 2, 1 at the end.
std::size_t staircase_slots(unsigned d)
{
    constexpr std::size_t of_small_cubes[] = {0, 0, 1, 4};
    return d < 4 ? of_small_cubes[d] : 3 * d - 6;
}

}  // namespace dcube::detail
