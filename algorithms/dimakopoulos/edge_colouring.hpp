#pragma once
// Total exchange on all ports, exactly optimal on tori, generalised hypercubes and their mixtures (edge_colouring.cpp
// says how).

#include "algorithms/programs/schedule.hpp"

#include <dcube/topology.hpp>

#include <cstdint>

namespace dcube::detail {

// The schedule, translated; all factors are rings or complete graphs.
Schedule edge_colouring(const Topology& topology);

// Its steps: the largest of N / n (complete graphs), (N / n)(n^2 - 1) / 8 (odd rings) and ceil(N n / 8) (even rings).
std::uint64_t edge_colouring_steps(const Topology& topology);

}  // namespace dcube::detail
