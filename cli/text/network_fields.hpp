#pragma once
// What dcube info tells of a network: each key once.

#include "cli/text/field.hpp"
#include "cli/text/network_facts.hpp"

#include <span>

namespace dcube::cli {

std::span<const Field<NetworkFacts>> network_fields();
std::span<const Field<NamedBound>> exchange_bound_fields();
std::span<const Field<ExchangeAlgorithm>> exchange_algorithm_fields();
std::span<const Field<FaultCost>> fault_cost_fields();
std::span<const Field<OverRanks>> over_ranks_fields();

}  // namespace dcube::cli
