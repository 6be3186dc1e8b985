// All-to-all whose packets hardly rest. m packets a message, N = 2^d nodes; dcube's, beyond the papers.
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
// Several packets a message: the copies of a pair follow one another, so that blocks which lie side by side are touched
// at the same time. A plan has as many copies as a line of the cache holds; the schedule is repeated for the rest.
//
// Planning: m d 2^(d-1) planned hops (plan_bytes), of no more copies than that.

#include "algorithms/beyond/cubes/staircase.hpp"

#include "algorithms/families.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

// One offset of every pair, the masks last: numbers below N/2, where all ones stands for the pair of 0.
std::vector<NodeId> plain_pairs(unsigned d)
{
    std::vector<NodeId> pairs;
    for (NodeId j = 0; j < bit(d - 1); ++j)
        if ((j & (j + 1)) != 0)
            pairs.push_back(j);
    return pairs;
}

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

std::string binary(NodeId offset, unsigned d)
{
    return fmt::format("{:0{}b}", offset, d);
}

// Of `copies` packets. A phase for some pairs is as long as any of them moves; pairs that wrap have theirs twice.
Phases staircase_phases(unsigned d, std::uint32_t copies)
{
    constexpr std::size_t most_groups = 16;
    const std::vector<NodeId> pairs = plain_pairs(d);
    const std::size_t together = std::max<std::size_t>((pairs.size() + most_groups - 1) / most_groups, 1);
    const auto steps = static_cast<Step>(bit(d - 1) * copies);
    Phases phases;
    if (d > 1)
        phases.push_back({1, static_cast<Step>(d - 1), "masks, high ports",
                          "Ports that the last pairs will not reach in time serve them now: the offsets that are ones "
                          "on the left."});
    for (std::size_t first = 0; first < pairs.size(); first += together) {
        const std::size_t last = std::min(first + together, pairs.size()) - 1;
        const auto name = [&](std::size_t at) {
            return fmt::format("{} and {}", binary(pairs[at], d), binary(~pairs[at] & (bit(d) - 1), d));
        };
        phases.push_back({static_cast<Step>(first * copies + 1),
                          std::min(static_cast<Step>((last + 1) * copies + d - 1), steps),
                          first == last ? fmt::format("pair {}", first) : fmt::format("pairs {} to {}", first, last),
                          fmt::format("Pair j crosses dimension k in step j + k + 1, the one of its two offsets that "
                                      "has bit k: {}{}.",
                                      first == last ? "" : fmt::format("{} to ", name(first)), name(last))});
    }
    phases.push_back(
        {static_cast<Step>(pairs.size() * copies + 1), steps, "masks",
         fmt::format("The last {} have ones only on the right, or only on the left: what would cross after "
                     "the last step has crossed in the first ones.",
                     counted(d, "pair"))});
    return in_order(std::move(phases));
}

}  // namespace

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

std::vector<Entry> staircase_family()
{
    Entry head = costed_by_formula(
        {{.collective = Collective::all_to_all, .name = "staircase"},
         {.paper = "beyond Bertsekas et al. 1991",
          .origin = Origin::dcube,
          .summary = "complementary pairs pass the ports one after the other: hardly a packet rests",
          .idea =
              "All nodes act alike, so it is enough to say which offset (target xor origin) each port serves when. An "
              "offset and its complement together need every port exactly once. So number these N/2 pairs; in step t "
              "port k serves pair t - k (mod N/2), the one of the two that has bit k. Drawn with pairs against ports "
              "that is a staircase. All ports are busy in all steps, packets cross dimensions in ascending order, "
              "and no node has more than 2d - 4 blocks of others in transit. A packet that has crossed dimension k "
              "and must next cross h leaves h - k steps later: no node needs a table.",
          .formula = {.steps = "m 2^(d - 1)", .transmissions = "m d 2^(2 d - 1)"},
          .paper_note =
              "Bertsekas et al. meet the same two bounds with 2^(d-2) blocks of others waiting in every node, "
              "so that packets arrive in the order in which a recursion needs them."}});
    head.storage = [](const Topology& topology, const Problem& problem) {
        return plan_bytes(topology.status(0) * copies_together(topology, problem)) +
               std::uint64_t{staircase_slots(topology.dimension())} * topology.nodes() * problem.bytes;
    };
    head.in_transit = [](const Topology& topology, const Problem&) {
        return std::optional<std::uint64_t>(staircase_in_transit(topology.dimension()));
    };
    head.phases = [](const Topology& topology, const Problem& problem) {
        if (topology.nodes() == 1)
            return Phases();
        const std::uint32_t copies = copies_together(topology, problem);
        const unsigned d = topology.dimension();
        return in_rounds(
            problem.packets / copies, std::uint64_t{copies} * bit(d - 1),
            [copies](std::uint64_t round) {
                return copies == 1 ? fmt::format("packet {}", round + 1)
                                   : fmt::format("packets {} to {}", round * copies + 1, (round + 1) * copies);
            },
            [=](std::uint64_t) { return staircase_phases(d, copies); });
    };
    return {plan_entry(
        std::move(head),
        [](const Topology& topology, const Problem& problem) {
            return staircase(topology.dimension(), copies_together(topology, problem));
        },
        rounds_of_staircase)};
}

}  // namespace dcube::detail
