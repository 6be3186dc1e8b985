// The entries of all_gather.cpp, with their costs and phases.

#include "algorithms/papers/bertsekas/all_gather.hpp"

#include "algorithms/families.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/plan.hpp"

#include <fmt/format.h>

#include <utility>

namespace dcube::detail {

namespace {

// The phases of the rotated trees: level k has the numbers that follow those of the levels below, d of them per step.
Phases level_phases(unsigned d, std::uint64_t m, Direction direction)
{
    Phases phases;
    std::uint64_t before = 0;
    for (unsigned k = 1; k <= d; ++k) {
        const std::uint64_t nodes = choose(d, k).convert_to<std::uint64_t>();
        const std::uint64_t after = before + m * nodes;
        phases.push_back(
            {static_cast<Step>(before / d + 1), static_cast<Step>((after - 1) / d + 1), fmt::format("distance {}", k),
             direction == Direction::forwards
                 ? fmt::format("Every node gets the packets of {}, at most {} per step, each over another port, from "
                               "neighbours nearer to their origins.",
                               nodes_at(k, d), d)
                 : fmt::format("Every node hands over its partial sums for {}, at most {} per step, each over another "
                               "port, to neighbours nearer to them.",
                               nodes_at(k, d), d)});
        before = after;
    }
    return phases;
}

}  // namespace

Phases all_gather_phases(const Topology& topology, std::uint64_t packets, Direction direction)
{
    Phases phases = level_phases(topology.dimension(), packets, direction);
    if (direction == Direction::forwards)
        return phases;
    return mirrored(std::move(phases), steps_over_links(packets * (topology.nodes() - std::uint64_t{1}), topology));
}

namespace {

// In reduce-scatter the sums under way are in slots; a node begins at most one for every block that is not its own.
std::uint64_t all_gather_storage(const Topology& topology, const Problem& problem)
{
    const std::uint64_t n = topology.nodes();
    const std::uint64_t sums =
        problem.collective == Collective::all_gather ? 0 : n * n / 2 * problem.packets * problem.bytes;
    return plan_bytes(problem.packets * (n - 1)) + sums;
}

}  // namespace

Entry planned_all_gather_entry(Entry head, Schedule (*schedule)(const Topology& topology, std::uint32_t packets),
                               Phases (*phases)(const Topology& topology, std::uint64_t packets, Direction direction))
{
    head = costed_by_formula(std::move(head));
    head.storage = all_gather_storage;
    head.phases = [phases](const Topology& topology, const Problem& problem) {
        return phases(topology, problem.packets, direction_of(problem.collective));
    };
    return plan_entry(std::move(head), [schedule](const Topology& topology, const Problem& problem) {
        return in_direction_of(problem.collective, topology,
                               schedule(topology, static_cast<std::uint32_t>(problem.packets)));
    });
}

std::vector<Entry> all_gather_family()
{
    constexpr std::string_view section = "Bertsekas et al. 1991, section 2";
    return {
        planned_all_gather_entry(
            {{.collective = Collective::all_gather, .name = "rotated-trees"},
             {.aliases = {"optimal"},
              .paper = section,
              .origin = Origin::paper,
              .summary = "N translated spanning trees that never share a link in a step",
              .idea = "One broadcast tree for root 0, with a step for every link; the same tree XORed with r for every "
                      "root r, all N at once. Two roots could meet on a link only if root 0's tree used two links of "
                      "the same port in one step. So the nodes are numbered such that any d in a row have d different "
                      "ports, and every parent comes in an earlier step: level by level, rotations side by side.",
              .formula = {.steps = "ceil(m (N - 1)/d)", .transmissions = "m N (N - 1)"},
              .paper_note =
                  "Bertsekas et al. prove ceil((N - 1)/d) steps and N (N - 1) transmissions in section 2 and "
                  "Table I, and in the appendix that d never divides 2^d - 1 for d > 1. m packets per node are "
                  "dcube's. The paper's argument by distances leaves out the class R_21 and d = 3 and 4, "
                  "where it is true because whole classes fill steps (errata, 15)."}},
            all_gather_schedule, all_gather_phases),
        planned_all_gather_entry(
            {{.collective = Collective::reduce_scatter, .name = "rotated-trees"},
             {.aliases = {"optimal"},
              .paper = section,
              .origin = Origin::refinement,
              .summary = "the optimal all-gather, backwards",
              .idea = "The optimal all-gather read backwards: block r is summed up along the tree of root r, and all N "
                      "trees run at once without meeting. Adding does not save packets: as many move as in all-gather.",
              .formula = {.steps = "ceil(m (N - 1)/d)", .transmissions = "m N (N - 1)"},
              .paper_note = "The multinode broadcast of Bertsekas et al., section 2, backwards: as many steps and "
                            "transmissions. Bertsekas et al. call it multinode accumulation."}},
            all_gather_schedule, all_gather_phases),
    };
}

}  // namespace dcube::detail
