#include <dcube/problem.hpp>

#include "base/memo.hpp"
#include "base/names.hpp"
#include "base/numbers.hpp"
#include "collectives/matrix_shapes.hpp"

#include <dcube/error.hpp>
#include <dcube/layout.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

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
    if (is_average(problem) && is_scan(problem.collective))
        throw InvalidArgument("operation", "avg",
                              fmt::format("is not possible for {}: every node has another number of "
                                          "terms",
                                          name(problem.collective)));
}

void validate_node(std::string_view key, NodeId node, const Topology& topology)
{
    const std::string given = std::to_string(node);
    if (node >= topology.nodes())
        throw InvalidArgument(
            key, given, fmt::format("is not a node of {}: nodes are 0 to {}", topology.title(), topology.nodes() - 1));
    if (!topology.is_member(node))
        throw InvalidArgument(key, given,
                              topology.is_switch(node)
                                  ? fmt::format("is a switch of {}: switches hold no data", topology.title())
                                  : fmt::format("does not exist: {} lacks that node", topology.title()));
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
        if (target != node && !(topology.is_member(node) && topology.is_member(target))) {
            const NodeId other = topology.is_member(node) ? target : node;
            throw InvalidArgument(
                fmt::format("node {} is sent to {}, and node {} is {} must map to themselves", node, target, other,
                            topology.is_switch(other) ? "a switch: switches" : "missing: missing nodes"));
        }
        if (origin[target] != nodes)
            throw InvalidArgument(fmt::format("node {} is named twice, for nodes {} and {}: once is allowed", target,
                                              origin[target], node));
        origin[target] = node;
    }
}

// The nodes between which number `index` of the counts is; the same node twice where it is that of one node.
std::pair<NodeId, NodeId> ends_of_count(const Problem& problem, const Topology& topology, std::size_t index)
{
    if (pattern_of(problem.collective) != Pattern::each_to_each)
        return {static_cast<NodeId>(index), static_cast<NodeId>(index)};
    return {static_cast<NodeId>(index / topology.nodes()), static_cast<NodeId>(index % topology.nodes())};
}

void validate_counts(const Problem& problem, const Topology& topology)
{
    const std::vector<std::uint32_t>& counts = problem.counts;
    const std::size_t nodes = topology.nodes();
    const bool each = pattern_of(problem.collective) == Pattern::each_to_each;
    if (counts.size() != (each ? nodes * nodes : nodes))
        throw InvalidArgument(fmt::format("{} are given: {} of {} needs {}", counted(counts.size(), "number"),
                                          name(problem.collective), topology.title(),
                                          each ? fmt::format("{0} x {0}", nodes) : std::to_string(nodes)));
    if (problem.packets != 1)
        throw InvalidArgument("packets", std::to_string(problem.packets),
                              fmt::format("cannot be combined with {}, which says how many packets every message has",
                                          mention("counts")));
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const auto [origin, target] = ends_of_count(problem, topology, i);
        for (const NodeId node : {origin, target})
            if (counts[i] != 0 && !topology.is_member(node))
                throw InvalidArgument(fmt::format("node {} is missing: its counts must be 0", node));
        if (problem.in_place && each && counts[i] != counts[target * nodes + origin])
            throw InvalidArgument("in_place", "",
                                  fmt::format("needs as many packets from node {0} to node {1} as from {1} to {0}: "
                                              "expected {2}, got {3}",
                                              target, origin, counts[i], counts[target * nodes + origin]));
    }
}

}  // namespace

Combine combiner(const Problem& problem)
{
    if (problem.own_operation)
        return problem.own_operation->combine;
    if (problem.operation != Operation::avg)
        return combiner(problem.operation, problem.type);
    if (!is_float(problem.type))
        throw InvalidArgument(
            fmt::format("avg of {} elements is not possible: types of floats are allowed", name(problem.type)));
    return combiner(Operation::sum, problem.type);
}

bool is_average(const Problem& problem)
{
    return is_reduction(problem.collective) && !problem.own_operation && problem.operation == Operation::avg;
}

std::string_view operation_name(const Problem& problem)
{
    return problem.own_operation ? std::string_view(problem.own_operation->name) : name(problem.operation);
}

std::size_t element_size(const Problem& problem)
{
    return problem.own_operation ? problem.own_operation->element : size_of(problem.type);
}

std::size_t packet_size(const Problem& problem)
{
    return is_barrier(problem.collective) ? 0 : problem.bytes;
}

std::shared_ptr<const Group> groups_of(const Problem& problem, const Topology& topology)
{
    if (problem.within.empty())
        return nullptr;
    using Key = std::pair<Topology, std::vector<unsigned>>;
    static detail::Memo<Key, Group> known(8);
    return known.get(Key{topology, problem.within}, [&] { return Group::of(topology, problem.within); });
}

Problem in_group(Problem problem)
{
    problem.within.clear();
    return problem;
}

bool is_in_place_possible(Collective collective)
{
    const CollectiveTraits& of = traits(collective);
    return of.before.nodes == of.after.nodes && of.before.nodes != Who::root && !is_barrier(collective);
}

bool moves_nothing(const Problem& problem)
{
    const bool has_messages = !is_matrix(problem.collective) && !is_barrier(problem.collective);
    return has_messages && (problem.bytes == 0 || most_packets(problem) == 0);
}

std::uint64_t packets_between(const Problem& problem, const Topology& topology, NodeId origin, NodeId target)
{
    if (problem.counts.empty())
        return problem.packets;
    if (pattern_of(problem.collective) == Pattern::each_to_each)
        return problem.counts[std::size_t{origin} * topology.nodes() + target];
    return problem.counts[traits(problem.collective).origin == Who::all ? origin : target];
}

std::uint64_t most_packets(const Problem& problem)
{
    return problem.counts.empty() ? problem.packets : std::ranges::max(problem.counts);
}

std::uint64_t all_packets(const Problem& problem, const Topology& topology)
{
    const std::uint64_t nodes = topology.nodes();
    const bool each = pattern_of(problem.collective) == Pattern::each_to_each;
    return problem.counts.empty() ? problem.packets * nodes * (each ? nodes : 1)
                                  : std::reduce(problem.counts.begin(), problem.counts.end(), std::uint64_t{0});
}

Problem out_of_place(Problem problem)
{
    problem.in_place = false;
    return problem;
}

void validate(const Problem& problem, const Topology& topology)
{
    if (!problem.within.empty()) {
        if (is_matrix(problem.collective))
            throw InvalidArgument(
                "within", "",
                fmt::format("is not possible for {}: a matrix lies on all nodes", name(problem.collective)));
        validate(in_group(problem), groups_of(problem, topology)->network());
        static_cast<void>(Layout(problem, topology));
        return;
    }
    if (!problem.link.bound() && !topology.is_uniform())
        throw InvalidArgument("link_model", name(problem.link.kind),
                              fmt::format("is not possible on {}: its nodes or links differ, and there links must take "
                                          "time: give {} and {}, or {}",
                                          topology.title(), mention("tau_ns_per_byte"), mention("beta_ns"),
                                          mention("machine")));
    if (problem.in_place && !is_in_place_possible(problem.collective))
        throw InvalidArgument("in_place", "",
                              fmt::format("is not possible for {}: {}", name(problem.collective),
                                          is_barrier(problem.collective)
                                              ? "it moves no data"
                                              : "not the same nodes hold data before and after it"));
    if (is_matrix(problem.collective)) {
        if (is_pair(problem.type))
            throw InvalidArgument("type", name(problem.type), "is for reductions: a matrix has numbers");
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
    if (!problem.counts.empty() && !may_be_uneven(problem.collective))
        throw InvalidArgument("counts", "", fmt::format("does not apply to {}", name(problem.collective)));
    if (!problem.counts.empty() && !topology.is_uniform())
        throw InvalidArgument(
            "counts", "",
            fmt::format("is not possible on {}: its nodes or links differ, and there messages have one length",
                        topology.title()));
    if (!problem.counts.empty())
        about("counts", [&] { validate_counts(problem, topology); });
    if (is_reduction(problem.collective))
        validate_elements(problem);
    static_cast<void>(Layout(problem, topology));
}

}  // namespace dcube
