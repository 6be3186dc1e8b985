#pragma once
/// Networks: distances, cuts, and the least steps of a total exchange (Dimakopoulos & Dimopoulos 1998, section 3, and
/// beyond it).

#include <dcube/collective.hpp>
#include <dcube/link.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dcube {

/// A lower bound of the steps of one total exchange, one packet for each ordered pair of nodes.
struct ExchangeBound {
    std::string_view name;  ///< "L1" to "L7"
    Rational value;         ///< as it comes out; m packets for each pair take at least m times as long, but for L7
    std::uint64_t steps;    ///< rounded up
    std::string reason;
};

/// The bounds that apply, by name. One port: L1 (average status), L2 (packets that can move at once), L3 (unique
/// routes), L7 (diameter). All ports: L4 (cuts of the whole network, of up to 20 nodes), L5 (cuts of a factor), L6 (all
/// links; those of one factor), L7.
std::vector<ExchangeBound> exchange_bounds(const Topology& topology, PortModel ports);

/// Packets that can move at once if every node sends and receives at most one: a largest matching of senders to
/// receivers.
std::uint64_t simultaneous_moves(const Topology& topology);

/// The largest |V1| |V2| / c over splits of the graph in two parts with c edges between them; of graphs with many
/// nodes, and no formula, the largest that was found.
Rational cut_ratio(const Graph& graph);

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
