#include "algorithms/programs/matrix_program.hpp"

#include <algorithm>
#include <utility>

namespace dcube::detail {

MatrixPacking::MatrixPacking(const Problem& problem, const Topology& topology)
    : move_(problem, topology), network_(topology), nodes_(topology.nodes()), element_(size_of(problem.type))
{
}

std::vector<Own> MatrixPacking::own(NodeId node) const
{
    std::vector<Own> all;
    std::size_t at = 0;
    for (NodeId target = 0; target < nodes_; ++target) {
        const std::size_t length = bytes(node, target);
        if (target != node && length != 0)
            all.push_back({node * std::uint64_t{nodes_} + target, at, length});
        at += length;
    }
    return all;
}

std::optional<std::size_t> MatrixPacking::wanted(NodeId node, std::uint64_t message) const
{
    if (message % nodes_ != node)
        return std::nullopt;
    std::size_t at = 0;
    for (NodeId origin = 0; origin < message / nodes_; ++origin)
        at += bytes(origin, node);
    return at;
}

void MatrixPacking::pack(Node& me, std::span<const std::byte> input, std::span<std::byte> packed) const
{
    std::vector<std::size_t> next(nodes_);
    for (NodeId target = 1; target < nodes_; ++target)
        next[target] = next[target - 1] + bytes(me.id(), target - 1);
    for (std::size_t index = 0; index < move_.before().per_node(); ++index) {
        std::size_t& at = next[move_.target({me.id(), index}).node];
        me.copy(packed.subspan(at, element_), input.subspan(index * element_, element_));
        at += element_;
    }
}

void MatrixPacking::unpack(Node& me, std::span<const std::byte> packed, std::span<std::byte> output) const
{
    struct Arrived {
        MatrixShape::Place source;
        std::size_t index;
    };
    std::vector<Arrived> order(move_.after().per_node());
    for (std::size_t index = 0; index < order.size(); ++index)
        order[index] = {move_.source({me.id(), index}), index};
    std::ranges::sort(order, [](const Arrived& a, const Arrived& b) {
        return std::pair(a.source.node, a.source.index) < std::pair(b.source.node, b.source.index);
    });
    std::size_t at = 0;
    for (const Arrived& arrived : order) {
        me.copy(output.subspan(arrived.index * element_, element_), packed.subspan(at, element_));
        at += element_;
    }
}

void MatrixPacking::keep(Node& me, NodeData packed) const
{
    std::size_t from = 0;
    for (NodeId target = 0; target < me.id(); ++target)
        from += bytes(me.id(), target);
    const std::size_t length = bytes(me.id(), me.id());
    if (length != 0)
        me.copy(packed.output.subspan(*wanted(me.id(), me.id() * std::uint64_t{nodes_} + me.id()), length),
                packed.input.subspan(from, length));
}

namespace {

Task rearrange(Node& me, const CollectiveProgram& carry, const MatrixPacking& packing, NodeData data)
{
    const std::span<std::byte> outgoing = me.allocate(data.input.size());
    const NodeData packed{outgoing, me.allocate(data.output.size())};
    packing.pack(me, data.input, outgoing);
    packing.keep(me, packed);
    Task carrying = carry(me, packed);
    co_await carrying;
    packing.unpack(me, packed.output, data.output);
}

}  // namespace

CollectiveProgram matrix_program(std::shared_ptr<const MatrixPacking> packing, CollectiveProgram carry)
{
    const auto shared = std::make_shared<const CollectiveProgram>(std::move(carry));
    return [packing = std::move(packing), shared](Node& me, NodeData data) {
        return rearrange(me, *shared, *packing, data);
    };
}

CollectiveProgram matrix_program(const Topology& topology, const Problem& problem, Routing routing)
{
    const auto shared = std::make_shared<const Routing>(std::move(routing));
    const auto packing = std::make_shared<const MatrixPacking>(problem, topology);
    return matrix_program(
        packing, [=](Node& me, NodeData packed) { return run_routing(me, *shared, *packing, problem, packed); });
}

}  // namespace dcube::detail
