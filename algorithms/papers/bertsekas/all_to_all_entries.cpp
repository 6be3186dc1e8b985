// The entries of all_to_all.cpp, with their costs and phases.

#include "algorithms/papers/bertsekas/all_to_all.hpp"

#include "algorithms/families.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/plan.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace dcube::detail {

namespace {

// The recursion's last level: dimension d - 1 parts the cube in two halves.
Phases halves_phases(unsigned d)
{
    if (d == 0)
        return {};
    const unsigned top = d - 1;
    const AlgorithmPhase across{
        1, bit(top), fmt::format("across dimension {}", top),
        fmt::format("Every node sends its {} for the other half over dimension {}, one in each of {}, in the order in "
                    "which they are needed there.",
                    counted(bit(top), "block"), top, counted(bit(top), "step")),
        top};
    if (d == 1)
        return {across};
    const Step half = bit(top) / 2;
    return {{1, half, "inside the halves",
             fmt::format("Both halves of {} exchange among themselves what needs no link of dimension {}.",
                         counted(bit(top), "node"), top)},
            across,
            {half + 1, 2 * half, "inside again",
             fmt::format("Inside both halves, blocks that have come over dimension {} go on to their targets, as in "
                         "the first {}.",
                         top, counted(half, "step"))}};
}

Entry with_cost_and_phases(Entry head)
{
    head = costed_by_formula(std::move(head));
    head.in_transit = [](const Topology& topology, const Problem&) {
        return std::optional<std::uint64_t>(all_to_all_in_transit(topology.dimension()));
    };
    head.phases = [](const Topology& topology, const Problem& problem) {
        return once_a_packet(problem.packets, topology.nodes() / 2, halves_phases(topology.dimension()));
    };
    return head;
}

Entry table_entry(Entry head)
{
    head.storage = [](const Topology& topology, const Problem& problem) {
        return plan_bytes(topology.status(0)) +
               std::uint64_t{all_to_all_slots(topology.dimension())} * topology.nodes() * problem.bytes;
    };
    return plan_entry(
        with_cost_and_phases(std::move(head)),
        [](const Topology& topology, const Problem&) { return all_to_all_schedule(topology); }, round_per_packet);
}

Entry local_rules_entry(Entry head)
{
    head.storage = [](const Topology& topology, const Problem& problem) {
        constexpr std::size_t in_queue = 64;  // per waiting packet, besides its bytes
        const std::uint64_t slots = all_to_all_slots(topology.dimension());
        return topology.nodes() * (2 * sizeof(NodeId) + slots * (problem.bytes + in_queue));
    };
    head.prepare = local_rules_program;
    return with_cost_and_phases(std::move(head));
}

}  // namespace

std::vector<Entry> all_to_all_family()
{
    return {
        table_entry(
            {{.collective = Collective::all_to_all, .name = "optimal"},
             {.aliases = {"total exchange"},
              .paper = "Bertsekas et al. 1991, section 4",
              .origin = Origin::paper,
              .summary = "a table that keeps every link busy in every step",
              .idea =
                  "A (d+1)-cube is two d-cubes. Exchange inside both halves; meanwhile hand everything for the "
                  "other half over on the port between them, in the order in which it will be needed there; then "
                  "exchange inside the halves again. The second exchange never waits, because in its first n steps "
                  "a node needs no more packets than have crossed by then. So every link is busy in every step, and "
                  "every path is a shortest one.",
              .formula = {.steps = "m 2^(d - 1)", .transmissions = "m d 2^(2 d - 1)"},
              .paper_note =
                  "Bertsekas et al. prove 2^(d-1) steps and d 2^(2d-1) transmissions in section 4 and Table I, by the "
                  "same three phases. Several packets per pair, one exchange after the other, are dcube's."}}),
        local_rules_entry(
            {{.collective = Collective::all_to_all, .name = "local-rules"},
             {.paper = "Bertsekas et al. 1991, section 4 (Implementation)",
              .origin = Origin::paper,
              .summary = "the same hops from order tables and a queue a port, with headers",
              .idea = "The same hops as `optimal`, but no table is made beforehand: packets have headers, and every "
                      "node finds what it sends next from a few order tables and a queue for each port, as the paper "
                      "proposes for real machines.",
              .formula = {.steps = "m 2^(d - 1)", .transmissions = "m d 2^(2 d - 1)"},
              .paper_note = "\"Implementation\" there. Its \"ordered by j xor i\" is a priority among all packets that "
                            "wait, not only among those that have come together (errata, 15)."}}),
    };
}

}  // namespace dcube::detail
