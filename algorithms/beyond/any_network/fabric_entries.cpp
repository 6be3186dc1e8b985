// The entries of earliest-arrival and priced-paths, for networks whose nodes or links differ. Their plans are made once
// and kept.

#include "algorithms/beyond/any_network/earliest_arrival.hpp"
#include "algorithms/beyond/any_network/priced_paths.hpp"
#include "algorithms/beyond/any_network/tree_all_reduce.hpp"
#include "algorithms/families.hpp"
#include "algorithms/programs/cut.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/phases.hpp"
#include "base/memo.hpp"
#include "collectives/of_members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

constexpr double most_fabric_messages = 20'000;

std::string only_fabrics(const Topology& topology)
{
    return topology.is_uniform() ? "it is for networks whose nodes or links differ" : "";
}

// ---- Messages for all nodes, and sums ----

// What spreads; of a reduction, what comes together.
std::vector<Spreading> spreading(const Topology& topology, const Problem& problem)
{
    const std::size_t bytes = message_bytes(problem);
    std::vector<Spreading> all;
    if (has_root(problem.collective))
        return {{{message_number(problem, topology, problem.root, problem.root), 0, bytes}, problem.root}};
    const std::size_t unit = unit_of(problem);
    const BalancedCut shares(bytes / unit, topology.members());
    for (NodeId number = 0; number < topology.members(); ++number) {
        const NodeId node = topology.member(number);
        const Stretch share = shares(number);
        if (problem.collective != Collective::all_reduce)
            all.push_back({{message_number(problem, topology, node, node), 0, bytes}, node});
        else if (share.length > 0)
            all.push_back({{0, share.offset * unit, share.length * unit}, node});
    }
    return all;
}

Routing spreading_routing(const Topology& topology, const Problem& problem)
{
    const TimedArcs arcs(topology, problem.link);
    const TransportPlan plan = spread_by_arrival(arcs, spreading(topology, problem), unit_of(problem));
    if (problem.collective == Collective::all_reduce)
        return backwards_and_forwards(arcs, plan);
    return is_reduction(problem.collective) ? routing_of(arcs, plan, Direction::backwards, Arrival::added)
                                            : routing_of(arcs, plan, Direction::forwards, Arrival::kept);
}

double spreading_messages(const Topology& topology, const Problem& problem)
{
    const double n = topology.members();
    return has_root(problem.collective) ? n : n * n;
}

// ---- Messages for one node each ----

std::vector<Sending> sending(const Topology& topology, const Problem& problem)
{
    const std::size_t bytes = message_bytes(problem);
    const std::vector<NodeId> hosts = member_list(topology);
    std::vector<Sending> all;
    const auto add = [&](NodeId from, NodeId to) {
        if (from != to)
            all.push_back({{message_number(problem, topology, from, to), 0, bytes}, from, to});
    };
    if (has_root(problem.collective))  // of a gather, which is a scatter backwards, messages are named by their origins
        for (const NodeId node : hosts)
            if (node != problem.root)
                all.push_back({{message_number(problem, topology, node, node), 0, bytes}, problem.root, node});
    if (problem.collective == Collective::all_to_all)
        for (const NodeId from : hosts)
            for (const NodeId to : hosts)
                add(from, to);
    for_each_message(problem, topology, [&](NodeId from, NodeId to, std::uint64_t) { add(from, to); });
    return all;
}

Routing sending_routing(const Topology& topology, const Problem& problem)
{
    const TimedArcs arcs(topology, problem.link);
    const Joining joining = has_root(problem.collective) ? Joining::farthest_first : Joining::together;
    const TransportPlan plan = send_on_priced_paths(arcs, sending(topology, problem), joining);
    const bool back = problem.collective == Collective::gather;
    return routing_of(arcs, plan, back ? Direction::backwards : Direction::forwards, Arrival::kept);
}

double sending_messages(const Topology& topology, const Problem& problem)
{
    const double n = topology.members();
    return problem.collective == Collective::all_to_all ? n * n : n;
}

// ---- Entries ----

using MessagesOf = double (*)(const Topology& topology, const Problem& problem);
using WorkOf = std::uint64_t (*)(const Topology& topology, std::uint64_t messages, std::uint64_t longest);

struct FabricMethod {
    std::string_view name;
    std::string_view paper;
    std::string_view idea;
    std::string_view paper_note;
    Routing (*routing)(const Topology& topology, const Problem& problem);
    MessagesOf messages;
    WorkOf work;
};

constexpr FabricMethod by_arrival{
    "earliest-arrival",
    "textbook: greedy broadcast trees",
    "Of all pieces and all nodes that lack them, the one that can arrive first is sent next, along links and over "
    "switches that are free for it soonest; of several, the piece that fewest nodes have. So slow links carry only "
    "what no fast path brings sooner. Messages are cut into the number of pieces that takes the least time. Sums "
    "come together along the same trees, backwards.",
    "In none of the papers. TACOS (Won et al. 2024) finds all-gathers by such a greedy method in the network unrolled "
    "in time, on direct links.",
    spreading_routing,
    spreading_messages,
    [](const Topology& topology, std::uint64_t messages, std::uint64_t longest) {
        return work_of_spreading(topology, messages / topology.members(), longest);
    }};

constexpr FabricMethod on_priced_paths{
    "priced-paths",
    "textbook: negotiated congestion",
    "Every piece of a message takes its cheapest path. A link costs the time that the piece holds it, and the more the "
    "longer it is busy already, so that fast links carry more than slow ones. What has the longest way to go leaves "
    "first. Messages are cut into the number of pieces that takes the least time, or joined where start-ups cost most.",
    "In none of the papers.",
    sending_routing,
    sending_messages,
    work_of_sending};

// The plan is made once for cost, time, phases and program.
MakeRouting kept_routing(Routing (*make)(const Topology& topology, const Problem& problem))
{
    return
        [make, known = std::make_shared<Memo<WalkKey, Routing>>(8)](const Topology& topology, const Problem& problem) {
            return *known->get(walk_key(topology, problem), [&] { return make(topology, problem); });
        };
}

Entry fabric_entry(Collective collective, std::string_view summary, const FabricMethod& by)
{
    const MakeRouting routing = kept_routing(by.routing);
    return routing_entry(
        {{.collective = collective,
          .name = by.name,
          .link = LinkKind::link_bound,
          .networks = Networks::fabrics,
          .same_bits = collective == Collective::all_reduce,
          .obstacle = [messages = by.messages](const Topology& topology, const Problem& problem) -> std::string {
              std::string obstacle = only_fabrics(topology);
              if (obstacle.empty() && messages(topology, problem) > most_fabric_messages)
                  return fmt::format("its plan would have more than {} messages on their way to nodes",
                                     most_fabric_messages);
              return obstacle;
          }},
         {.paper = by.paper,
          .origin = Origin::dcube,
          .summary = summary,
          .idea = by.idea,
          .formula = as_planned,
          .paper_note = by.paper_note,
          .planning_work =
              [by](const Topology& topology, const Problem& problem) {
                  const std::uint64_t units = message_bytes(problem) / unit_of(problem);
                  const bool shared = problem.collective == Collective::all_reduce;
                  return by.work(topology, static_cast<std::uint64_t>(by.messages(topology, problem)),
                                 shared ? units / topology.members() + 1 : units);
              },
          .phases =
              [routing, summary](const Topology& topology, const Problem& problem) {
                  return whole_run(routing(topology, problem).stages,
                                   {"all packets", fmt::format("Packets move as planned: {}.", summary)});
              }}},
        routing, {.pieces = by.messages});
}

// The vectors of all nodes spread, and every node combines those that it needs, in the order of the nodes.
Entry in_order_by_arrival(Collective collective)
{
    Entry entry = gather_and_combine_entry_for(collective, PortModel::all);
    entry.name = is_scan(collective) ? by_arrival.name : "earliest-arrival-in-order";
    entry.link = LinkKind::link_bound;
    entry.networks = Networks::fabrics;
    entry.summary = "an all-gather by earliest arrival, then every node combines what it needs";
    entry.obstacle = [own = std::move(entry.obstacle)](const Topology& topology, const Problem& problem) {
        const std::string obstacle = only_fabrics(topology);
        return obstacle.empty() ? own(topology, problem) : obstacle;
    };
    return entry;
}

}  // namespace

std::vector<Entry> fabric_family()
{
    using enum Collective;
    return {
        fabric_entry(broadcast, "each piece goes first where it can be first", by_arrival),
        fabric_entry(reduce, "the broadcast backwards, sums at the nodes on the way", by_arrival),
        fabric_entry(scatter, "cheapest paths by how long links are busy, the longest first", on_priced_paths),
        fabric_entry(gather, "the scatter backwards", on_priced_paths),
        fabric_entry(all_gather, "each piece of every message goes first where it can be first", by_arrival),
        fabric_entry(reduce_scatter, "the all-gather backwards, sums at the nodes on the way", by_arrival),
        fabric_entry(all_reduce, "sums of a share per node by the all-gather backwards, then the all-gather",
                     by_arrival),
        fabric_entry(all_to_all, "cheapest paths by how long links are busy", on_priced_paths),
        fabric_entry(send, "pieces on cheapest paths by how long links are busy", on_priced_paths),
        fabric_entry(exchange, "pieces on cheapest paths by how long links are busy", on_priced_paths),
        fabric_entry(permute, "cheapest paths by how long links are busy", on_priced_paths),
        in_order_by_arrival(all_reduce),
        in_order_by_arrival(scan),
        in_order_by_arrival(exscan),
    };
}

}  // namespace dcube::detail
