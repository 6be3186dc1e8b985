#pragma once
// What dcube info tells of a network, as plain data.

#include "cli/text/fault_costs.hpp"
#include "explain/proof.hpp"
#include "run/rank_links.hpp"

#include <dcube/bounds.hpp>
#include <dcube/catalogue.hpp>
#include <dcube/distances.hpp>
#include <dcube/ports.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dcube::cli {

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
    const Algorithm* algorithm;
    std::optional<std::uint64_t> steps;  ///< none where finding them takes long
    std::uint64_t bound;                 ///< of its port model
    std::string obstacle;                ///< why it cannot do it there; empty if it can
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
    std::vector<NamedBound> bounds;
    std::vector<ExchangeAlgorithm> algorithms;  ///< those for an all-to-all on such networks, with unit links
    std::vector<FaultCost> fault_costs;         ///< none where nothing is missing
    std::optional<OverRanks> over_ranks;        ///< none where nobody asks
};

/// Throws InvalidArgument if there are more ranks than nodes.
NetworkFacts network_facts(const Topology& topology, std::optional<unsigned> ranks);

}  // namespace dcube::cli
