#pragma once
// What it takes one processor to see what another has written.

#include "measure/effort.hpp"
#include "measure/limits.hpp"

#include <span>
#include <vector>

namespace dcube::measure {

/// The processors that this process may run on.
std::vector<unsigned> allowed_processors();

/// One cache line that two threads, kept to a pair of processors, write in turn: for each pair of them, one pair after
/// the other.
Handover handovers(std::span<const unsigned> processors, const Effort& effort);

}  // namespace dcube::measure
