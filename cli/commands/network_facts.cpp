#include "cli/commands/network_facts.hpp"

#include "base/numbers.hpp"

#include <dcube/permutation.hpp>
#include <dcube/version.hpp>

#include <algorithm>
#include <utility>

namespace dcube::cli {

namespace {

constexpr NodeId most_nodes_planned = 128;

NodeId farthest(const Topology& topology, NodeId root)
{
    NodeId farthest = root;
    for (NodeId number = 0; number < topology.members(); ++number)
        if (const NodeId node = topology.member(number);
            topology.distance(root, node) > topology.distance(root, farthest))
            farthest = node;
    return farthest;
}

Problem question(Collective collective, const Topology& topology)
{
    Problem problem{.collective = collective, .root = topology.member(0)};
    if (has_peer(collective))
        problem.peer = farthest(topology, problem.root);
    if (has_permutation(collective))
        problem.permutation = permutation_by_name("inversion", topology);
    return problem;
}

CostOnNetwork cost_on(const Topology& topology, PortModel ports, const Problem& problem)
{
    CostOnNetwork cost{steps_bound(topology, ports, problem).value, std::nullopt};
    if (topology.members() <= most_nodes_planned)
        cost.steps = find_algorithm(topology, ports, problem).cost(topology, problem).steps;
    return cost;
}

}  // namespace

std::vector<FaultCost> fault_costs(const Topology& topology)
{
    std::vector<FaultCost> costs;
    if (topology.faults().empty() || !topology.is_uniform())
        return costs;
    for (const Collective collective : all_collectives)
        for (const PortModel ports : {PortModel::all, PortModel::one}) {
            if (is_matrix(collective))
                continue;
            // The same question on both: its permutation differs where nodes are missing.
            const Problem rest = question(collective, topology);
            Problem whole = rest;
            if (has_permutation(collective))
                whole.permutation = permutation_by_name("inversion", topology.whole());
            costs.push_back(
                {collective, ports, cost_on(topology.whole(), ports, whole), cost_on(topology, ports, rest)});
        }
    return costs;
}

namespace {

// The range of a value over all nodes; in symmetric networks every node has the value of node 0.
template <class Value>
Range range_of(const Topology& topology, const Value& value)
{
    Range range{value(0), value(0)};
    for (NodeId node = 1; node < topology.nodes() && !topology.symmetric(); ++node) {
        range.least = std::min<std::uint64_t>(range.least, value(node));
        range.most = std::max<std::uint64_t>(range.most, value(node));
    }
    return range;
}

std::vector<NamedBound> all_bounds(const Topology& topology)
{
    std::vector<NamedBound> all;
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
        std::vector<explain::Proof> proofs = explain::exchange_proofs(topology, ports);
        if (proofs.empty())
            continue;
        const auto value = [](const explain::Proof& one) { return one.value.numerator; };
        const std::string binding = std::ranges::max_element(proofs, {}, value)->name;
        for (ExchangeBound& bound : exchange_bounds(topology, ports)) {
            explain::Proof& proof = *std::ranges::find(proofs, bound.name, &explain::Proof::name);
            const bool binds = bound.name == binding;
            all.push_back({ports, std::move(bound), std::move(proof), binds});
        }
    }
    return all;
}

std::vector<ExchangeAlgorithm> all_algorithms(const Topology& topology)
{
    constexpr NodeId most_nodes_searched = 64;
    const Problem problem{Collective::all_to_all};
    const std::uint64_t one_port = steps_bound(topology, PortModel::one, problem).value;
    const std::uint64_t all_ports = steps_bound(topology, PortModel::all, problem).value;
    std::vector<ExchangeAlgorithm> all;
    for (const Entry& algorithm : catalogue()) {
        if (algorithm.collective != Collective::all_to_all || algorithm.link != LinkKind::unit ||
            !contains(algorithm.networks, topology))
            continue;
        ExchangeAlgorithm& one =
            all.emplace_back(&algorithm, std::nullopt, algorithm.ports == PortModel::one ? one_port : all_ports);
        one.obstacle = obstacle_of(algorithm, topology, algorithm.ports, problem);
        if (!one.obstacle.empty())
            continue;
        if (!algorithm.automatic && topology.nodes() > most_nodes_searched)
            continue;
        one.steps = algorithm.cost(topology, problem).steps;
        one.in_transit_bound = in_transit_bound(topology, problem, *one.steps).value;
        if (algorithm.in_transit)
            one.in_transit = algorithm.in_transit(topology, problem);
    }
    return all;
}

}  // namespace

NetworkFacts network_facts(const Topology& topology, std::optional<unsigned> ranks)
{
    std::optional<OverRanks> over_ranks;
    if (ranks)
        over_ranks = {*ranks, rank_links(topology, *ranks), better_order(topology, *ranks)};
    const Topology& members = topology.of_members();
    return {topology,
            range_of(members, [&](NodeId node) { return members.ports(node); }),
            range_of(members, [&](NodeId node) { return members.status(node); }),
            average_status(topology),
            average_distance(topology),
            average_distance_formula(topology),
            bisection_width(topology),
            edge_connectivity(topology),
            node_connectivity(topology),
            girth(topology),
            all_bounds(topology),
            all_algorithms(topology),
            fault_costs(topology),
            std::move(over_ranks)};
}

namespace {

Json ends_of(const Range& range)
{
    return {{"least", range.least}, {"most", range.most}};
}

Json lines_of(const explain::Proof& proof)
{
    Json lines = Json::array();
    for (const explain::ProofLine& line : proof.lines)
        lines.push_back({{"words", line.words}, {"number", line.number}});
    return lines;
}

using F = const NetworkFacts&;

const Field<NetworkFacts> of_networks[] = {
    {"schema", "", "", [](F) -> Json { return report_schema; }},
    {"topology", "", "", [](F f) -> Json { return f.topology.name(); }},
    {"dimensions", "", "", [](F f) -> Json { return f.topology.dimension(); }},
    {"nodes", "", "", [](F f) -> Json { return f.topology.members(); }},
    {"links", "", "pairs of nodes with a link between them",
     [](F f) -> Json { return f.topology.directed_links() / 2; }},
    {"directed_links", "", "links in one direction: two for each link",
     [](F f) -> Json { return f.topology.directed_links(); }},
    {"degree", "", "links of a node: least and most", [](F f) { return ends_of(f.degree); }},
    {"diameter", "", "the largest distance of two nodes", [](F f) -> Json { return f.topology.diameter(); }},
    {"status", "", "sum of a node's distances to all others: least and most", [](F f) { return ends_of(f.status); }},
    {"average_status", "", "mean status of the nodes, exact", [](F f) { return exact(f.average_status); }},
    {"average_distance", "", "mean distance of two different nodes, exact",
     [](F f) { return exact(f.average_distance); }},
    {"average_distance_formula", "", "a closed form of average_distance, where there is one",
     [](F f) { return f.formula ? Json(f.formula->formula) : Json(); }},
    {"bisection_width", "",
     "links whose removal parts the nodes into halves, at least; null where only bounds are known",
     [](F f) { return if_applies(f.bisection.exact(), f.bisection.most); }},
    {"bisection_bounds", "", "least: no bisection has fewer links; most: one that was found has as many",
     [](F f) {
         return ends_of({f.bisection.least, f.bisection.most});
     }},
    {"edge_connectivity", "", "links whose removal disconnects the network, at least; null where finding it takes long",
     [](F f) { return or_null(f.edge_connectivity); }},
    {"node_connectivity", "",
     "nodes whose removal disconnects the network or leaves one node, at least; null where finding it takes long",
     [](F f) { return or_null(f.node_connectivity); }},
    {"girth", "", "links of a shortest cycle; null where there is no cycle", [](F f) { return or_null(f.girth); }},
    {"bounds", "", "lower bounds on the steps of a total exchange with blocks of one packet",
     [](F f) { return records_of(exchange_bound_fields(), f.bounds); }},
    {"algorithms", "", "dcube's algorithms for a total exchange on such networks",
     [](F f) { return records_of(exchange_algorithm_fields(), f.algorithms); }},
    {"fault_costs", "", "cost of missing links and nodes for collectives, one packet per message; empty if none are",
     [](F f) { return records_of(fault_cost_fields(), f.fault_costs); }},
    {"over_ranks", "", "the network over several processes; null without --ranks",
     [](F f) { return f.over_ranks ? record_of(over_ranks_fields(), *f.over_ranks) : Json(); }},
    {"recognised", "", "",
     [](F f) {
         const Recognition* const known = f.topology.recognised();
         return known ? Json(known->network.name()) : Json();
     }},
};

using O = const OverRanks&;

const Field<OverRanks> of_ranks[] = {
    {"ranks", "", "the processes", [](O o) -> Json { return o.ranks; }},
    {"crossing_links", "", "directed links that lead from one rank's nodes to another's",
     [](O o) -> Json { return o.links.crossing; }},
    {"crossing_share", "", "crossing_links over all directed links, exact",
     [](O o) { return exact(crossing_share(o.links)); }},
    {"most_peers", "", "other ranks that a rank's links lead to, of the rank with most",
     [](O o) -> Json { return o.links.most_peers; }},
    {"better_order", "",
     "the network with its factors in the order by which fewest links cross; null if no order is better than the given "
     "one, or there are too many to try",
     [](O o) { return o.better ? Json(o.better->topology.name()) : Json(); }},
    {"better_crossing_share", "", "crossing_share in better_order, exact",
     [](O o) { return o.better ? exact(crossing_share(o.better->links)) : Json(); }},
};

using C = const FaultCost&;

const Field<FaultCost> of_fault_costs[] = {
    {"collective", "", "the collective", [](C c) -> Json { return name(c.collective); }},
    {"ports", "", "port model: all or one", [](C c) -> Json { return name(c.ports); }},
    {"whole_steps_lower_bound", "", "least steps where nothing is missing", [](C c) -> Json { return c.whole.bound; }},
    {"steps_lower_bound", "", "least steps of the remaining network", [](C c) -> Json { return c.rest.bound; }},
    {"whole_steps", "", "steps by auto where nothing is missing; null where planning takes long",
     [](C c) { return or_null(c.whole.steps); }},
    {"steps", "", "steps by auto on the remaining network; null where planning takes long",
     [](C c) { return or_null(c.rest.steps); }},
};

using N = const NamedBound&;

const Field<NamedBound> of_bounds[] = {
    {"name", "", "L1 to L7, prices", [](N b) -> Json { return b.bound.name; }},
    {"ports", "", "port model: all or one", [](N b) -> Json { return name(b.ports); }},
    {"value", "", "the bound before it is rounded up, exact", [](N b) { return exact(b.bound.value); }},
    {"steps", "", "steps that every algorithm needs by this bound", [](N b) -> Json { return b.bound.steps; }},
    {"reason", "", "why no algorithm needs fewer", [](N b) -> Json { return b.bound.reason; }},
    {"binds", "", "whether the bound is the largest of its port model", [](N b) -> Json { return b.binds; }},
    {"arithmetic", "", "how the bound is worked out: an array of lines, each with its words and its number",
     [](N b) { return lines_of(b.proof); }},
};

using A = const ExchangeAlgorithm&;

const Field<ExchangeAlgorithm> of_algorithms[] = {
    {"name", "", "the algorithm's name in the catalogue", [](A a) -> Json { return a.algorithm->name; }},
    {"ports", "", "port model: all or one", [](A a) -> Json { return name(a.algorithm->ports); }},
    {"paper", "", "paper and section of the algorithm", [](A a) -> Json { return a.algorithm->paper; }},
    {"steps", "", "steps of the algorithm; null where it cannot be used, or where finding them takes long",
     [](A a) { return or_null(a.steps); }},
    {"steps_lower_bound", "", "the largest bound of its port model", [](A a) -> Json { return a.bound; }},
    {"in_transit", "", "the most packets that a node has received and not yet sent on; null if unknown",
     [](A a) { return or_null(a.in_transit); }},
    {"in_transit_lower_bound", "", "the least in_transit of any algorithm of as many steps; null where in_transit is",
     [](A a) { return if_applies(a.in_transit.has_value(), a.in_transit_bound); }},
    {"obstacle", "", "why the algorithm cannot be used; null where it can",
     [](A a) { return a.obstacle.empty() ? Json() : Json(a.obstacle); }},
    {"optimal", "", "whether the algorithm takes no more than steps_lower_bound; null where steps is",
     [](A a) { return a.steps ? Json(*a.steps == a.bound) : Json(); }},
};

}  // namespace

std::span<const Field<NetworkFacts>> network_fields()
{
    return of_networks;
}

std::span<const Field<NamedBound>> exchange_bound_fields()
{
    return of_bounds;
}

std::span<const Field<ExchangeAlgorithm>> exchange_algorithm_fields()
{
    return of_algorithms;
}

std::span<const Field<FaultCost>> fault_cost_fields()
{
    return of_fault_costs;
}

std::span<const Field<OverRanks>> over_ranks_fields()
{
    return of_ranks;
}

}  // namespace dcube::cli
