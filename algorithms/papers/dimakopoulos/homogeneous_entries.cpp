// The entry of homogeneous.cpp, with its phases.

#include "algorithms/papers/dimakopoulos/entries.hpp"
#include "algorithms/papers/dimakopoulos/exchanges.hpp"
#include "collectives/coordinates.hpp"

#include <fmt/format.h>

#include <bit>

namespace dcube::detail {

namespace {

Phases homogeneous_phases(const Topology& topology)
{
    const unsigned factors = topology.dimension();
    const std::string a = coordinate_words(factor_range(0, factors / 2));
    const std::string b = coordinate_words(factor_range(factors / 2, factors));
    const std::uint64_t n = product_of(topology, factor_range(0, factors / 2)).nodes();
    const auto text = [&](std::uint64_t round) {
        const std::string in_a = round == 0 ? fmt::format("what need not move along {}", b)
                                            : fmt::format("what came along {} in the round before", b);
        const std::string in_b = round + 1 == n ? fmt::format("what need not move along {}", a)
                                                : fmt::format("what goes along {} in the next round", a);
        return PhaseText{fmt::format("round {} of {}", round + 1, n),
                         fmt::format("Nodes that differ in {} only exchange {}, and nodes that differ in {} only {}.",
                                     a, in_a, b, in_b)};
    };
    return numbered_phases(n, interleaved_steps(topology) / n, text,
                           {fmt::format("{} rounds", n),
                            fmt::format("In each of {} rounds nodes that differ in {} only and nodes that differ in {} "
                                        "only exchange side by side, and what the latter have brought the former take "
                                        "on in the next.",
                                        n, a, b)});
}

}  // namespace

Entry homogeneous_entry()
{
    return exchange_entry(
        {{.collective = Collective::all_to_all,
          .name = "homogeneous",
          .ports = PortModel::all,
          .networks = Networks::equal_factors},
         {.aliases = {"A3"},
          .paper = "Dimakopoulos & Dimopoulos 1998, algorithm A3",
          .origin = Origin::paper,
          .summary = "both factors run their exchanges at once, in n rounds with rotated offsets",
          .idea = "Equal factors in two halves that exchange side by side; from round to round they rotate what they "
                  "exchange, so that both are always busy with different classes.",
          .formula = {.words = "T_i is what factor i takes alone, n_i its number of nodes, here the same for all: "
                               "N/n_i rounds, each as long as the largest T_i"},
          .paper_note =
              "It gives these steps: n T for two equal factors. It is called optimal on all tori, but ring:6 takes 5 "
              "steps and its cut is 4.5: on torus:6x6 it takes 30, and 27 are possible (errata, 16).",
          .case_formula = longest_factor_formula}},
        {homogeneous, interleaved_steps, homogeneous_phases, [](const Topology& topology) -> std::string {
             const unsigned factors = topology.dimension();
             return factors > 1 && std::has_single_bit(factors) ? "" : "it is for 2, 4, 8, .. factors";
         }});
}

}  // namespace dcube::detail
