#pragma once
// DISTRIBUTE 1 and 2 (Stout & Wagar 1990, section 5): scatters from root 0. A message's id is its target, and
// `length_of(target)` its bytes.

#include "algorithms/papers/stout_wagar/wave_plan.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/routing.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

namespace dcube::detail {

using LengthOf = std::function<std::size_t(NodeId)>;
// All of the problem's one size.
LengthOf equal_lengths(const Problem& problem);

// farthest-first
Routing distribute_1(const Topology& topology, const LengthOf& length_of);
// farthest-first-even
Routing distribute_1_even(const Topology& topology, const LengthOf& length_of);
// waves
Routing distribute_2(const Topology& topology, const WavePlan& plan, const LengthOf& length_of);

// The plan that the problem asks for, or the one of least time.
WavePlan wave_plan_for(const Topology& topology, const Problem& problem);

// The stages in which the wavelets of a plan cross the levels of the cube, wave by wave. Behind the root a wave falls
// apart in wavelets, one for each distance: each crosses a level of the cube in a stage of its own, behind the wavelets
// before it, so a link carries one packet per wavelet, first come, first served.
using VisitWavelet = std::function<void(Step wave, const Wavelet& wavelet, std::span<const Step> stages)>;
void for_each_wavelet(unsigned d, const WavePlan& plan, const VisitWavelet& visit);

// The most time that they take, for messages of m bytes that need not divide; distribute-everywhere is all-to-all's.
Exact waves_limit(const WavePlan& plan, unsigned d, std::size_t m, const LinkCosts& costs);
Exact distribute_everywhere_limit(unsigned d, std::size_t m, const LinkCosts& costs);

// The stretches, about, that the tables of farthest-first-even and of waves hold.
double spread_pieces(unsigned d);

// The first two's, which begin a distance in every stage; `what_is_done` with "the nodes at distance 3", say.
Phases farthest_first_phases(unsigned d, std::string_view what_is_done);
Phases distribute_2_phases(unsigned d, const WavePlan& plan, Direction direction);

}  // namespace dcube::detail
