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

#include "algorithms/papers/dimakopoulos/exchanges.hpp"
#include "algorithms/papers/dimakopoulos/factor_group.hpp"

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

}  // namespace

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

}  // namespace dcube::detail
