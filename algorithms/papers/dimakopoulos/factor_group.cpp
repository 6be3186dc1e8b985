#include "algorithms/papers/dimakopoulos/factor_group.hpp"

#include "algorithms/papers/dimakopoulos/factor_exchange.hpp"

#include <numeric>
#include <utility>

namespace dcube::detail {

Factors factor_range(unsigned first, unsigned end)
{
    Factors range(end - first);
    std::iota(range.begin(), range.end(), first);
    return range;
}

Topology product_of(const Topology& whole, const Factors& factors)
{
    std::vector<Graph> graphs;
    for (const unsigned i : factors)
        graphs.push_back(whole.factor(i));
    return Topology::product(std::move(graphs));
}

FactorGroup::FactorGroup(const Topology& whole, Factors indices, std::shared_ptr<const Schedule> schedule)
    : factors(std::move(indices)), topology(product_of(whole, factors)), exchange(std::move(schedule)),
      place(topology.nodes())
{
    for (NodeId node = 0; node < topology.nodes(); ++node)
        for (unsigned i = 0; i < factors.size(); ++i)
            place[node] += topology.digit(node, i) * whole.stride(factors[i]);
}

FactorGroup single_factor(const Topology& whole, unsigned i, PortModel ports)
{
    return {whole, {i}, factor_exchange(whole.factor(i), ports)};
}

std::vector<FactorGroup> single_factors(const Topology& whole, PortModel ports)
{
    std::vector<FactorGroup> groups;
    for (unsigned i = 0; i < whole.dimension(); ++i)
        groups.push_back(single_factor(whole, i, ports));
    return groups;
}

FactorGroup grouped_factors(const Topology& whole, const Factors& factors, Schedule (*exchange)(const Topology&))
{
    return {whole, factors, std::make_shared<const Schedule>(exchange(product_of(whole, factors)))};
}

std::uint64_t rounds_of_factor(const Topology& topology, unsigned i, PortModel ports)
{
    const Graph& factor = topology.factor(i);
    return topology.nodes() / factor.nodes() * factor_exchange_steps(factor, ports);
}

}  // namespace dcube::detail
