// digit-rounds: the classes of a line move in the factors one after the other, line after line.
// dcube's; goes beyond algorithm A3 of Dimakopoulos & Dimopoulos 1998, which is for 2, 4, 8, .. factors. All ports.
//
// k factors of n nodes each; class c = (c_1, .. , c_k) is all packets with these offsets. N / n rounds of T = the
// largest T_i steps; in each, every copy of every factor does one exchange. A line is the n classes c + a(1, .. , 1), a
// = 0 .. n - 1, of which each factor has every offset once: one exchange of it. The lines are numbered by the base n
// digits c_(p+1) - c_p (mod n), p = 1 .. k - 1, and line l moves in factor i in round l + i (mod N / n). So no class is
// in two factors at once (N / n >= k), and a line has passed after k rounds: few blocks wait.
//
// Steps: N / n times the largest T_i, optimal where homogeneous would be. Transmissions: the sum of all distances.
// Planning takes time and memory as the hops of one node on Cayley graphs (of two or more kinds where there are even
// rings), of all nodes elsewhere.

#include "algorithms/papers/dimakopoulos/entries.hpp"
#include "algorithms/papers/dimakopoulos/exchanges.hpp"
#include "algorithms/papers/dimakopoulos/factor_exchange.hpp"
#include "algorithms/papers/dimakopoulos/factor_group.hpp"
#include "algorithms/papers/dimakopoulos/rounds.hpp"

#include <fmt/format.h>

namespace dcube::detail {

namespace {

// The line of a class.
NodeId line_of(std::span<const NodeId> offsets, NodeId n)
{
    NodeId number = 0;
    for (std::size_t p = 0; p + 1 < offsets.size(); ++p)
        number = number * n + (offsets[p + 1] + n - offsets[p]) % n;
    return number;
}

}  // namespace

Schedule digit_rounds(const Topology& topology)
{
    if (topology.dimension() == 0)
        return {Symmetry::translated, 0, {}};
    const NodeId n = topology.factor(0).nodes();
    const std::uint64_t steps = largest_of_factors(
        topology, [&](unsigned i) { return factor_exchange_steps(topology.factor(i), PortModel::all); });
    const NodeId lines = topology.nodes() / n;
    const ExchangeRounds rounds{
        lines * steps,
        [&](std::size_t, NodeId round) { return round * steps; },
        [n, lines](std::size_t factor, std::span<const NodeId> offsets) {
            return static_cast<NodeId>((line_of(offsets, n) + factor) % lines);
        },
    };
    return exchange_in_rounds(topology, single_factors(topology, PortModel::all), rounds);
}

namespace {

Phases digit_rounds_phases(const Topology& topology)
{
    const std::uint64_t rounds = topology.nodes() / topology.factor(0).nodes();
    const std::uint64_t steps = interleaved_steps(topology) / rounds;
    return numbered_phases(
        rounds, steps,
        [&](std::uint64_t round) {
            return PhaseText{fmt::format("round {} of {}", round + 1, rounds),
                             fmt::format("In round {} of {}, of {}, packets move along all {} coordinates side by "
                                         "side, and no packet along more than one of them.",
                                         round + 1, rounds, counted(steps, "step"), topology.dimension())};
        },
        {fmt::format("{} rounds", rounds),
         fmt::format(
             "In each of {} rounds packets move along all {} coordinates side by side, and no packet along more "
             "than one of them.",
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
