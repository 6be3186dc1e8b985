#include "run/labels.hpp"

#include <dcube/layout.hpp>
#include <dcube/matrix.hpp>

#include <cstdint>
#include <memory>
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

// Where the one message goes that a node holds; nobody where all nodes get it.
std::optional<NodeId> target_of(const Problem& problem, NodeId node)
{
    switch (traits(problem.collective).target) {
    case Who::root: return problem.root;
    case Who::peer: return problem.peer;
    case Who::partner:
        if (has_permutation(problem.collective))
            return problem.permutation[node];
        return node == problem.root ? problem.peer : problem.root;
    case Who::nobody:
    case Who::ends:
    case Who::all: break;
    }
    return std::nullopt;
}

}  // namespace

std::vector<Label> input_labels(const Problem& problem, const Layout& layout, const Topology& topology,
                                std::span<const std::byte> input, NodeId node)
{
    const auto [offset, bytes] = layout.input(node);
    const std::span<const std::byte> own = input.subspan(offset, bytes);
    if (own.empty())
        return {};
    if (is_matrix(problem.collective))
        return matrix_labels(problem, topology, own, node);
    std::optional<NodeId> origin = node;
    std::shared_ptr<const Contributors> sum_of;
    if (is_reduction(problem.collective)) {
        origin.reset();
        sum_of = std::make_shared<const Contributors>(node);
    }
    if (traits(problem.collective).before.share == Share::message)
        return {{own, {origin, target_of(problem, node), 0, bytes, sum_of}}};
    std::vector<Label> labels;
    for (NodeId target = 0; target < topology.nodes(); ++target)
        labels.push_back(
            {own.subspan(target * layout.message, layout.message), {origin, target, 0, layout.message, sum_of}});
    return labels;
}

}  // namespace dcube
