// Send: one message from one node to another. Exchange: one each way. Stout & Wagar 1990, section 3 (O.C. SEND, X.O.C.
// SEND, ARBITRARY SEND). n = the distance, D = the dimensions in which the two differ; m bytes.
//
//   one-path            n (tau m + beta)
//   rotated-paths       n (tau ceil(m/n) + beta)
//   spreading           K_(n-1) tau m/n + n beta
//   spreading-groups    (g-1)(tau m/(ng) + beta) + K_(n-1) tau m/(ng) + n beta
//   detour, -groups     (g-1)(tau m/g + beta) + (2n + K_(n-1)) tau m/(ng) + (n+2) beta
//   waves               min(n+g+1, d+g-1) (tau m/(dg) + beta)
// Sizes that do not divide are rounded up at every cut.
//   subcubes            the slower of spreading n/d of the message and taking d-n detours with 1/d each
//
// Only links that lead away from a source are used, or those of parallel subcubes, so both ways never meet.

#include "algorithms/stout_wagar/send.hpp"

#include "algorithms/families.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/stream.hpp"
#include "algorithms/stout_wagar/broadcast.hpp"

#include "base/arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace dcube::detail {

namespace {

// The subset of `dims` that the bits of `chosen` name.
NodeId mask_of(NodeId chosen, const std::vector<Port>& dims)
{
    NodeId mask = 0;
    for (; chosen != 0; chosen &= chosen - 1)
        mask |= bit(dims[static_cast<std::size_t>(std::countr_zero(chosen))]);
    return mask;
}

Fragments part_of(const Fragments& string, std::size_t p, std::size_t i)
{
    const auto [offset, bytes] = balanced_part(length(string), p, i);
    return substring(string, offset, bytes);
}

}  // namespace

void spread_over(RoutingTable& table, NodeId source, const std::vector<Port>& dims, const Fragments& string, Step first)
{
    const auto n = static_cast<unsigned>(dims.size());
    std::vector<Fragments> held(bit(n));  // what arrives from the predecessors, in ascending order of dimension
    held[0] = string;
    std::vector<NodeId> by_level(bit(n));
    for (NodeId x = 0; x < bit(n); ++x)
        by_level[x] = x;
    std::ranges::stable_sort(by_level, {}, [](NodeId x) { return std::popcount(x); });
    for (const NodeId x : by_level) {
        const auto level = static_cast<unsigned>(std::popcount(x));
        if (level > 0)
            for (const Port w : one_positions(x)) {
                const std::vector<Port> ways = one_positions(~(x ^ bit(w)) & (bit(n) - 1));
                const auto t = static_cast<std::size_t>(std::ranges::find(ways, w) - ways.begin());
                for (const Fragment& fragment : part_of(held[x ^ bit(w)], ways.size(), t))
                    append(held[x], fragment);
            }
        const std::vector<Port> ways = one_positions(~x & (bit(n) - 1));
        for (std::size_t t = 0; t < ways.size(); ++t)
            table.add(first + level, source ^ mask_of(x, dims), dims[ways[t]], part_of(held[x], ways.size(), t));
    }
}

void spread_groups(RoutingTable& table, NodeId source, const std::vector<Port>& dims, const Fragments& string,
                   std::size_t groups)
{
    for (std::size_t q = 0; q < groups; ++q)
        spread_over(table, source, dims, part_of(string, groups, q), static_cast<Step>(q));
}

void spread_groups_behind(RoutingTable& table, NodeId source, Port detour, const std::vector<Port>& dims,
                          const Fragments& string, std::size_t groups)
{
    const auto n = static_cast<Step>(dims.size());
    const NodeId entry = source ^ bit(detour);
    const NodeId exit = entry ^ mask_of(bit(n) - 1, dims);
    for (std::size_t q = 0; q < groups; ++q) {
        const Fragments group = part_of(string, groups, q);
        const auto first = static_cast<Step>(q);
        table.add(first, source, detour, group);
        spread_over(table, entry, dims, group, first + 1);
        table.add(first + n + 1, exit, detour, group);
    }
}

namespace {

// The send that a problem asks for, as seen by one of its directions.
struct Way {
    NodeId source;
    NodeId target;
    std::uint64_t message;
    std::size_t bytes;
    unsigned d;

    [[nodiscard]] std::vector<Port> dims() const { return one_positions(source ^ target); }
    [[nodiscard]] std::vector<Port> other_dims() const { return one_positions((source ^ target) ^ (bit(d) - 1)); }
    [[nodiscard]] unsigned distance() const { return static_cast<unsigned>(std::popcount(source ^ target)); }
    [[nodiscard]] Fragments string() const { return {{message, 0, bytes}}; }
};

std::vector<Way> ways_of(const Topology& topology, const Problem& problem)
{
    const std::size_t bytes = problem.bytes * problem.packets;
    std::vector<Way> ways{{problem.root, problem.peer, 0, bytes, topology.dimension()}};
    if (problem.collective == Collective::exchange)
        ways.push_back({problem.peer, problem.root, 1, bytes, topology.dimension()});
    return ways;
}

Way way_of(const Topology& topology, const Problem& problem)
{
    return ways_of(topology, problem).front();
}

// ---- Times ----

// Exact if lcm(1..n) divides m: K_(n-1) tau m/n + n beta. Else at most this, with every cut rounded up.
Exact spreading_time(unsigned n, std::size_t m, const LinkCosts& costs)
{
    Exact time = 0;
    std::size_t held = m;
    for (unsigned k = 0; k < n; ++k) {
        const std::size_t packet = ceil_div(held, n - k);
        time += costs.packet(packet);
        held = packet * (k + 1);
    }
    return time;
}

Exact groups_time(unsigned n, std::size_t m, std::size_t g, const LinkCosts& costs)
{
    const std::size_t group = ceil_div(m, g);
    return costs.packets(g - 1, ceil_div(group, n)) + spreading_time(n, group, costs);
}

Exact detour_time(unsigned n, std::size_t m, std::size_t g, const LinkCosts& costs)
{
    const std::size_t group = ceil_div(m, g);
    return costs.packets(g + 1, group) + spreading_time(n, group, costs);
}

// g (g + 1) >= factor tau m / beta; with beta = 0 as many groups as there are bytes.
std::size_t groups_for(const Exact& factor, std::size_t m, std::size_t most, const LinkCosts& costs)
{
    most = std::max<std::size_t>(1, most);
    if (factor <= 0 || costs.tau == 0)
        return 1;
    if (costs.beta == 0)
        return most;
    return std::min(most, least_groups(factor * costs.tau * m / costs.beta));
}

// Groups of fewer bytes than a node at the middle level has ways would leave nothing to cut.
std::size_t most_groups(unsigned n, std::size_t m)
{
    const auto ways = (n * choose(n - 1, (n - 1) / 2)).convert_to<std::size_t>();
    return std::max<std::size_t>(1, m / ways);
}

std::size_t best_spread_groups(unsigned n, std::size_t m, const LinkCosts& costs)
{
    const std::size_t most = most_groups(n, m);
    return best_groups(groups_for((k_sum(n - 1) - 1) / n, m, most, costs), most, m, n,
                       [&](std::size_t g) { return groups_time(n, m, g, costs); });
}

std::size_t best_detour_groups(unsigned n, std::size_t m, const LinkCosts& costs)
{
    const std::size_t most = most_groups(n, m);
    return best_groups(groups_for(1 + k_sum(n - 1) / n, m, most, costs), most, m, n,
                       [&](std::size_t g) { return detour_time(n, m, g, costs); });
}

std::size_t chosen_groups(const Problem& problem, std::size_t best)
{
    return problem.tuning.groups != 0 ? problem.tuning.groups : best;
}

// How ARBITRARY SEND 3 divides the message: `inside` bytes within the subcube, the others over d - n detours.
struct Shares {
    std::size_t inside;
    std::size_t groups;
    std::size_t detour_groups;  // of the longest detour's share
};

std::size_t detour_share(const Way& way, const Shares& shares)
{
    const unsigned detours = way.d - way.distance();
    return detours == 0 ? 0 : ceil_div(way.bytes - shares.inside, detours);
}

Exact shares_time(const Way& way, const Shares& shares, const LinkCosts& costs)
{
    const unsigned n = way.distance();
    Exact time = 0;
    if (shares.inside > 0)
        time = groups_time(n, shares.inside, shares.groups, costs);
    if (const std::size_t bytes = detour_share(way, shares); bytes > 0)
        time = std::max(time, detour_time(n, bytes, shares.detour_groups, costs));
    return time;
}

Shares shares_for(const Way& way, const Problem& problem, std::size_t inside, const LinkCosts& costs)
{
    const unsigned n = way.distance();
    Shares shares{inside, problem.tuning.groups, problem.tuning.extended_groups};
    if (shares.groups == 0)
        shares.groups = best_spread_groups(n, inside, costs);
    if (shares.detour_groups == 0)
        shares.detour_groups = best_detour_groups(n, detour_share(way, shares), costs);
    return shares;
}

Shares even_shares(const Way& way, const Problem& problem, const LinkCosts& costs)
{
    const unsigned n = way.distance();
    const std::size_t inside = n == way.d ? way.bytes : balanced_part(way.bytes, way.d, n).offset;
    return shares_for(way, problem, inside, costs);
}

// The more inside, the longer it takes there and the shorter outside: bisection for the least maximum.
Shares balanced_shares(const Way& way, const Problem& problem, const LinkCosts& costs)
{
    if (way.distance() == way.d)
        return even_shares(way, problem, costs);
    std::size_t low = 0;
    std::size_t high = way.bytes;
    while (high - low > 1) {
        const std::size_t middle = low + (high - low) / 2;
        const Shares shares = shares_for(way, problem, middle, costs);
        const Exact inside = groups_time(way.distance(), middle, shares.groups, costs);
        const std::size_t outside = detour_share(way, shares);
        if (outside == 0 || inside > detour_time(way.distance(), outside, shares.detour_groups, costs))
            high = middle;
        else
            low = middle;
    }
    const Shares a = shares_for(way, problem, low, costs);
    const Shares b = shares_for(way, problem, high, costs);
    return shares_time(way, a, costs) <= shares_time(way, b, costs) ? a : b;
}

using DivideShares = Shares (*)(const Way&, const Problem&, const LinkCosts&);

void fill_shares(RoutingTable& table, const Way& way, const Shares& shares)
{
    const Fragments string = way.string();
    spread_groups(table, way.source, way.dims(), substring(string, 0, shares.inside), shares.groups);
    const Fragments outside = substring(string, shares.inside, way.bytes - shares.inside);
    const std::vector<Port> detours = way.other_dims();
    for (std::size_t t = 0; t < detours.size(); ++t)
        if (const Fragments share = part_of(outside, detours.size(), t); !share.empty())
            spread_groups_behind(table, way.source, detours[t], way.dims(), share, shares.detour_groups);
}

// ---- ARBITRARY SEND 2: the pipelined broadcast, stopped when the target has all of it ----

Step wave_stages(unsigned d, unsigned n, std::size_t g)
{
    return static_cast<Step>(std::min(n + g + 1, d + g - 1));
}

Exact waves_time(const Way& way, std::size_t g, Step stages, const LinkCosts& costs)
{
    return costs.packets(stages, ceil_div(way.bytes, way.d * g));
}

std::size_t wave_groups(const Way& way, const Problem& problem, bool relabelled)
{
    const LinkCosts costs(problem.link);
    const unsigned n = way.distance();
    const unsigned more = relabelled ? n : std::min(n + 1, way.d - 1);
    const std::size_t most = std::max<std::size_t>(1, way.bytes / way.d);
    const std::size_t near = groups_for(Exact(more) / way.d, way.bytes, most, costs);
    const std::size_t best = best_groups(near, most, way.bytes, way.d, [&](std::size_t g) {
        return waves_time(way, g, relabelled ? static_cast<Step>(n + g) : wave_stages(way.d, n, g), costs);
    });
    return chosen_groups(problem, best);
}

Stream waves(const Topology& topology, const Problem& problem)
{
    const Way way = way_of(topology, problem);
    const auto g = static_cast<std::uint32_t>(wave_groups(way, problem, false));
    return {[rule = pipelined_waves(g)](unsigned d, NodeId label) { return wave_pipeline(d, label, rule); },
            wave_stages(way.d, way.distance(), g), PacketCut::groups(way.bytes, 1, g, way.d)};
}

// The second wave carries P_tau(idx) instead of P_(idx + 1): tau swaps the z-th dimension outside D with the z-th in D,
// so that the target gets what it lacks first.
std::vector<Port> relabelling(const Way& way)
{
    std::vector<Port> tau(way.d);
    for (Port j = 0; j < way.d; ++j)
        tau[j] = j;
    const std::vector<Port> inside = way.dims();
    const std::vector<Port> outside = way.other_dims();
    for (std::size_t z = 0; z < outside.size(); ++z)
        std::swap(tau[outside[z]], tau[inside[z]]);
    return tau;
}

Stream relabelled_waves(const Topology& topology, const Problem& problem)
{
    const Way way = way_of(topology, problem);
    const auto g = static_cast<std::uint32_t>(wave_groups(way, problem, true));
    const WaveRule rule = [g, tau = relabelling(way)](unsigned d, NodeId node, Port port,
                                                      Step stage) -> std::optional<std::uint32_t> {
        const auto level = static_cast<Step>(std::popcount(node));
        if (stage < level || stage - level > g)
            return std::nullopt;
        const Port index = wave_index(d, node, port);
        const Step q = stage - level;
        return q < g ? q * d + index : (g - 1) * d + tau[index];
    };
    return {[rule](unsigned d, NodeId label) { return wave_pipeline(d, label, rule); },
            static_cast<Step>(way.distance() + g), PacketCut::groups(way.bytes, 1, g, way.d)};
}

// ---- The catalogue's entries ----

using Fill = std::function<void(RoutingTable&, const Way&, const Problem&)>;
using WayTime = std::function<Exact(const Way&, const Problem&, const LinkCosts&)>;

Algorithm entry(Collective collective, std::string_view name, std::vector<std::string_view> aliases,
                std::string_view paper, std::string_view summary, const WayTime& time)
{
    Algorithm head = titled(collective, name, std::move(aliases), paper, summary);
    head.time = in_ns([time](const Topology& topology, const Problem& problem) {
        return time(way_of(topology, problem), problem, LinkCosts(problem.link));
    });
    return head;
}

Algorithm table_entry(Algorithm head, const Fill& fill)
{
    return routed(std::move(head), [fill](const Topology& topology, const Problem& problem) {
        RoutingTable table(topology);
        for (const Way& way : ways_of(topology, problem))
            fill(table, way, problem);
        return std::move(table).routing();
    });
}

std::string only_opposite_corners(const Topology& topology, const Problem& problem)
{
    return way_of(topology, problem).distance() == topology.dimension() ? "" : "it is for opposite corners of the cube";
}

std::string only_with_detours(const Topology& topology, const Problem& problem)
{
    return way_of(topology, problem).distance() < topology.dimension() ? ""
                                                                       : "there is no parallel subcube to go through";
}

std::string only_half_way(const Topology& topology, const Problem& problem)
{
    const unsigned n = way_of(topology, problem).distance();
    const unsigned d = topology.dimension();
    return 2 * n >= d && n + 2 <= d ? "" : fmt::format("it is for distances from d/2 to d - 2, and this is {}", n);
}

std::vector<Algorithm> table_entries(Collective collective)
{
    constexpr std::string_view corner = "Stout & Wagar 1990, opposite corner sends";
    constexpr std::string_view extended = "Stout & Wagar 1990, extended opposite corner sends";
    constexpr std::string_view arbitrary = "Stout & Wagar 1990, arbitrary sends";
    std::vector<Algorithm> entries;

    entries.push_back(
        table_entry(entry(collective, "one-path", {"S1", "O.C. SEND 1"}, corner, "the whole message along one path",
                          [](const Way& way, const Problem&, const LinkCosts& costs) {
                              return costs.packets(way.distance(), way.bytes);
                          }),
                    [](RoutingTable& table, const Way& way, const Problem&) {
                        NodeId at = way.source;
                        Step stage = 0;
                        for (const Port w : way.dims()) {
                            table.add(stage++, at, w, way.string());
                            at ^= bit(w);
                        }
                    }));

    entries.push_back(table_entry(entry(collective, "rotated-paths", {"S2", "O.C. SEND 2"}, corner,
                                        "a part on each of n paths that share no link",
                                        [](const Way& way, const Problem&, const LinkCosts& costs) {
                                            return costs.packets(way.distance(), ceil_div(way.bytes, way.distance()));
                                        }),
                                  [](RoutingTable& table, const Way& way, const Problem&) {
                                      const std::vector<Port> dims = way.dims();
                                      for (std::size_t i = 0; i < dims.size(); ++i) {
                                          NodeId at = way.source;
                                          for (std::size_t k = 0; k < dims.size(); ++k) {
                                              const Port w = dims[(i + k) % dims.size()];
                                              table.add(static_cast<Step>(k), at, w,
                                                        part_of(way.string(), dims.size(), i));
                                              at ^= bit(w);
                                          }
                                      }
                                  }));

    entries.push_back(table_entry(entry(collective, "spreading", {"S3", "O.C. SEND 3"}, corner,
                                        "cut and joined at every node, so that all links between the two are used",
                                        [](const Way& way, const Problem&, const LinkCosts& costs) {
                                            return spreading_time(way.distance(), way.bytes, costs);
                                        }),
                                  [](RoutingTable& table, const Way& way, const Problem&) {
                                      spread_over(table, way.source, way.dims(), way.string(), 0);
                                  }));

    const WayTime groups = [](const Way& way, const Problem& problem, const LinkCosts& costs) {
        const unsigned n = way.distance();
        return groups_time(n, way.bytes, chosen_groups(problem, best_spread_groups(n, way.bytes, costs)), costs);
    };
    const Fill fill_groups = [](RoutingTable& table, const Way& way, const Problem& problem) {
        const std::size_t best = best_spread_groups(way.distance(), way.bytes, LinkCosts(problem.link));
        spread_groups(table, way.source, way.dims(), way.string(), chosen_groups(problem, best));
    };
    entries.push_back(table_entry(entry(collective, "spreading-groups", {"S4", "O.C. SEND 4"}, corner,
                                        "groups that spread one behind the other", groups),
                                  fill_groups));
    entries.back().obstacle = only_opposite_corners;
    entries.push_back(table_entry(entry(collective, "subcube", {"A1", "ARBITRARY SEND 1"}, arbitrary,
                                        "groups that spread within the subcube of the two nodes", groups),
                                  fill_groups));

    const auto detour = [&](std::string_view name, std::vector<std::string_view> aliases, bool one_group) {
        const auto choose_groups = [one_group](const Way& way, const Problem& problem) {
            return one_group
                       ? 1
                       : chosen_groups(problem, best_detour_groups(way.distance(), way.bytes, LinkCosts(problem.link)));
        };
        entries.push_back(table_entry(
            entry(collective, name, std::move(aliases), extended,
                  one_group ? "spreading in a parallel subcube" : "groups that spread in a parallel subcube",
                  [choose_groups](const Way& way, const Problem& problem, const LinkCosts& costs) {
                      return detour_time(way.distance(), way.bytes, choose_groups(way, problem), costs);
                  }),
            [choose_groups](RoutingTable& table, const Way& way, const Problem& problem) {
                spread_groups_behind(table, way.source, way.other_dims().front(), way.dims(), way.string(),
                                     choose_groups(way, problem));
            }));
        entries.back().obstacle = only_with_detours;
    };
    detour("detour", {"X1", "X.O.C. SEND 1"}, true);
    detour("detour-groups", {"X2", "X.O.C. SEND 2"}, false);

    const auto shared = [&](std::string_view name, std::vector<std::string_view> aliases, std::string_view summary,
                            DivideShares divide) {
        entries.push_back(table_entry(entry(collective, name, std::move(aliases), arbitrary, summary,
                                            [divide](const Way& way, const Problem& problem, const LinkCosts& costs) {
                                                return shares_time(way, divide(way, problem, costs), costs);
                                            }),
                                      [divide](RoutingTable& table, const Way& way, const Problem& problem) {
                                          fill_shares(table, way, divide(way, problem, LinkCosts(problem.link)));
                                      }));
    };
    shared("subcubes", {"A3", "ARBITRARY SEND 3"}, "n/d within the subcube, 1/d through each parallel one",
           even_shares);
    shared("subcubes-balanced", {"A3 balanced"}, "the same, divided so that both take equally long", balanced_shares);
    return entries;
}

std::vector<Algorithm> wave_entries()
{
    constexpr std::string_view paper = "Stout & Wagar 1990, arbitrary sends";
    Algorithm plain = entry(Collective::send, "waves", {"A2", "ARBITRARY SEND 2"}, paper,
                            "the pipelined broadcast, stopped when the target has everything",
                            [](const Way& way, const Problem& problem, const LinkCosts& costs) {
                                const std::size_t g = wave_groups(way, problem, false);
                                return waves_time(way, g, wave_stages(way.d, way.distance(), g), costs);
                            });
    Algorithm relabelled = entry(Collective::send, "waves-relabelled", {"A2 relabelled"}, paper,
                                 "the same, with a last wave of what the target lacks",
                                 [](const Way& way, const Problem& problem, const LinkCosts& costs) {
                                     const std::size_t g = wave_groups(way, problem, true);
                                     return waves_time(way, g, static_cast<Step>(way.distance() + g), costs);
                                 });
    relabelled.obstacle = only_half_way;
    return {streamed(std::move(plain), waves), streamed(std::move(relabelled), relabelled_waves)};
}

}  // namespace

std::vector<Algorithm> one_to_one_family()
{
    std::vector<Algorithm> all = table_entries(Collective::send);
    for (Algorithm& algorithm : wave_entries())
        all.push_back(std::move(algorithm));
    for (Algorithm& algorithm : table_entries(Collective::exchange))
        all.push_back(std::move(algorithm));
    return all;
}

}  // namespace dcube::detail
