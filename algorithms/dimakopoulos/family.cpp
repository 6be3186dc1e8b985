// All-to-all on Cartesian products of any graphs. m packets a message; N nodes, n_i in factor i, whose own exchange
// takes T_i steps. All routes are shortest, so every algorithm has the least transmissions. Dimakopoulos & Dimopoulos
// 1998, and beyond it.
//
//   row-by-row         one port    m (n_1 (sum of distances of the others) + N / n_1 T_1) steps
//   factor-by-factor   one port    m N (sum of T_i / n_i), optimal where every T_i is the factor's average status
//   mixed-routes       one port    found by search
//   edge-colouring     all ports   optimal: rings and complete graphs
//   class-matching     all ports   found by search: Cayley graphs
//   digit-rounds       all ports   m N / n (largest T_i): equal factors
//   homogeneous        all ports   the same, by the paper's rotation: 2, 4, 8, .. equal factors
//   interleaved        all ports   m (largest N / n_i T_i): any factors
//   grouped            all ports   the same with all rings and complete graphs as one factor
//   farthest-first     all ports   found by search: the usual greedy way, for comparison

#include "algorithms/dimakopoulos/class_matching.hpp"
#include "algorithms/dimakopoulos/edge_colouring.hpp"
#include "algorithms/dimakopoulos/farthest_first.hpp"
#include "algorithms/dimakopoulos/mixed_routes.hpp"
#include "algorithms/dimakopoulos/product_exchange.hpp"
#include "algorithms/families.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/plan.hpp"

#include "base/memo.hpp"

#include <fmt/format.h>

#include <bit>
#include <memory>
#include <string>
#include <utility>

namespace dcube::detail {

namespace {

constexpr std::string_view single_port_section = "Dimakopoulos & Dimopoulos 1998, section 4";
constexpr std::string_view multiport_section = "Dimakopoulos & Dimopoulos 1998, section 5";
constexpr std::string_view beyond = "beyond Dimakopoulos & Dimopoulos 1998";

struct Method {
    std::string_view name;
    std::vector<std::string_view> aliases;
    std::string_view paper;
    std::string_view summary;
    PortModel ports;
    Networks networks;
    bool automatic;
    Schedule (*schedule)(const Topology&);
    std::uint64_t (*steps)(const Topology&);  // of one exchange
    std::string (*obstacle)(const Topology&) = [](const Topology&) { return std::string(); };
};

// Schedules that only a search tells the length of.
template <Schedule (*search)(const Topology&)>
std::shared_ptr<const Schedule> found(const Topology& topology)
{
    static Memo<Topology, Schedule> kept(8);
    return kept.get(topology, [&] { return search(topology); });
}
template <Schedule (*search)(const Topology&)>
Schedule found_schedule(const Topology& topology)
{
    return *found<search>(topology);
}
template <Schedule (*search)(const Topology&)>
std::uint64_t found_steps(const Topology& topology)
{
    return found<search>(topology)->steps;
}

Schedule farthest_first(const Topology& topology)
{
    constexpr unsigned tries = 8;
    return greedy_exchange(topology, tries);
}

Schedule mixed(const Topology& topology)
{
    return mixed_routes(topology, mixed_routes_seed, mixed_routes_effort);
}

std::string too_large(const Topology& topology, NodeId most)
{
    return topology.nodes() <= most ? "" : fmt::format("it is for {} nodes at most: a search takes long beyond", most);
}

std::vector<Method> methods()
{
    using enum PortModel;
    return {
        {"row-by-row",
         {"A1"},
         single_port_section,
         "one message a row at a time along the other factors, then exchanges in the first; the slow reference",
         one,
         Networks::products,
         false,
         carried_exchange,
         carried_exchange_steps},
        {"factor-by-factor",
         {"A2"},
         single_port_section,
         "exchanges in the copies of the last factors, batch by batch, then in those of the first",
         one,
         Networks::products,
         true,
         factor_by_factor_exchange,
         factor_by_factor_exchange_steps},
        {"mixed-routes",
         {},
         beyond,
         "routes that take the factors in different orders, found by search, and matched step by step",
         one,
         Networks::products,
         false,
         found_schedule<mixed>,
         found_steps<mixed>,
         [](const Topology& topology) -> std::string {
             return topology.symmetric() ? "factor-by-factor is optimal on Cayley graphs" : too_large(topology, 64);
         }},
        {"edge-colouring",
         {"open shop"},
         beyond,
         "optimal: hops of classes dealt out to links by colouring a bipartite graph's edges",
         all,
         Networks::rings_and_complete,
         true,
         abelian_exchange,
         abelian_exchange_steps},
        {"class-matching",
         {},
         beyond,
         "in every step classes are matched to the links that bring them nearer",
         all,
         Networks::groups,
         true,
         found_schedule<cayley_exchange>,
         found_steps<cayley_exchange>,
         [](const Topology& topology) -> std::string {
             if (contains(Networks::rings_and_complete, topology))
                 return "edge-colouring is optimal on rings and complete graphs";
             return too_large(topology, 1024);
         }},
        {"digit-rounds",
         {},
         beyond,
         "every class moves in each factor in a round that its other offsets tell",
         all,
         Networks::equal_factors,
         true,
         digit_rounds_exchange,
         equal_factors_exchange_steps,
         [](const Topology& topology) -> std::string {
             return topology.dimension() > 1 ? "" : "it is for two factors or more";
         }},
        {"homogeneous",
         {"A3"},
         multiport_section,
         "two halves exchange side by side, and rotate what they exchange from round to round",
         all,
         Networks::equal_factors,
         true,
         homogeneous_exchange,
         equal_factors_exchange_steps,
         [](const Topology& topology) -> std::string {
             const unsigned factors = topology.dimension();
             return factors > 1 && std::has_single_bit(factors) ? "" : "it is for 2, 4, 8, .. factors";
         }},
        {"interleaved",
         {},
         beyond,
         "a single factor's own exchange; of products two factors at a time, in rounds side by side",
         all,
         Networks::products,
         true,
         interleaved_exchange,
         interleaved_exchange_steps},
        {"grouped",
         {},
         beyond,
         "interleaved, with all rings and complete graphs as one factor that is done optimally",
         all,
         Networks::products,
         true,
         grouped_exchange,
         grouped_exchange_steps,
         [](const Topology& topology) -> std::string {
             unsigned ring_like = 0;
             for (unsigned i = 0; i < topology.dimension(); ++i)
                 ring_like += is_ring_or_complete(topology.factor(i)) ? 1 : 0;
             return ring_like > 0 && ring_like < topology.dimension()
                        ? ""
                        : "it is for rings or complete graphs with others";
         }},
        {"farthest-first",
         {"greedy"},
         beyond,
         "every link carries the packet with the farthest way to go; for comparison",
         all,
         Networks::products,
         false,
         found_schedule<farthest_first>,
         found_steps<farthest_first>,
         [](const Topology& topology) { return too_large(topology, 128); }},
    };
}

// Hops that a plan lists, at most: one node's of each kind, or all nodes'.
double planned_hops(const Topology& topology, bool automatic)
{
    double kinds = 1;
    for (unsigned i = 0; i < topology.dimension(); ++i)
        if (const Graph& factor = topology.factor(i); factor.kind() == Graph::Kind::ring && factor.nodes() % 2 == 0)
            kinds *= 2;
    const auto all = static_cast<double>(topology.sum_of_statuses());
    return topology.symmetric() && automatic ? std::min(all, kinds * static_cast<double>(topology.status(0))) : all;
}

std::size_t storage(const Topology& topology, const Problem& problem, bool automatic)
{
    constexpr double a_hop = 2 * sizeof(Action) + 3 * sizeof(Hop);
    const double n = topology.nodes();
    return static_cast<std::size_t>(planned_hops(topology, automatic) * a_hop +
                                    n * n * static_cast<double>(problem.bytes));
}

Algorithm entry(const Method& method)
{
    Algorithm algorithm = titled(Collective::all_to_all, method.name, method.aliases, method.paper, method.summary);
    algorithm.ports = method.ports;
    algorithm.networks = method.networks;
    algorithm.automatic = method.automatic;
    algorithm.obstacle = [obstacle = method.obstacle](const Topology& topology, const Problem&) {
        return obstacle(topology);
    };
    algorithm.cost = [steps = method.steps](const Topology& topology, const Problem& problem) {
        return Cost{problem.packets * steps(topology), problem.packets * topology.sum_of_statuses()};
    };
    algorithm.storage = [automatic = method.automatic](const Topology& topology, const Problem& problem) {
        return storage(topology, problem, automatic);
    };
    algorithm.prepare = [schedule = method.schedule](const Topology& topology,
                                                     const Problem& problem) -> CollectiveProgram {
        const auto plan = std::make_shared<const Plan>(topology, problem, schedule(topology),
                                                       static_cast<std::uint32_t>(problem.packets));
        return [plan](Node& me, NodeData data) { return run_plan(me, *plan, data); };
    };
    return algorithm;
}

}  // namespace

std::vector<Algorithm> total_exchange_family()
{
    std::vector<Algorithm> family;
    for (const Method& method : methods())
        family.push_back(entry(method));
    return family;
}

}  // namespace dcube::detail
