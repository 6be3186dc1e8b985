// The entry of row_by_row.cpp, with its phases.

#include "algorithms/papers/dimakopoulos/entries.hpp"
#include "algorithms/papers/dimakopoulos/exchanges.hpp"
#include "algorithms/papers/dimakopoulos/factor_exchange.hpp"
#include "algorithms/papers/dimakopoulos/factor_group.hpp"
#include "collectives/coordinates.hpp"

#include <fmt/format.h>

namespace dcube::detail {

namespace {

// A row is a copy of factor 1.
Phases row_by_row_phases(const Topology& topology)
{
    if (topology.dimension() < 2)
        return factor_by_factor_phases(topology);
    const Topology rest = product_of(topology, factor_range(1, topology.dimension()));
    const NodeId n = topology.factor(0).nodes();
    PhaseLine carrying;
    for (NodeId row = 0; row < rest.nodes(); ++row)
        carrying.add(n * rest.status(row),
                     {fmt::format("from row {}", row),
                      fmt::format("Row {}, along {}, carries {} to each of the {} other rows, one after the other, all "
                                  "{} nodes of the row side by side.",
                                  row, factor_words(topology, 0), counted(n, "packet"), rest.nodes() - 1, n)});
    const std::uint64_t carried = n * rest.sum_of_statuses();
    const PhaseText all{"to the rows of the targets",
                        fmt::format("Packets are carried to the row of their target, those of one of {} rows for one "
                                    "node at a time.",
                                    rest.nodes())};
    const std::uint64_t steps = factor_exchange_steps(topology.factor(0), PortModel::one);
    const auto exchange = [&](std::uint64_t row) {
        return PhaseText{fmt::format("exchange of row {}'s", row),
                         fmt::format("In all rows the packets that began in row {} go to their targets, in an exchange "
                                     "of {}.",
                                     row, counted(steps, "step"))};
    };
    return followed_by(
        rest.nodes() > most_phases / 2 ? whole_run(carried, all) : carrying.take(), carried,
        numbered_phases(rest.nodes(), steps, exchange,
                        {"exchanges in the rows",
                         fmt::format("In all rows {} exchanges take the packets to their targets, one for every "
                                     "row that they began in.",
                                     rest.nodes())}));
}

std::optional<CaseFormula> row_by_row_formula(const Topology& topology, const Problem&)
{
    const std::uint64_t alone = factor_exchange_steps(topology.factor(0), PortModel::one);
    if (topology.dimension() == 1)
        return CaseFormula{.text = "m T_A", .letters = {{"T_A", alone}}};
    const Topology rest = product_of(topology, factor_range(1, topology.dimension()));
    return CaseFormula{.text = "m (n_A S_B + n_B T_A)",
                       .letters = {{"n_A", topology.factor(0).nodes()},
                                   {"n_B", rest.nodes()},
                                   {"S_B", rest.sum_of_statuses()},
                                   {"T_A", alone}}};
}

}  // namespace

Entry row_by_row_entry()
{
    return exchange_entry(
        {{.collective = Collective::all_to_all,
          .name = "row-by-row",
          .ports = PortModel::one,
          .networks = Networks::products},
         {.aliases = {"A1"},
          .paper = "Dimakopoulos & Dimopoulos 1998, algorithm A1",
          .origin = Origin::paper,
          .summary =
              "one message a row at a time along the other factors, then exchanges in the first; the slow reference",
          .idea = "The slow reference: carry one message of every node a row at a time along the other factors, so "
                  "that what the nodes of a row hold is for one row; then exchange in the first factor.",
          .formula = {.words = "A is the first factor, B the product of the others; T_A is what A takes alone, S_B "
                               "the sum of all distances in B"},
          .paper_note = "It gives these steps: n_A S_B + n_B T_A. It is the simple one, with which A2 is compared.",
          .automatic = false,
          .case_formula = row_by_row_formula}},
        {row_by_row, row_by_row_steps, row_by_row_phases});
}

}  // namespace dcube::detail
