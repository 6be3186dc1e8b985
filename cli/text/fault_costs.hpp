#pragma once
// What the links and nodes that a network lacks cost every collective, as plain data.

#include <dcube/collective.hpp>
#include <dcube/ports.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dcube::cli {

struct CostOnNetwork {
    std::uint64_t bound;                 ///< steps
    std::optional<std::uint64_t> steps;  ///< of the best algorithm; none where finding them takes long
};

struct FaultCost {
    Collective collective;
    PortModel ports;
    CostOnNetwork whole;  ///< where nothing is missing
    CostOnNetwork rest;
};

/// Of all collectives but matrices, one packet a message, where something is missing: the root is the first node, the
/// peer the node farthest from it, and a permutation takes the first node to the last and so on.
std::vector<FaultCost> fault_costs(const Topology& topology);

/// As a table.
std::string fault_costs_text(const std::vector<FaultCost>& costs);

}  // namespace dcube::cli
