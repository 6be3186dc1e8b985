#pragma once
// ARBITRARY SEND 3 (Stout & Wagar 1990, section 4): how much of a message goes within the subcube of the two nodes, and
// how much over the detours through the parallel ones, and how long that takes.

#include "algorithms/programs/link_costs.hpp"
#include "algorithms/stout_wagar/send_case.hpp"

#include <dcube/problem.hpp>

#include <cstddef>
#include <optional>

namespace dcube::detail {

// X.O.C. SEND 2 of m bytes at distance n, in so many groups; and the groups of least time.
Exact detour_time(unsigned n, std::size_t m, std::size_t groups, const LinkCosts& costs);
std::size_t best_detour_groups(unsigned n, std::size_t m, const LinkCosts& costs);

struct Shares {
    std::size_t inside;  // bytes within the subcube of the two nodes; the others go over d - n detours
    std::size_t groups;
    std::size_t detour_groups;  // of the longest detour's share
};

// Of the longest detour.
std::size_t detour_share(const SendCase& send, std::size_t inside);

// n of d parts inside, one over each detour.
Shares subcubes(const SendCase& send, const Problem& problem, const LinkCosts& costs);
// The more inside, the longer it takes there and the shorter outside: bisection for the least maximum.
Shares subcubes_balanced(const SendCase& send, const Problem& problem, const LinkCosts& costs);

// All shares side by side, whose links are apart: as the paper has it, at most, and exactly on the data-driven clock.
Exact shares_time(const SendCase& send, const Shares& shares, const LinkCosts& costs);
Exact shares_limit(const SendCase& send, const Shares& shares, const LinkCosts& costs);
std::optional<Rational> walked_shares(const SendCase& send, const Shares& shares, const LinkModel& link);

}  // namespace dcube::detail
