#pragma once
// Total exchange in products from the exchanges of their factors (Dimakopoulos & Dimopoulos 1998: A1, A2, A3; the
// others go beyond it). N is the number of nodes, n_i that of factor i, T_i the steps of its exchange
// (factor_exchange.hpp). All routes are shortest paths, so the transmissions are the sum of all distances.
//
// Each schedule's file says how it is made; its length is known before it is made.

#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/schedule.hpp"

#include <dcube/topology.hpp>

#include <cstdint>

namespace dcube::detail {

// One port, A1: n_1 times the sum of all distances in the product of the other factors, plus N / n_1 times T_1 steps.
Schedule row_by_row(const Topology& topology);
std::uint64_t row_by_row_steps(const Topology& topology);

// One port, A2: N times the sum of T_i / n_i steps.
Schedule factor_by_factor(const Topology& topology);
std::uint64_t factor_by_factor_steps(const Topology& topology);
Phases factor_by_factor_phases(const Topology& topology);

// All ports, A3: 2, 4, 8, .. factors of n nodes each. As many steps as interleaved, N / n times the largest T_i.
Schedule homogeneous(const Topology& topology);

// All ports: any number of factors of n nodes each. As many steps.
Schedule digit_rounds(const Topology& topology);

// All ports: any factors. The largest of N / n_i times T_i steps.
Schedule interleaved(const Topology& topology);
std::uint64_t interleaved_steps(const Topology& topology);

// The same with all rings and complete graphs as one factor, whose exchange is edge_colouring's (edge_colouring.hpp).
Schedule grouped(const Topology& topology);
std::uint64_t grouped_steps(const Topology& topology);

}  // namespace dcube::detail
