// interleaved, grouped: the factors' exchanges two at a time, in rounds side by side.
// dcube's; goes beyond Dimakopoulos & Dimopoulos 1998, whose A3 is for factors of equal size. All ports.
//
// Two factors A and B of n_A and n_B nodes: A has n_B rounds of T_A steps, B has n_A rounds of T_B steps, both back to
// back. Class (a, b) is all packets with these offsets, modulo n_A and n_B.
//   home[q] = min(n_A - 1, the first round of B that ends after round q of A begins)   q = 0 .. n_B - 1
//   round of B, b != 0:  (home[b] + a) mod n_A
//   round of A, a != 0:  let k be the number of those b >= 1 for which home[b] + a < n_A; home never decreases, so they
//                        are 1 .. k. Then k for b = 0, b - 1 for 1 <= b <= k, and b for b > k
// For b <= k the round of B is later than home[b], and round b - 1 of A is over when round b begins, no later than
// home[b] ends. For b > k the round of B is before home[b], so it is over when round b of A begins. For a fixed a, or
// b, no round is taken twice. More factors: the product of all but the last is A.
//
// interleaved: the largest N / n_i T_i steps; optimal where the T_i of that factor is its cut ratio before rounding.
// grouped: the same with all rings and complete graphs as one factor, with edge-colouring's optimal exchange.
// Transmissions: the sum of all distances. Planning takes time and memory as the hops of one node on Cayley graphs (of
// two or more kinds where there are even rings), of all nodes elsewhere.

#include "algorithms/networks.hpp"
#include "algorithms/papers/dimakopoulos/exchanges.hpp"
#include "algorithms/papers/dimakopoulos/factor_group.hpp"
#include "algorithms/papers/dimakopoulos/rounds.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

// Two groups, A and B, each with its rounds back to back.
struct BackToBack {
    BackToBack(const FactorGroup& first, const FactorGroup& second)
        : nodes{first.topology.nodes(), second.topology.nodes()}, steps{first.exchange->steps, second.exchange->steps}
    {
    }

    [[nodiscard]] NodeId home(NodeId q) const
    {
        const std::uint64_t round = steps[0] * q / steps[1];
        return static_cast<NodeId>(std::min<std::uint64_t>(round, nodes[0] - 1));
    }

    [[nodiscard]] NodeId second_round(NodeId a, NodeId b) const { return (home(b) + a) % nodes[0]; }

    [[nodiscard]] NodeId first_round(NodeId a, NodeId b) const
    {
        NodeId k = 0;
        while (k + 1 < nodes[1] && home(k + 1) + a < nodes[0])
            ++k;
        if (b == 0)
            return k;
        return b <= k ? b - 1 : b;
    }

    NodeId nodes[2];
    std::uint64_t steps[2];
};

Schedule interleave(const Topology& whole, const FactorGroup& first, const FactorGroup& second)
{
    const BackToBack plan(first, second);
    const std::vector<FactorGroup> groups{first, second};
    const ExchangeRounds rounds{
        std::max(plan.nodes[1] * plan.steps[0], plan.nodes[0] * plan.steps[1]),
        [&](std::size_t group, NodeId round) { return round * plan.steps[group]; },
        [&](std::size_t group, std::span<const NodeId> offsets) {
            return group == 0 ? plan.first_round(offsets[0], offsets[1]) : plan.second_round(offsets[0], offsets[1]);
        },
    };
    return exchange_in_rounds(whole, groups, rounds);
}

// Folds: the product of all groups but the last is one group.
Schedule interleave_all(const Topology& whole, const std::vector<FactorGroup>& groups)
{
    if (groups.size() == 1)
        return *groups.front().exchange;
    if (groups.size() == 2)
        return interleave(whole, groups[0], groups[1]);
    Factors factors;
    for (std::size_t i = 0; i + 1 < groups.size(); ++i)
        factors.insert(factors.end(), groups[i].factors.begin(), groups[i].factors.end());
    const Topology product = product_of(whole, factors);
    std::vector<FactorGroup> inside;
    unsigned first = 0;
    for (std::size_t i = 0; i + 1 < groups.size(); ++i) {
        const unsigned end = first + static_cast<unsigned>(groups[i].factors.size());
        inside.emplace_back(product, factor_range(first, end), groups[i].exchange);
        first = end;
    }
    const auto exchange = std::make_shared<const Schedule>(interleave_all(product, inside));
    return interleave(whole, {whole, factors, exchange}, groups.back());
}

}  // namespace

// The rings and complete graphs, and the others.
std::pair<Factors, Factors> ring_like_factors(const Topology& topology)
{
    std::pair<Factors, Factors> found;
    for (unsigned i = 0; i < topology.dimension(); ++i)
        (is_ring_or_complete(topology.factor(i)) ? found.first : found.second).push_back(i);
    return found;
}

Schedule interleaved(const Topology& topology)
{
    if (topology.dimension() == 0)
        return {Symmetry::translated, 0, {}};
    return interleave_all(topology, single_factors(topology, PortModel::all));
}

std::uint64_t interleaved_steps(const Topology& topology)
{
    return largest_of_factors(topology, [&](unsigned i) { return rounds_of_factor(topology, i, PortModel::all); });
}

Schedule grouped(const Topology& topology)
{
    const auto [ring_like, others] = ring_like_factors(topology);
    std::vector<FactorGroup> groups{grouped_factors(topology, ring_like, edge_colouring)};
    for (const unsigned i : others)
        groups.push_back(single_factor(topology, i, PortModel::all));
    return interleave_all(topology, groups);
}

std::uint64_t grouped_steps(const Topology& topology)
{
    const auto [ring_like, others] = ring_like_factors(topology);
    const Topology group = product_of(topology, ring_like);
    std::uint64_t steps = topology.nodes() / group.nodes() * edge_colouring_steps(group);
    for (const unsigned i : others)
        steps = std::max(steps, rounds_of_factor(topology, i, PortModel::all));
    return steps;
}

}  // namespace dcube::detail
