// Send between any two nodes. Stout & Wagar 1990, section 4 (ARBITRARY SEND 1 and 3, X.O.C. SEND); ARBITRARY SEND 2 is
// in send_waves.cpp. n = the distance on a d-cube, D = the n dimensions in which the two differ, m bytes, g groups, K_n
// = the sum of 1/C(n,k) over k = 0..n.
//
//   name               paper             time
//   subcube            ARBITRARY SEND 1  (g-1)(tau m/(ng) + beta) + K_(n-1) tau m/(ng) + n beta
//   detour             X.O.C. SEND 1     (2n + K_(n-1)) tau m/n + (n+2) beta
//   detour-groups      X.O.C. SEND 2     (g-1)(tau m/g + beta) + (2n + K_(n-1)) tau m/(ng) + (n+2) beta
//   subcubes           ARBITRARY SEND 3  the slower of subcube with nm/d bytes and detour-groups with m/d bytes
//   subcubes-balanced  ours              the same, with the shares for which both take equally long
//
// Exact if lcm(1..n) divides what is cut; spreading_time.hpp has what they take for any m, and at most. A group of
// subcube sends n 2^(n-1) packets, of a detour 2 more. Planning: a table of all packets, O(transmissions) in time and
// memory.
//
// The paper begins the parallel subcubes at node 2^(n+1); there are d - n of them, one behind each other dimension. No
// two of the sends use the same link, and the ones back use the opposite links.

#include "algorithms/papers/stout_wagar/arbitrary_send.hpp"

#include "algorithms/papers/stout_wagar/groups.hpp"
#include "algorithms/papers/stout_wagar/opposite_corner_send.hpp"
#include "algorithms/papers/stout_wagar/send_case.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "base/arithmetic.hpp"

#include <dcube/problem.hpp>

#include <algorithm>
#include <cstddef>

namespace dcube::detail {

// ---- X.O.C. SEND 1 and 2: through the parallel subcube behind dimension `detour` ----

// Every group goes over, spreads there, is joined at the opposite corner and comes back over the same dimension.
void detour_groups(RoutingTable& table, const SendCase& send, Port detour, const Fragments& string, std::size_t groups)
{
    const std::vector<Port> dims = send.dims();
    const auto n = static_cast<Step>(dims.size());
    const NodeId entry = send.source ^ bit(detour);
    const NodeId exit = send.target ^ bit(detour);
    for (std::size_t q = 0; q < groups; ++q) {
        const Fragments group = part_of(string, groups, q);
        const auto first = static_cast<Step>(q);
        table.add(first, send.source, detour, group);
        spreading(table, entry, dims, group, first + 1);
        table.add(first + n + 1, exit, detour, group);
    }
}

Exact detour_time(unsigned n, std::size_t m, std::size_t groups, const LinkCosts& costs)
{
    const std::size_t group = ceil_div(m, groups);
    return costs.packets(groups + 1, group) + spreading_time(n, group, costs);
}

namespace {

std::size_t best_detour_groups(unsigned n, std::size_t m, const LinkCosts& costs)
{
    return best_send_groups(n, m, 1 + k_sum(n - 1) / n, costs,
                            [&](std::size_t g) { return detour_time(n, m, g, costs); });
}

}  // namespace

std::size_t chosen_detour_groups(const SendCase& send, const Problem& problem)
{
    if (problem.tuning.groups != 0)
        return problem.tuning.groups;
    return best_detour_groups(send.distance(), send.bytes, LinkCosts(problem.link));
}

// ---- ARBITRARY SEND 3: within the subcube of the two nodes and through all parallel ones at once ----

void write_shares(RoutingTable& table, const SendCase& send, const Shares& shares)
{
    const Fragments string = send.string();
    spreading_groups(table, send.source, send.dims(), substring(string, 0, shares.inside), shares.groups);
    const Fragments outside = substring(string, shares.inside, send.bytes - shares.inside);
    const std::vector<Port> detours = send.other_dims();
    for (std::size_t t = 0; t < detours.size(); ++t)
        if (const Fragments share = part_of(outside, detours.size(), t); !share.empty())
            detour_groups(table, send, detours[t], share, shares.detour_groups);
}

std::size_t detour_share(const SendCase& send, std::size_t inside)
{
    const unsigned detours = send.d - send.distance();
    return detours == 0 ? 0 : ceil_div(send.bytes - inside, detours);
}

// The time of the longer of the two, inside or the longest detour.
Exact longer_share(const SendCase& send, const Shares& shares, const LinkCosts& costs, TimeInGroups& inside,
                   TimeInGroups& detour)
{
    const unsigned n = send.distance();
    Exact time = 0;
    if (shares.inside > 0)
        time = inside(n, shares.inside, shares.groups, costs);
    if (const std::size_t bytes = detour_share(send, shares.inside); bytes > 0)
        time = std::max(time, detour(n, bytes, shares.detour_groups, costs));
    return time;
}

// All shares side by side, whose links are apart: as the paper has it, at most, and exactly on the data-driven clock.
Exact shares_time(const SendCase& send, const Shares& shares, const LinkCosts& costs)
{
    return longer_share(send, shares, costs, spreading_groups_time, detour_time);
}

namespace {

Shares shares_with(const SendCase& send, const Problem& problem, std::size_t inside, const LinkCosts& costs)
{
    const unsigned n = send.distance();
    Shares shares{inside, problem.tuning.groups, problem.tuning.detour_groups};
    if (shares.groups == 0)
        shares.groups = best_spreading_groups(n, inside, costs);
    if (shares.detour_groups == 0)
        shares.detour_groups = best_detour_groups(n, detour_share(send, inside), costs);
    return shares;
}

}  // namespace

// n of d parts inside, one over each detour.
Shares subcubes(const SendCase& send, const Problem& problem, const LinkCosts& costs)
{
    const unsigned n = send.distance();
    const std::size_t inside = n == send.d ? send.bytes : balanced_part(send.bytes, send.d, n).offset;
    return shares_with(send, problem, inside, costs);
}

// The more inside, the longer it takes there and the shorter outside: bisection for the least maximum.
Shares subcubes_balanced(const SendCase& send, const Problem& problem, const LinkCosts& costs)
{
    if (send.distance() == send.d)
        return subcubes(send, problem, costs);
    std::size_t low = 0;
    std::size_t high = send.bytes;
    while (high - low > 1) {
        const std::size_t middle = low + (high - low) / 2;
        const Shares shares = shares_with(send, problem, middle, costs);
        const Exact inside = spreading_groups_time(send.distance(), middle, shares.groups, costs);
        const std::size_t outside = detour_share(send, middle);
        if (outside == 0 || inside > detour_time(send.distance(), outside, shares.detour_groups, costs))
            high = middle;
        else
            low = middle;
    }
    const Shares a = shares_with(send, problem, low, costs);
    const Shares b = shares_with(send, problem, high, costs);
    return shares_time(send, a, costs) <= shares_time(send, b, costs) ? a : b;
}

}  // namespace dcube::detail
