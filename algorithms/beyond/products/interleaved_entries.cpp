// The entries of interleaved.cpp, with their costs and phases.

#include "algorithms/papers/dimakopoulos/entries.hpp"
#include "algorithms/papers/dimakopoulos/exchanges.hpp"
#include "algorithms/papers/dimakopoulos/factor_exchange.hpp"
#include "algorithms/papers/dimakopoulos/factor_group.hpp"

#include <fmt/format.h>

namespace dcube::detail {

namespace {

// Group A, as the product of all others, and factor b.
Phases side_by_side(const Topology& whole, const Factors& a, std::uint64_t a_steps, unsigned b)
{
    const Graph& last = whole.factor(b);
    const Phases of_a = round_phases(whole, a, last.nodes(), a_steps);
    const Phases of_b =
        round_phases(whole, {b}, whole.nodes() / last.nodes(), factor_exchange_steps(last, PortModel::all));
    return in_order(followed_by(of_a, 0, of_b));
}

Phases interleaved_phases(const Topology& topology)
{
    const unsigned last = topology.dimension() - 1;
    if (last == 0)
        return own_exchange_phase(interleaved_steps(topology));
    const Factors others = factor_range(0, last);
    return side_by_side(topology, others, interleaved_steps(product_of(topology, others)), last);
}

Phases grouped_phases(const Topology& topology)
{
    auto [first, others] = ring_like_factors(topology);
    first.insert(first.end(), others.begin(), others.end() - 1);
    return side_by_side(topology, first, grouped_steps(product_of(topology, first)), others.back());
}

// The rings and complete graphs are one term, G, and each of the other factors is one.
std::optional<CaseFormula> grouped_formula(const Topology& topology, const Problem&)
{
    CaseFormula formula;
    const auto [ring_like, others] = ring_like_factors(topology);
    const Topology group = product_of(topology, ring_like);
    const FormulaTerms all = terms_of_factors(topology, PortModel::all, formula);
    FormulaTerms terms{"N T_G/n_G"};
    for (const unsigned i : others)
        terms.push_back(all[i]);
    formula.letters["n_G"] = group.nodes();
    formula.letters["T_G"] = edge_colouring_steps(group);
    formula.text = fmt::format("m {}", largest_of(terms));
    return formula;
}

}  // namespace

Entry interleaved_entry()
{
    return exchange_entry(
        {{.collective = Collective::all_to_all,
          .name = "interleaved",
          .ports = PortModel::all,
          .networks = Networks::products},
         {.paper = "beyond Dimakopoulos & Dimopoulos 1998",
          .origin = Origin::dcube,
          .summary = "a single factor's own exchange; of products two factors at a time, in rounds side by side",
          .idea = "Two factors of any sizes, in rounds side by side: a class moves in one factor in a round that is "
                  "over before its round in the other begins, or the other way round, and the last rounds wrap over. "
                  "More factors are taken two at a time. Of a single factor it is that factor's own exchange.",
          .formula = {.words = "T_i is what factor i takes alone, n_i its number of nodes"},
          .paper_note = "Dimakopoulos & Dimopoulos leave open what to do with factors of different sizes.",
          .case_formula = longest_factor_formula}},
        {interleaved, interleaved_steps, interleaved_phases});
}

Entry grouped_entry()
{
    return exchange_entry(
        {{.collective = Collective::all_to_all,
          .name = "grouped",
          .ports = PortModel::all,
          .networks = Networks::products},
         {.paper = "beyond Dimakopoulos & Dimopoulos 1998",
          .origin = Origin::dcube,
          .summary = "interleaved, with all rings and complete graphs as one factor that is done optimally",
          .idea = "Interleaved, with all rings and complete graphs taken together as one factor that is done "
                  "optimally by edge colouring: a ring of 6 takes 5 steps where its cut says 4.5, and a product must "
                  "not pay for that rounding again and again.",
          .formula = {.words = "G is the group of all rings and complete graphs, whose n_G nodes take T_G by edge "
                               "colouring; T_i is what factor i takes alone, n_i its number of nodes"},
          .paper_note = "Dimakopoulos & Dimopoulos leave open what to do with factors of different sizes, and with "
                        "rings of n = 2 mod 4.",
          .case_formula = grouped_formula}},
        {grouped, grouped_steps, grouped_phases, [](const Topology& topology) -> std::string {
             const std::size_t ring_like = ring_like_factors(topology).first.size();
             return ring_like > 0 && ring_like < topology.dimension()
                        ? ""
                        : "it is for rings or complete graphs with others";
         }});
}

}  // namespace dcube::detail
