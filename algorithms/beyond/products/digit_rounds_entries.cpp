// The entry of digit_rounds.cpp, with its phases.

#include "algorithms/papers/dimakopoulos/entries.hpp"
#include "algorithms/papers/dimakopoulos/exchanges.hpp"

#include <fmt/format.h>

namespace dcube::detail {

namespace {

Phases digit_rounds_phases(const Topology& topology)
{
    const std::uint64_t rounds = topology.nodes() / topology.factor(0).nodes();
    const std::uint64_t steps = interleaved_steps(topology) / rounds;
    return numbered_phases(
        rounds, steps,
        [&](std::uint64_t round) {
            return PhaseText{fmt::format("round {} of {}", round + 1, rounds),
                             fmt::format("In round {} of {}, of {}, all copies of all {} factors exchange side by "
                                         "side, and no packet moves in more than one of them.",
                                         round + 1, rounds, counted(steps, "step"), topology.dimension())};
        },
        {fmt::format("{} rounds", rounds),
         fmt::format("In each of {} rounds all copies of all {} factors exchange side by side, and no packet moves in "
                     "more than one of them.",
                     rounds, topology.dimension())});
}

}  // namespace

Entry digit_rounds_entry()
{
    return exchange_entry(
        {{.collective = Collective::all_to_all,
          .name = "digit-rounds",
          .ports = PortModel::all,
          .networks = Networks::equal_factors},
         {.paper = "beyond Dimakopoulos & Dimopoulos 1998",
          .origin = Origin::dcube,
          .summary = "lines of classes pass the factors one after the other",
          .idea =
              "All copies of all factors run their own exchange, round after round. A class is all packets of one "
              "offset, digit by digit. The n classes that differ by the same number in all digits, a line, have "
              "every offset in every factor once, so that they fill one exchange of it. Line l has that of factor i "
              "in round l + i: no class is in two factors at once, and no line takes longer than it must.",
          .formula = {.words = "T_i is what factor i takes alone, n_i its number of nodes, here the same for all: "
                               "N/n_i rounds, each as long as the largest T_i"},
          .paper_note = "Dimakopoulos & Dimopoulos state A3 for 2, 4, 8, .. equal factors. This does any number of "
                        "them in as many steps.",
          .case_formula = longest_factor_formula}},
        {digit_rounds, interleaved_steps, digit_rounds_phases, [](const Topology& topology) -> std::string {
             return topology.dimension() > 1 ? "" : "it is for two factors or more";
         }});
}

}  // namespace dcube::detail
