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

#include "algorithms/papers/dimakopoulos/exchanges.hpp"
#include "algorithms/papers/dimakopoulos/factor_exchange.hpp"
#include "algorithms/papers/dimakopoulos/factor_group.hpp"
#include "algorithms/papers/dimakopoulos/rounds.hpp"

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

}  // namespace dcube::detail
