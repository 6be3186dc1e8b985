// The entry of staircase.cpp, with its cost and phases.

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

// "pair 3", "pairs 3 to 5": those after the first `before`, up to the last. The schedule's table counts them alike.
std::string pairs_text(std::size_t before, std::size_t last)
{
    return before + 1 == last ? fmt::format("pair {}", last) : fmt::format("pairs {} to {}", before + 1, last);
}

// The phases of `copies` packets. A phase for some pairs is as long as any of them moves; pairs that wrap have theirs
// twice.
Phases staircase_phases(unsigned d, std::uint32_t copies)
{
    constexpr std::size_t most_groups = 16;
    const std::vector<NodeId> pairs = plain_pairs(d);
    const std::size_t together = std::max<std::size_t>((pairs.size() + most_groups - 1) / most_groups, 1);
    const auto steps = static_cast<Step>(bit(d - 1) * copies);
    Phases phases;
    if (d > 1)
        phases.push_back(
            {1, static_cast<Step>(d - 1), "ahead",
             fmt::format("Node 0's block for node {}{} would come too late if it waited for its turn, and goes "
                         "ahead; every other node does the same, seen from itself.",
                         bit(d - 1), d > 2 ? ", as a few others," : "")});
    for (std::size_t first = 0; first < pairs.size(); first += together) {
        const std::size_t last = std::min(first + together, pairs.size()) - 1;
        const NodeId target = pairs[first];
        const std::string others = first == last ? ""
                                                 : fmt::format(", followed by {} more pair{}, one step apart",
                                                               last - first, last - first == 1 ? "" : "s");
        phases.push_back({static_cast<Step>(first * copies + 1),
                          std::min(static_cast<Step>((last + 1) * copies + d - 1), steps), pairs_text(first, last + 1),
                          fmt::format("Node 0's blocks for nodes {} and {}, opposite each other, take turns at ports 0 "
                                      "to {}{}; every other node does the same, seen from itself.",
                                      target, ~target & (bit(d) - 1), d - 1, others)});
    }
    phases.push_back(
        {static_cast<Step>(pairs.size() * copies + 1), steps, pairs_text(pairs.size(), bit(d - 1)),
         fmt::format("The last {} of opposite nodes: what they would have to send after the last step was sent in the "
                     "first steps, so no link is idle.",
                     counted(d, "pair"))});
    return in_order(std::move(phases));
}

}  // namespace

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
