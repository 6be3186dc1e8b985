#pragma once
#include "algorithms/programs/schedule.hpp"

#include <cstddef>
#include <cstdint>

namespace dcube::detail {

// The total exchange by `staircase`, for copies 0 .. copies - 1 of every packet (translated).
Schedule staircase(unsigned d, std::uint32_t copies);

// The most blocks of others that wait in a node in it, and the slots that these take.
std::size_t staircase_in_transit(unsigned d);
std::size_t staircase_slots(unsigned d);

}  // namespace dcube::detail
