// Send and exchange on all ports of any network, as soon as its links allow. m packets per message.
//
//   quickest-flow   send, exchange   the least T such that max(0, T - l_i + 1), added up over i, is m or more
//
// l_1 <= l_2 <= .. are the lengths of successive shortest augmenting paths if every link takes one packet. Ford and
// Fulkerson show that no more packets than that sum can be there after T steps, however they wait and turn, and that
// the flow of these paths, taken apart into paths, carries as many: on each a packet starts in every step from which it
// arrives by T. A flow of least cost uses no link both ways, so the opposite links are free for the way back: an
// exchange takes as long. On a d-cube h paths have h hops, where h is the distance, and d - h have h + 2.
//
// Transmissions: as many as the paths are long, the shortest of them full. Steps come before transmissions: each packet
// on a path longer than the distance h is worth its further hops.
//
// Planning: a search through the network for each path, at most as many as the ends have links; on hypercubes none.

#include "collectives/graphs/quickest_flow.hpp"
#include "algorithms/beyond/any_network/path_convoys.hpp"
#include "algorithms/families.hpp"
#include "base/memo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dcube::detail {

namespace {

// The paths that are worth using, shortest first, and the steps after which all packets are there.
struct Lanes {
    std::uint64_t steps;
    std::vector<Path> paths;
};

Lanes cube_lanes(const Ends& ends)
{
    Lanes lanes{0, cube_paths(ends.from, ends.to, ends.topology.dimension())};
    std::vector<std::uint32_t> lengths;
    for (const Path& path : lanes.paths)
        lengths.push_back(static_cast<std::uint32_t>(path.size()));
    lanes.steps = quickest_steps(lengths, ends.packets);
    lanes.paths.resize(quickest_paths_needed(lengths, ends.packets));
    return lanes;
}

Lanes searched_lanes(const Ends& ends)
{
    const Arcs arcs(ends.topology);
    const QuickestPaths quickest = quickest_paths(arcs, ends.from, ends.to, ends.packets);
    Lanes lanes{quickest.steps, {}};
    for (const std::vector<ArcId>& path : quickest.paths)
        lanes.paths.push_back(path_of(arcs, path));
    return lanes;
}

ConvoyPlan make_quickest_plan(const Ends& ends)
{
    const Lanes lanes = ends.topology.is_hypercube() ? cube_lanes(ends) : searched_lanes(ends);
    ConvoyPlan plan{lanes.steps, {}};
    std::uint32_t sent = 0;
    for (const Path& path : lanes.paths) {
        const std::uint64_t fit = lanes.steps - path.size() + 1;
        const auto packets = static_cast<std::uint32_t>(std::min<std::uint64_t>(ends.packets - sent, fit));
        if (packets == 0)
            break;
        plan.convoys.push_back({{ends.from, ends.to, sent}, path, packets});
        if (ends.collective == Collective::exchange)
            plan.convoys.push_back({{ends.to, ends.from, sent}, backwards(ends.topology, path), packets});
        sent += packets;
    }
    return plan;
}

std::shared_ptr<const ConvoyPlan> quickest_plan(const Topology& topology, const Problem& problem)
{
    static Memo<Ends, ConvoyPlan> kept(16);
    const Ends ends = ends_of(topology, problem);
    return kept.get(ends, [&] { return make_quickest_plan(ends); });
}

Phases quickest_phases(const Problem& problem, const ConvoyPlan& plan)
{
    const bool both = problem.collective == Collective::exchange;
    const std::size_t paths = plan.convoys.size() / (both ? 2 : 1);
    const std::size_t shortest = plan.convoys.front().path.size();
    const std::size_t longest = plan.convoys.back().path.size();
    const std::string hops =
        shortest == longest ? counted(shortest, "hop") : fmt::format("{} to {} hops", shortest, longest);
    if (paths == 1)
        return whole_run(plan.steps,
                         {"one path", fmt::format("The packets follow one another on a path of {}{}.", hops,
                                                  both ? ", and the other end's come the opposite way" : "")});
    return whole_run(plan.steps,
                     {"paths that share no link",
                      fmt::format("The packets follow one another on {} paths of {} that share no link, on each until "
                                  "one that starts later would come after step {}{}.",
                                  paths, hops, plan.steps, both ? "; the other end's come the opposite way" : "")});
}

std::uint64_t quickest_work(const Topology& topology, const Problem& problem)
{
    if (topology.is_hypercube())
        return 0;
    const std::uint64_t paths = std::min(topology.ports(problem.root), topology.ports(problem.peer));
    return 4 * paths * topology.directed_links();
}

}  // namespace

std::vector<Entry> quickest_flow_family()
{
    std::vector<Entry> family;
    for (const auto& [collective, summary] :
         {std::pair{Collective::send, "as soon as the links allow, on paths that share none of them"},
          std::pair{Collective::exchange, "two quickest sends on the same paths, in opposite directions"}})
        family.push_back(convoy_entry(
            {{.collective = collective, .name = "quickest-flow", .networks = Networks::products},
             {.paper = "Ford & Fulkerson 1958 (dynamic flows)",
              .origin = Origin::dcube,
              .summary = summary,
              .idea =
                  "A flow of the most packets that can be there in time, taken apart into paths that share no link; "
                  "on each, packets start in every step from which they still arrive. An exchange uses the same "
                  "paths both ways.",
              .formula = {.words = "the least T such that max(0, T - l + 1), added up over the lengths l of successive "
                                   "shortest augmenting paths, is m or more"},
              .paper_note =
                  "In none of the papers: the flow over time of Ford and Fulkerson (1958), which no algorithm beats.",
              .planning_work = quickest_work}},
            quickest_plan, quickest_phases));
    return family;
}

}  // namespace dcube::detail
