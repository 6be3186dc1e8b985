#pragma once
// The time of O.C. SEND 3 and 4 and of the sends over detours for messages of any size (Stout & Wagar 1990, sections 3
// and 4): the sizes of all parts are known, so the walk needs no fragments.

#include "algorithms/programs/link_costs.hpp"

#include <dcube/link.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace dcube::detail {

// The most bytes that a packet of O.C. SEND 3 in an n-cube has, in stage 0, 1, .., n - 1.
std::vector<std::size_t> spreading_parts(unsigned n, std::size_t m);

// Exact, on the data-driven clock: m bytes in groups that spread in an n-cube, and such that go over a detour. None if
// that is too much work.
std::optional<Rational> walked_spreading(unsigned n, std::size_t m, std::size_t groups, const LinkModel& link);
std::optional<Rational> walked_detour(unsigned n, std::size_t m, std::size_t groups, const LinkModel& link);

// Upper bounds: with all groups as long as the longest, and the longest packet of every stage.
Exact spreading_limit(unsigned n, std::size_t m, std::size_t groups, const LinkCosts& costs);
Exact detour_limit(unsigned n, std::size_t m, std::size_t groups, const LinkCosts& costs);

}  // namespace dcube::detail
