#pragma once
#include "algorithms/papers/stout_wagar/matrix_grid.hpp"
#include "algorithms/papers/stout_wagar/transpose.hpp"
#include "algorithms/programs/routing.hpp"

#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

namespace dcube::detail {

// Quarter turns of plain submatrices: all forward, or three quarters forward and one back.
void turn_one_way(RoutingTable& table, const MatrixGrid& grid, const StringAt& string_at);
void turn_three_to_one(RoutingTable& table, const MatrixGrid& grid, const StringAt& string_at);

// Quarter turns of Gray-coded submatrices, in two halves; and the stage in which both halves change over.
Routing two_halves_routing(const Topology& topology, const Problem& problem);
Step both_halves_turned(const LogicalInversion& transpose);

// Half turns of matrices.
Routing matrix_inversion(const Topology& topology, const Problem& problem);

}  // namespace dcube::detail
