#pragma once
// Total exchange in products from the exchanges of their factors (Dimakopoulos & Dimopoulos 1998: A1, A2, A3; the
// others go beyond it). N is the number of nodes, n_i that of factor i, T_i the steps of its exchange
// (factor_exchange.hpp). All routes are shortest paths, so the transmissions are the sum of all distances.
//
// Each schedule's file says how it is made; unless it is searched, its length is known before.

#include "algorithms/papers/dimakopoulos/factor_group.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/schedule.hpp"

#include <dcube/topology.hpp>

#include <cstdint>
#include <optional>
#include <utility>

namespace dcube::detail {

// One port, A1: the slow reference.
Schedule row_by_row(const Topology& topology);
std::uint64_t row_by_row_steps(const Topology& topology);

// One port, A2: N times the sum of T_i / n_i steps.
Schedule factor_by_factor(const Topology& topology);
std::uint64_t factor_by_factor_steps(const Topology& topology);
Phases factor_by_factor_phases(const Topology& topology);

// All ports, A3: 2, 4, 8, .. factors of n nodes each. As many steps as interleaved, N / n times the largest T_i.
Schedule homogeneous(const Topology& topology);

// All ports: any number of factors of n nodes each. Takes as many steps.
Schedule digit_rounds(const Topology& topology);

// All ports: any factors. The largest of N / n_i times T_i steps.
Schedule interleaved(const Topology& topology);
std::uint64_t interleaved_steps(const Topology& topology);

// The same with all rings and complete graphs as one factor, whose exchange is edge_colouring's.
Schedule grouped(const Topology& topology);
std::uint64_t grouped_steps(const Topology& topology);
// These factors, and the others.
std::pair<Factors, Factors> ring_like_factors(const Topology& topology);

// One port, any product: routes that take the factors in different orders, found by search. The work is
// bounded by `effort` (in 10^6 times nodes^3 times steps; at least one attempt is made), not by a clock: the same
// arguments give the same schedule everywhere. Up to 64 nodes or so make sense.
inline constexpr std::uint64_t mixed_routes_seed = 2;
inline constexpr unsigned mixed_routes_effort = 500;
Schedule mixed_routes_by_search(const Topology& topology, std::uint64_t seed, unsigned effort);
// The exchange with the seed and the effort above.
Schedule mixed_routes(const Topology& topology);

// All ports, rings and complete graphs: translated, and exactly optimal. The largest of N / n (complete graphs),
// (N / n)(n^2 - 1) / 8 (odd rings) and ceil(N n / 8) (even rings) steps.
Schedule edge_colouring(const Topology& topology);
std::uint64_t edge_colouring_steps(const Topology& topology);

// All ports, Cayley graphs (topology.symmetric() is true): found by search, translated. Always the same for the same
// network.
Schedule class_matching(const Topology& topology);

// All ports, any network, farthest first: for factors that are neither rings nor paths nor Cayley graphs, and for
// comparison. The best of 8 tries; ends with the first that meets a lower bound. Always the same for the same network.
Schedule farthest_first(const Topology& topology);
// The best of `tries` (at least one) that are over before `looks` packets have been looked at, by all nodes and in all
// tries; empty if none is.
std::optional<Schedule> farthest_first_within(const Topology& topology, unsigned tries, std::uint64_t looks);

}  // namespace dcube::detail
