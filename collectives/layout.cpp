#include <dcube/layout.hpp>

#include "base/numbers.hpp"
#include "base/sizes.hpp"
#include "collectives/limits.hpp"
#include "collectives/matrix_shapes.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dcube {

namespace {

// Data of more bytes than this are refused. Every count that is derived from a problem (packets, transmissions, steps)
// then fits in 64 bits with room to spare.
constexpr std::size_t most_bytes = largest_data<std::size_t>;

std::size_t multiplied(std::size_t a, std::size_t b, const Problem& problem, const Topology& topology)
{
    if (b != 0 && a > most_bytes / b)
        throw InvalidArgument(
            problem.packets > problem.bytes ? "packets" : "bytes",
            fmt::format("{} of {} of {} on {} is too large: the data of all nodes may have at most {} bytes",
                        name(problem.collective), counted(problem.packets, "packet"), counted(problem.bytes, "byte"),
                        counted(topology.nodes(), "node"), power_text(most_bytes)));
    return a * b;
}

// The nodes of that rank with ids below this one's: one for each group, in the order of the groups.
std::size_t nodes_before(const Group& groups, NodeId rank, NodeId node)
{
    NodeId low = 0;
    for (NodeId high = groups.count(); low < high;) {
        const NodeId middle = low + (high - low) / 2;
        if (groups.node(middle, rank) < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

}  // namespace

Layout::Layout(const Problem& problem, const Topology& topology)
    : network(topology), groups(groups_of(problem, topology)), root(problem.root), peer(problem.peer),
      in_place(problem.in_place)
{
    const auto times = [&](std::size_t a, std::size_t b) { return multiplied(a, b, problem, topology); };
    message = is_matrix(problem.collective) ? shape_before(problem, topology).per_node() * size_of(problem.type)
                                            : times(as_size(most_packets(problem)), packet_size(problem));
    const NodeId together = groups ? groups->size() : topology.nodes();
    const bool even = problem.counts.empty();
    const auto bytes_of = [&](Share share) {
        return even && share == Share::message_per_node ? times(message, together) : message;
    };
    const CollectiveTraits& of = traits(problem.collective);
    const auto side = [](const Holding& holding, std::size_t bytes) {
        return Side{holding.nodes, holding.share, bytes, bytes};
    };
    inputs = side(of.before, bytes_of(of.before.share));
    outputs = side(of.after, bytes_of(of.after.share));
    if (!even) {
        make_uneven(problem, topology);
        return;
    }
    if (in_place && inputs.bytes != outputs.bytes) {
        Side& smaller = inputs.bytes < outputs.bytes ? inputs : outputs;
        smaller.per_node = std::max(inputs.bytes, outputs.bytes);
        smaller.shift = smaller.bytes;
    }
    const auto count = [&](Who holders) {
        return holders == Who::all ? topology.nodes() : holders_before(topology.nodes(), holders);
    };
    input_bytes = times(inputs.per_node, count(inputs.holders));
    output_bytes = times(outputs.per_node, count(outputs.holders));
}

std::size_t Layout::holders_before(NodeId node, Who holders) const
{
    const auto before = [&](NodeId rank) -> std::size_t {
        return groups ? nodes_before(*groups, rank, node) : rank < node ? 1 : 0;
    };
    return (holders == Who::peer ? 0 : before(root)) + (holders == Who::root ? 0 : before(peer));
}

// A node that holds nothing has a part of 0 bytes.
Layout::Displacements Layout::displacements(const Problem& problem, const Topology& topology, Which which) const
{
    const CollectiveTraits& of = traits(problem.collective);
    const Holding& holding = which == Which::input ? of.before : of.after;
    const Topology& together = groups ? groups->network() : topology;
    const auto bytes_of = [&](NodeId rank, NodeId other) {
        const auto [origin, target] = which == Which::input ? std::pair(rank, other) : std::pair(other, rank);
        return as_size(packets_between(problem, together, origin, target)) * problem.bytes;
    };
    Displacements all{{0}, {}, {}};
    const bool many = holding.share == Share::message_per_node;
    const NodeId rows = pattern_of(problem.collective) == Pattern::each_to_each ? together.nodes() : 1;
    for (NodeId rank = 0; many && rank < rows; ++rank) {
        all.messages.push_back(0);
        for (NodeId other = 0; other < together.nodes(); ++other)
            all.messages.push_back(all.messages.back() + bytes_of(rank, other));
    }
    for (NodeId node = 0; node < topology.nodes(); ++node) {
        const NodeId rank = rank_of(node);
        const bool holds = topology.is_member(node) && (holding.nodes == Who::all || rank == problem.root);
        const std::size_t bytes =
            many ? all.messages[all.row_of(rank, together.nodes()) + together.nodes()] : bytes_of(rank, rank);
        all.parts.push_back({all.places.back(), holds ? bytes : 0});
        all.places.push_back(all.places.back() + all.parts.back().bytes);
    }
    return all;
}

void Layout::make_uneven(const Problem& problem, const Topology& topology)
{
    const std::uint64_t copies = pattern_of(problem.collective) == Pattern::each_to_all ? topology.nodes()
                                 : groups                                               ? groups->count()
                                                                                        : 1;
    const std::uint64_t packets = all_packets(problem, groups ? groups->network() : topology);
    if (packets > most_bytes / std::max<std::size_t>(1, problem.bytes) / copies)
        throw InvalidArgument("counts", fmt::format("{} of {} on {} are too many: the data of all nodes may have at "
                                                    "most {} bytes",
                                                    counted(packets, "packet"), counted(problem.bytes, "byte"),
                                                    counted(topology.nodes(), "node"), power_text(most_bytes)));
    Displacements in = displacements(problem, topology, Which::input);
    Displacements out = displacements(problem, topology, Which::output);
    if (in_place && inputs.share != outputs.share) {
        Displacements& smaller = in.messages.empty() ? in : out;
        const Displacements& larger = in.messages.empty() ? out : in;
        smaller.places = larger.places;
        for (NodeId node = 0; node < topology.nodes(); ++node)
            smaller.parts[node].offset = larger.places[node] + larger.messages[rank_of(node)];
    }
    input_bytes = in.places.back();
    output_bytes = out.places.back();
    inputs.uneven = std::make_shared<const Displacements>(std::move(in));
    outputs.uneven = std::make_shared<const Displacements>(std::move(out));
}

Layout Layout::of(NodeRange nodes) const
{
    // The offset of these nodes' data in all nodes' data, and their length.
    const auto stretch = [&](const Side& side) -> Part {
        if (side.uneven) {
            const std::vector<std::size_t>& places = side.uneven->places;
            return {places[nodes.first], places[nodes.first + nodes.size()] - places[nodes.first]};
        }
        if (side.holders == Who::all)
            return {nodes.first * side.per_node, nodes.size() * side.per_node};
        const std::size_t before = holders_before(nodes.first, side.holders);
        const std::size_t here = holders_before(nodes.last, side.holders) - before;
        return {here == 0 ? 0 : before * side.per_node, here * side.per_node};
    };
    const Part in = stretch(inputs);
    const Part out = stretch(outputs);
    Layout own = *this;
    own.first_input = in.offset;
    own.input_bytes = in.bytes;
    own.first_output = out.offset;
    own.output_bytes = out.bytes;
    return own;
}

NodeData node_data(const Layout& layout, std::span<const std::byte> input, std::span<std::byte> output, NodeId node)
{
    const Layout::Part in = layout.input(node);
    const Layout::Part out = layout.output(node);
    return {input.subspan(in.offset, in.bytes), output.subspan(out.offset, out.bytes)};
}

}  // namespace dcube
