// The entry of factor_by_factor.cpp, with its phases.

#include "algorithms/papers/dimakopoulos/entries.hpp"
#include "algorithms/papers/dimakopoulos/exchanges.hpp"
#include "algorithms/papers/dimakopoulos/factor_exchange.hpp"
#include "algorithms/papers/dimakopoulos/factor_group.hpp"
#include "collectives/coordinates.hpp"

#include <fmt/format.h>

namespace dcube::detail {

Phases factor_by_factor_phases(const Topology& topology)
{
    const Graph& first = topology.factor(0);
    const std::uint64_t first_steps = factor_exchange_steps(first, PortModel::one);
    if (topology.dimension() == 1)
        return own_exchange_phase(first_steps);
    const Factors others = factor_range(1, topology.dimension());
    const Topology rest = product_of(topology, others);
    const std::string words = coordinate_words(others);
    const std::uint64_t rest_steps = factor_by_factor_steps(rest);
    const auto batches = [](std::uint64_t count, std::uint64_t steps, const std::string& inside,
                            const Topology& network, const std::string& across) {
        const std::string who = fmt::format("Nodes that differ in {} only ({})", inside, product_words(network));
        return numbered_phases(
            count, steps,
            [&](std::uint64_t r) {
                return PhaseText{fmt::format("{}: batch {} of {}", inside, r + 1, count),
                                 fmt::format("{} exchange the packets {}.", who,
                                             r == 0 ? "that need not move in " + across
                                                    : fmt::format("whose ends differ by {} in {}", r, across))};
            },
            {fmt::format("{}: {} batches", inside, count),
             fmt::format("{} make {} exchanges, one for every difference between the ends of a packet in {}.", who,
                         count, across)});
    };
    const std::string one = coordinate_words(0);
    return followed_by(batches(first.nodes(), rest_steps, words, rest, one), first.nodes() * rest_steps,
                       batches(rest.nodes(), first_steps, one, Topology::product({first}), words));
}

namespace {

std::optional<CaseFormula> factor_by_factor_formula(const Topology& topology, const Problem&)
{
    CaseFormula formula;
    formula.text = fmt::format("m ({})", fmt::join(terms_of_factors(topology, PortModel::one, formula), " + "));
    return formula;
}

}  // namespace

Entry factor_by_factor_entry()
{
    return exchange_entry(
        {{.collective = Collective::all_to_all,
          .name = "factor-by-factor",
          .ports = PortModel::one,
          .networks = Networks::products},
         {.aliases = {"A2"},
          .paper = "Dimakopoulos & Dimopoulos 1998, algorithm A2",
          .origin = Origin::paper,
          .summary = "exchanges in the copies of the last factors, batch by batch, then in those of the first",
          .idea = "One factor after the other, a batch at a time: a batch is a total exchange in every copy of the "
                  "last factors; then exchanges in the copies of the first one. On Cayley graphs every step is a "
                  "permutation of the nodes, so it meets L1; on paths the middle node limits.",
          .formula = {.words = "T_i is what factor i takes alone, n_i its number of nodes"},
          .paper_note = "It gives these steps: N times the sum of T_i/n_i. It is optimal where every factor takes "
                        "its average status, as Cayley graphs do.",
          .case_formula = factor_by_factor_formula}},
        {factor_by_factor, factor_by_factor_steps, factor_by_factor_phases});
}

}  // namespace dcube::detail
