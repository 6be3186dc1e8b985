#include <dcube/catalogue.hpp>

#include "algorithms/families.hpp"
#include "algorithms/idle.hpp"
#include "algorithms/networks.hpp"
#include "algorithms/programs/in_groups.hpp"
#include "algorithms/programs/renaming.hpp"
#include "base/names.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace dcube {

namespace {

std::vector<Entry> all_families()
{
    std::vector<Entry> all;
    for (detail::Family* const family : detail::families)
        for (Entry& entry : family())
            all.push_back(detail::in_groups(detail::renaming(detail::idle_on_nothing(std::move(entry)))));
    std::stable_sort(all.begin(), all.end(),
                     [](const Entry& a, const Entry& b) { return a.collective < b.collective; });
    return all;
}

bool ports_suffice(const Algorithm& algorithm, PortModel ports)
{
    return ports == PortModel::all || algorithm.ports == PortModel::one;
}

}  // namespace

std::string_view name(Networks networks)
{
    switch (networks) {
    case Networks::hypercubes: return "hypercubes";
    case Networks::products: return "any product";
    case Networks::no_hypercubes: return "any but hypercubes";
    case Networks::equal_factors: return "equal factors";
    case Networks::rings_and_complete: return "rings and complete graphs";
    case Networks::groups: return "Cayley graphs";
    case Networks::fabrics: return "nodes or links that differ";
    }
    return {};
}

std::string_view name(Origin origin)
{
    switch (origin) {
    case Origin::paper: return "paper";
    case Origin::refinement: return "refinement";
    case Origin::dcube: return "dcube";
    case Origin::own: return "own";
    }
    return {};
}

namespace detail {

bool is_one_of(Networks networks, const Topology& topology)
{
    const auto all_factors = [&](const auto& fits) {
        for (unsigned i = 0; i < topology.dimension(); ++i)
            if (!fits(topology.factor(i)))
                return false;
        return true;
    };
    if (!topology.is_uniform())
        return networks == Networks::fabrics;
    const auto as_many_nodes = [&](const Graph& factor) { return factor.nodes() == topology.factor(0).nodes(); };
    switch (networks) {
    case Networks::hypercubes: return topology.is_hypercube();
    case Networks::products: return true;
    case Networks::no_hypercubes: return !topology.is_hypercube();
    case Networks::equal_factors: return all_factors(as_many_nodes);
    case Networks::rings_and_complete: return all_factors(is_ring_or_complete);
    case Networks::groups: return topology.symmetric();
    case Networks::fabrics: return false;
    }
    return false;
}

}  // namespace detail

bool contains(Networks networks, const Topology& topology)
{
    const Recognition* const known = topology.recognised();
    return detail::is_one_of(networks, topology) || (known && detail::is_one_of(networks, known->network));
}

const Topology& network_for(Networks networks, const Topology& topology)
{
    const Recognition* const known = topology.recognised();
    return known && !detail::is_one_of(networks, topology) ? known->network : topology;
}

Algorithm for_recognised(Algorithm own)
{
    return detail::is_renaming(own) ? own : detail::renaming(std::move(own));
}

std::string obstacle_of(const Algorithm& algorithm, const Topology& topology, PortModel ports, const Problem& problem)
{
    if (const auto groups = groups_of(problem, topology))
        return obstacle_of(algorithm, groups->network(), ports, in_group(problem));
    if (algorithm.link == LinkKind::link_bound && !problem.link.bound())
        return "it is for the link-bound model";
    if (!ports_suffice(algorithm, ports))
        return "it uses all ports of a node at once";
    if (problem.link.duplex == Duplex::half && !algorithm.half_duplex)
        return "its nodes send and receive in the same step, which half duplex does not allow";
    const bool suits = detail::is_renaming(algorithm) ? contains(algorithm.networks, topology)
                                                      : detail::is_one_of(algorithm.networks, topology);
    if (!suits && !topology.is_uniform())
        return "it is for networks whose nodes and links are alike";
    if (!suits)
        return fmt::format("it is for {}", name(algorithm.networks));
    if (!problem.counts.empty() && !algorithm.uneven)
        return "all its messages have the same length";
    if (const auto& own = problem.own_operation;
        is_reduction(problem.collective) && own && !own->commutative && !algorithm.keeps_order)
        return fmt::format("it does not combine in the order of the nodes, and the operation {} does not commute: one "
                           "that does is allowed",
                           dcube::quoted(own->name));
    return algorithm.obstacle(topology, problem);
}

void require_suitable(const Algorithm& algorithm, const Topology& topology, PortModel ports, const Problem& problem)
{
    validate(problem, topology);
    const auto refuse = [&](std::string_view why) {
        throw InvalidArgument("algorithm", fmt::format("{} by {} is not possible here: {}", name(problem.collective),
                                                       algorithm.name, why));
    };
    if (algorithm.collective != problem.collective)
        refuse(fmt::format("it is for {}", name(algorithm.collective)));
    if (!algorithm.prepare)
        refuse("it has no program");
    if (const std::string obstacle = obstacle_of(algorithm, topology, ports, problem); !obstacle.empty())
        refuse(obstacle);
}

std::string_view ignored_choice(const Entry& entry, const Tuning& tuning)
{
    const Tunable& has = entry.tunable;
    if (tuning.groups != 0 && !has.groups)
        return "groups";
    if (tuning.detour_groups != 0 && !has.detour_groups)
        return "detour_groups";
    if (!tuning.waves.empty() && !has.waves)
        return "waves";
    return tuning.halvings && !has.halvings ? "halvings" : "";
}

std::span<const Entry> catalogue()
{
    static const std::vector<Entry> all = all_families();
    return all;
}

}  // namespace dcube
