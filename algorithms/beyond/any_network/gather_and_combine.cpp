// gather-and-combine, gather-and-combine-one: all-reduce, scan and exscan of m blocks on n nodes, any network: an
// all-gather, after which every node has all blocks, and combines them itself in the order of the nodes, in a scan
// those up to its own. So the operation need not commute, and in an all-reduce all get the same bits.
//
// For few nodes that are near each other, and few blocks. Steps and transmissions: those of the best all-gather, at
// least m(n-1)/ports and m n (n-1). A node holds n vectors at once: the price of few steps.
//
// Planning: that of the all-gather.

#include "algorithms/beyond/any_network/tree_all_reduce.hpp"

#include "algorithms/programs/composed.hpp"
#include "algorithms/programs/cut.hpp"
#include "collectives/terms.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

namespace dcube::detail {

namespace {

Problem gather_of(const Problem& problem, const Topology&)
{
    Problem gather{.collective = Collective::all_gather, .bytes = problem.bytes, .packets = problem.packets};
    gather.link = problem.link;
    return gather;
}

// The vectors that a node combines, in the order of the nodes, as it has them after the all-gather.
class GatheredVectors {
public:
    GatheredVectors(const Node& me, Collective collective, NodeData data, std::span<const std::byte> gathered)
        : network_(me.topology()), self_(me.id()), own_(data.input), gathered_(gathered),
          count_(static_cast<NodeId>(terms_of(collective, network_, self_).size()))
    {
    }

    [[nodiscard]] NodeId count() const { return count_; }
    [[nodiscard]] std::span<const std::byte> operator[](NodeId number) const
    {
        const NodeId node = network_.member(number);
        return node == self_ ? own_ : gathered_.subspan(node * own_.size(), own_.size());
    }

private:
    const Topology& network_;
    NodeId self_;
    std::span<const std::byte> own_;
    std::span<const std::byte> gathered_;
    NodeId count_;
};

Task gather_and_combine(Node& me, const CollectiveProgram& gather, const Problem& problem, NodeData data)
{
    const Combine combine = combiner(problem);
    const std::span<std::byte> gathered = me.allocate(me.topology().nodes() * data.input.size());
    Task gathering = gather(me, {data.input, gathered});
    co_await gathering;
    if (me.topology().is_switch(me.id()))
        co_return;
    const GatheredVectors vectors(me, problem.collective, data, gathered);
    if (vectors.count() < 2) {
        if (vectors.count() == 1)
            me.copy(data.output, vectors[0]);
        co_return;
    }
    me.combine(data.output, vectors[0], vectors[1], combine);
    for (NodeId number = 2; number < vectors.count(); ++number)
        me.combine(data.output, data.output, vectors[number], combine);
}

CollectiveProgram with_sums(CollectiveProgram gather, std::uint64_t, const Problem& problem)
{
    return [shared = std::make_shared<const CollectiveProgram>(std::move(gather)), problem](Node& me, NodeData data) {
        return gather_and_combine(me, *shared, problem, data);
    };
}

std::uint64_t gathered_bytes(const Topology& topology, const Problem& problem)
{
    return std::uint64_t{topology.nodes()} * topology.nodes() * message_bytes(problem);
}

std::string gathered_obstacle(const Topology& topology, const Problem& problem)
{
    constexpr std::uint64_t most = std::uint64_t{1} << 32;
    const std::uint64_t bytes = gathered_bytes(topology, problem);
    return bytes <= most ? ""
                         : fmt::format("its nodes would hold {} bytes, the blocks of all nodes at each: at most {} are "
                                       "allowed",
                                       bytes, most);
}

Phases gathered_phases(const Composed& how, const Topology& topology, const Problem& problem)
{
    return best_for_part(how, topology, problem).phases(topology, gather_of(problem, topology));
}

}  // namespace

Entry gather_and_combine_entry_for(Collective collective, PortModel ports)
{
    const Composed how{ports, gather_of, with_sums};
    return composed_entry(
        {{.collective = collective,
          .name = ports == PortModel::all ? "gather-and-combine" : "gather-and-combine-one",
          .ports = ports,
          .networks = Networks::no_hypercubes,
          .keeps_order = true,
          .same_bits = collective == Collective::all_reduce,
          .obstacle = gathered_obstacle,
          .storage = gathered_bytes},
         {.paper = "textbook: all-gather and local sums",
          .origin = Origin::dcube,
          .summary = "few blocks on small networks: the best all-gather, then every node combines the blocks itself",
          .idea = ports == PortModel::all
                      ? "All nodes' blocks go to all nodes, by the best all-gather that there is, and every node "
                        "combines those that it needs by itself, in the order of the nodes. It sends most and holds "
                        "most, and takes the fewest steps where nodes are few and blocks small."
                      : "The best all-gather with one port; then every node combines the blocks that it needs by "
                        "itself, in the order of the nodes.",
          .formula = {.words = "as many as the best all-gather of the blocks"},
          .paper_note = "In none of the papers: that such sums need not be slower than an all-gather is well known.",
          .phases = [how](const Topology& topology,
                          const Problem& problem) { return gathered_phases(how, topology, problem); }}},
        how);
}

Entry gather_and_combine_entry(PortModel ports)
{
    return gather_and_combine_entry_for(Collective::all_reduce, ports);
}

}  // namespace dcube::detail
