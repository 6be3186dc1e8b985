// row-by-row: every message is carried to its column first, one row of nodes at a time; the slow reference.
// Dimakopoulos & Dimopoulos 1998, algorithm A1, on one port.
//
// The network is the product of factor 1 (n_1 nodes) and all others (N / n_1 nodes, j). Node (i, j) has a packet for
// every node (a, k):
//   for every j != k and every a: all nodes (i, j) carry their packet for (a, k) along a shortest path to (i, k);
//   for every j: one exchange of T_1 steps in all copies of factor 1, of the packets that were born at j.
//
// Steps: n_1 (sum of all distances in the product of the others) + N / n_1 T_1. Transmissions: the sum of all
// distances. Planning takes time and memory as the transmissions: the schedule is of all nodes.

#include "algorithms/papers/dimakopoulos/entries.hpp"
#include "algorithms/papers/dimakopoulos/exchanges.hpp"
#include "algorithms/papers/dimakopoulos/factor_exchange.hpp"
#include "algorithms/papers/dimakopoulos/factor_group.hpp"

#include <fmt/format.h>

namespace dcube::detail {

namespace {

class RowByRow {
public:
    explicit RowByRow(const Topology& topology)
        : first_(single_factor(topology, 0, PortModel::one)),
          rest_(product_of(topology, factor_range(1, topology.dimension())))
    {
    }

    Schedule schedule()
    {
        for (NodeId from = 0; from < rest_.nodes(); ++from)
            for (NodeId to = 0; to < rest_.nodes(); ++to)
                for (NodeId target = 0; from != to && target < first_.topology.nodes(); ++target)
                    carry(from, to, target);
        for (NodeId from = 0; from < rest_.nodes(); ++from)
            exchange(from);
        return std::move(schedule_);
    }

private:
    [[nodiscard]] NodeId node_of(NodeId i, NodeId j) const { return i * rest_.nodes() + j; }

    // All nodes (i, from) carry a packet for (target, to) to (i, to), side by side.
    void carry(NodeId from, NodeId to, NodeId target)
    {
        for (NodeId at = from; at != to;) {
            const Port port = rest_.ports_towards(at, to).front();  // the first factor's ports come after these
            ++schedule_.steps;
            for (NodeId i = 0; i < first_.topology.nodes(); ++i)
                schedule_.hops.push_back(
                    {schedule_.steps, node_of(i, at), port, {node_of(i, from), node_of(target, to), 0}});
            at = rest_.neighbour(at, port);
        }
    }

    // The packets that were born in row `from` go where they belong in all copies of the first factor.
    void exchange(NodeId from)
    {
        for (const Hop& hop : first_.exchange->hops) {
            if (first_.exchange->symmetry == Symmetry::none)
                write_copies(from, hop);
            else
                for (NodeId node = 0; node < first_.topology.nodes(); ++node)
                    write_copies(from, translated(first_.topology, hop, node));
        }
        schedule_.steps += first_.exchange->steps;
    }

    void write_copies(NodeId from, const Hop& hop)
    {
        for (NodeId j = 0; j < rest_.nodes(); ++j)
            schedule_.hops.push_back({schedule_.steps + hop.step,
                                      node_of(hop.from, j),
                                      rest_.ports(j) + hop.port,
                                      {node_of(hop.packet.origin, from), node_of(hop.packet.target, j), 0}});
    }

    FactorGroup first_;
    Topology rest_;
    Schedule schedule_{Symmetry::none, 0, {}};
};

Schedule row_by_row(const Topology& topology)
{
    return topology.dimension() < 2 ? factor_by_factor(topology) : RowByRow(topology).schedule();
}

std::uint64_t row_by_row_steps(const Topology& topology)
{
    if (topology.dimension() < 2)
        return factor_by_factor_steps(topology);
    const Topology rest = product_of(topology, factor_range(1, topology.dimension()));
    return topology.factor(0).nodes() * rest.sum_of_statuses() + rounds_of_factor(topology, 0, PortModel::one);
}

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
                      fmt::format("Row {}, a copy of factor 1 ({}), carries {} to each of the {} other rows, one after "
                                  "the other, all {} nodes of the row side by side.",
                                  row, topology.factor(0).name(), counted(n, "packet"), rest.nodes() - 1, n)});
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
