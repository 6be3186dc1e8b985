#include "run/labels.hpp"

#include <dcube/matrix.hpp>

#include <cstdint>
#include <optional>

namespace dcube {

namespace {

// A matrix' elements: those of one target are one message, in the order in which they lie.
std::vector<Label> matrix_labels(const Problem& problem, const Topology& topology, std::span<const std::byte> own,
                                 NodeId node)
{
    const MatrixMove move(problem, topology);
    const std::size_t element = size_of(problem.type);
    std::vector<std::uint64_t> next(topology.nodes());  // offset in the message to each target
    std::vector<Label> labels;
    for (std::size_t index = 0; index * element < own.size(); ++index) {
        const NodeId target = move.target({node, index}).node;
        labels.push_back({own.subspan(index * element, element), {node, target, next[target], element}});
        next[target] += element;
    }
    return labels;
}

}  // namespace

std::vector<Label> input_labels(const Problem& problem, const Layout& layout, const Topology& topology,
                                std::span<const std::byte> input, NodeId node)
{
    const auto [offset, bytes] = layout.input(node);
    const std::span<const std::byte> own = input.subspan(offset, bytes);
    if (own.empty())
        return {};
    using Named = std::optional<NodeId>;
    const Named nobody;
    const Named origin = is_reduction(problem.collective) ? nobody : Named(node);
    const auto whole = [&](Named target) { return std::vector<Label>{{own, {origin, target, 0, bytes}}}; };
    switch (problem.collective) {
    case Collective::broadcast:
    case Collective::all_gather:
    case Collective::all_reduce: return whole(nobody);
    case Collective::reduce:
    case Collective::gather: return whole(problem.root);
    case Collective::send: return whole(problem.peer);
    case Collective::exchange: return whole(node == problem.root ? problem.peer : problem.root);
    case Collective::permute: return whole(problem.permutation[node]);
    default: break;
    }
    if (is_matrix(problem.collective))
        return matrix_labels(problem, topology, own, node);
    std::vector<Label> labels;
    for (NodeId target = 0; target < topology.nodes(); ++target)
        labels.push_back({own.subspan(target * layout.message, layout.message), {origin, target, 0, layout.message}});
    return labels;
}

}  // namespace dcube
