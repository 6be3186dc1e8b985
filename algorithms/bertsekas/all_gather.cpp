// All-gather: every node's message reaches all nodes. Reduce-scatter: every node gets the sum of all messages for it.
// Bertsekas et al. 1991, section 2 (multinode broadcast, and its reversal, multinode accumulation). m packets a
// message.
//
//   rotated-trees        all ports   ceil(m(N-1)/d) steps   mN(N-1) transmissions   both optimal
//   recursive-doubling   one port    m(N-1) steps           mN(N-1) transmissions   both optimal

#include "algorithms/bertsekas/all_gather.hpp"

#include "algorithms/bertsekas/necklaces.hpp"
#include "algorithms/families.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/plan.hpp"

#include <algorithm>
#include <memory>

namespace dcube::detail {

namespace {

struct Numbered {
    NodeId node;
    std::uint32_t copy;
};

// The numbering of paper section 2, and of all copies together where messages have several packets: d consecutive
// numbers use d different ports, so d nodes can be reached in one step, and a parent's number is always at least a step
// earlier.
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
    void append_level(unsigned k)
    {
        const std::vector<NodeId> classes = classes_of_level(k, d_);
        for (std::uint32_t copy = 0; copy < copies_; ++copy)  // the block classes first: they are the others' parents
            append_class(classes.front(), copy, true);
        for (std::uint32_t copy = 0; copy < copies_; ++copy)
            for (std::size_t other = 1; other < classes.size(); ++other)
                append_class(classes[other], copy, false);
    }

    // A class from the member that has a 1 at the next number's port; in a block class it must be the last of its ones.
    void append_class(NodeId member, std::uint32_t copy, bool is_block)
    {
        const auto port = static_cast<unsigned>(nodes_.size() % d_);
        while (!has_bit(member, port) || (is_block && has_bit(member, (port + d_ - 1) % d_)))
            member = rotated(member, 1, d_);
        const unsigned size = class_size(member, d_);
        for (unsigned i = 0; i < size; ++i, member = rotated(member, 1 % d_, d_))
            nodes_.push_back({member, copy});
    }

    // The youngest copy first; a number with the last port would come too early for the copy before.
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
        const NodeId parent = node ^ bit(port);  // relative to the origin: so the origin lies this far from the sender
        schedule.hops.push_back({static_cast<Step>(i / d + 1), 0, port, {parent, 0, copy}});
    }
    return schedule;
}

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

std::size_t plan_bytes(const Topology& topology, const Problem& problem)
{
    return (topology.nodes() - 1) * problem.packets * (2 * sizeof(Action) + sizeof(Hop));
}

// In reduce-scatter the sums under way are in slots; a node begins at most one for every block that is not its own.
std::size_t storage(const Topology& topology, const Problem& problem)
{
    if (problem.collective == Collective::all_gather)
        return plan_bytes(topology, problem);
    return plan_bytes(topology, problem) +
           (std::size_t{topology.nodes()} * topology.nodes() / 2) * problem.packets * problem.bytes;
}

CollectiveProgram prepare(const Topology& topology, const Problem& problem, PortModel ports)
{
    Schedule schedule = all_gather_schedule(topology, ports, static_cast<std::uint32_t>(problem.packets));
    if (problem.collective == Collective::reduce_scatter)
        schedule = reversed(topology, schedule, Arrival::added);
    const auto plan = std::make_shared<const Plan>(topology, problem, schedule);
    return [plan](Node& me, NodeData data) { return run_plan(me, *plan, data); };
}

Algorithm entry(Collective collective, PortModel ports, std::string_view name, std::vector<std::string_view> aliases,
                std::string_view paper, std::string_view summary)
{
    return {
        .collective = collective,
        .name = name,
        .aliases = std::move(aliases),
        .paper = paper,
        .summary = summary,
        .ports = ports,
        .cost =
            [ports](const Topology& topology, const Problem& problem) {
                const std::uint64_t n = topology.nodes();
                const std::uint64_t packets = problem.packets * (n - 1);
                return Cost{ports == PortModel::all ? steps_over_links(packets, topology) : packets, packets * n};
            },
        .storage = storage,
        .prepare = [ports](const Topology& topology,
                           const Problem& problem) { return prepare(topology, problem, ports); },
    };
}

}  // namespace

Schedule all_gather_schedule(const Topology& topology, PortModel ports, std::uint32_t packets)
{
    return ports == PortModel::all ? rotated_trees(topology, packets) : recursive_doubling(topology, packets);
}

std::vector<Algorithm> all_gather_family()
{
    return {
        entry(Collective::all_gather, PortModel::one, "recursive-doubling", {},
              "Bertsekas et al. 1991, section 1 (one port)", "partners over port k swap the packets of 2^k origins"),
        entry(Collective::all_gather, PortModel::all, "rotated-trees", {"optimal"}, "Bertsekas et al. 1991, section 2",
              "N translated spanning trees that never share a link in a step"),
        entry(Collective::reduce_scatter, PortModel::one, "recursive-halving", {},
              "Bertsekas et al. 1991, section 1 (one port)", "all-gather by recursive doubling, backwards"),
        entry(Collective::reduce_scatter, PortModel::all, "rotated-trees", {"optimal"},
              "Bertsekas et al. 1991, section 2", "the optimal all-gather, backwards"),
    };
}

}  // namespace dcube::detail
