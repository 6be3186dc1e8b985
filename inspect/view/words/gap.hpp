#pragma once
// What is known where a run does not meet its lower bound.

#include "run/recording.hpp"

#include <string>

namespace dcube::view {

/// "The best known, staircase, takes 8 steps: the fewest there can be.", "Nothing better is known, and nobody has
/// proved that 10 steps are needed." Empty where the bound is met, and where the bound does not apply: packets are
/// lost, or nothing was judged.
std::string gap_sentence(const Recording& recording);

}  // namespace dcube::view
