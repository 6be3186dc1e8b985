#pragma once
// Some factors of a network with a total exchange of their product: what the exchange of the whole is made of.

#include "algorithms/programs/schedule.hpp"

#include <dcube/link.hpp>
#include <dcube/topology.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace dcube::detail {

// Indices of factors, ascending.
using Factors = std::vector<unsigned>;

// first, first + 1, .. , end - 1
Factors factor_range(unsigned first, unsigned end);

Topology product_of(const Topology& whole, const Factors& factors);

// A group's nodes are those of the product of its factors; a copy of the group is all nodes of the whole network that
// agree in every other digit.
struct FactorGroup {
    FactorGroup(const Topology& whole, Factors indices, std::shared_ptr<const Schedule> schedule);

    Factors factors;
    Topology topology;
    std::shared_ptr<const Schedule> exchange;
    std::vector<NodeId> place;  // by node of the group, the number it adds to an id of the whole
};

// One factor with its own exchange (factor_exchange.hpp).
FactorGroup single_factor(const Topology& whole, unsigned i, PortModel ports);
std::vector<FactorGroup> single_factors(const Topology& whole, PortModel ports);

// Several factors with their product's exchange by one of the algorithms for products.
FactorGroup grouped_factors(const Topology& whole, const Factors& factors, Schedule (*exchange)(const Topology&));

// N / n_i T_i: the steps of factor i's exchange, made once for each node of the other factors' product.
std::uint64_t rounds_of_factor(const Topology& topology, unsigned i, PortModel ports);

// The largest of(i) of all factors i.
template <class Of>
std::uint64_t largest_of_factors(const Topology& topology, const Of& of)
{
    std::uint64_t largest = 0;
    for (unsigned i = 0; i < topology.dimension(); ++i)
        largest = std::max<std::uint64_t>(largest, of(i));
    return largest;
}

}  // namespace dcube::detail
