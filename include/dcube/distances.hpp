#pragma once
/// Distances in a network, and closed forms of their average.

#include <dcube/link.hpp>
#include <dcube/topology.hpp>

#include <optional>
#include <string>

namespace dcube {

/// The sum of all distances by the number of nodes.
Rational average_status(const Topology& topology);

/// The average distance between different nodes; 0 if there is one only.
Rational average_distance(const Topology& topology);

/// A closed form of the average distance, where the network's family has one.
struct ClosedForm {
    std::string formula;
    Rational value;
};
std::optional<ClosedForm> average_distance_formula(const Topology& topology);

}  // namespace dcube
