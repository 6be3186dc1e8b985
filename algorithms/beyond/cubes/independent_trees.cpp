// Broadcast that needs no plan of what fails: every packet reaches every node of a d-cube along d trees, and comes
// although any d-1 links, or any d-1 nodes but the root, fail in any step. m packets, N = 2^d nodes, all ports.
//
//   independent-trees   m+d steps (d = 1: m; d = 0: none)   md(N-1) transmissions   dcube's own
//
// Tree t (0 <= t < d) leads to the node whose label, relative to the root, has the 1 bits S: if t is in S it flips S in
// cyclic order from t on; if not, first t, then S in cyclic order from t on, then t again. The d paths to a node share
// no inner node and no link, and every directed link that does not enter the root is in just one tree (proofs:
// docs/results.md). An inner node of tree t has bit t, and is as deep as its label has 1 bits; nodes without bit t
// are leaves, two links deeper. So what all d trees together say is short: the root sends packet p in step p+1, a node
// at distance h passes it on in step p+h+1, over all links but those to the root, and gets copies after steps p+h and
// p+h+2. It keeps the first. If all copies that could come in time were lost it has nothing to pass on, and is silent.
//
// Fewer steps are possible where nothing fails (pipelined-trees: ceil(m/d)+d-1), but there each packet comes once.
//
// Planning: none. On links that take time packets are sent as they are: (m+d)(tau s + beta).

#include "algorithms/families.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/phases.hpp"
#include "base/sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace dcube::detail {

namespace {

// The packets that a node other than the root has, of those whose copies may come in this step. Steps are counted from
// the one in which the broadcast begins.
class Copies {
public:
    Copies(Node& me, NodeId label, NodeData data, std::size_t bytes, std::uint64_t packets)
        : me_(&me), label_(label), distance_(static_cast<Step>(std::popcount(label))), output_(data.output),
          bytes_(bytes), packets_(packets)
    {
    }

    // The first step in which a copy may come, and the last one.
    [[nodiscard]] Step first_step() const { return distance_ + 1; }
    [[nodiscard]] Step last_step() const
    {
        const bool leaf = distance_ < me_->ports();  // in some tree
        return static_cast<Step>(packets_) + distance_ + (leaf ? 2 : 0);
    }

    // Takes what has come, and keeps what it has not.
    void take(Step step)
    {
        held_ <<= 1;
        for (Port port = 0; port < me_->ports(); ++port) {
            if (!me_->arrived(port))
                continue;
            const unsigned age = has_bit(label_, port) ? 0 : 2;  // its packet's, since this node's turn to send it
            if ((held_ >> age & 1) != 0) {
                me_->receive(port);  // a copy more
                continue;
            }
            const Packet packet = me_->receive(port, place(step - first_step() - age));
            held_ |= 1U << age;
            if (age == 0)
                usable_ = packet.usable;
        }
    }

    // The packet whose turn it is, if it has come.
    void pass_on(Step step)
    {
        if ((held_ & 1) == 0)
            return;
        for (Port port = 0; port < me_->ports(); ++port)
            if (label_ != bit(port))  // the root needs none
                me_->send(port, place(step - first_step()), 0, usable_);
    }

private:
    [[nodiscard]] std::span<std::byte> place(std::size_t packet) const
    {
        return output_.subspan(packet * bytes_, bytes_);
    }

    Node* me_;
    NodeId label_;  // relative to the root
    Step distance_;
    std::span<std::byte> output_;
    std::size_t bytes_;
    std::uint64_t packets_;
    unsigned held_ = 0;  // bit i: whether it has the packet whose turn was i steps ago
    Usable usable_{};    // since when the one is whose turn it is
};

Task root_program(Node& me, NodeData data, std::size_t bytes, std::uint64_t packets)
{
    std::ranges::copy(data.input, data.output.begin());
    const Usable from_start = me.usable_now();
    for (std::uint64_t p = 0; p < packets && me.ports() > 0; ++p) {
        for (Port port = 0; port < me.ports(); ++port)
            me.send(port, data.input.subspan(as_size(p * bytes), bytes), 0, from_start);
        co_await me.next_step();
    }
}

Task other_program(Node& me, NodeId label, NodeData data, std::size_t bytes, std::uint64_t packets)
{
    Copies copies(me, label, data, bytes, packets);
    co_await me.until(me.step() - 1 + copies.first_step());
    for (Step step = copies.first_step();; ++step) {
        copies.take(step);
        copies.pass_on(step);
        if (step == copies.last_step())
            co_return;
        co_await me.next_step();
    }
}

Phases independent_phases(const Topology& topology, const Problem& problem)
{
    const std::uint64_t d = topology.dimension();
    const std::uint64_t m = problem.packets;
    if (d == 0)
        return {};
    return PhaseLine()
        .add(m, {"the root sends",
                 fmt::format("The root sends {} over all its links; the others pass each packet on, over all "
                             "links but those to the root and later the farther they are from it, along {}.",
                             m == 1 ? "its packet" : fmt::format("another of its {} packets in every step", m),
                             counted(d, "tree"))})
        .add(d == 1 ? 0 : d,
             {"the last copies come", fmt::format("The root has sent all: the last packet still spreads, and reaches "
                                                  "every node once more in each tree, over paths of up to {} links.",
                                                  d + 1)})
        .take();
}

}  // namespace

std::vector<Entry> independent_trees_family()
{
    Entry entry = costed_by_formula(
        {{.collective = Collective::broadcast, .name = "independent-trees", .redundant = true},
         {.paper = "Bertsekas et al. 1991, section 1 (the problem)",
          .origin = Origin::dcube,
          .summary = "each packet down d trees without common nodes: any d-1 links or nodes may fail",
          .idea =
              "Every packet goes down all of d trees: tree t leads to node v by flipping dimension t first and the "
              "other 1 bits of v in cyclic order from t on, and flips t back in the end where v lacks it. The d paths "
              "to a node share no inner node and no link, so d - 1 links or nodes may fail, in any step and unknown to "
              "all: a copy comes. Each link is in one tree, so all trees run at once, a packet in each step.",
          .formula = {.steps = "m + min(1, d - 1) d", .transmissions = "m d (N - 1)"},
          .paper_note =
              "Bertsekas et al. pose the broadcast, on links that do not fail. That all packets go down all of "
              "d trees, and what that survives, is dcube's.",
          .automatic = false}});
    entry.storage = [](const Topology&, const Problem&) { return std::uint64_t{0}; };
    entry.run_time = [cost = entry.cost](const Topology& topology, const Problem& problem) -> std::optional<Rational> {
        return to_rational(LinkCosts(problem.link).packets(cost(topology, problem).steps, problem.bytes));
    };
    entry.phases = independent_phases;
    entry.prepare = [](const Topology& topology, const Problem& problem) -> CollectiveProgram {
        return [topology, root = problem.root, bytes = problem.bytes,
                packets = std::uint64_t{problem.packets}](Node& me, NodeData data) {
            const NodeId label = topology.untranslate(me.id(), root);
            return label == 0 ? root_program(me, data, bytes, packets) : other_program(me, label, data, bytes, packets);
        };
    };
    return {entry};
}

}  // namespace dcube::detail
