// priced-routes, priced-routes-one: every packet has a route of its own, and no link has much more to carry than it
// must. dcube's, on all ports or on one port of any network.
//
//   all-to-all   m packets for every pair of nodes,        permute   m packets from every node
//                or any numbers of them
//   exchange     one port only, where every path between the ends goes through one node
//
// Routes: in rounds, packet by packet, along the paths that are cheapest if links (one port: senders and receivers)
// cost e^(beta load / top load), beta growing (priced_routes.cpp). Steps: list scheduling that serves what has most
// left to do (route_scheduling.cpp). Uneven messages are tried on shortest paths first; what all of them have may go in
// front, by the total exchange of a hypercube (priced_route_plan.cpp). Together routes and schedule take a few steps
// more than the largest load, which is at the bound of prices (collectives/graphs/prices.hpp) or a little above;
// nothing is proved of the sum.
//
// Transmissions: the hops of the routes, at least the distances; detours lead round what is used most. Planning time:
// see priced_routes_work; memory is proportional to the number of hops.

#include "algorithms/beyond/any_network/priced_route_plan.hpp"
#include "algorithms/families.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/plan.hpp"
#include "collectives/graphs/arcs.hpp"
#include "collectives/graphs/disjoint_paths.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

namespace dcube::detail {

namespace {

// Messages of one length have other algorithms, which take less memory and time.
constexpr double most_route_hops = 1 << 22;  // a gigabyte for the plan
constexpr double most_route_work = 5'000'000'000;
constexpr double most_uneven_work = 100'000'000'000;  // some minutes

// Whether one node is on all paths between the two.
bool are_separated(const Topology& topology, NodeId from, NodeId to)
{
    return topology.distance(from, to) > 1 && two_disjoint_paths(Arcs(topology), from, to).size() == 1;
}

std::string routes_obstacle(const Topology& topology, const Problem& problem, PortModel ports)
{
    const bool uneven = !problem.counts.empty();
    std::string obstacle =
        too_many_hops(static_cast<double>(least_hops(topology, problem)), uneven ? most_planned_hops : most_route_hops);
    if (obstacle.empty())
        obstacle =
            too_much_planning(priced_route_work(topology, problem, ports), uneven ? most_uneven_work : most_route_work);
    if (!obstacle.empty())
        return obstacle;
    if (problem.collective == Collective::exchange && !are_separated(topology, problem.root, problem.peer))
        return "it is for two ends that a node separates";
    return {};
}

Cost routes_cost(const Topology& topology, const Problem& problem, PortModel ports)
{
    const auto plan = priced_route_plan(topology, problem, ports);
    return {plan->schedule.steps, plan->schedule.hops.size()};
}

// Detours make plans a little longer than the least.
std::uint64_t routes_storage(const Topology& topology, const Problem& problem)
{
    const std::uint64_t hops = least_hops(topology, problem);
    return plan_bytes(hops + hops / 4) + hops * problem.bytes;
}

Phases routes_phases(const Topology& topology, const Problem& problem, PortModel ports)
{
    const auto plan = priced_route_plan(topology, problem, ports);
    const std::uint64_t in_front = std::uint64_t{plan->in_front} * topology.nodes() / 2;
    const std::uint64_t most = plan->top - in_front;
    return PhaseLine()
        .add(in_front, {"uniform part",
                        fmt::format("What every message has at least, {}, goes first, as by staircase: every link is "
                                    "used in every step.",
                                    counted(plan->in_front, "packet"))})
        .add(
            plan->schedule.steps - in_front,
            {"routes of even load",
             ports == PortModel::all
                 ? fmt::format("Every packet has a route of its own, such that no link carries more than {}; a link "
                               "sends what has farthest to go, or feeds an idle link.",
                               counted(most, "packet"))
                 : fmt::format("Every packet has a route of its own, such that no node sends or receives more than {}; "
                               "in every step those with most left to do are served first.",
                               counted(most, "packet"))})
        .take();
}

Entry routes_entry(Collective collective, PortModel ports)
{
    return plan_entry(
        {{.collective = collective,
          .name = ports == PortModel::all ? "priced-routes" : "priced-routes-one",
          .ports = ports,
          .networks = Networks::products,
          .uneven = may_be_uneven(collective),
          .obstacle = [ports](const Topology& topology,
                              const Problem& problem) { return routes_obstacle(topology, problem, ports); },
          .cost = [ports](const Topology& topology,
                          const Problem& problem) { return routes_cost(topology, problem, ports); },
          .storage = routes_storage},
         {.paper = "textbook: multiplicative prices, list scheduling",
          .origin = Origin::dcube,
          .summary = ports == PortModel::all ? "routes that load all links evenly, found by prices of links"
                                             : "routes that load all nodes evenly, found by prices of nodes",
          .idea = ports == PortModel::all
                      ? "Every packet takes the cheapest path where links cost more the more they have to carry, in "
                        "rounds of rising prices; then, in every step, each link sends the packet with the most "
                        "still to come on its way."
                      : "With one port the prices are those of sending and receiving nodes; then, in every step, the "
                        "nodes with the most left to send or receive are matched first.",
          .formula = as_planned,
          .paper_note = "In none of the papers: prices that grow with the load are known from multicommodity flows.",
          .planning_work = [ports](const Topology& topology,
                                   const Problem& problem) { return priced_route_work(topology, problem, ports); },
          .phases = [ports](const Topology& topology,
                            const Problem& problem) { return routes_phases(topology, problem, ports); }}},
        [ports](const Topology& topology, const Problem& problem) {
            return priced_route_plan(topology, problem, ports)->schedule;
        });
}

}  // namespace

std::vector<Entry> priced_routes_family()
{
    return {routes_entry(Collective::all_to_all, PortModel::all), routes_entry(Collective::all_to_all, PortModel::one),
            routes_entry(Collective::permute, PortModel::all), routes_entry(Collective::permute, PortModel::one),
            routes_entry(Collective::exchange, PortModel::one)};
}

}  // namespace dcube::detail
