// factor-by-factor: first all messages move along the last factors, batch by batch, then along the first one.
// Dimakopoulos & Dimopoulos 1998, algorithm A2, on one port.
//
// The network is the product of factor 1 (n_1 nodes) and all others together (n_B = N / n_1 nodes), whose exchange is
// made in the same manner. Node (i, j) has a packet for every node (a, k):
//   n_1 exchanges in the copies of the others: in batch r the packets of offset r in factor 1 (a = i + r modulo n_1);
//   n_B exchanges in the copies of factor 1: in batch r the packets that had the offset r in the others.
//
// Steps: n_1 T_B + n_B T_1, so N times the sum of T_i / n_i over all factors. That is the network's average status, and
// so the least that one port allows, if every T_i is its factor's average status: on products of any Cayley graphs.
// Transmissions: the sum of all distances. Planning takes time and memory as the hops of one node on Cayley graphs, of
// all nodes elsewhere.

#include "algorithms/papers/dimakopoulos/exchanges.hpp"
#include "algorithms/papers/dimakopoulos/factor_exchange.hpp"
#include "algorithms/papers/dimakopoulos/factor_group.hpp"
#include "algorithms/papers/dimakopoulos/rounds.hpp"

namespace dcube::detail {

Schedule factor_by_factor(const Topology& topology)
{
    const unsigned factors = topology.dimension();
    if (factors == 0)
        return {Symmetry::translated, 0, {}};
    if (factors == 1)
        return *factor_exchange(topology.factor(0), PortModel::one);
    const std::vector<FactorGroup> groups{single_factor(topology, 0, PortModel::one),
                                          grouped_factors(topology, factor_range(1, factors), factor_by_factor)};
    const std::uint64_t n = groups[0].topology.nodes();
    const std::uint64_t steps[] = {groups[0].exchange->steps, groups[1].exchange->steps};
    const std::uint64_t first_begins = n * steps[1];
    // A class moves in the last factors first, in the round of its first offset, then in the first factor.
    const ExchangeRounds rounds{
        first_begins + groups[1].topology.nodes() * steps[0],
        [&](std::size_t group, NodeId round) { return (group == 0 ? first_begins : 0) + round * steps[group]; },
        [](std::size_t group, std::span<const NodeId> offsets) { return offsets[1 - group]; },
    };
    return exchange_in_rounds(topology, groups, rounds);
}

std::uint64_t factor_by_factor_steps(const Topology& topology)
{
    std::uint64_t steps = 0;
    for (unsigned i = 0; i < topology.dimension(); ++i)
        steps += rounds_of_factor(topology, i, PortModel::one);
    return steps;
}

}  // namespace dcube::detail
