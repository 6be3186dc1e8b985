// edge-colouring: hops of classes dealt out to links by colouring a bipartite graph's edges.
// dcube's; goes beyond Dimakopoulos & Dimopoulos 1998, whose A3 does not meet the bound on rings with n = 2 mod 4. All
// ports; all factors are rings (n_i >= 3) or complete graphs, N nodes.
//
// All nodes act alike. A class (the packets with one offset) is a job, a generator of a factor (a direction round a
// ring, an offset in a complete graph) a machine, and a class needs as many unit operations of a generator as it makes
// hops there. Hops commute, so any order will do: an open shop with unit operations. Its operations are the edges of a
// bipartite multigraph of jobs and machines, and a colouring of the edges gives each its step. The colours are made one
// after the other, such that few classes are under way at once (pack_edges): their blocks are what waits in nodes.
//
// Steps: by Koenig's theorem as many as the busiest machine, or the longest job, has operations. Machines have
//   complete graph   N / n                 each offset is that of N / n classes
//   odd ring         (N / n)(n^2 - 1) / 8  1 + 2 + .. + (n - 1) / 2 hops up for each offset in the other factors
//   even ring        ceil(N n / 8)         the same up to n / 2 - 1, and n / 2 hops of every second class half round
// which is the bound of the cuts of all copies of a factor (L5), rounded up: a ring is cut into halves at two links, a
// complete graph into any two parts. The longest job is the diameter, and never longer: of k factors let i be the one
// of the largest diameter d_i. Each of its machines has at least (N / n_i) d_i >= 2^(k-1) d_i >= k d_i operations,
// since n^2 / 8 >= n / 2 for even rings, (n^2 - 1) / 8 >= (n - 1) / 2 for odd ones. So the bound is met.
//
// Half the classes that go half round an even ring cannot be taken if N / n is odd. Then the classes that move in this
// ring only are left out, n^2 / 8 operations rounded up are reserved on each of its machines instead, and in the steps
// that these get the ring's own exchange is made, in which even and odd nodes differ (at most one factor is so).
//
// Transmissions: the sum of all distances. Planning takes memory as the hops of one node, and time as these times the
// length of the paths along which a step's operations are exchanged.

#include "algorithms/papers/dimakopoulos/exchanges.hpp"

#include "algorithms/papers/dimakopoulos/entries.hpp"
#include "algorithms/papers/dimakopoulos/factor_exchange.hpp"
#include "algorithms/papers/dimakopoulos/factor_group.hpp"
#include "collectives/graphs/edge_colouring.hpp"

#include <fmt/format.h>

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

// A ring of an even number of nodes in an odd number of copies.
std::optional<unsigned> unbalanced_ring(const Topology& topology)
{
    for (unsigned i = 0; i < topology.dimension(); ++i) {
        const Graph& factor = topology.factor(i);
        if (factor.kind() == Kind::ring && factor.nodes() % 2 == 0 && topology.nodes() / factor.nodes() % 2 == 1)
            return i;
    }
    return std::nullopt;
}

// The order in which classes are begun. Classes whose offsets differ by the same number in every factor need the same
// links in turn, so that they pass one after the other. Four neighbours go together, whose blocks, if small, share
// lines of the cache; and a class goes with its opposite, so that in place what comes from a node does not long precede
// what goes there.
std::vector<NodeId> classes_in_order(const Topology& topology)
{
    constexpr NodeId together = 4;
    NodeId ones = 0;
    for (unsigned i = 0; i < topology.dimension(); ++i)
        ones += topology.stride(i);
    std::vector<NodeId> order;
    std::vector<bool> had(topology.nodes());
    for (NodeId first = 0; first < topology.nodes(); first += together) {
        NodeId by = 0;
        for (std::size_t before = ~std::size_t{0}; before != order.size(); by = topology.translate(by, ones)) {
            before = order.size();
            for (NodeId node = first; node < std::min(first + together, topology.nodes()); ++node) {
                const NodeId there = topology.translate(node, by);
                for (const NodeId target : {there, topology.untranslate(0, there)})
                    if (!had[target]) {
                        had[target] = true;
                        order.push_back(target);
                    }
            }
        }
    }
    return order;
}

class OpenShop {
public:
    explicit OpenShop(const Topology& topology)
        : topology_(topology), unbalanced_(unbalanced_ring(topology)), opposite_(topology.dimension())
    {
        for (const NodeId target : classes_in_order(topology))
            if (target != 0 && !moves_there_only(target))
                add_class(target);
        if (unbalanced_)
            reserve_unbalanced_ring();
    }

    Schedule schedule()
    {
        const auto steps = static_cast<Step>(std::max<std::uint64_t>(largest_degree(operations_), longest_job_));
        const std::vector<std::uint32_t> colours = pack_edges(operations_, steps);
        schedule_.steps = steps;
        if (unbalanced_)
            schedule_.alternating = {*unbalanced_};
        emit_classes(colours);
        if (unbalanced_)
            emit_unbalanced_ring(colours);
        return in_order(std::move(schedule_));
    }

private:
    [[nodiscard]] bool moves_there_only(NodeId target) const
    {
        return unbalanced_ && target == topology_.digit(target, *unbalanced_) * topology_.stride(*unbalanced_);
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
        longest_job_ = std::max(longest_job_, operations_.size() - first_operation_.back());
    }

    // Jobs of one operation each, which keep the unbalanced ring's links free for it.
    void reserve_unbalanced_ring()
    {
        first_reserved_ = operations_.size();
        const auto steps = static_cast<NodeId>(factor_exchange_steps(topology_.factor(*unbalanced_), PortModel::all));
        auto job = static_cast<std::uint32_t>(targets_.size());
        for (const Port direction : {0U, 1U})
            for (NodeId step = 0; step < steps; ++step)
                add_operations(job++, topology_.first_port(0, *unbalanced_) + direction, 1);
    }

    void emit(Step step, Port port, NodeId origin, NodeId target)
    {
        schedule_.hops.push_back({step, 0, port, {origin, target, 0}});
        if (unbalanced_)
            schedule_.hops.push_back({step, 1, port, {origin, target, 0}});
    }

    void emit_classes(const std::vector<std::uint32_t>& colours)
    {
        struct Operation {
            std::uint32_t colour;
            Port generator;
        };
        std::vector<Operation> path;
        first_operation_.push_back(unbalanced_ ? first_reserved_ : operations_.size());
        for (std::size_t job = 0; job < targets_.size(); ++job) {
            path.clear();
            for (std::size_t i = first_operation_[job]; i < first_operation_[job + 1]; ++i)
                path.push_back({colours[i], operations_[i].right});
            std::ranges::sort(path, {}, &Operation::colour);
            NodeId made = 0;
            for (const Operation& hop : path) {
                emit(hop.colour + 1, hop.generator, topology_.untranslate(0, made),
                     topology_.untranslate(targets_[job], made));
                made = topology_.neighbour(made, hop.generator);
            }
        }
    }

    // The t-th step that is reserved in one direction has the t-th step of that direction in the ring's own exchange.
    void emit_unbalanced_ring(const std::vector<std::uint32_t>& colours)
    {
        const std::shared_ptr<const Schedule> ring = factor_exchange(topology_.factor(*unbalanced_), PortModel::all);
        const auto first = colours.begin() + static_cast<std::ptrdiff_t>(first_reserved_);
        std::vector<std::uint32_t> steps[2] = {{first, first + ring->steps}, {first + ring->steps, colours.end()}};
        for (std::vector<std::uint32_t>& of_direction : steps)
            std::ranges::sort(of_direction);
        const NodeId stride = topology_.stride(*unbalanced_);
        for (const Hop& hop : ring->hops)
            schedule_.hops.push_back({steps[hop.port][hop.step - 1] + 1,
                                      hop.from,
                                      topology_.first_port(0, *unbalanced_) + hop.port,
                                      {hop.packet.origin * stride, hop.packet.target * stride, 0}});
    }

    const Topology& topology_;
    std::optional<unsigned> unbalanced_;
    std::vector<NodeId> opposite_;  // classes with half a turn in each ring so far
    std::vector<NodeId> targets_;   // by job
    std::vector<std::size_t> first_operation_;
    std::vector<ColouredEdge> operations_;
    std::size_t first_reserved_ = 0;
    std::size_t longest_job_ = 0;
    Schedule schedule_{Symmetry::translated, 0, {}};
};

}  // namespace

std::uint64_t edge_colouring_steps(const Topology& topology)
{
    return largest_of_factors(topology, [&](unsigned i) { return busiest_link(topology, i); });
}

Schedule edge_colouring(const Topology& topology)
{
    return OpenShop(topology).schedule();
}

namespace {

Phases edge_colouring_phases(const Topology& topology)
{
    const std::uint64_t steps = edge_colouring_steps(topology);
    return whole_run(steps, {"all blocks at once",
                             fmt::format("Every block makes its hops in whatever order keeps the links busy, so that "
                                         "no more steps are needed than the busiest link has packets, {}; all nodes do "
                                         "the same, seen from themselves.",
                                         steps)});
}

// The busiest port: of a complete graph each has N/n hops, of a ring half of all hops go each way.
std::optional<CaseFormula> edge_colouring_formula(const Topology& topology, const Problem&)
{
    CaseFormula formula;
    FormulaTerms terms;
    for (unsigned i = 0; i < topology.dimension(); ++i) {
        const NodeId nodes = topology.factor(i).nodes();
        const std::string n = fmt::format("n_{}", i + 1);
        formula.letters[n] = nodes;
        if (topology.factor(i).kind() == Graph::Kind::complete || nodes <= 3)
            terms.push_back("N/" + n);
        else
            terms.push_back(nodes % 2 == 0 ? fmt::format("ceil(N {}/8)", n) : fmt::format("N ({0}^2 - 1)/(8 {0})", n));
    }
    formula.text = fmt::format("m {}", largest_of(terms));
    return formula;
}

}  // namespace

Entry edge_colouring_entry()
{
    return exchange_entry(
        {{.collective = Collective::all_to_all,
          .name = "edge-colouring",
          .ports = PortModel::all,
          .networks = Networks::rings_and_complete},
         {.aliases = {"open shop"},
          .paper = "beyond Dimakopoulos & Dimopoulos 1998",
          .origin = Origin::dcube,
          .summary = "optimal: hops of classes dealt out to links by colouring a bipartite graph's edges",
          .idea = "All nodes act alike, so schedule one. A class, all packets of one offset, is a job; a generator "
                  "(a direction round a ring, a neighbour in a complete graph) is a machine; hops commute, so any "
                  "order will do: an open shop. Its operations are the edges of a bipartite graph, which can be "
                  "coloured with as many colours as the busiest machine has operations (Koenig). Colour = step.",
          .formula = {.words = "Every term is how many hops of all classes together each port of one factor has: of "
                               "a complete graph N/n_i, of a ring half of its hops each way"},
          .paper_note =
              "Dimakopoulos & Dimopoulos call homogeneous tori optimal under A3 by the cut bound. That holds only "
              "where a ring meets it before it is rounded up; this meets it for every ring (errata, 16).",
          .case_formula = edge_colouring_formula}},
        {edge_colouring, edge_colouring_steps, edge_colouring_phases});
}

}  // namespace dcube::detail
