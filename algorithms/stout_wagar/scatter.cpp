// Scatter and gather on link-bound machines. Stout & Wagar 1990, section 4. m bytes for every node.
//
//   farthest-first(-even)   (2^d - 1) tau m/d + d beta
//   waves                   (2^d - 1) tau m/d + k beta for long messages; the exact time of every plan is in link_costs

#include "algorithms/stout_wagar/scatter.hpp"

#include "algorithms/families.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/stout_wagar/send.hpp"

#include <algorithm>
#include <bit>

namespace dcube::detail {

Routing rotating_distribution(const Topology& topology, const LengthOf& length_of)
{
    const unsigned d = topology.dimension();
    RoutingTable table(topology);
    for (NodeId target = 1; target < topology.nodes(); ++target) {
        const std::vector<Port> dims = one_positions(target);
        const std::size_t s = dims.size();
        std::size_t sum = 0;
        for (const Port w : dims)
            sum += w;
        for (std::size_t i = 0; i < s; ++i) {
            const auto [offset, bytes] = staggered_part(length_of(target), s, i, sum % s);
            NodeId at = 0;
            for (std::size_t j = 0; j < s; ++j) {
                const Port w = dims[(i + j) % s];
                table.add(static_cast<Step>(d - s + j), at, w, Fragment{target, offset, bytes});
                at ^= bit(w);
            }
        }
    }
    return std::move(table).routing();
}

Routing even_distribution(const Topology& topology, const LengthOf& length_of)
{
    RoutingTable table(topology);
    for (NodeId target = 1; target < topology.nodes(); ++target) {
        const std::vector<Port> dims = one_positions(target);
        spread_over(table, 0, dims, {{target, 0, length_of(target)}},
                    static_cast<Step>(topology.dimension() - dims.size()));
    }
    return std::move(table).routing();
}

namespace {

// The stretch of a message that a wavelet carries, in whole bytes.
Stretch share_of(const Wavelet& wavelet, std::size_t bytes)
{
    const auto begin = ceiling(wavelet.begin * bytes).convert_to<std::size_t>();
    const auto end = ceiling(wavelet.end * bytes).convert_to<std::size_t>();
    return {begin, end - begin};
}

}  // namespace

// A wavelet crosses each level of the cube in a stage of its own, behind the wavelets before it; so every link carries
// one packet a wavelet, first come, first served.
Routing wave_routing(const Topology& topology, const WavePlan& plan, const LengthOf& length_of)
{
    const unsigned d = topology.dimension();
    RoutingTable table(topology);
    std::vector<Step> next_stage(d);  // of every level
    for (Step wave = 0; wave < plan.size(); ++wave) {
        for (const Wavelet& wavelet : plan[wave]) {
            std::vector<Step> stages{wave};
            for (unsigned level = 1; level < wavelet.distance; ++level) {
                stages.push_back(std::max(stages.back() + 1, next_stage[level]));
                next_stage[level] = stages.back() + 1;
            }
            RoutingTable one(topology);
            for (NodeId target = 1; target < topology.nodes(); ++target) {
                if (static_cast<unsigned>(std::popcount(target)) != wavelet.distance)
                    continue;
                const auto [offset, bytes] = share_of(wavelet, length_of(target));
                spread_over(one, 0, one_positions(target), {{target, offset, bytes}}, 0);
            }
            table.add_all(one, stages);
        }
    }
    return std::move(table).routing();
}

namespace {

WavePlan plan_for(const Topology& topology, const Problem& problem)
{
    const unsigned d = topology.dimension();
    if (!problem.tuning.waves.empty())
        return parse_wave_plan(problem.tuning.waves, d);
    return best_wave_plan(d, problem.bytes * problem.packets, LinkCosts(problem.link));
}

using Distribution = std::function<Routing(const Topology&, const Problem&, const LengthOf&)>;

Algorithm entry(Collective collective, std::string_view name, std::vector<std::string_view> aliases,
                std::string_view summary, std::function<Exact(const Topology&, const Problem&)> time,
                const Distribution& distribution)
{
    Algorithm head = titled(collective, name, std::move(aliases),
                            collective == Collective::scatter ? "Stout & Wagar 1990, distribute"
                                                              : "Stout & Wagar 1990, collect (distribute reversed)",
                            summary);
    head.time = in_ns(std::move(time));
    return routed(std::move(head), [distribution](const Topology& topology, const Problem& problem) {
        const std::size_t bytes = problem.bytes * problem.packets;
        Routing routing = distribution(topology, problem, [bytes](NodeId) { return bytes; });
        if (problem.collective == Collective::gather)
            routing = reversed(routing, false);
        return translated(std::move(routing), problem.root, true);
    });
}

Exact farthest_first_time(const Topology& topology, const Problem& problem)
{
    const unsigned d = topology.dimension();
    const LinkCosts costs(problem.link);
    return costs.tau * (topology.nodes() - 1) * problem.bytes * problem.packets / d + costs.beta * d;
}

}  // namespace

std::vector<Algorithm> link_scatter_family()
{
    std::vector<Algorithm> all;
    for (const Collective collective : {Collective::scatter, Collective::gather}) {
        all.push_back(entry(collective, "farthest-first", {"D1", "DISTRIBUTE 1"},
                            "parts on rotated paths; the farthest messages leave first", farthest_first_time,
                            [](const Topology& topology, const Problem&, const LengthOf& length_of) {
                                return rotating_distribution(topology, length_of);
                            }));
        all.push_back(entry(collective, "farthest-first-even", {"D1 even"},
                            "the same, every message spread evenly over its subcube", farthest_first_time,
                            [](const Topology& topology, const Problem&, const LengthOf& length_of) {
                                return even_distribution(topology, length_of);
                            }));
        all.push_back(entry(
            collective, "waves", {"D2", "DISTRIBUTE 2"},
            "several classes of messages in one packet, so that fewer start-ups are paid",
            [](const Topology& topology, const Problem& problem) {
                return wave_plan_time(plan_for(topology, problem), topology.dimension(),
                                      problem.bytes * problem.packets, LinkCosts(problem.link));
            },
            [](const Topology& topology, const Problem& problem, const LengthOf& length_of) {
                return wave_routing(topology, plan_for(topology, problem), length_of);
            }));
    }
    return all;
}

}  // namespace dcube::detail
