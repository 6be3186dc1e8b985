#include "algorithms/stout_wagar/send_shares.hpp"

#include "algorithms/stout_wagar/groups.hpp"
#include "algorithms/stout_wagar/opposite_corner_send.hpp"
#include "algorithms/stout_wagar/spreading_time.hpp"
#include "base/arithmetic.hpp"

#include <algorithm>

namespace dcube::detail {

Exact detour_time(unsigned n, std::size_t m, std::size_t groups, const LinkCosts& costs)
{
    const std::size_t group = ceil_div(m, groups);
    return costs.packets(groups + 1, group) + spreading_time(n, group, costs);
}

std::size_t best_detour_groups(unsigned n, std::size_t m, const LinkCosts& costs)
{
    return best_send_groups(n, m, 1 + k_sum(n - 1) / n, costs,
                            [&](std::size_t g) { return detour_time(n, m, g, costs); });
}

std::size_t detour_share(const SendCase& send, std::size_t inside)
{
    const unsigned detours = send.d - send.distance();
    return detours == 0 ? 0 : ceil_div(send.bytes - inside, detours);
}

namespace {

using TimeInGroups = Exact(unsigned n, std::size_t m, std::size_t groups, const LinkCosts& costs);

// Of what takes longer, inside or the longest detour.
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

}  // namespace

Exact shares_time(const SendCase& send, const Shares& shares, const LinkCosts& costs)
{
    return longer_share(send, shares, costs, spreading_groups_time, detour_time);
}

Exact shares_limit(const SendCase& send, const Shares& shares, const LinkCosts& costs)
{
    return longer_share(send, shares, costs, spreading_limit, detour_limit);
}

// The shares of the detours have two lengths at most.
std::optional<Rational> walked_shares(const SendCase& send, const Shares& shares, const LinkModel& link)
{
    const unsigned n = send.distance();
    const unsigned detours = send.d - n;
    std::optional<Rational> time = walked_spreading(n, shares.inside, shares.groups, link);
    for (const unsigned t : {0U, detours - 1}) {
        if (detours == 0 || !time)
            break;
        const std::size_t share = balanced_part(send.bytes - shares.inside, detours, t).length;
        const std::optional<Rational> outside = walked_detour(n, share, shares.detour_groups, link);
        time = outside ? std::optional(std::max(*time, *outside)) : std::nullopt;
    }
    return time;
}

namespace {

Shares shares_with(const SendCase& send, const Problem& problem, std::size_t inside, const LinkCosts& costs)
{
    const unsigned n = send.distance();
    Shares shares{inside, problem.tuning.groups, problem.tuning.extended_groups};
    if (shares.groups == 0)
        shares.groups = best_spreading_groups(n, inside, costs);
    if (shares.detour_groups == 0)
        shares.detour_groups = best_detour_groups(n, detour_share(send, inside), costs);
    return shares;
}

}  // namespace

Shares subcubes(const SendCase& send, const Problem& problem, const LinkCosts& costs)
{
    const unsigned n = send.distance();
    const std::size_t inside = n == send.d ? send.bytes : balanced_part(send.bytes, send.d, n).offset;
    return shares_with(send, problem, inside, costs);
}

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
