#include <dcube/layout.hpp>

#include "base/numbers.hpp"
#include "collectives/limits.hpp"
#include "collectives/matrix_shapes.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

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

std::size_t count(Who holders, const Topology& topology)
{
    return holders == Who::all ? topology.nodes() : holders == Who::ends ? 2 : 1;
}

}  // namespace

Layout::Layout(const Problem& problem, const Topology& topology)
    : network(topology), root(problem.root), peer(problem.peer), in_place(problem.in_place)
{
    const auto times = [&](std::size_t a, std::size_t b) { return multiplied(a, b, problem, topology); };
    message = is_matrix(problem.collective) ? shape_before(problem, topology).per_node() * size_of(problem.type)
                                            : times(problem.packets, problem.bytes);
    const auto bytes_of = [&](Share share) {
        return share == Share::message_per_node ? times(message, topology.nodes()) : message;
    };
    const CollectiveTraits& of = traits(problem.collective);
    const auto side = [](const Holding& holding, std::size_t bytes) { return Side{holding.nodes, bytes, bytes}; };
    inputs = side(of.before, bytes_of(of.before.share));
    outputs = side(of.after, bytes_of(of.after.share));
    if (in_place && inputs.bytes != outputs.bytes) {
        Side& smaller = inputs.bytes < outputs.bytes ? inputs : outputs;
        smaller.per_node = std::max(inputs.bytes, outputs.bytes);
        smaller.shift = smaller.bytes;
    }
    input_bytes = times(inputs.per_node, count(inputs.holders, topology));
    output_bytes = times(outputs.per_node, count(outputs.holders, topology));
}

Layout Layout::of(NodeRange nodes) const
{
    // The offset of these nodes' data in all nodes' data, and their length.
    const auto stretch = [&](const Side& side) -> Part {
        if (side.holders == Who::all)
            return {nodes.first * side.per_node, nodes.size() * side.per_node};
        Part all{0, 0};
        for (const NodeId end : {std::min(root, peer), std::max(root, peer)}) {
            const Part one = part(end, side, 0);
            if (!nodes.contains(end) || one.bytes == 0)
                continue;
            if (all.bytes == 0)
                all.offset = one.offset;
            all.bytes = one.offset + one.bytes - all.offset;
        }
        return all;
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
