// spread, spread-one: packets spread to all nodes of any network, the rarest first. dcube's, on all ports or on one.
// n nodes, m packets per message.
//
//   broadcast    m packets from the root             reduce           the same backwards, sums on the paths
//   all-gather   m packets from each of the nodes    reduce-scatter   the same backwards, sums on the paths
//
// Every step chooses by matchings the packets that cross the links: of those that a receiver lacks, the ones that the
// fewest nodes have or are about to have. Ties are broken at random, with fixed seeds; several tries, until one takes
// as many steps as the lower bound.
//
// Steps: known only after the plan is made. Transmissions: the least, because every node receives every packet once.
// Planning time: see spread_work(); memory is proportional to the hops of all nodes.

#include "algorithms/beyond/any_network/spread_schedule.hpp"
#include "algorithms/families.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace dcube::detail {

namespace {

constexpr double most_spread_work = 50'000'000'000;  // more would take minutes

std::uint64_t spread_hops(const Topology& topology, const Problem& problem)
{
    return spread_packets(topology, problem) * (topology.nodes() - 1);
}

std::string spread_obstacle(const Topology& topology, const Problem& problem, PortModel ports)
{
    const std::string obstacle = too_many_hops(static_cast<double>(spread_hops(topology, problem)));
    return obstacle.empty() ? too_much_planning(spread_plan_work(topology, problem, ports), most_spread_work)
                            : obstacle;
}

// Partial sums wait where they are added up; what spreads lies where it is to stay.
std::uint64_t spread_storage(const Topology& topology, const Problem& problem)
{
    const std::uint64_t hops = spread_hops(topology, problem);
    return plan_bytes(hops) + hops * sizeof(TimedMove) + (is_reduction(problem.collective) ? hops * problem.bytes : 0);
}

// ---- Phases ----

// Until when the root sends.
Step last_departure(const Topology& topology, const MovePlan& plan, NodeId root)
{
    const Arcs arcs(topology);
    const auto last = std::ranges::find_if(plan.moves.rbegin(), plan.moves.rend(),
                                           [&](const TimedMove& move) { return arcs.from(move.arc) == root; });
    return last == plan.moves.rend() ? 0 : last->step;
}

Phases spread_phases(const Topology& topology, const Problem& problem, PortModel ports)
{
    const std::shared_ptr<const MovePlan> plan = kept_spread(topology, problem, ports);
    const std::string_view links =
        ports == PortModel::all ? "every link" : "the links between nodes that are paired for this step";
    const std::string_view which = ports == PortModel::all
                                       ? "a packet that the fewest nodes have"
                                       : "a packet that the fewest nodes have, or whose spanning tree leads there";
    if (!has_root(problem.collective))
        return whole_run(
            plan->steps,
            is_reduction(problem.collective)
                ? PhaseText{"sums to all nodes", fmt::format("Every node's block is summed up over {}; backwards in "
                                                             "time it would spread to all.",
                                                             links)}
                : PhaseText{"the rarest first",
                            fmt::format("Over {} goes a packet that the receiver lacks, if the sender has one: {}.",
                                        links, which)});
    const Step last = last_departure(topology, *plan, problem.root);
    if (problem.collective == Collective::broadcast)
        return PhaseLine()
            .add(last, {"the root sends", fmt::format("The root and all nodes that have something send over {} a "
                                                      "packet that the receiver lacks, if they have one: {}.",
                                                      links, which)})
            .add(plan->steps - last, {"the last packets arrive", "The root has sent all; what some nodes still lack "
                                                                 "comes from others."})
            .take();
    return PhaseLine()
        .add(plan->steps - last, {"the first sums set out", "Nodes away from the root hand over their shares, which "
                                                            "are added up; nothing has reached the root yet."})
        .add(last, {"the root receives", fmt::format("Partial sums go on over {}, and at last to the root: a "
                                                     "broadcast backwards in time.",
                                                     links)})
        .take();
}

Entry spread_entry(const EntryWords& words, PortModel ports)
{
    return plan_entry(
        {{.collective = words.collective,
          .name = ports == PortModel::all ? "spread" : "spread-one",
          .ports = ports,
          .networks = Networks::products,
          .uneven = may_be_uneven(words.collective),
          .obstacle = [ports](const Topology& topology,
                              const Problem& problem) { return spread_obstacle(topology, problem, ports); },
          .cost =
              [ports](const Topology& topology, const Problem& problem) {
                  const std::shared_ptr<const MovePlan> plan = kept_spread(topology, problem, ports);
                  return Cost{plan->steps, plan->moves.size()};
              },
          .storage = spread_storage},
         {.paper = "textbook: the rarest first, matchings",
          .origin = Origin::dcube,
          .summary = words.summary,
          .idea = ports == PortModel::all ? words.idea : words.one_port_idea,
          .formula = as_planned,
          .paper_note =
              "In none of the papers: sending the rarest first is how peers share files; the matchings are ours.",
          .planning_work = [ports](const Topology& topology,
                                   const Problem& problem) { return spread_plan_work(topology, problem, ports); },
          .phases = [ports](const Topology& topology,
                            const Problem& problem) { return spread_phases(topology, problem, ports); }}},
        [ports](const Topology& topology, const Problem& problem) {
            return spread_schedule(topology, problem, ports);
        });
}

}  // namespace

std::vector<Entry> spread_family()
{
    constexpr std::string_view rarest = "every link brings what its receiver lacks, the rarest packet first";
    constexpr std::string_view rarest_idea =
        "In every step a matching of packets with links decides what each node receives: as much as its links can "
        "bring, and of what it lacks those packets that the fewest nodes have or are about to have. Ties are broken "
        "at random, with fixed seeds; the best of several tries is taken.";
    constexpr std::string_view rarest_one_port_idea =
        "With one port: in every step senders are matched with receivers, those first that hold a packet that no other "
        "node has; then each sends what the fewest nodes have of what its receiver lacks.";
    constexpr std::string_view backwards =
        "Packets that spread to all nodes, the rarest first, read backwards, with sums on the paths.";
    constexpr std::string_view backwards_one_port =
        "The one-port spread of packets, the rarest first, read backwards, with sums on the paths.";
    constexpr EntryWords all[] = {
        {Collective::broadcast, rarest, rarest_idea, rarest_one_port_idea},
        {Collective::reduce, "the broadcast backwards, sums on the paths", backwards, backwards_one_port},
        {Collective::all_gather, rarest, rarest_idea, rarest_one_port_idea},
        {Collective::reduce_scatter, "the all-gather backwards, sums on the paths", backwards, backwards_one_port},
    };
    return on_all_ports_and_on_one(all, spread_entry);
}

}  // namespace dcube::detail
