#pragma once
// X.O.C. SEND 1 and 2, ARBITRARY SEND 3 (Stout & Wagar 1990, section 4): through the subcubes that are parallel to that
// of the two nodes, n = their distance.

#include "algorithms/papers/stout_wagar/send_case.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/routing.hpp"

#include <dcube/problem.hpp>

#include <cstddef>

namespace dcube::detail {

// X.O.C. SEND 2 of a string over one detour, in `groups` groups; with one group it is X.O.C. SEND 1.
void detour_groups(RoutingTable& table, const SendCase& send, Port detour, const Fragments& string, std::size_t groups);
// The time of X.O.C. SEND 2 of m bytes at distance n.
Exact detour_time(unsigned n, std::size_t m, std::size_t groups, const LinkCosts& costs);
// The groups that the problem asks for, or those of least time.
std::size_t chosen_detour_groups(const SendCase& send, const Problem& problem);

// ARBITRARY SEND 3: the shares of a message that go within the subcube of the two nodes, and over the detours.
struct Shares {
    std::size_t inside;  // bytes within the subcube of the two nodes; the others go over d - n detours
    std::size_t groups;
    std::size_t detour_groups;  // the groups of the longest detour's share
};

// The shares as the paper divides a message, and those that take equally long.
Shares subcubes(const SendCase& send, const Problem& problem, const LinkCosts& costs);
Shares subcubes_balanced(const SendCase& send, const Problem& problem, const LinkCosts& costs);

void write_shares(RoutingTable& table, const SendCase& send, const Shares& shares);
// The bytes of the longest detour.
std::size_t detour_share(const SendCase& send, std::size_t inside);

// The time of m bytes in groups, and so the time of the longer of the two shares.
using TimeInGroups = Exact(unsigned n, std::size_t m, std::size_t groups, const LinkCosts& costs);
Exact longer_share(const SendCase& send, const Shares& shares, const LinkCosts& costs, TimeInGroups& inside,
                   TimeInGroups& detour);
Exact shares_time(const SendCase& send, const Shares& shares, const LinkCosts& costs);

}  // namespace dcube::detail
