#include "cli/text/network_facts.hpp"

#include <dcube/bounds.hpp>
#include <dcube/distances.hpp>

#include <algorithm>
#include <utility>

namespace dcube::cli {

namespace {

// Of every node; in symmetric networks all are as node 0.
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
    for (const Algorithm& algorithm : catalogue()) {
        if (algorithm.collective != Collective::all_to_all || algorithm.link != LinkKind::unit ||
            !contains(algorithm.networks, topology))
            continue;
        ExchangeAlgorithm& one =
            all.emplace_back(&algorithm, std::nullopt, algorithm.ports == PortModel::one ? one_port : all_ports,
                             obstacle_of(algorithm, topology, algorithm.ports, problem));
        if (!one.obstacle.empty())
            continue;
        if (algorithm.automatic || topology.nodes() <= most_nodes_searched)
            one.steps = algorithm.cost(topology, problem).steps;
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
            all_bounds(topology),
            all_algorithms(topology),
            fault_costs(topology),
            std::move(over_ranks)};
}

}  // namespace dcube::cli
