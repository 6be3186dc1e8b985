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
#include "algorithms/stout_wagar/groups.hpp"
#include "algorithms/stout_wagar/opposite_corner_send.hpp"
#include "algorithms/stout_wagar/send_case.hpp"
#include "algorithms/stout_wagar/send_phases.hpp"
#include "algorithms/stout_wagar/send_shares.hpp"
#include "algorithms/stout_wagar/spreading_time.hpp"

#include <algorithm>
#include <utility>

namespace dcube::detail {

namespace {

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
    return {.write =
                [divide](RoutingTable& table, const SendCase& send, const Problem& problem) {
                    write_shares(table, send, divide(send, problem, LinkCosts(problem.link)));
                },
            .cost =
                [divide](const SendCase& send, const Problem& problem) {
                    return shares_cost(send, divide(send, problem, LinkCosts(problem.link)));
                },
            .time = [divide](const SendCase& send, const Problem& problem,
                             const LinkCosts& costs) { return shares_time(send, divide(send, problem, costs), costs); },
            .limit =
                [divide](const SendCase& send, const Problem& problem, const LinkCosts& costs) {
                    return shares_limit(send, divide(send, problem, costs), costs);
                },
            .walked =
                [divide](const SendCase& send, const Problem& problem) {
                    return walked_shares(send, divide(send, problem, LinkCosts(problem.link)), problem.link);
                },
            .phases =
                [divide](const SendCase& send, const Problem& problem) {
                    return shares_phases(send, divide(send, problem, LinkCosts(problem.link)));
                }};
}

// ---- The catalogue's entries ----

std::string only_with_detours(const Topology& topology, const Problem& problem)
{
    if (send_case(topology, problem).distance() == topology.dimension())
        return "there is no parallel subcube to go through";
    return too_many_groups(topology, problem);
}

}  // namespace

std::vector<Algorithm> arbitrary_send_family()
{
    std::vector<Algorithm> all;
    const auto add = [&](Algorithm head, const SendMethod& method) {
        head.paper = "Stout & Wagar 1990, section 4";
        for (Algorithm& algorithm : send_and_exchange(std::move(head), method))
            all.push_back(std::move(algorithm));
    };
    add({.collective = Collective::send,
         .name = "subcube",
         .aliases = {"A1", "ARBITRARY SEND 1"},
         .summary = "groups that spread within the subcube of the two nodes",
         .tunable = {.groups = true},
         .obstacle = too_many_groups},
        spreading_groups_method());
    add({.collective = Collective::send,
         .name = "detour",
         .aliases = {"X1", "X.O.C. SEND 1"},
         .summary = "spreading in a parallel subcube",
         .obstacle = only_with_detours},
        detour_method(one_group));
    add({.collective = Collective::send,
         .name = "detour-groups",
         .aliases = {"X2", "X.O.C. SEND 2"},
         .summary = "groups that spread in a parallel subcube",
         .tunable = {.groups = true},
         .obstacle = only_with_detours},
        detour_method(chosen_detour_groups));
    add({.collective = Collective::send,
         .name = "subcubes",
         .aliases = {"A3", "ARBITRARY SEND 3"},
         .summary = "n/d within the subcube, 1/d through each parallel one",
         .tunable = {.groups = true, .extended_groups = true},
         .obstacle = too_many_groups},
        shares_method(subcubes));
    add({.collective = Collective::send,
         .name = "subcubes-balanced",
         .aliases = {"A3 balanced"},
         .origin = Origin::refinement,
         .summary = "the same, divided so that both take equally long",
         .tunable = {.groups = true, .extended_groups = true},
         .obstacle = too_many_groups},
        shares_method(subcubes_balanced));
    return all;
}

}  // namespace dcube::detail
