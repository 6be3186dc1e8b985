#pragma once
// The facts that dcube info reports about a network, as plain data, and the list of their keys.

#include "inspect/explain/proof.hpp"
#include "run/field.hpp"
#include "run/rank_links.hpp"

#include <dcube/bounds.hpp>
#include <dcube/catalogue.hpp>
#include <dcube/collective.hpp>
#include <dcube/connectivity.hpp>
#include <dcube/link.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dcube::cli {

/// The cost of a collective on a network.
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

/// For all collectives except those of matrices, with one packet per message; empty if the network lacks nothing: the
/// root is the first node, the peer is the node farthest from it, and a permutation takes the first node to the last
/// and so on.
std::vector<FaultCost> fault_costs(const Topology& topology);

struct Range {
    std::uint64_t least;
    std::uint64_t most;
};

struct NamedBound {
    PortModel ports;
    ExchangeBound bound;
    explain::Proof proof;
    bool binds;  ///< it is the largest of its port model; of several equal ones the one that says most
};

struct ExchangeAlgorithm {
    const Entry* algorithm;
    std::optional<std::uint64_t> steps;         ///< none where finding them takes long
    std::uint64_t bound;                        ///< of its port model
    std::optional<std::uint64_t> in_transit{};  ///< Entry::in_transit
    std::uint64_t in_transit_bound = 0;         ///< of algorithms that take as many steps
    std::string obstacle;                       ///< why it cannot do it there; empty if it can
};

/// The network over several ranks (docs/many-machines.md).
struct OverRanks {
    unsigned ranks;
    RankLinks links;
    std::optional<OrderOfFactors> better;  ///< another order of the same factors, if less crosses by it
};

struct NetworkFacts {
    Topology topology;
    Range degree;
    Range status;
    Rational average_status;
    Rational average_distance;
    std::optional<ClosedForm> formula;
    BisectionWidth bisection;
    std::optional<std::uint64_t> edge_connectivity;  ///< none where finding it takes long, and so the next
    std::optional<std::uint64_t> node_connectivity;
    std::optional<unsigned> girth;  ///< none where there is no cycle
    std::vector<NamedBound> bounds;
    std::vector<ExchangeAlgorithm> algorithms;  ///< those for an all-to-all on such networks, with unit links
    std::vector<FaultCost> fault_costs;         ///< none where nothing is missing
    std::optional<OverRanks> over_ranks;        ///< none if not asked for
};

/// Throws InvalidArgument if there are more ranks than nodes.
NetworkFacts network_facts(const Topology& topology, std::optional<unsigned> ranks);

std::span<const Field<NetworkFacts>> network_fields();
std::span<const Field<NamedBound>> exchange_bound_fields();
std::span<const Field<ExchangeAlgorithm>> exchange_algorithm_fields();
std::span<const Field<FaultCost>> fault_cost_fields();
std::span<const Field<OverRanks>> over_ranks_fields();

}  // namespace dcube::cli
