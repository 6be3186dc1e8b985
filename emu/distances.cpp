#include <dcube/topology.hpp>

#include "base/exact.hpp"

#include <cstdint>

namespace dcube {

namespace {

using detail::Exact;
using detail::to_rational;

template <class Fits>
bool all_factors(const Topology& topology, const Fits& fits)
{
    for (unsigned i = 0; i < topology.dimension(); ++i)
        if (!fits(topology.factor(i)))
            return false;
    return true;
}

bool is_one_of(const Graph& factor, Graph::Kind kind)
{
    return factor.kind() == kind || factor.nodes() == 2;
}

/// N / (N - 1) times the sum of what each factor adds.
template <class Share>
Rational sum_over_factors(const Topology& topology, const Share& share)
{
    Exact sum = 0;
    for (unsigned i = 0; i < topology.dimension(); ++i)
        sum += share(Exact(topology.factor(i).nodes()));
    return to_rational(sum * topology.nodes() / (topology.nodes() - 1));
}

ClosedForm torus_formula(const Topology& topology)
{
    const NodeId k = topology.factor(0).nodes();
    if (k > 2 && all_factors(topology, [k](const Graph& factor) { return factor.nodes() == k; })) {
        const Exact others = Exact(topology.nodes()) / k;
        return {"d k^(d-1) floor(k^2/4) / (k^d - 1)",
                to_rational(topology.dimension() * others * (std::uint64_t{k} * k / 4) / (topology.nodes() - 1))};
    }
    return {"N/(N-1) sum of n_i/4 (even n_i), (n_i^2-1)/(4 n_i) (odd n_i)",
            sum_over_factors(topology, [](const Exact& n) {
                const bool even = denominator(n / 2) == 1;
                return even ? n / 4 : (n * n - 1) / (4 * n);
            })};
}

}  // namespace

Rational average_status(const Topology& topology)
{
    return to_rational(Exact(topology.sum_of_statuses()) / topology.members());
}

Rational average_distance(const Topology& topology)
{
    if (topology.nodes() == 1)
        return {};
    return to_rational(Exact(topology.sum_of_statuses()) / topology.members() / (topology.members() - 1));
}

std::optional<ClosedForm> average_distance_formula(const Topology& topology)
{
    using Kind = Graph::Kind;
    if (topology.nodes() == 1)
        return std::nullopt;
    if (const Recognition* const known = topology.recognised())
        return average_distance_formula(known->network);
    if (topology.is_hypercube())
        return ClosedForm{"d 2^(d-1) / (2^d - 1)",
                          to_rational(Exact(topology.dimension()) * (topology.nodes() / 2) / (topology.nodes() - 1))};
    if (all_factors(topology, [](const Graph& factor) { return factor.kind() == Kind::complete; }))
        return ClosedForm{"N/(N-1) sum of (1 - 1/n_i)",
                          sum_over_factors(topology, [](const Exact& n) { return 1 - 1 / n; })};
    if (all_factors(topology, [](const Graph& factor) { return is_one_of(factor, Kind::ring); }))
        return torus_formula(topology);
    if (all_factors(topology, [](const Graph& factor) { return is_one_of(factor, Kind::path); }))
        return ClosedForm{"N/(N-1) sum of (n_i - 1/n_i)/3",
                          sum_over_factors(topology, [](const Exact& n) { return (n - 1 / n) / 3; })};
    return std::nullopt;
}

}  // namespace dcube
