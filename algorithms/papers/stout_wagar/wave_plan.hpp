#pragma once
// DISTRIBUTE 2 (Stout & Wagar 1990, section 5): which messages leave the root together.

#include "algorithms/programs/link_costs.hpp"
#include "base/exact.hpp"

#include <string_view>
#include <vector>

namespace dcube::detail {

// The waves that leave the root, first to last. A wavelet is a part of every message to a node at distance `distance`,
// between two fractions of the message.
struct Wavelet {
    unsigned distance;
    Exact begin{0};
    Exact end{1};
};
using Wave = std::vector<Wavelet>;
using WavePlan = std::vector<Wave>;

// Waves of the paper's plan, for messages that are long enough: the least k with d (1 + (d-1) + .. + (d-1)^(k-1)) >=
// 2^d - 1.
unsigned least_waves(unsigned d);
// Its exact time for messages of m bytes that divide; O(d^2).
Exact wave_plan_time(const WavePlan& plan, unsigned d, const Exact& m, const LinkCosts& costs);
// The best of the plans of whole distances (of cubes of more than 14 dimensions not all are tried) and one of split
// distances: at most 2^12 plans are timed.
WavePlan best_wave_plan(unsigned d, const Exact& m, const LinkCosts& costs);
// Reads "432|1", "7..3|2|1", "12,11|10..1". Throws InvalidArgument unless it names d..1 once each, in this order, and
// something in every wave.
WavePlan parse_wave_plan(std::string_view text, unsigned d);

}  // namespace dcube::detail
