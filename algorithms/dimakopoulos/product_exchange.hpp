#pragma once
// Total exchange in products from the exchanges of their factors (Dimakopoulos & Dimopoulos 1998: A1, A2, A3; the
// others go beyond it). N is the number of nodes, n_i that of factor i, T_i the steps of its exchange
// (factor_exchange.hpp).

#include "algorithms/programs/schedule.hpp"

#include <cstdint>

namespace dcube::detail {

// One port. A1, section 4, the slow one: packet by packet along the copies of all factors but the first, then exchanges
// in the first. n_1 times the sum of all distances in the product of the others, plus N / n_1 times T_1 steps.
Schedule carried_exchange(const Topology& topology);
std::uint64_t carried_exchange_steps(const Topology& topology);

// One port. A2, section 4: factor by factor. N times the sum of T_i / n_i steps.
Schedule factor_by_factor_exchange(const Topology& topology);
std::uint64_t factor_by_factor_exchange_steps(const Topology& topology);

// All ports. A3, section 5: 2^m factors of n nodes each, two of the same size at a time, in n rounds that both share.
// N / n times the largest T_i steps.
Schedule homogeneous_exchange(const Topology& topology);

// All ports. Any number of factors of n nodes each: the round in which a class moves in a factor is a number made of
// its other offsets. N / n times the largest T_i steps.
Schedule digit_rounds_exchange(const Topology& topology);
std::uint64_t equal_factors_exchange_steps(const Topology& topology);

// All ports. Any factors, two at a time: both run their rounds back to back, and a class has its round of the one
// before or after its round of the other. The largest of N / n_i times T_i steps.
Schedule interleaved_exchange(const Topology& topology);
std::uint64_t interleaved_exchange_steps(const Topology& topology);

// Graphs whose products have an exchange that is optimal (abelian_exchange.hpp).
bool is_ring_or_complete(const Graph& graph);

// The same with all rings and complete graphs as one factor, whose exchange is the optimal one (abelian_exchange.hpp).
Schedule grouped_exchange(const Topology& topology);
std::uint64_t grouped_exchange_steps(const Topology& topology);

}  // namespace dcube::detail
