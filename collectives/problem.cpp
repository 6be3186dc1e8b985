#include <dcube/problem.hpp>

#include "base/names.hpp"
#include "collectives/matrix_shapes.hpp"

#include <dcube/error.hpp>
#include <dcube/layout.hpp>

#include <fmt/format.h>

namespace dcube {

namespace {

void validate_own(const OwnOperation& own)
{
    if (own.combine == nullptr)
        throw InvalidArgument(fmt::format("the operation {} has no function that combines", dcube::quoted(own.name)));
    if (own.element == 0)
        throw InvalidArgument(fmt::format("the operation {} is of elements of 0 bytes: 1 byte or more is allowed",
                                          dcube::quoted(own.name)));
}

void validate_elements(const Problem& problem)
{
    const auto& own = problem.own_operation;
    if (own)
        validate_own(*own);
    const std::size_t element = element_size(problem);
    if (problem.bytes % element != 0)
        throw InvalidArgument(
            "bytes", fmt::format("packets of {} bytes do not hold whole {} elements: a multiple of {} bytes is allowed",
                                 problem.bytes, own ? own->name : name(problem.type), element));
    about("operation", [&] { combiner(problem); });
}

void validate_node(std::string_view key, NodeId node, const Topology& topology)
{
    const std::string given = std::to_string(node);
    if (node >= topology.nodes())
        throw InvalidArgument(
            key, given, fmt::format("is not a node of {}: nodes are 0 to {}", topology.title(), topology.nodes() - 1));
    if (!topology.is_member(node))
        throw InvalidArgument(key, given, fmt::format("does not exist: {} lacks that node", topology.title()));
}

void validate_ends(const Problem& problem, const Topology& topology)
{
    if (topology.nodes() == 1)
        throw InvalidArgument("topology",
                              fmt::format("{} has one node: {} needs two", topology.title(), name(problem.collective)));
    validate_node("root", problem.root, topology);
    validate_node("peer", problem.peer, topology);
    if (problem.root == problem.peer)
        throw InvalidArgument("peer", fmt::format("both ends are node {}: {} needs two different nodes", problem.root,
                                                  name(problem.collective)));
}

void validate_permutation(const Problem& problem, const Topology& topology)
{
    const NodeId nodes = topology.nodes();
    if (problem.permutation.size() != nodes)
        throw InvalidArgument(fmt::format("{} nodes are named: all {} of {} are needed", problem.permutation.size(),
                                          nodes, topology.title()));
    std::vector<NodeId> origin(nodes, nodes);
    for (NodeId node = 0; node < nodes; ++node) {
        const NodeId target = problem.permutation[node];
        if (target >= nodes)
            throw InvalidArgument(fmt::format("node {} is sent to {}, which is not a node of {}: nodes are 0 to {}",
                                              node, target, topology.title(), nodes - 1));
        if (target != node && !(topology.is_member(node) && topology.is_member(target)))
            throw InvalidArgument(fmt::format("node {} is sent to {}, and node {} is missing: missing "
                                              "nodes must map to themselves",
                                              node, target, topology.is_member(node) ? target : node));
        if (origin[target] != nodes)
            throw InvalidArgument(fmt::format("node {} is named twice, for nodes {} and {}: once is allowed", target,
                                              origin[target], node));
        origin[target] = node;
    }
}

}  // namespace

Combine combiner(const Problem& problem)
{
    return problem.own_operation ? problem.own_operation->combine : combiner(problem.operation, problem.type);
}

std::string_view operation_name(const Problem& problem)
{
    return problem.own_operation ? std::string_view(problem.own_operation->name) : name(problem.operation);
}

std::size_t element_size(const Problem& problem)
{
    return problem.own_operation ? problem.own_operation->element : size_of(problem.type);
}

bool is_in_place_possible(Collective collective)
{
    const CollectiveTraits& of = traits(collective);
    return of.before.nodes == of.after.nodes && of.before.nodes != Who::root;
}

bool moves_nothing(const Problem& problem)
{
    return !is_matrix(problem.collective) && (problem.bytes == 0 || problem.packets == 0);
}

Problem out_of_place(Problem problem)
{
    problem.in_place = false;
    return problem;
}

void validate(const Problem& problem, const Topology& topology)
{
    if (problem.in_place && !is_in_place_possible(problem.collective))
        throw InvalidArgument("in_place", "",
                              fmt::format("is not possible for {}: not the same nodes hold data before and after it",
                                          name(problem.collective)));
    if (is_matrix(problem.collective)) {
        static_cast<void>(shape_before(problem, topology));
        static_cast<void>(shape_after(problem, topology));
        return;
    }
    if (has_root(problem.collective))
        validate_node("root", problem.root, topology);
    if (has_peer(problem.collective))
        validate_ends(problem, topology);
    if (has_permutation(problem.collective))
        about("permutation", [&] { validate_permutation(problem, topology); });
    if (is_reduction(problem.collective))
        validate_elements(problem);
    static_cast<void>(Layout(problem, topology));
}

}  // namespace dcube
