#include "base/sizes.hpp"
#include "inspect/view/layouts/shapes.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace dcube::view {

namespace {

constexpr NodeId most_groups = 16;

// Into how many groups the nodes of a first factor go that has more than there may be: a divisor if there is a large
// one.
NodeId pieces_of(NodeId nodes)
{
    for (NodeId pieces = most_groups; 2 * pieces >= most_groups; --pieces)
        if (nodes % pieces == 0)
            return pieces;
    return most_groups;
}

// The groups of a graph's nodes by their numbers, as a graph.
Graph quotient(const Graph& graph, NodeId pieces)
{
    if (graph.kind() == Graph::Kind::ring)
        return Graph::ring(pieces);
    if (graph.kind() == Graph::Kind::path)
        return Graph::path(pieces);
    std::set<std::pair<NodeId, NodeId>> pairs;
    const auto group = [&](NodeId node) { return static_cast<NodeId>(std::uint64_t{node} * pieces / graph.nodes()); };
    for (NodeId node = 0; node < graph.nodes(); ++node)
        for (Port port = 0; port < graph.ports(node); ++port)
            if (const NodeId far = group(graph.neighbour(node, port)); group(node) < far)
                pairs.insert({group(node), far});
    return Graph::from_edges(graph.name(), std::vector(pairs.begin(), pairs.end()));
}

// The number of first factors that have at most 16 nodes together.
unsigned whole_factors(const Topology& topology)
{
    NodeId together = 1;
    unsigned count = 0;
    while (count < topology.dimension() && together * topology.factor(count).nodes() <= most_groups)
        together *= topology.factor(count++).nodes();
    return count;
}

std::vector<std::string> names_of(const Topology& groups)
{
    std::vector<std::string> names;
    for (NodeId group = 0; group < groups.nodes(); ++group) {
        if (groups.is_hypercube()) {
            names.push_back(fmt::format("{:0{}b}", group, groups.dimension()));
            continue;
        }
        std::vector<NodeId> digits;
        for (unsigned i = 0; i < groups.dimension(); ++i)
            digits.push_back(groups.digit(group, i));
        names.push_back(fmt::format("{}", fmt::join(digits, ",")));
    }
    return names;
}

// A group is a range of the first factor's nodes.
Groups by_ranges(const Topology& topology)
{
    const Graph& first = topology.factor(0);
    const NodeId pieces = pieces_of(first.nodes());
    Groups groups{.network = Topology::product({quotient(first, pieces)})};
    std::vector<NodeId> begin(pieces + std::size_t{1}, first.nodes());
    for (NodeId digit = first.nodes(); digit-- > 0;)
        begin[as_size(std::uint64_t{digit} * pieces / first.nodes())] = digit;
    for (NodeId node = 0; node < topology.nodes(); ++node)
        groups.of.push_back(
            static_cast<std::uint32_t>(std::uint64_t{topology.digit(node, 0)} * pieces / first.nodes()));
    for (NodeId group = 0; group < pieces; ++group)
        groups.names.push_back(begin[group] + 1 == begin[group + 1]
                                   ? fmt::format("{}", begin[group])
                                   : fmt::format("{}-{}", begin[group], begin[group + 1] - 1));
    return groups;
}

Groups by_digits(const Topology& topology, unsigned factors)
{
    std::vector<Graph> first;
    for (unsigned i = 0; i < factors; ++i)
        first.push_back(topology.factor(i));
    Groups groups{.network = Topology::product(std::move(first))};
    const NodeId members = topology.nodes() / groups.network.nodes();
    for (NodeId node = 0; node < topology.nodes(); ++node)
        groups.of.push_back(node / members);
    groups.names = names_of(groups.network);
    return groups;
}

}  // namespace

Groups groups_of(const Topology& topology)
{
    if (topology.nodes() < 2)
        throw InvalidArgument(fmt::format("{} has one node: groups are made of at least 2", topology.name()));
    const unsigned factors = whole_factors(topology);
    Groups groups = factors == 0 ? by_ranges(topology) : by_digits(topology, factors);
    groups.layouts = layouts_of(groups.network);
    groups.links = undirected_links(groups.network);
    // The first factors of a hypercube are its high bits; the quotient of other networks can be a hypercube too.
    for (UndirectedLink& link : groups.links)
        if (topology.is_hypercube())
            link.dimension += topology.dimension() - factors;
        else if (groups.network.is_hypercube())
            link.dimension = factors - 1 - link.dimension;
    return groups;
}

}  // namespace dcube::view
