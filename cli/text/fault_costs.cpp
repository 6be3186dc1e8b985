#include "cli/text/fault_costs.hpp"

#include "cli/text/numbers.hpp"

#include <dcube/bounds.hpp>
#include <dcube/catalogue.hpp>
#include <dcube/permutation.hpp>

#include <fmt/format.h>

#include <algorithm>

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

std::string steps_text(const CostOnNetwork& cost)
{
    return cost.steps ? grouped(*cost.steps) : "-";
}

}  // namespace

std::vector<FaultCost> fault_costs(const Topology& topology)
{
    std::vector<FaultCost> costs;
    if (topology.faults().empty())
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

std::string fault_costs_text(const std::vector<FaultCost>& costs)
{
    if (costs.empty())
        return {};
    std::string text =
        fmt::format("\n{:<30} {:>17} {:>17}\n{:<30} {:>8} {:>8} {:>8} {:>8}\n", "what is missing costs", "least steps",
                    "steps by auto", "one packet a message", "whole", "rest", "whole", "rest");
    for (const FaultCost& one : costs)
        text += fmt::format(
            "  {:<28} {:>8} {:>8} {:>8} {:>8}\n",
            fmt::format("{}, {}", name(one.collective), one.ports == PortModel::all ? "all ports" : "one port"),
            grouped(one.whole.bound), grouped(one.rest.bound), steps_text(one.whole), steps_text(one.rest));
    return text;
}

}  // namespace dcube::cli
