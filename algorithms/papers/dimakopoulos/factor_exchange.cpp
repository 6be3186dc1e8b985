#include "algorithms/papers/dimakopoulos/factor_exchange.hpp"

#include "algorithms/papers/dimakopoulos/exchanges.hpp"
#include "algorithms/papers/dimakopoulos/factor_schedules.hpp"
#include "algorithms/programs/kept_schedule.hpp"
#include "base/memo.hpp"

#include <dcube/topology.hpp>

#include <fmt/format.h>

#include <utility>

namespace dcube::detail {

namespace {

using Kind = Graph::Kind;

// Counting the steps of more takes minutes, and their schedule would take tens of gigabytes.
constexpr std::uint64_t most_hops = std::uint64_t{1} << 29;

// Schedules that list more hops are not kept.
constexpr std::uint64_t most_hops_kept = std::uint64_t{1} << 22;

std::uint64_t all_hops(const Graph& graph)
{
    std::uint64_t sum = 0;
    for (NodeId node = 0; node < graph.nodes(); ++node)
        sum += graph.status(node);
    return sum;
}

// The hops that its schedule lists: on Cayley graphs one node's of each kind.
std::uint64_t listed_hops(const Graph& graph)
{
    return graph.symmetric() ? kinds_of_nodes(graph) * graph.status(0) : all_hops(graph);
}

// The work for graphs that are searched: a hop is chosen, coloured, and perhaps tried in several other orders.
std::uint64_t work_of_search(const Graph& graph)
{
    constexpr std::uint64_t operations_a_hop = 100;
    return graph.kind() == Kind::list || graph.kind() == Kind::group ? operations_a_hop * all_hops(graph) : 0;
}

Schedule one_port(const Graph& graph)
{
    switch (graph.kind()) {
    case Kind::path: return path_one_port(graph);
    case Kind::list: return any_graph_exchange(graph, PortModel::one);
    case Kind::ring:
    case Kind::complete:
    case Kind::group: break;
    }
    return cayley_one_port(graph);
}

Schedule all_ports(const Graph& graph)
{
    switch (graph.kind()) {
    case Kind::ring: return graph.nodes() % 2 == 0 ? even_ring_all_ports(graph) : odd_ring_all_ports(graph);
    case Kind::path: return path_all_ports(graph);
    case Kind::complete: return complete_all_ports(graph);
    case Kind::group: return class_matching(Topology::product({graph}));
    case Kind::list: break;
    }
    return any_graph_exchange(graph, PortModel::all);
}

}  // namespace

NodeId kinds_of_nodes(const Graph& graph)
{
    return graph.kind() == Kind::ring && graph.nodes() % 2 == 0 ? 2 : 1;
}

std::uint64_t factor_exchange_steps(const Graph& graph, PortModel ports)
{
    const std::uint64_t n = graph.nodes();
    const bool one = ports == PortModel::one;
    switch (graph.kind()) {
    case Kind::complete: return one ? n - 1 : 1;
    case Kind::ring: return one ? n * n / 4 : (n * n + 7 * (1 - n % 2)) / 8;
    case Kind::path: return one ? (n * n - 1) / 2 : n * n / 4;
    case Kind::group: return one ? graph.status(0) : factor_exchange(graph, ports)->steps;
    case Kind::list: break;
    }
    if (all_hops(graph) <= most_hops_kept)
        return factor_exchange(graph, ports)->steps;
    static Memo<std::pair<Graph, PortModel>, std::uint64_t> kept(32);
    return *kept.get({graph, ports}, [&] { return any_graph_steps(graph, ports); });
}

std::shared_ptr<const Schedule> factor_exchange(const Graph& graph, PortModel ports)
{
    static Memo<std::pair<Graph, PortModel>, Schedule> kept(32);
    const auto make = [&] { return in_order(ports == PortModel::one ? one_port(graph) : all_ports(graph)); };
    const auto make_or_read = [&] {
        return kept_schedule("factor-exchange", work_of_search(graph),
                             question_of(Topology::product({graph}), ports, {Collective::all_to_all}), make);
    };
    if (listed_hops(graph) > most_hops_kept)
        return std::make_shared<const Schedule>(make());
    return kept.get({graph, ports}, make_or_read);
}

std::string factor_exchange_obstacle(const Topology& topology)
{
    for (unsigned i = 0; i < topology.dimension(); ++i) {
        const Graph& factor = topology.factor(i);
        if (factor.kind() == Kind::list && all_hops(factor) > most_hops)
            return fmt::format("the exchange in {} takes {} hops: at most {} are planned", factor.name(),
                               all_hops(factor), most_hops);
    }
    return {};
}

}  // namespace dcube::detail
