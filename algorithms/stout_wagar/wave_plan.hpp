#pragma once
#include "algorithms/programs/link_costs.hpp"
#include "base/exact.hpp"

#include <string_view>
#include <vector>

namespace dcube::detail {

// DISTRIBUTE 2 (section 4): the waves that leave the root, first to last. A wavelet is a stretch of every message to a
// node at distance `distance`, as fractions of the message.
struct Wavelet {
    unsigned distance;
    Exact begin{0};
    Exact end{1};
};
using Wave = std::vector<Wavelet>;
using WavePlan = std::vector<Wave>;

// Its exact time for messages of m bytes that divide.
Exact wave_plan_time(const WavePlan& plan, unsigned d, const Exact& m, const LinkCosts& costs);
// The best of all plans of whole classes and one of split classes.
WavePlan best_wave_plan(unsigned d, const Exact& m, const LinkCosts& costs);
// Reads "432|1", "7..3|2|1", "12,11|10..1". Throws InvalidArgument unless it names d..1 once each, in this order.
WavePlan parse_wave_plan(std::string_view text, unsigned d);

}  // namespace dcube::detail
