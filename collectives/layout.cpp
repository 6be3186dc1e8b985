#include <dcube/layout.hpp>

#include "base/numbers.hpp"
#include "collectives/matrix_shapes.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

namespace dcube {

namespace {

// Data of more bytes than this are refused. Every count that is derived from a problem (packets, transmissions, steps)
// then fits in 64 bits with room to spare.
constexpr std::size_t most_bytes = std::size_t{1} << 56;

std::size_t multiplied(std::size_t a, std::size_t b, const Problem& problem, const Topology& topology)
{
    if (b != 0 && a > most_bytes / b)
        throw InvalidArgument(fmt::format("{} of {} of {} on {} is too large: the data of all nodes "
                                          "may have at most 2^56 bytes",
                                          name(problem.collective), counted(problem.packets, "packet"),
                                          counted(problem.bytes, "byte"), counted(topology.nodes(), "node")));
    return a * b;
}

std::size_t count(Who holders, const Topology& topology)
{
    return holders == Who::all ? topology.nodes() : holders == Who::ends ? 2 : 1;
}

}  // namespace

Layout::Layout(const Problem& problem, const Topology& topology)
    : network(topology), root(problem.root), peer(problem.peer), inputs(traits(problem.collective).before.nodes),
      outputs(traits(problem.collective).after.nodes)
{
    const auto times = [&](std::size_t a, std::size_t b) { return multiplied(a, b, problem, topology); };
    message = is_matrix(problem.collective) ? shape_before(problem, topology).per_node() * size_of(problem.type)
                                            : times(problem.packets, problem.bytes);
    const auto bytes_of = [&](Share share) {
        return share == Share::message_per_node ? times(message, topology.nodes()) : message;
    };
    input_per_node = bytes_of(traits(problem.collective).before.share);
    output_per_node = bytes_of(traits(problem.collective).after.share);
    input_bytes = times(input_per_node, count(inputs, topology));
    output_bytes = times(output_per_node, count(outputs, topology));
}

Layout::Part Layout::stretch(NodeRange nodes, std::size_t per_node, Who holders) const
{
    if (holders == Who::all)
        return {nodes.first * per_node, nodes.size() * per_node};
    Part all{0, 0};
    for (const NodeId end : {std::min(root, peer), std::max(root, peer)}) {
        const Part one = part(end, per_node, holders, 0);
        if (!nodes.contains(end) || one.bytes == 0)
            continue;
        if (all.bytes == 0)
            all.offset = one.offset;
        all.bytes = one.offset + one.bytes - all.offset;
    }
    return all;
}

Layout Layout::of(NodeRange nodes) const
{
    const Part in = stretch(nodes, input_per_node, inputs);
    const Part out = stretch(nodes, output_per_node, outputs);
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
