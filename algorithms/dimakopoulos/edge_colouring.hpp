#pragma once
// Total exchange on all ports, exactly optimal on tori, generalised hypercubes and their mixtures (beyond Dimakopoulos
// & Dimopoulos 1998, who leave rings with n = 2 mod 4 open).

#include "algorithms/programs/schedule.hpp"

#include <cstdint>

namespace dcube::detail {

// Its steps: the largest of N / n (complete graphs), (N / n)(n^2 - 1) / 8 (odd rings) and ceil(N n / 8) (even rings).
std::uint64_t abelian_exchange_steps(const Topology& topology);

// The schedule, translated; all factors are rings or complete graphs.
//
// All nodes act alike. A class (the packets with one offset) is a job, a generator of a factor a machine, and a class
// needs as many unit operations of a generator as it has hops there. Hops commute, so any order will do: an open shop
// with unit operations, which edge colouring solves in as many steps as the busiest machine works.
Schedule abelian_exchange(const Topology& topology);

}  // namespace dcube::detail
