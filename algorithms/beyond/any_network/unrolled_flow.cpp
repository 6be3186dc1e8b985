// Scatter and gather on all ports of any network: a flow in the network unrolled in time. m packets per message, or as
// many as each node's counts say. (On hypercubes balanced-tree does messages of one length without a search.)
//
//   unrolled-flow   scatter, gather   the fewest steps there can be, found by search
//
// A scatter in T steps is a flow in the network unrolled in time, with a node for every node and step, that brings m
// packets to every node by step T. Since all packets come from one node it does not matter which is which, so the
// largest flow decides whether T steps are enough. Where arcs times steps are more than 2^25 that search is left out:
// then it takes as many steps as dealing out (collectives/graphs/scatter_flow.hpp) a flow without steps takes, which is
// nearly always the fewest too.
//
// Transmissions: the fewest of a plan in so many steps, if the flow of fewest hops can be dealt out in time; they are
// more than the distances add up to where only a detour meets the steps (17 packets: none more on the tables' networks
// but random20, 531 instead of 510, and random128, 4966 instead of 4947).
//
// Planning: a flow of least cost in the network, for which about as many searches were needed as the root of the number
// of nodes, and then the hops; where dealing out does not do, a search of every arc and step. So packets cost hops
// only.

#include "collectives/graphs/unrolled_flow.hpp"
#include "algorithms/families.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/kept_schedule.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/plan.hpp"
#include "base/memo.hpp"

#include <dcube/bounds.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace dcube::detail {

namespace {

constexpr double most_unrolled_work = 50'000'000'000;  // about half a minute

// The least number of hops.
double unrolled_hops(const Topology& topology, const Problem& problem)
{
    return static_cast<double>(transmissions_bound(topology, problem).value);
}

Schedule make_unrolled_scatter(const UnitQuestion& question)
{
    const Arcs arcs(question.topology);
    const PacketsByNode packets =
        question.counts.empty() ? PacketsByNode(question.packets) : PacketsByNode(question.counts);
    const ScatterWalks walks = scatter_walks(arcs, question.root, packets);
    Schedule schedule{Symmetry::none, walks.steps, {}};
    std::uint32_t copy = 0;
    NodeId target = question.root;
    for (const Walk& walk : walks.walks) {
        copy = std::exchange(target, walk.target) == walk.target ? copy + 1 : 0;
        for (const auto& [step, arc] : walk.hops)
            schedule.hops.push_back({step, arcs.from(arc), arcs.port(arc), {question.root, walk.target, copy}});
    }
    return schedule;
}

std::uint64_t unrolled_work(const Topology& topology, const Problem& problem)
{
    const double flow = std::sqrt(topology.nodes()) * static_cast<double>(topology.directed_links());
    return static_cast<std::uint64_t>(100 * (flow + unrolled_hops(topology, problem)));
}

// The scatter, also where the problem is a gather.
std::shared_ptr<const Schedule> unrolled_scatter_schedule(const Topology& topology, const Problem& problem)
{
    static Memo<UnitQuestion, Schedule> kept(8);
    UnitQuestion question = question_of(topology, PortModel::all, problem);
    question.collective = Collective::scatter;
    return kept.get(question, [&] {
        return kept_schedule("unrolled-flow", unrolled_work(topology, problem), question,
                             [&] { return make_unrolled_scatter(question); });
    });
}

Schedule unrolled_schedule(const Topology& topology, const Problem& problem)
{
    return in_direction_of(problem.collective, topology, *unrolled_scatter_schedule(topology, problem));
}

Phases unrolled_phases(const Topology& topology, const Problem& problem)
{
    const std::shared_ptr<const Schedule> scatter = unrolled_scatter_schedule(topology, problem);
    Step last = 0;
    for (const Hop& hop : scatter->hops)
        if (hop.from == problem.root)
            last = std::max(last, hop.step);
    const Step rest = scatter->steps - last;
    const std::string links = counted(topology.ports(problem.root), "link");
    if (problem.collective == Collective::scatter)
        return PhaseLine()
            .add(last, {"the root sends", fmt::format("The root sends over its {}, in an order that was planned for "
                                                      "all links and steps together, and the others pass it on.",
                                                      links)})
            .add(rest, {"the last packets arrive", "The root has sent all; what is still under way goes on to its "
                                                   "nodes."})
            .take();
    return PhaseLine()
        .add(rest, {"the first packets set out", "Packets set out for the root; nothing has reached it yet."})
        .add(last, {"the root receives", fmt::format("The root receives over its {}, in an order that was planned for "
                                                     "all links and steps together.",
                                                     links)})
        .take();
}

std::string unrolled_obstacle(const Topology& topology, const Problem& problem)
{
    const std::string obstacle = too_many_hops(unrolled_hops(topology, problem));
    return obstacle.empty() ? too_much_planning(unrolled_work(topology, problem), most_unrolled_work) : obstacle;
}

std::uint64_t unrolled_storage(const Topology& topology, const Problem& problem)
{
    const std::uint64_t hops = unrolled_scatter_schedule(topology, problem)->hops.size();
    return plan_bytes(hops) + hops * problem.bytes;
}

Entry unrolled_entry(Collective collective, std::string_view summary, std::string_view idea)
{
    return plan_entry({{.collective = collective,
                        .name = "unrolled-flow",
                        .networks = Networks::products,
                        .uneven = true,
                        .obstacle = unrolled_obstacle,
                        .cost =
                            [](const Topology& topology, const Problem& problem) {
                                const std::shared_ptr<const Schedule> scatter =
                                    unrolled_scatter_schedule(topology, problem);
                                return Cost{scatter->steps, scatter->hops.size()};
                            },
                        .storage = unrolled_storage},
                       {.paper = "Ford & Fulkerson 1958 (dynamic flows)",
                        .origin = Origin::dcube,
                        .summary = summary,
                        .idea = idea,
                        .formula = {.words = "the least T with a flow that brings every node its packets in time"},
                        .paper_note = "In none of the papers: networks unrolled in time are Ford and Fulkerson's; how "
                                      "loads are dealt out is ours.",
                        .planning_work = unrolled_work,
                        .phases = unrolled_phases}},
                      unrolled_schedule);
}

}  // namespace

std::vector<Entry> unrolled_flow_family()
{
    return {unrolled_entry(
                Collective::scatter, "a largest flow in the network unrolled in time",
                "A scatter in T steps is a flow in the network unrolled in time, with a copy of every node for every "
                "step, that brings each node its packets by step T. The least T that has such a flow is taken."),
            unrolled_entry(Collective::gather, "the scatter backwards",
                           "The scatter by a flow in the network unrolled in time, read backwards.")};
}

}  // namespace dcube::detail
