#include "cli/text/network_fields.hpp"

#include "cli/text/numbers.hpp"

#include <fmt/format.h>

#include <string>

namespace dcube::cli {

namespace {

Json ends_of(const Range& range)
{
    return {{"least", range.least}, {"most", range.most}};
}

std::string range_text(const Range& range)
{
    return range.least == range.most ? grouped(range.most)
                                     : fmt::format("{} to {}", grouped(range.least), grouped(range.most));
}

std::string status_text(const NetworkFacts& facts)
{
    return fmt::format("{}, {} on average: the sum of a node's distances", range_text(facts.status),
                       to_string(facts.average_status));
}

std::string distance_text(const NetworkFacts& facts)
{
    const std::string value = fmt::format("{:.4f} on average", facts.average_distance.to_double());
    const std::string exact =
        facts.average_distance.denominator == 1 ? "" : fmt::format(", {}", to_string(facts.average_distance));
    return value + exact + (facts.formula ? fmt::format(": {}", facts.formula->formula) : "");
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
    {"schema", "", "", [](F) -> Json { return 1; }},
    {"topology", "", "", [](F f) -> Json { return f.topology.name(); }},
    {"dimensions", "", "", [](F f) -> Json { return f.topology.dimension(); }},
    {"nodes", "", "", [](F f) -> Json { return f.topology.members(); }},
    {"links", "", "pairs of nodes with a link between them",
     [](F f) -> Json { return f.topology.directed_links() / 2; }},
    {"directed_links", "", "the same, each direction for itself",
     [](F f) -> Json { return f.topology.directed_links(); }},
    {"degree", "", "links of a node: least and most", [](F f) { return ends_of(f.degree); }, "degree",
     [](F f) { return range_text(f.degree); }},
    {"diameter", "", "the largest distance of two nodes", [](F f) -> Json { return f.topology.diameter(); }, "diameter",
     [](F f) { return grouped(f.topology.diameter()); }},
    {"status", "", "sum of a node's distances to all others: least and most", [](F f) { return ends_of(f.status); },
     "status", status_text},
    {"average_status", "", "mean of that over all nodes, exact", [](F f) { return exact(f.average_status); }},
    {"average_distance", "", "mean distance of two different nodes, exact",
     [](F f) { return exact(f.average_distance); }, "distance", distance_text},
    {"average_distance_formula", "", "a closed form of that, where there is one",
     [](F f) { return f.formula ? Json(f.formula->formula) : Json(); }},
    {"bounds", "", "lower bounds on the steps of a total exchange with blocks of one packet",
     [](F f) { return records_of<NamedBound>(exchange_bound_fields(), f.bounds); }},
    {"algorithms", "", "dcube's algorithms for that on such networks",
     [](F f) { return records_of<ExchangeAlgorithm>(exchange_algorithm_fields(), f.algorithms); }},
    {"fault_costs", "", "what missing links and nodes cost collectives, one packet a message; empty if none are",
     [](F f) { return records_of<FaultCost>(fault_cost_fields(), f.fault_costs); }},
    {"over_ranks", "", "the network over several processes; null without --ranks",
     [](F f) { return f.over_ranks ? record_of(over_ranks_fields(), *f.over_ranks) : Json(); }},
};

using O = const OverRanks&;

const Field<OverRanks> of_ranks[] = {
    {"ranks", "", "the processes", [](O o) -> Json { return o.ranks; }},
    {"crossing_links", "", "directed links that lead from one rank's nodes to another's",
     [](O o) -> Json { return o.links.crossing; }},
    {"crossing_share", "", "of all links, exact", [](O o) { return exact(crossing_share(o.links)); }},
    {"most_peers", "", "other ranks that a rank's links lead to, of the rank with most",
     [](O o) -> Json { return o.links.most_peers; }},
    {"better_order", "",
     "the same factors in the order by which least links cross; null if no order is better than the given one, or "
     "there are too many to try",
     [](O o) { return o.better ? Json(o.better->topology.name()) : Json(); }},
    {"better_crossing_share", "", "of all links in that order, exact",
     [](O o) { return o.better ? exact(crossing_share(o.better->links)) : Json(); }},
};

using C = const FaultCost&;

const Field<FaultCost> of_fault_costs[] = {
    {"collective", "", "the collective", [](C c) -> Json { return name(c.collective); }},
    {"ports", "", "port model: all or one", [](C c) -> Json { return name(c.ports); }},
    {"whole_steps_lower_bound", "", "least steps where nothing is missing", [](C c) -> Json { return c.whole.bound; }},
    {"steps_lower_bound", "", "least steps of what is left", [](C c) -> Json { return c.rest.bound; }},
    {"whole_steps", "", "steps by auto where nothing is missing; null where planning takes long",
     [](C c) { return or_null(c.whole.steps); }},
    {"steps", "", "steps by auto on what is left; null where planning takes long",
     [](C c) { return or_null(c.rest.steps); }},
};

using N = const NamedBound&;

const Field<NamedBound> of_bounds[] = {
    {"name", "", "L1 to L7, prices", [](N b) -> Json { return b.bound.name; }},
    {"ports", "", "port model: all or one", [](N b) -> Json { return name(b.ports); }},
    {"value", "", "the bound before it is rounded up, exact", [](N b) { return exact(b.bound.value); }},
    {"steps", "", "steps that every algorithm needs by this bound", [](N b) -> Json { return b.bound.steps; }},
    {"reason", "", "why no algorithm needs fewer", [](N b) -> Json { return b.bound.reason; }},
    {"binds", "", "whether it is the one of its port model that says most", [](N b) -> Json { return b.binds; }},
    {"arithmetic", "", "how it is worked out: an array of lines, each with its words and its number",
     [](N b) { return lines_of(b.proof); }},
};

using A = const ExchangeAlgorithm&;

const Field<ExchangeAlgorithm> of_algorithms[] = {
    {"name", "", "the algorithm's name in the catalogue", [](A a) -> Json { return a.algorithm->name; }},
    {"ports", "", "port model: all or one", [](A a) -> Json { return name(a.algorithm->ports); }},
    {"paper", "", "paper and section of the algorithm", [](A a) -> Json { return a.algorithm->paper; }},
    {"steps", "", "steps that it takes; null where it cannot do it, or where finding them takes long",
     [](A a) { return or_null(a.steps); }},
    {"steps_lower_bound", "", "the largest bound of its port model", [](A a) -> Json { return a.bound; }},
    {"obstacle", "", "why it cannot do it; null where it can",
     [](A a) { return a.obstacle.empty() ? Json() : Json(a.obstacle); }},
    {"optimal", "", "whether it takes no more than that; null where its steps are",
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
