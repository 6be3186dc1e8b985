// The entries of arbitrary_send.cpp, with their costs and phases.

#include "algorithms/papers/stout_wagar/arbitrary_send.hpp"

#include "algorithms/families.hpp"
#include "algorithms/papers/stout_wagar/groups.hpp"
#include "algorithms/papers/stout_wagar/opposite_corner_send.hpp"
#include "algorithms/papers/stout_wagar/send_case.hpp"
#include "algorithms/papers/stout_wagar/spreading_time.hpp"
#include "algorithms/programs/link_costs.hpp"

#include <dcube/problem.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace dcube::detail {

namespace {

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

Cost detour_cost(unsigned n, std::size_t m, std::size_t groups)
{
    return cost_of_groups(m, groups, n + 2, [n](std::size_t bytes) { return spreading_packets(n, bytes) + 2; });
}

std::size_t one_group(const SendCase& /*send*/, const Problem& /*problem*/)
{
    return 1;
}

SendMethod detour_method(ChooseGroups groups)
{
    return {.write =
                [groups](RoutingTable& table, const SendCase& send, const Problem& problem) {
                    detour_groups(table, send, send.other_dims().front(), send.string(), groups(send, problem));
                },
            .cost = in_groups(groups, detour_cost),
            .time = in_groups(groups, detour_time),
            .limit = in_groups(groups, detour_limit),
            .walked = in_groups(groups, walked_detour),
            .phases =
                in_groups(groups, [](unsigned n, std::size_t m, std::size_t g) { return detour_phases(n, 1, m, g); })};
}

Cost shares_cost(const SendCase& send, const Shares& shares)
{
    const unsigned n = send.distance();
    const unsigned detours = send.d - n;
    Cost cost = spreading_groups_cost(n, shares.inside, shares.groups);
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

// A function of the shares and perhaps the costs, as a member of a method that divides the message.
template <class Function>
auto in_shares(DivideShares divide, Function function)
{
    return [divide, function](const SendCase& send, const Problem& problem, const auto&... costs) {
        return function(send, divide(send, problem, LinkCosts(problem.link)), costs...);
    };
}

SendMethod shares_method(DivideShares divide)
{
    return {.write =
                [divide](RoutingTable& table, const SendCase& send, const Problem& problem) {
                    write_shares(table, send, divide(send, problem, LinkCosts(problem.link)));
                },
            .cost = in_shares(divide, shares_cost),
            .time = in_shares(divide, shares_time),
            .limit = in_shares(divide, shares_limit),
            .walked = in_shares(divide, walked_shares),
            .phases = in_shares(divide, shares_phases)};
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
                                      problem.tuning.detour_groups}}};
    };
}

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
          .tunable = {.groups = true, .detour_groups = true},
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
          .tunable = {.groups = true, .detour_groups = true},
          .case_formula = shares_formula(subcubes_balanced)}},
        shares_method(subcubes_balanced));
    return all;
}

}  // namespace dcube::detail
