#pragma once
// Some factors of a network with a total exchange of their product: what the exchange of the whole is made of.

#include "algorithms/programs/schedule.hpp"

#include <dcube/ports.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <memory>
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
    std::vector<NodeId> place;  // what each of the group's nodes adds to an id of the whole
};

// One factor with its own exchange (factor_exchange.hpp).
FactorGroup single_factor(const Topology& whole, unsigned i, PortModel ports);
std::vector<FactorGroup> single_factors(const Topology& whole, PortModel ports);

// Several factors with their product's exchange by one of the algorithms for products.
FactorGroup grouped_factors(const Topology& whole, const Factors& factors, Schedule (*exchange)(const Topology&));

// The largest T_i of all factors.
std::uint64_t longest_factor_exchange(const Topology& topology, PortModel ports);

}  // namespace dcube::detail
