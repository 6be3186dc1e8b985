#include "algorithms/dimakopoulos/edge_colouring.hpp"

#include "algorithms/dimakopoulos/factor_exchange.hpp"
#include "algorithms/search/edge_colouring.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace dcube::detail {

namespace {

using Kind = Graph::Kind;

std::uint64_t busiest_link(const Topology& topology, unsigned i)
{
    const Graph& factor = topology.factor(i);
    const std::uint64_t n = factor.nodes();
    const std::uint64_t copies = topology.nodes() / n;
    if (factor.kind() == Kind::complete)
        return copies;
    return n % 2 == 1 ? copies * ((n * n - 1) / 8) : (topology.nodes() * n + 7) / 8;
}

// A ring of an even number of nodes in an odd number of copies: half of its opposite packets cannot be balanced class
// by class. Then the classes that move there only are done as on the ring alone, where even and odd nodes differ.
std::optional<unsigned> unbalanced_ring(const Topology& topology)
{
    for (unsigned i = 0; i < topology.dimension(); ++i) {
        const Graph& factor = topology.factor(i);
        if (factor.kind() == Kind::ring && factor.nodes() % 2 == 0 && topology.nodes() / factor.nodes() % 2 == 1)
            return i;
    }
    return std::nullopt;
}

class Shop {
public:
    explicit Shop(const Topology& topology)
        : topology_(topology), alone_(unbalanced_ring(topology)), opposite_(topology.dimension())
    {
        for (NodeId target = 1; target < topology.nodes(); ++target)
            if (!moves_alone(target))
                add_class(target);
        if (alone_)
            add_ring_alone();
    }

    Schedule schedule()
    {
        const auto steps = static_cast<Step>(std::max<std::uint64_t>(largest_degree(operations_), longest_way_));
        const std::vector<std::uint32_t> colours = colour_edges(operations_, steps);
        schedule_.steps = steps;
        if (alone_)
            schedule_.alternating = {*alone_};
        emit_classes(colours);
        if (alone_)
            emit_ring_alone(colours);
        return in_order(std::move(schedule_));
    }

private:
    [[nodiscard]] bool moves_alone(NodeId target) const
    {
        return alone_ && target == topology_.digit(target, *alone_) * topology_.stride(*alone_);
    }

    // Ports of node 0 are the generators.
    void add_operations(std::uint32_t job, Port generator, NodeId count)
    {
        operations_.insert(operations_.end(), count, {job, generator});
    }

    void add_class(NodeId target)
    {
        const auto job = static_cast<std::uint32_t>(targets_.size());
        targets_.push_back(target);
        first_operation_.push_back(operations_.size());
        for (unsigned i = 0; i < topology_.dimension(); ++i) {
            const Graph& factor = topology_.factor(i);
            const NodeId offset = topology_.digit(target, i);
            const NodeId n = factor.nodes();
            const Port first = topology_.first_port(0, i);
            if (offset == 0)
                continue;
            if (factor.kind() == Kind::complete) {
                add_operations(job, first + offset - 1, 1);
                continue;
            }
            const bool up = 2 * offset < n || (2 * offset == n && opposite_[i]++ % 2 == 0);
            add_operations(job, up ? first : first + 1, up ? offset : n - offset);
        }
        longest_way_ = std::max(longest_way_, operations_.size() - first_operation_.back());
    }

    // Jobs of one operation each, which keep the ring's links free for it.
    void add_ring_alone()
    {
        first_alone_ = operations_.size();
        const auto steps = static_cast<NodeId>(factor_exchange_steps(topology_.factor(*alone_), PortModel::all));
        auto job = static_cast<std::uint32_t>(targets_.size());
        for (const Port way : {0U, 1U})
            for (NodeId step = 0; step < steps; ++step)
                add_operations(job++, topology_.first_port(0, *alone_) + way, 1);
    }

    void emit(Step step, Port port, NodeId origin, NodeId target)
    {
        schedule_.hops.push_back({step, 0, port, {origin, target, 0}});
        if (alone_)
            schedule_.hops.push_back({step, 1, port, {origin, target, 0}});
    }

    void emit_classes(const std::vector<std::uint32_t>& colours)
    {
        struct Operation {
            std::uint32_t colour;
            Port generator;
        };
        std::vector<Operation> way;
        first_operation_.push_back(alone_ ? first_alone_ : operations_.size());
        for (std::size_t job = 0; job < targets_.size(); ++job) {
            way.clear();
            for (std::size_t i = first_operation_[job]; i < first_operation_[job + 1]; ++i)
                way.push_back({colours[i], operations_[i].right});
            std::ranges::sort(way, {}, &Operation::colour);
            NodeId made = 0;
            for (const Operation& hop : way) {
                emit(hop.colour + 1, hop.generator, topology_.untranslate(0, made),
                     topology_.untranslate(targets_[job], made));
                made = topology_.neighbour(made, hop.generator);
            }
        }
    }

    // In the t-th step that is kept for one way round, the t-th step of that way on the ring alone.
    void emit_ring_alone(const std::vector<std::uint32_t>& colours)
    {
        const std::shared_ptr<const Schedule> ring = factor_exchange(topology_.factor(*alone_), PortModel::all);
        const auto first = colours.begin() + static_cast<std::ptrdiff_t>(first_alone_);
        std::vector<std::uint32_t> steps[2] = {{first, first + ring->steps}, {first + ring->steps, colours.end()}};
        for (std::vector<std::uint32_t>& of_way : steps)
            std::ranges::sort(of_way);
        const NodeId stride = topology_.stride(*alone_);
        for (const Hop& hop : ring->hops)
            schedule_.hops.push_back({steps[hop.port][hop.step - 1] + 1,
                                      hop.from,
                                      topology_.first_port(0, *alone_) + hop.port,
                                      {hop.packet.origin * stride, hop.packet.target * stride, 0}});
    }

    const Topology& topology_;
    std::optional<unsigned> alone_;
    std::vector<NodeId> opposite_;  // classes with half a turn in each ring so far
    std::vector<NodeId> targets_;   // of every job
    std::vector<std::size_t> first_operation_;
    std::vector<ColouredEdge> operations_;
    std::size_t first_alone_ = 0;
    std::size_t longest_way_ = 0;
    Schedule schedule_{Symmetry::translated, 0, {}};
};

}  // namespace

std::uint64_t abelian_exchange_steps(const Topology& topology)
{
    std::uint64_t steps = 0;
    for (unsigned i = 0; i < topology.dimension(); ++i)
        steps = std::max(steps, busiest_link(topology, i));
    return steps;
}

Schedule abelian_exchange(const Topology& topology)
{
    return Shop(topology).schedule();
}

}  // namespace dcube::detail
