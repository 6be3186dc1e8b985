// The entries of opposite_corner_send.cpp, with their costs and phases.

#include "algorithms/papers/stout_wagar/opposite_corner_send.hpp"

#include "algorithms/families.hpp"
#include "algorithms/papers/stout_wagar/all_to_all.hpp"
#include "algorithms/papers/stout_wagar/groups.hpp"
#include "algorithms/papers/stout_wagar/spreading_time.hpp"

#include <algorithm>

namespace dcube::detail {

namespace {

SendMethod one_path_method()
{
    return {.write = oc_send_1,
            .cost =
                [](const SendCase& send, const Problem&) {
                    return Cost{send.distance(), send.distance()};
                },
            .phases = [](const SendCase& send, const Problem&) { return one_path_phases(send.dims()); }};
}

SendMethod rotated_paths_method()
{
    return {.write = oc_send_2,
            .cost =
                [](const SendCase& send, const Problem&) {
                    const unsigned n = send.distance();
                    return Cost{n, n * std::min<std::uint64_t>(n, send.bytes)};
                },
            .phases = [](const SendCase& send, const Problem&) { return rotated_hops_phases(send.distance()); }};
}

SendMethod spreading_method()
{
    return {.write = [](RoutingTable& table, const SendCase& send,
                        const Problem&) { spreading(table, send.source, send.dims(), send.string(), 0); },
            .cost =
                [](const SendCase& send, const Problem&) {
                    return Cost{send.distance(), spreading_packets(send.distance(), send.bytes)};
                },
            .time = [](const SendCase& send, const Problem&,
                       const LinkCosts& costs) { return spreading_time(send.distance(), send.bytes, costs); },
            .limit = [](const SendCase& send, const Problem&,
                        const LinkCosts& costs) { return spreading_limit(send.distance(), send.bytes, 1, costs); },
            .walked = [](const SendCase& send, const Problem&,
                         const LinkModel& link) { return walked_spreading(send.distance(), send.bytes, 1, link); },
            .phases = [](const SendCase& send, const Problem&) { return spreading_phases(send.distance()); }};
}

std::string only_opposite_corners(const Topology& topology, const Problem& problem)
{
    if (send_case(topology, problem).distance() != topology.dimension())
        return "it is for opposite corners of the cube";
    return too_many_groups(topology, problem);
}

}  // namespace

Cost spreading_groups_cost(unsigned n, std::size_t m, std::size_t groups)
{
    return cost_of_groups(m, groups, n, [n](std::size_t bytes) { return spreading_packets(n, bytes); });
}

SendMethod spreading_groups_method()
{
    return {.write =
                [](RoutingTable& table, const SendCase& send, const Problem& problem) {
                    spreading_groups(table, send.source, send.dims(), send.string(),
                                     chosen_spreading_groups(send, problem));
                },
            .cost = in_groups(chosen_spreading_groups, spreading_groups_cost),
            .time = in_groups(chosen_spreading_groups, spreading_groups_time),
            .limit = in_groups(chosen_spreading_groups, spreading_limit),
            .walked = in_groups(chosen_spreading_groups, walked_spreading),
            .phases = in_groups(chosen_spreading_groups, spreading_groups_phases)};
}

std::vector<Entry> opposite_corner_send_family()
{
    constexpr std::string_view paper = "Stout & Wagar 1990, section 3";
    std::vector<Entry> all;
    const auto add = [&](Entry head, const SendMethod& method) {
        head.paper = paper;
        for (Entry& algorithm : send_and_exchange(std::move(head), method))
            all.push_back(std::move(algorithm));
    };
    add({{.collective = Collective::send, .name = "one-path"},
         {.aliases = {"S1", "O.C. SEND 1"},
          .summary = "the whole message along one path",
          .idea = "The whole message along one shortest path, of h links.",
          .formula = {.time = "h (tau m + beta)"},
          .paper_note =
              "It gives this time for opposite corners, h = d. Within the subcube of any two nodes it is the same."}},
        one_path_method());
    add({{.collective = Collective::send, .name = "rotated-paths"},
         {.aliases = {"S2", "O.C. SEND 2"},
          .summary = "a part on each of n paths that share no link",
          .idea = "h parts, on h shortest paths that share no link: part i corrects the differing bits i, i + 1, .. in "
                  "turn.",
          .formula = {.time = "h (tau ceil(m/h) + beta)"},
          .paper_note =
              "It gives this time for opposite corners, h = d. Within the subcube of any two nodes it is the same."}},
        rotated_paths_method());
    add({{.collective = Collective::send, .name = "spreading"},
         {.aliases = {"S3", "O.C. SEND 3"},
          .summary = "cut and joined at every node, so that all links between the two are used",
          .idea = "All links between the two nodes are used: a node at distance k from the sender joins what has come "
                  "and cuts it again, a part for each of its h - k links ahead. Near the middle there are many links, "
                  "so packets are small there. K is the sum of 1/C(h-1, k).",
          .formula = {.time = "K tau m/h + h beta"},
          .paper_note = "It gives this time for opposite corners, h = d. K for five dimensions is 13/5; printed is 2 "
                        "2/3 (errata, 4)."}},
        spreading_method());
    add({{.collective = Collective::send, .name = "spreading-groups", .obstacle = only_opposite_corners},
         {.aliases = {"S4", "O.C. SEND 4"},
          .summary = "groups that spread one behind the other",
          .idea = "Groups that spread one behind the other: while the first ones are in the middle, the sender's links "
                  "carry the next. K is the sum of 1/C(h-1, k).",
          .formula = {.time = "(g - 1) (tau m/(h g) + beta) + K tau m/(h g) + h beta"},
          .paper_note =
              "It gives this time for opposite corners, h = d. The paper takes g as a real number (errata, 14).",
          .tunable = {.groups = true}}},
        spreading_groups_method());
    return all;
}

}  // namespace dcube::detail
