// All-gather: every node's message reaches all nodes. Reduce-scatter: every node gets the sum of all messages for it.
// m packets a message, N = 2^d nodes.
//
//   recursive-doubling   one port    m(N-1) steps           mN(N-1) transmissions   both optimal
//   rotated-trees        all ports   ceil(m(N-1)/d) steps   mN(N-1) transmissions   both optimal
//   recursive-halving    one port    recursive-doubling, backwards
//   rotated-trees        all ports   reduce-scatter: the all-gather, backwards
//
// Idea of rotated-trees (Bertsekas et al. 1991, section 2, multinode broadcast): one spanning tree for root 0, whose
// links have a step each; the same tree XORed with r for every root r. If root 0 uses d different ports in a step, no
// two roots ever meet on a link.
//   The nodes are numbered n = 1 .. N-1, level |x| by level, classes of rotations side by side. Number n has
//   port(n) = (n-1) mod d, step(n) = (n-1) div d + 1; x hears from parent(x) = x ^ 2^port(x), which has a smaller step.
// Several packets are numbered together; that, recursive doubling (which the paper leaves to others) and running
// backwards are not the paper's.
//
// Planning: O(d N) time to find the classes, m(N-1) planned hops (plan_bytes).

#include "algorithms/papers/bertsekas/all_gather.hpp"

#include "algorithms/papers/bertsekas/necklaces.hpp"
#include "algorithms/families.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/plan.hpp"

#include <fmt/format.h>

#include <utility>

namespace dcube::detail {

namespace {

// Partners over port k swap all that they hold, the packets of 2^k origins, one a step.
Schedule recursive_doubling(const Topology& topology, std::uint32_t packets)
{
    Schedule schedule{Symmetry::translated, 0, {}};
    for (Port port = 0; port < topology.dimension(); ++port)
        for (NodeId origin = 0; origin < bit(port); ++origin)
            for (std::uint32_t copy = 0; copy < packets; ++copy)
                schedule.hops.push_back({++schedule.steps, 0, port, {origin, 0, copy}});
    return schedule;
}

struct Numbered {
    NodeId node;
    std::uint32_t copy;
};

// The paper's numbering, and one of all copies together where messages have several packets.
class Numbering {
public:
    Numbering(unsigned d, std::uint32_t copies) : d_(d), copies_(copies)
    {
        for (unsigned k = 1; k < d; ++k)
            append_level(k);
        if (d > 0)
            append_all_ones();
    }

    [[nodiscard]] const std::vector<Numbered>& nodes() const { return nodes_; }

private:
    // The block class 0..01..1 first, for its nodes are the parents of the next block class.
    void append_level(unsigned k)
    {
        const std::vector<NodeId> classes = classes_of_level(k, d_);
        for (std::uint32_t copy = 0; copy < copies_; ++copy)
            append_class(classes.front(), copy, true);
        for (std::uint32_t copy = 0; copy < copies_; ++copy)
            for (std::size_t other = 1; other < classes.size(); ++other)
                append_class(classes[other], copy, false);
    }

    // The first one must have a 1 at its port; then all have, because port and bits rotate together. Of a block class
    // it must also have a 0 below that, which leaves one member: its parent then lies in the block class one level
    // down.
    void append_class(NodeId member, std::uint32_t copy, bool is_block)
    {
        const auto port = static_cast<unsigned>(nodes_.size() % d_);
        while (!has_bit(member, port) || (is_block && has_bit(member, (port + d_ - 1) % d_)))
            member = rotated(member, 1, d_);
        const unsigned size = class_size(member, d_);
        for (unsigned i = 0; i < size; ++i, member = rotated(member, 1 % d_, d_))
            nodes_.push_back({member, copy});
    }

    // The youngest copy first: its parent was numbered last. If the first of these numbers falls on port d-1, its
    // parent has the same step, so two copies are swapped.
    void append_all_ones()
    {
        const std::size_t first = nodes_.size();
        for (std::uint32_t copy = copies_; copy-- > 0;)
            nodes_.push_back({bit(d_) - 1, copy});
        if (copies_ >= 2 && first % d_ == d_ - 1)
            std::swap(nodes_[first], nodes_[first + 1]);
    }

    unsigned d_;
    std::uint32_t copies_;
    std::vector<Numbered> nodes_;
};

// Root 0's link from parent to x is node 0's link, of the same port, for the root that sees node 0 as `parent`.
Schedule rotated_trees(const Topology& topology, std::uint32_t packets)
{
    const unsigned d = topology.dimension();
    const Numbering numbering(d, packets);
    Schedule schedule{
        Symmetry::translated, static_cast<Step>(steps_over_links(numbering.nodes().size(), topology)), {}};
    schedule.hops.reserve(numbering.nodes().size());
    for (std::size_t i = 0; i < numbering.nodes().size(); ++i) {
        const auto [node, copy] = numbering.nodes()[i];
        const auto port = static_cast<Port>(i % d);
        const NodeId parent = node ^ bit(port);
        schedule.hops.push_back({static_cast<Step>(i / d + 1), 0, port, {parent, 0, copy}});
    }
    return schedule;
}

// Of recursive doubling, one dimension after the other.
Phases dimension_phases(unsigned d, std::uint64_t m, Direction direction)
{
    PhaseLine line;
    for (unsigned k = 0; k < d; ++k) {
        const std::string nodes = counted(bit(k), "node");
        line.add(m * bit(k),
                 {fmt::format("dimension {}", k),
                  direction == Direction::forwards
                      ? fmt::format("Partners across dimension {} swap all that they hold, {}, one packet a step.", k,
                                    k == 0 ? "their own" : "what comes from " + nodes)
                      : fmt::format("Partners across dimension {} hand over their partial sums for {}, one packet a "
                                    "step, and add what comes.",
                                    k, k == 0 ? "each other" : nodes + " on the other side")});
    }
    return line.take();
}

// Of the rotated trees: level k has the numbers that follow those of the levels below, d of them a step.
Phases level_phases(unsigned d, std::uint64_t m, Direction direction)
{
    Phases phases;
    std::uint64_t before = 0;
    for (unsigned k = 1; k <= d; ++k) {
        const std::uint64_t nodes = choose(d, k).convert_to<std::uint64_t>();
        const std::uint64_t after = before + m * nodes;
        phases.push_back(
            {static_cast<Step>(before / d + 1), static_cast<Step>((after - 1) / d + 1), fmt::format("distance {}", k),
             direction == Direction::forwards
                 ? fmt::format("Every node gets the packets of {}, at most {} a step, each over another port, from "
                               "neighbours nearer to their origins.",
                               nodes_at(k, d), d)
                 : fmt::format("Every node hands over its partial sums for {}, at most {} a step, each over another "
                               "port, to neighbours nearer to them.",
                               nodes_at(k, d), d)});
        before = after;
    }
    return phases;
}

std::uint64_t packets_received(const Topology& topology, const Problem& problem)  // by every node
{
    return problem.packets * (topology.nodes() - std::uint64_t{1});
}

// In reduce-scatter the sums under way are in slots; a node begins at most one for every block that is not its own.
std::uint64_t all_gather_storage(const Topology& topology, const Problem& problem)
{
    const std::uint64_t n = topology.nodes();
    const std::uint64_t sums =
        problem.collective == Collective::all_gather ? 0 : n * n / 2 * problem.packets * problem.bytes;
    return plan_bytes(packets_received(topology, problem)) + sums;
}

// Cost, storage, phases and program, which are the same for both collectives.
Algorithm all_gather_entry(Algorithm head)
{
    const PortModel ports = head.ports;
    head = costed_by_formula(std::move(head));
    head.storage = all_gather_storage;
    head.phases = [ports](const Topology& topology, const Problem& problem) {
        return all_gather_phases(topology, ports, problem.packets,
                                 problem.collective == Collective::all_gather ? Direction::forwards
                                                                              : Direction::backwards);
    };
    return plan_entry(std::move(head), [ports](const Topology& topology, const Problem& problem) {
        Schedule schedule = all_gather_schedule(topology, ports, static_cast<std::uint32_t>(problem.packets));
        if (problem.collective == Collective::reduce_scatter)
            schedule = reversed(topology, schedule, Arrival::added);
        return schedule;
    });
}

}  // namespace

Schedule all_gather_schedule(const Topology& topology, PortModel ports, std::uint32_t packets)
{
    return ports == PortModel::all ? rotated_trees(topology, packets) : recursive_doubling(topology, packets);
}

Phases all_gather_phases(const Topology& topology, PortModel ports, std::uint64_t packets, Direction direction)
{
    const unsigned d = topology.dimension();
    const std::uint64_t received = packets * (topology.nodes() - std::uint64_t{1});
    const bool all = ports == PortModel::all;
    Phases phases = all ? level_phases(d, packets, direction) : dimension_phases(d, packets, direction);
    if (direction == Direction::forwards)
        return phases;
    return mirrored(std::move(phases), all ? steps_over_links(received, topology) : received);
}

std::vector<Algorithm> all_gather_family()
{
    constexpr std::string_view section = "Bertsekas et al. 1991, section 2";
    constexpr std::string_view one_port = "well known; Bertsekas et al. 1991, section 1, refers to it";
    return {
        all_gather_entry({.collective = Collective::all_gather,
                          .name = "recursive-doubling",
                          .paper = one_port,
                          .origin = Origin::dcube,
                          .summary = "partners over port k swap the packets of 2^k origins",
                          .idea = "Partners over port k swap all that they have: 1 packet over port 0, 2 over port 1, "
                                  "4 over port 2. After port k every node has the packets of its subcube of 2^(k+1) "
                                  "nodes: 1 + 2 + 4 + .. = N - 1 steps.",
                          .formula = {.steps = "m (N - 1)", .transmissions = "m N (N - 1)"},
                          .paper_note = "There: N - 1 steps if a node uses one link at a time.",
                          .ports = PortModel::one}),
        all_gather_entry(
            {.collective = Collective::all_gather,
             .name = "rotated-trees",
             .aliases = {"optimal"},
             .paper = section,
             .origin = Origin::paper,
             .summary = "N translated spanning trees that never share a link in a step",
             .idea = "One broadcast tree for root 0, with a step for every link; the same tree XORed with r for every "
                     "root r, all N at once. Two roots could meet on a link only if root 0's tree used two links of "
                     "the same port in one step. So the nodes are numbered such that any d in a row have d different "
                     "ports, and every parent comes in an earlier step: level by level, rotations side by side.",
             .formula = {.steps = "ceil(m (N - 1)/d)", .transmissions = "m N (N - 1)"},
             .paper_note = "Bertsekas et al. prove ceil((N - 1)/d) steps and N (N - 1) transmissions in section 2 and "
                           "Table I, and in the appendix that d never divides 2^d - 1 for d > 1. m packets a node are "
                           "dcube's. The paper's argument by distances leaves out the class R_21 and d = 3 and 4, "
                           "where it is true because whole classes fill steps (errata, 15)."}),
        all_gather_entry({.collective = Collective::reduce_scatter,
                          .name = "recursive-halving",
                          .paper = one_port,
                          .origin = Origin::dcube,
                          .summary = "all-gather by recursive doubling, backwards",
                          .idea = "All-gather by recursive doubling read backwards: over the highest port every node "
                                  "hands over its sums of the half of the blocks that belongs to the other side, adds "
                                  "what comes, and goes on with the half that is left.",
                          .formula = {.steps = "m (N - 1)", .transmissions = "m N (N - 1)"},
                          .paper_note = "It reverses the all-gather by recursive doubling.",
                          .ports = PortModel::one}),
        all_gather_entry(
            {.collective = Collective::reduce_scatter,
             .name = "rotated-trees",
             .aliases = {"optimal"},
             .paper = section,
             .origin = Origin::refinement,
             .summary = "the optimal all-gather, backwards",
             .idea = "The optimal all-gather read backwards: block r is summed up along the tree of root r, and all N "
                     "trees run at once without meeting. Adding does not save packets: as many move as in all-gather.",
             .formula = {.steps = "ceil(m (N - 1)/d)", .transmissions = "m N (N - 1)"},
             .paper_note = "The multinode broadcast of Bertsekas et al., section 2, backwards: as many steps and "
                           "transmissions. Bertsekas et al. call it multinode accumulation."}),
    };
}

}  // namespace dcube::detail
