#include "algorithms/papers/dimakopoulos/entries.hpp"

#include "algorithms/families.hpp"
#include "algorithms/papers/dimakopoulos/factor_exchange.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/kept_schedule.hpp"
#include "algorithms/programs/plan.hpp"
#include "base/memo.hpp"
#include "collectives/coordinates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dcube::detail {

namespace {

// Hops that a plan lists, at most: one node's of each kind, or all nodes'.
std::uint64_t planned_hops(const Topology& topology, bool one_nodes)
{
    const std::uint64_t all = topology.sum_of_statuses();
    if (!topology.symmetric() || !one_nodes)
        return all;
    std::uint64_t kinds = 1;
    for (unsigned i = 0; i < topology.dimension(); ++i)
        kinds *= kinds_of_nodes(topology.factor(i));
    return std::min(all, kinds * topology.status(0));
}

std::uint64_t storage(const Topology& topology, const Problem& problem, bool one_nodes)
{
    const std::uint64_t n = topology.nodes();
    return plan_bytes(planned_hops(topology, one_nodes)) + n * n * problem.bytes;
}

}  // namespace

Entry exchange_entry(Entry head, const Exchange& exchange)
{
    head.obstacle = [obstacle = exchange.obstacle](const Topology& topology, const Problem&) {
        const std::string own = obstacle(topology);
        return own.empty() ? factor_exchange_obstacle(topology) : own;
    };
    head.cost = [steps = exchange.steps](const Topology& topology, const Problem& problem) {
        return Cost{problem.packets * steps(topology), problem.packets * topology.sum_of_statuses()};
    };
    head.storage = [one_nodes = head.automatic](const Topology& topology, const Problem& problem) {
        return storage(topology, problem, one_nodes);
    };
    head.phases = [exchange](const Topology& topology, const Problem& problem) {
        return topology.nodes() == 1
                   ? Phases()
                   : once_a_packet(problem.packets, exchange.steps(topology), exchange.phases(topology));
    };
    return plan_entry(
        std::move(head),
        [schedule = exchange.schedule](const Topology& topology, const Problem&) { return schedule(topology); },
        round_per_packet);
}

Exchange found_by(std::string_view name, PortModel ports, Schedule (*search)(const Topology&), const PhaseText& phase,
                  std::function<std::string(const Topology&)> obstacle)
{
    const auto kept = std::make_shared<Memo<Topology, Schedule>>(8);
    const auto found = [kept, name, ports, search](const Topology& topology) {
        constexpr std::uint64_t operations_a_hop = 1000;  // in all tries
        return kept->get(topology, [&] {
            return kept_schedule(name, operations_a_hop * topology.sum_of_statuses(),
                                 question_of(topology, ports, {Collective::all_to_all}),
                                 [&] { return search(topology); });
        });
    };
    return {[found](const Topology& topology) { return *found(topology); },
            [found](const Topology& topology) -> std::uint64_t { return found(topology)->steps; },
            [found, phase](const Topology& topology) { return whole_run(found(topology)->steps, phase); },
            std::move(obstacle)};
}

FormulaTerms terms_of_factors(const Topology& topology, PortModel ports, CaseFormula& formula)
{
    FormulaTerms terms;
    for (unsigned i = 0; i < topology.dimension(); ++i) {
        terms.push_back(fmt::format("N T_{0}/n_{0}", i + 1));
        formula.letters[fmt::format("T_{}", i + 1)] = factor_exchange_steps(topology.factor(i), ports);
        formula.letters[fmt::format("n_{}", i + 1)] = topology.factor(i).nodes();
    }
    return terms;
}

std::string largest_of(const FormulaTerms& terms)
{
    return terms.size() == 1 ? terms.front() : fmt::format("max({})", fmt::join(terms, ", "));
}

std::optional<CaseFormula> longest_factor_formula(const Topology& topology, const Problem&)
{
    CaseFormula formula;
    formula.text = fmt::format("m {}", largest_of(terms_of_factors(topology, PortModel::all, formula)));
    return formula;
}

Phases own_exchange_phase(std::uint64_t steps)
{
    return whole_run(steps, {"the exchange", fmt::format("All nodes exchange their packets, in {}: the network is not "
                                                         "a product of smaller ones, so there is one exchange.",
                                                         counted(steps, "step"))});
}

Phases round_phases(const Topology& whole, const Factors& factors, std::uint64_t rounds, std::uint64_t steps)
{
    const std::string who = coordinate_words(factors);
    const std::string exchange = fmt::format("nodes that differ in {} only ({}) exchange, in {}", who,
                                             product_words(product_of(whole, factors)), counted(steps, "step"));
    return numbered_phases(
        rounds, steps,
        [&](std::uint64_t round) {
            return PhaseText{fmt::format("{}: round {} of {}", who, round + 1, rounds),
                             fmt::format("In round {} of {}, {}, packets that no other of these rounds takes.",
                                         round + 1, rounds, exchange)};
        },
        {fmt::format("{}: {} rounds", who, rounds),
         fmt::format("In each of {} rounds, {}, packets that no other of these rounds takes.", rounds, exchange)});
}

std::string too_large(const Topology& topology, NodeId most)
{
    return topology.nodes() <= most ? "" : fmt::format("it is for {} nodes at most: a search takes long beyond", most);
}

// All-to-all on Cartesian products of any graphs: Dimakopoulos & Dimopoulos 1998, and beyond it.

std::vector<Entry> total_exchange_family()
{
    return {row_by_row_entry(),     factor_by_factor_entry(), mixed_routes_entry(), edge_colouring_entry(),
            class_matching_entry(), digit_rounds_entry(),     homogeneous_entry(),  interleaved_entry(),
            grouped_entry(),        farthest_first_entry()};
}

}  // namespace dcube::detail
