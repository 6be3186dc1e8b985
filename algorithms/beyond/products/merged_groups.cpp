// merged-groups, merged-groups-one: all-reduce on a product, a block after the other: it is summed up in all copies of
// the last factor at once, then its sums in all copies of the one before, and so on, in each as sum_on_network.cpp
// says. recursive-doubling: the same on a complete graph with one port, in ceil(log2 n) steps or one more
// (sum_on_complete_graph.cpp).
//
// For one block, or a few: m times the sum of the factors' steps. With one port that is log2 n on cubes, also on those
// that are products of rings of 4 or of complete graphs of 4, 8, .., and half a ring of even size: both optimal.
//
// Planning: that of the factors; none for complete graphs with one port.

#include "algorithms/beyond/any_network/sum_plan.hpp"
#include "algorithms/beyond/any_network/tree_all_reduce.hpp"
#include "algorithms/programs/members.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/plan.hpp"
#include "base/memo.hpp"
#include "base/sizes.hpp"
#include "collectives/coordinates.hpp"

#include "emu/arrival_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

bool is_complete(const Graph& graph)
{
    return graph.directed_links() == std::size_t{graph.nodes()} * (graph.nodes() - 1);
}

struct FactorScripts {
    Step steps;
    std::uint64_t transmissions;
    std::string how;
    std::vector<SumScript> of_node;

    [[nodiscard]] std::uint32_t places() const
    {
        return std::ranges::max(of_node, {}, [](const SumScript& script) { return script.places; }).places;
    }
};

bool needs_plan(const Graph& graph, PortModel ports)
{
    return ports == PortModel::all || !is_complete(graph);
}

FactorScripts scripts_of_factor(const Graph& graph, PortModel ports, SumOrder order)
{
    const Arcs arcs(Topology::product({graph}));
    const SumPlan plan = needs_plan(graph, ports) ? sum_on_network(arcs, ports, order) : sum_on_complete_graph(arcs);
    return {plan.steps(), plan.moves.moves.size(), plan.how, scripts_of(plan, arcs)};
}

struct ProductScripts {
    std::vector<FactorScripts> factors;
    std::uint64_t steps = 0;  // a block
    std::uint32_t places = 1;
};

SumOrder order_of(const Problem& problem)
{
    return problem.own_operation && !problem.own_operation->commutative ? SumOrder::of_nodes : SumOrder::any;
}

std::shared_ptr<const ProductScripts> kept_scripts(const Topology& topology, PortModel ports, const Problem& problem)
{
    using Key = std::tuple<Topology, PortModel, SumOrder>;
    static Memo<Key, ProductScripts> kept(8);
    const SumOrder order = order_of(problem);
    return kept.get(Key{topology, ports, order}, [&] {
        ProductScripts all;
        for (unsigned i = 0; i < topology.dimension(); ++i) {
            const FactorScripts& one = all.factors.emplace_back(scripts_of_factor(topology.factor(i), ports, order));
            all.steps += one.steps;
            all.places = std::max(all.places, one.places());
        }
        return all;
    });
}

// A block at a node: its sums lie where the factors' scripts have them, from factor to factor elsewhere.
class ScriptedSum {
public:
    ScriptedSum(std::span<const std::byte> block, std::span<std::byte> storage, std::uint32_t places)
        : own_(block), storage_(storage), at_(places + 1)
    {
        std::iota(at_.begin(), at_.end(), std::uint32_t{0});
    }

    void send(Node& me, const ArrivalTimes& arrived, Port first_port, const SumScript::Stage& stage) const
    {
        for (const auto& [port, place] : stage.sends)
            me.send(first_port + port, arrived.packet(read(place)));
    }

    void receive(Node& me, ArrivalTimes& arrived, Port first_port, const SumScript::Stage& stage, Combine combine) const
    {
        for (const auto& [port, place] : stage.arrivals)
            arrived.set(me.receive(first_port + port, written(place)));
        for (const auto& [into, first, second] : stage.sums) {
            const Usable usable = std::max(arrived.of(read(first)), arrived.of(read(second)));
            me.combine(written(into), read(first), read(second), combine);
            arrived.set({written(into), 0, usable});
        }
    }

    // The sum is the next factor's own block; its place is taken by what is no longer needed.
    void end(std::uint32_t result)
    {
        std::swap(at_[0], at_[result]);
        if (at_[result] == own)
            at_[result] = std::exchange(at_.back(), std::uint32_t{own});
    }

    [[nodiscard]] std::span<const std::byte> sum() const { return read(0); }

private:
    static constexpr std::uint32_t own = 0;

    [[nodiscard]] std::span<std::byte> written(std::uint32_t place) const
    {
        return storage_.subspan((at_[place] - 1) * own_.size(), own_.size());
    }
    [[nodiscard]] std::span<const std::byte> read(std::uint32_t place) const
    {
        return at_[place] == own ? own_ : written(place);
    }

    std::span<const std::byte> own_;
    std::span<std::byte> storage_;
    std::vector<std::uint32_t> at_;  // own_, or which part of the storage; one more than the scripts have
};

Task factor_by_factor(Node& me, const ProductScripts& scripts, const Problem& problem, NodeData data)
{
    const Topology& topology = me.topology().of_members();
    const NodeId self = me.topology().member_number(me.id());
    const Combine combine = combiner(problem);
    const std::span<std::byte> storage = me.allocate(scripts.places * problem.bytes);
    ArrivalTimes arrived(me);
    for (std::size_t block = 0; block < problem.packets; ++block) {
        ScriptedSum sum(data.input.subspan(block * problem.bytes, problem.bytes), storage, scripts.places);
        for (unsigned i = topology.dimension(); i-- > 0;) {
            const SumScript& script = scripts.factors[i].of_node[topology.digit(self, i)];
            const Port first_port = topology.first_port(self, i);
            for (const SumScript::Stage& stage : script.stages) {
                sum.send(me, arrived, first_port, stage);
                co_await me.next_step();
                sum.receive(me, arrived, first_port, stage, combine);
            }
            sum.end(script.result);
        }
        me.copy(data.output.subspan(block * problem.bytes, problem.bytes), sum.sum());
    }
}

Cost cost_of_scripts(const Topology& topology, PortModel ports, const Problem& problem)
{
    const auto scripts = kept_scripts(topology, ports, problem);
    std::uint64_t of_block = 0;
    for (unsigned i = 0; i < topology.dimension(); ++i)
        of_block += scripts->factors[i].transmissions * (topology.nodes() / topology.factor(i).nodes());
    return {problem.packets * scripts->steps, problem.packets * of_block};
}

std::uint64_t work_of_scripts(const Topology& topology, PortModel ports)
{
    std::uint64_t work = 0;
    for (unsigned i = 0; i < topology.dimension(); ++i)
        if (const Graph& factor = topology.factor(i); needs_plan(factor, ports))
            work += work_of_sum(factor.nodes(), factor.directed_links(), ports);
    return work;
}

std::string obstacle_of_scripts(const Topology& topology, PortModel ports, const Problem& problem)
{
    constexpr double most_work = 50'000'000'000;  // more would take minutes
    if (std::string obstacle = too_much_planning(work_of_scripts(topology, ports), most_work);
        !obstacle.empty() || order_of(problem) == SumOrder::any)
        return obstacle;
    for (unsigned i = 0; i < topology.dimension(); ++i)
        if (const Graph& factor = topology.factor(i);
            needs_plan(factor, ports) && factor.nodes() > most_groups_that_spread)
            return fmt::format("the operation does not commute, and a factor has {} nodes: at most {} are allowed",
                               factor.nodes(), most_groups_that_spread);
    return "";
}

Phases phases_of_block(const Topology& topology, const ProductScripts& scripts)
{
    PhaseLine line;
    for (unsigned i = topology.dimension(); i-- > 0;) {
        const FactorScripts& factor = scripts.factors[i];
        line.add(factor.steps, topology.dimension() == 1
                                   ? PhaseText{"sums", factor.how}
                                   : PhaseText{coordinate_words(i),
                                               sentence_of_part("along " + factor_words(topology, i), factor.how)});
    }
    return line.take();
}

Phases phases_of_scripts(const Topology& topology, PortModel ports, const Problem& problem)
{
    const auto scripts = kept_scripts(topology, ports, problem);
    const Phases of_block = phases_of_block(topology, *scripts);
    if (problem.packets == 1)
        return of_block;
    return in_rounds(
        problem.packets, scripts->steps, [](std::uint64_t block) { return fmt::format("block {}", block + 1); },
        [&](std::uint64_t) { return of_block; });
}

Entry scripted_entry(Entry head)
{
    const PortModel ports = head.ports;
    head.networks = Networks::no_hypercubes;
    head.keeps_order = true;
    head.same_bits = true;
    head.cost = [ports](const Topology& topology, const Problem& problem) {
        return cost_of_scripts(topology, ports, problem);
    };
    head.planning_work = [ports](const Topology& topology, const Problem&) { return work_of_scripts(topology, ports); };
    head.storage = [ports](const Topology& topology, const Problem& problem) {
        return topology.nodes() * std::uint64_t{kept_scripts(topology, ports, problem)->places} * problem.bytes;
    };
    head.phases = [ports](const Topology& topology, const Problem& problem) {
        return phases_of_scripts(topology, ports, problem);
    };
    head.prepare = [ports](const Topology& topology, const Problem& problem) -> CollectiveProgram {
        const auto scripts = kept_scripts(topology.of_members(), ports, problem);
        return [scripts, problem](Node& me, NodeData data) { return factor_by_factor(me, *scripts, problem, data); };
    };
    return restricted_to_members(std::move(head));
}

}  // namespace

Entry merged_groups_entry(PortModel ports)
{
    return scripted_entry(
        {{.collective = Collective::all_reduce,
          .name = ports == PortModel::all ? "merged-groups" : "merged-groups-one",
          .ports = ports,
          .obstacle = [ports](const Topology& topology,
                              const Problem& problem) { return obstacle_of_scripts(topology, ports, problem); }},
         {.paper = "textbook: recursive doubling, dimension by dimension",
          .origin = Origin::dcube,
          .summary = "a block at a time: groups of nodes become one, then the sums of groups spread; factor by factor",
          .idea =
              ports == PortModel::all
                  ? "Factor by factor, the last one first, and in all copies of a factor at once: groups of nodes "
                    "become one, partners swapping the sums of their groups, as long as that pays. Then the sums of "
                    "all groups spread to all nodes, and every node adds them up. Where a tree takes fewer steps, "
                    "the sums go to its centre and back."
                  : "The same with one port. On complete graphs, rings of 4 and their products groups become one "
                    "until there is one only, which is recursive doubling.",
          .formula = {.words = "m times the factors' steps added up"},
          .paper_note = "In none of the papers: recursive doubling and summing up by dimensions are well known."}});
}

Entry recursive_doubling_entry()
{
    return scripted_entry(
        {{.collective = Collective::all_reduce,
          .name = "recursive-doubling",
          .ports = PortModel::one,
          .obstacle = [](const Topology& topology, const Problem&) -> std::string {
              return topology.dimension() == 1 && is_complete(topology.factor(0)) ? "" : "it is for complete graphs";
          }},
         {.paper = "textbook: recursive doubling with folding",
          .origin = Origin::dcube,
          .summary =
              "on a complete graph: partners swap their sums, a block at a time; other than powers of 2 are folded",
          .idea =
              "Groups of nodes that know the sum of their own blocks become one: their members swap these sums, two "
              "groups in one step, three in two, five in three. Where such steps would be too many, some nodes first "
              "give their blocks to others, so that a power of 2 is left, and get the sum in the end.",
          .formula = {.words =
                          "m ceil(log2 n) steps where n is a power of 2, once, 3, 5 or 9 times; else m (ceil(log2 n) "
                          "+ 1)"},
          .paper_note = "None of the papers has an all-reduce. The exchange of five groups in three steps is ours."}});
}

}  // namespace dcube::detail
