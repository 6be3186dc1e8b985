#pragma once
// Matrices stored by rows: every pair of nodes exchanges its data (Stout & Wagar 1990, sections 7.1 and 10).

#include "algorithms/programs/routing.hpp"

#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace dcube::detail {

Routing matrix_exchange(const Topology& topology, const Problem& problem);
std::string only_rows(const Topology& topology, const Problem& problem);
// The bytes that every pair has to exchange, if all have as many.
std::optional<std::size_t> equal_amount(const Topology& topology, const Problem& problem);

}  // namespace dcube::detail
