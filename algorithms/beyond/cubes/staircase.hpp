#pragma once
#include "algorithms/programs/schedule.hpp"

#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dcube::detail {

// The total exchange by `staircase`, for copies 0 .. copies - 1 of every packet (translated).
Schedule staircase(unsigned d, std::uint32_t copies);
// One offset of every pair, the masks last: numbers below N/2, where all ones stands for the pair of 0.
std::vector<NodeId> plain_pairs(unsigned d);
// The number of copies that it takes together, and the number of times that it is carried out.
std::uint32_t copies_together(const Topology& topology, const Problem& problem);
std::uint32_t rounds_of_staircase(const Topology& topology, const Problem& problem);

// The most blocks of others that wait in a node in it, and the slots that these take.
std::size_t staircase_in_transit(unsigned d);
std::size_t staircase_slots(unsigned d);

}  // namespace dcube::detail
