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

#include "algorithms/families.hpp"
#include "algorithms/papers/stout_wagar/groups.hpp"
#include "algorithms/papers/stout_wagar/opposite_corner_send.hpp"
#include "algorithms/papers/stout_wagar/send_case.hpp"
#include "algorithms/papers/stout_wagar/spreading_time.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "base/arithmetic.hpp"

#include <dcube/problem.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace dcube::detail {

namespace {

// ARBITRARY SEND 3 (Stout & Wagar 1990, section 4): how much of a message goes within the subcube of the two nodes, and
// how much over the detours through the parallel ones, and how long that takes.

struct Shares {
    std::size_t inside;  // bytes within the subcube of the two nodes; the others go over d - n detours
    std::size_t groups;
    std::size_t detour_groups;  // of the longest detour's share
};

// X.O.C. SEND 2 of m bytes at distance n, in so many groups; and the groups of least time.
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

// Of the longest detour.
std::size_t detour_share(const SendCase& send, std::size_t inside)
{
    const unsigned detours = send.d - send.distance();
    return detours == 0 ? 0 : ceil_div(send.bytes - inside, detours);
}

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

// All shares side by side, whose links are apart: as the paper has it, at most, and exactly on the data-driven clock.
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

Cost detour_cost(unsigned n, std::size_t m, std::size_t groups)
{
    return cost_of_groups(m, groups, n + 2, [n](std::size_t bytes) { return spreading_packets(n, bytes) + 2; });
}

using ChooseGroups = std::size_t (*)(const SendCase&, const Problem&);

std::size_t one_group(const SendCase& /*send*/, const Problem& /*problem*/)
{
    return 1;
}

std::size_t chosen_detour_groups(const SendCase& send, const Problem& problem)
{
    if (problem.tuning.groups != 0)
        return problem.tuning.groups;
    return best_detour_groups(send.distance(), send.bytes, LinkCosts(problem.link));
}

SendMethod detour_method(ChooseGroups groups)
{
    return {.write =
                [groups](RoutingTable& table, const SendCase& send, const Problem& problem) {
                    detour_groups(table, send, send.other_dims().front(), send.string(), groups(send, problem));
                },
            .cost =
                [groups](const SendCase& send, const Problem& problem) {
                    return detour_cost(send.distance(), send.bytes, groups(send, problem));
                },
            .time =
                [groups](const SendCase& send, const Problem& problem, const LinkCosts& costs) {
                    return detour_time(send.distance(), send.bytes, groups(send, problem), costs);
                },
            .limit =
                [groups](const SendCase& send, const Problem& problem, const LinkCosts& costs) {
                    return detour_limit(send.distance(), send.bytes, groups(send, problem), costs);
                },
            .walked =
                [groups](const SendCase& send, const Problem& problem) {
                    return walked_detour(send.distance(), send.bytes, groups(send, problem), problem.link);
                },
            .phases =
                [groups](const SendCase& send, const Problem& problem) {
                    return detour_phases(send.distance(), 1, send.bytes, groups(send, problem));
                }};
}

// ---- ARBITRARY SEND 3: within the subcube and through all parallel ones at once ----

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

Cost shares_cost(const SendCase& send, const Shares& shares)
{
    const unsigned n = send.distance();
    const unsigned detours = send.d - n;
    Cost cost =
        cost_of_groups(shares.inside, shares.groups, n, [n](std::size_t bytes) { return spreading_packets(n, bytes); });
    for (unsigned t = 0; t < detours; ++t) {
        const std::size_t share = balanced_part(send.bytes - shares.inside, detours, t).length;
        const Cost detour = detour_cost(n, share, shares.detour_groups);
        cost = {std::max(cost.steps, detour.steps), cost.transmissions + detour.transmissions};
    }
    return cost;
}

Phases shares_phases(const SendCase& send, const Shares& shares)
{
    const unsigned n = send.distance();
    Phases inside = spreading_groups_phases(n, shares.inside, shares.groups);
    if (n == send.d)
        return inside;
    return in_order(followed_by(
        part_of("inside", std::move(inside)), 0,
        part_of("detours", detour_phases(n, send.d - n, detour_share(send, shares.inside), shares.detour_groups))));
}

using DivideShares = Shares (*)(const SendCase&, const Problem&, const LinkCosts&);

SendMethod shares_method(DivideShares divide)
{
    return {
        .write =
            [divide](RoutingTable& table, const SendCase& send, const Problem& problem) {
                write_shares(table, send, divide(send, problem, LinkCosts(problem.link)));
            },
        .cost =
            [divide](const SendCase& send, const Problem& problem) {
                return shares_cost(send, divide(send, problem, LinkCosts(problem.link)));
            },
        .time = [divide](const SendCase& send, const Problem& problem,
                         const LinkCosts& costs) { return shares_time(send, divide(send, problem, costs), costs); },
        .limit = [divide](const SendCase& send, const Problem& problem,
                          const LinkCosts& costs) { return shares_limit(send, divide(send, problem, costs), costs); },
        .walked =
            [divide](const SendCase& send, const Problem& problem) {
                return walked_shares(send, divide(send, problem, LinkCosts(problem.link)), problem.link);
            },
        .phases =
            [divide](const SendCase& send, const Problem& problem) {
                return shares_phases(send, divide(send, problem, LinkCosts(problem.link)));
            }};
}

// Bytes within the subcube, and of each detour.
auto shares_formula(DivideShares divide)
{
    return [divide](const Topology& topology, const Problem& problem) -> std::optional<CaseFormula> {
        const SendCase send = send_case(topology, problem);
        const std::size_t inside = divide(send, problem, LinkCosts(problem.link)).inside;
        return CaseFormula{.text = "max(A, B)",
                           .parts = {{"A", "subcube", problem.collective, inside, problem.tuning.groups},
                                     {"B", "detour-groups", problem.collective, detour_share(send, inside),
                                      problem.tuning.extended_groups}}};
    };
}

// ---- The catalogue's entries ----

std::string only_with_detours(const Topology& topology, const Problem& problem)
{
    if (send_case(topology, problem).distance() == topology.dimension())
        return "there is no parallel subcube to go through";
    return too_many_groups(topology, problem);
}

}  // namespace

std::vector<Entry> arbitrary_send_family()
{
    std::vector<Entry> all;
    const auto add = [&](Entry head, const SendMethod& method) {
        head.paper = "Stout & Wagar 1990, section 4";
        for (Entry& algorithm : send_and_exchange(std::move(head), method))
            all.push_back(std::move(algorithm));
    };
    add({{.collective = Collective::send, .name = "subcube", .obstacle = too_many_groups},
         {.aliases = {"A1", "ARBITRARY SEND 1"},
          .summary = "groups that spread within the subcube of the two nodes",
          .idea = "Between any two nodes: groups that spread within the subcube of the h dimensions in which the two "
                  "differ. The other links of the sender stay idle. K is the sum of 1/C(h-1, k).",
          .formula = {.time = "(g - 1) (tau m/(h g) + beta) + K tau m/(h g) + h beta"},
          .paper_note = "ARBITRARY SEND 1, with this time.",
          .tunable = {.groups = true}}},
        spreading_groups_method());
    add({{.collective = Collective::send, .name = "detour", .obstacle = only_with_detours},
         {.aliases = {"X1", "X.O.C. SEND 1"},
          .summary = "spreading in a parallel subcube",
          .idea = "Through a parallel subcube: one hop out over a dimension in which the two agree, spreading there, "
                  "one hop back. For short distances and long messages a detour pays, because direct links are few. K "
                  "is the sum of 1/C(h-1, k).",
          .formula = {.time = "(2 h + K) tau m/h + (h + 2) beta"},
          .paper_note = "It gives this time."}},
        detour_method(one_group));
    add({{.collective = Collective::send, .name = "detour-groups", .obstacle = only_with_detours},
         {.aliases = {"X2", "X.O.C. SEND 2"},
          .summary = "groups that spread in a parallel subcube",
          .idea = "Groups that spread in a parallel subcube, one behind the other. The one link out and the one link "
                  "back are what limits. K is the sum of 1/C(h-1, k).",
          .formula = {.time = "(g - 1) (tau m/g + beta) + (2 h + K) tau m/(h g) + (h + 2) beta"},
          .paper_note = "It gives this time. Its analysis follows that of O.C. SEND 4, not 2 (errata, 9).",
          .tunable = {.groups = true}}},
        detour_method(chosen_detour_groups));
    add({{.collective = Collective::send, .name = "subcubes", .obstacle = too_many_groups},
         {.aliases = {"A3", "ARBITRARY SEND 3"},
          .summary = "n/d within the subcube, 1/d through each parallel one",
          .idea = "All d links of the sender: h/d of the message goes within the subcube of the two, 1/d through each "
                  "of the d - h parallel ones. No two of these sends share a link.",
          .formula = {.words = "A is the time of `subcube` for h/d of the bytes, B that of `detour-groups` for 1/d of "
                               "them; for each the best number of groups is searched"},
          .paper_note = "It gives these times. The parallel subcubes begin at the nodes 2^h, .., 2^(d-1); beginning at "
                        "2^(h+1), as printed, there is one too few (errata, 2).",
          .tunable = {.groups = true, .extended_groups = true},
          .case_formula = shares_formula(subcubes)}},
        shares_method(subcubes));
    add({{.collective = Collective::send, .name = "subcubes-balanced", .obstacle = too_many_groups},
         {.aliases = {"A3 balanced"},
          .origin = Origin::refinement,
          .summary = "the same, divided so that both take equally long",
          .idea = "The same, divided so that both kinds of subcubes take equally long: the parallel ones are two links "
                  "longer, so they get less.",
          .formula = {.words = "A is the time of `subcube` for the bytes that stay within, B that of `detour-groups` "
                               "for the share of one detour; how many bytes stay within is searched"},
          .paper_note = "Stout & Wagar's ARBITRARY SEND 3 divides the message h to d - h. To divide it so that both "
                        "kinds of subcubes take equally long is dcube's, and never slower.",
          .tunable = {.groups = true, .extended_groups = true},
          .case_formula = shares_formula(subcubes_balanced)}},
        shares_method(subcubes_balanced));
    return all;
}

}  // namespace dcube::detail
