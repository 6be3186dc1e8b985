// homogeneous: two halves of the network exchange side by side, and rotate what they exchange from round to round.
// Dimakopoulos & Dimopoulos 1998, algorithm A3, on all ports.
//
// Two factors A and B of n nodes each; node (i, j). n rounds of T = max(T_A, T_B) steps; in each, all copies of A and
// all copies of B do one exchange. Offsets are modulo n; f is that in A, e that in B:
//   B in round r = 1 .. n - 1: packets of offset e in B go with those offsets f in A for which f - e = r - 1 modulo
//     n - 1 (counted 1 .. n - 1), a rotation by one every round; in round n those with f = 0;
//   A in round 1: packets with e = 0; in round r > 1 those that B brought in round r - 1.
// 2^m factors: the halves are products of 2^(m-1) factors and are exchanged in the same manner.
//
// Steps: N / n times the largest T_i, optimal where that T_i is its factor's cut ratio before rounding (paths, complete
// graphs, odd rings, rings with 4 | n). Transmissions: the sum of all distances. Planning takes time and memory as the
// hops of one node on Cayley graphs (of two or more kinds where there are even rings), of all nodes elsewhere.

#include "algorithms/papers/dimakopoulos/exchanges.hpp"
#include "algorithms/papers/dimakopoulos/factor_exchange.hpp"
#include "algorithms/papers/dimakopoulos/rounds.hpp"

#include <algorithm>

namespace dcube::detail {

Schedule homogeneous(const Topology& topology)
{
    const unsigned factors = topology.dimension();
    if (factors == 1)
        return *factor_exchange(topology.factor(0), PortModel::all);
    const std::vector<FactorGroup> halves{grouped_factors(topology, factor_range(0, factors / 2), homogeneous),
                                          grouped_factors(topology, factor_range(factors / 2, factors), homogeneous)};
    const NodeId n = halves[0].topology.nodes();
    const std::uint64_t steps = std::max(halves[0].exchange->steps, halves[1].exchange->steps);
    const ExchangeRounds rounds{
        n * steps,
        [&](std::size_t, NodeId round) { return round * steps; },
        [n](std::size_t half, std::span<const NodeId> offsets) {
            const NodeId turn = (offsets[0] + (n - 1) - offsets[1]) % (n - 1);
            if (offsets[1 - half] == 0)
                return half == 0 ? 0 : n - 1;
            return half == 0 ? turn + 1 : turn;
        },
    };
    return exchange_in_rounds(topology, halves, rounds);
}

}  // namespace dcube::detail
