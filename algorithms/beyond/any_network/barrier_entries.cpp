// tree, tree-one, dissemination, dissemination-one: barriers on any network of n nodes and diameter D, on all ports or
// on one.
//
//   tree            up a spanning tree to its centre, and down   2(n-1) packets, the fewest; at most 2D steps
//   dissemination   all pass on what they have heard             D steps, the fewest; packets as planned
//
// On one port a node's children take turns, and dissemination pairs neighbours. On hypercubes `exchange` takes D = d
// steps and has a closed form, so dissemination is for other networks.
//
// Planning: a tree takes no search; dissemination compares sets of nodes over every link in every step.

#include "algorithms/beyond/any_network/signal_plans.hpp"
#include "algorithms/families.hpp"
#include "algorithms/programs/members.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/plan.hpp"
#include "base/memo.hpp"

#include <bit>
#include <memory>
#include <utility>

namespace dcube::detail {

namespace {

using MakeSignals = SignalPlan (*)(const Topology&, PortModel);

// The head with all that follows from its plan, which is made once and kept: the last few of each entry. Plans are of
// the members, which have other numbers where nodes are missing.
Entry signal_entry(Entry head, MakeSignals make)
{
    const auto known = std::make_shared<Memo<Topology, SignalPlan>>(4);
    const auto plan = [known, make, ports = head.ports](const Topology& topology) {
        const Topology& members = topology.of_members();
        return known->get(members, [&] { return make(members, ports); });
    };
    head.cost = [plan](const Topology& topology, const Problem&) {
        const auto made = plan(topology);
        return Cost{made->steps, made->signals.size()};
    };
    head.run_time = [plan](const Topology& topology, const Problem& problem) -> std::optional<Rational> {
        return time_of(*plan(topology), topology.of_members(), problem.link);
    };
    head.prepare = [plan](const Topology& topology, const Problem&) {
        SignalPlan named = *plan(topology);
        for (Signal& one : named.signals)
            one.from = topology.member(one.from);
        return program_of(named, topology);
    };
    head.origin = Origin::dcube;
    head.formula = as_planned;
    return head;
}

constexpr std::uint64_t bytes_of_a_signal = sizeof(Signal) + 24;  // with what both its ends do

// ---- Trees ----

Phases tree_signal_phases(Step steps)
{
    const Step up = steps / 2;
    return PhaseLine()
        .add(up, {"up", "Every node signals to its parent as soon as all its children have signalled to it."})
        .add(steps % 2, {"across", "The two ends of the middle link tell each other that their halves have begun."})
        .add(up, {"down", "Who knows that all have begun tells its children."})
        .take();
}

Entry tree_signal_entry(PortModel ports)
{
    Entry entry = signal_entry(
        {{.collective = Collective::barrier,
          .name = ports == PortModel::all ? "tree" : "tree-one",
          .ports = ports,
          .networks = Networks::products,
          .storage = [](const Topology& topology, const Problem&) { return 2 * topology.nodes() * bytes_of_a_signal; }},
         {.paper = "textbook: up a tree and down",
          .summary = "signals go up a spanning tree to its centre, and down again; the fewest packets",
          .idea =
              "A node signals to its parent when all its children have signalled to it, so the centre hears of all. "
              "Then it tells its children, and they theirs. The centre is the middle of the tree's longest path, a "
              "node or a link, so the steps are the links of that path, and the packets 2 (N - 1), the fewest.",
          .paper_note = "In none of the papers."}},
        tree_signals);
    entry.phases = [cost = entry.cost](const Topology& topology, const Problem& problem) {
        return tree_signal_phases(static_cast<Step>(cost(topology, problem).steps));
    };
    return entry;
}

// ---- Dissemination ----

constexpr double most_work_on_signals = 100'000'000'000;  // more would take minutes

// Words of sets that are compared: over every link in every step, on one port several times.
std::uint64_t work_on_signals(const Topology& topology, PortModel ports)
{
    const std::uint64_t words = (topology.members() + 63) / 64;
    const auto doublings = static_cast<std::uint64_t>(std::bit_width(topology.members()));
    const std::uint64_t steps = topology.of_members().diameter() + (ports == PortModel::one ? doublings : 0);
    return (ports == PortModel::one ? 8 : 2) * steps * topology.directed_links() * words;
}

Entry dissemination_entry(PortModel ports)
{
    const bool all = ports == PortModel::all;
    Entry entry = signal_entry(
        {{.collective = Collective::barrier,
          .name = all ? "dissemination" : "dissemination-one",
          .ports = ports,
          .networks = Networks::no_hypercubes,
          .obstacle =
              [ports](const Topology& topology, const Problem&) {
                  return too_much_planning(work_on_signals(topology, ports), most_work_on_signals);
              },
          .storage =
              [](const Topology& topology, const Problem&) {
                  return topology.of_members().diameter() * topology.directed_links() * bytes_of_a_signal;
              }},
         {.paper = "textbook: dissemination",
          .summary = all ? "every node passes on what it has heard, over every link that brings something"
                         : "neighbours are paired, and pass on what they have heard",
          .idea =
              all ? "In every step a node signals over each link whose other end lacks something that it has heard "
                    "of. So it has heard after t steps of all nodes at distance t, and of all after as many steps "
                    "as the diameter: the fewest. A signal that brings nothing is not sent."
                  : "In every step pairs of neighbours signal to each other that learn most from it, and nodes that "
                    "are left to whom they can. Sets of nodes are compared to find out.",
          .paper_note = "In none of the papers.",
          .planning_work = [ports](const Topology& topology,
                                   const Problem&) { return work_on_signals(topology, ports); }}},
        disseminated_signals);
    entry.phases = [cost = entry.cost, all](const Topology& topology, const Problem& problem) {
        return whole_run(cost(topology, problem).steps,
                         {"dissemination", all ? "Every node passes on what it has heard to each neighbour that lacks "
                                                 "some of it."
                                               : "Neighbours that learn most from each other pass on what they have "
                                                 "heard."});
    };
    return entry;
}

}  // namespace

std::vector<Entry> barrier_on_networks_family()
{
    std::vector<Entry> family;
    for (const auto entry : {dissemination_entry, tree_signal_entry})
        for (const PortModel ports : {PortModel::all, PortModel::one})
            family.push_back(entry(ports));
    return family;
}

}  // namespace dcube::detail
