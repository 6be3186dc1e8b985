// Uneven messages: m(u, v) packets from u to v.
//
//   node-links   the packets that leave u by its p ports: of those for nodes k links away or more the last one leaves
//                in step ceil(n_k / p) or later, and has k hops to go. What reaches v is the same backwards.
//   cut          what must cross from some nodes to the others, over the links that lead there: in one direction of a
//                dimension or a factor, out of or into subcubes of every size and position, balls round nodes
//   entrances    the same where some of these links bring nothing in the first steps, as nothing can have come to them,
//                or in the last ones, as it would be too late: T is the least with the sum of max(0, T - wait) >= n
//   hops         the sum of the distances over all links (one port: over the packets that can move at once)
//   distance     some packet goes that far
//
// All-gather is the same where every packet has to reach all nodes: every cut is crossed by all packets inside. Reduce-
// scatter is an all-gather backwards, and gather a scatter.

#include "collectives/bounds/uneven.hpp"

#include "base/arithmetic.hpp"
#include "base/memo.hpp"
#include "base/numbers.hpp"
#include "collectives/graphs/arcs.hpp"
#include "collectives/graphs/hall.hpp"
#include "collectives/unit_question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <ranges>
#include <string>
#include <utility>

namespace dcube {

namespace {

using Kind = Argument::Kind;
using Inside = std::vector<bool>;

// Looks at counts for all cuts together: about a tenth of a second.
constexpr std::uint64_t most_looks_at_counts = 50'000'000;

/// What goes from where to where. In an all-gather every packet goes to all nodes, and is counted once wherever it has
/// to come; a reduction is looked at backwards.
class Traffic {
public:
    Traffic(const Topology& topology, const Problem& problem)
        : nodes_(topology.nodes()), pattern_(pattern_of(problem.collective)), root_(problem.root),
          reversed_(is_reversed(problem.collective)), counts_(problem.counts)
    {
    }

    [[nodiscard]] bool reversed() const { return reversed_; }
    [[nodiscard]] bool copies() const { return pattern_ == Pattern::each_to_all; }

    /// The nodes that packets may come from; forwards, also in a reduction. Pairs of all nodes would be too many in
    /// networks of a million nodes, of which only the root has packets.
    [[nodiscard]] std::ranges::iota_view<NodeId, NodeId> origins() const
    {
        return pattern_ == Pattern::one_to_each ? std::views::iota(root_, root_ + 1)
                                                : std::views::iota(NodeId{0}, nodes_);
    }

    /// Packets that have to get from one node to another; forwards, also in a reduction.
    [[nodiscard]] std::uint64_t packets(NodeId from, NodeId to) const
    {
        if (from == to)
            return 0;
        if (pattern_ == Pattern::each_to_each)
            return counts_[std::size_t{from} * nodes_ + to];
        if (copies())
            return counts_[from];
        return from == root_ ? counts_[to] : 0;
    }

    /// What nodes outside need from those inside, or `inwards` the other way: where it comes from, and where it goes.
    struct Crossing {
        std::uint64_t packets = 0;
        std::vector<NodeId> origins{};
        std::vector<NodeId> targets{};  ///< where each packet has one
    };
    [[nodiscard]] Crossing across(const Inside& inside, bool inwards) const
    {
        Crossing all;
        std::vector<bool> is_target(nodes_);
        std::vector<NodeId> outside;
        for (NodeId node = 0; node < nodes_; ++node)
            if (inside[node] == inwards)
                outside.push_back(node);
        for (NodeId node = 0; node < nodes_; ++node) {
            if (inside[node] == inwards || (pattern_ == Pattern::one_to_each && node != root_))
                continue;
            std::uint64_t here = copies() && !outside.empty() ? counts_[node] : 0;
            for (std::size_t i = 0; !copies() && i < outside.size(); ++i) {
                const std::uint64_t packets_there = packets(node, outside[i]);
                here += packets_there;
                is_target[outside[i]] = is_target[outside[i]] || packets_there > 0;
            }
            if (here > 0)
                all.origins.push_back(node);
            all.packets += here;
        }
        for (const NodeId node : outside)
            if (is_target[node])
                all.targets.push_back(node);
        return all;
    }

private:
    NodeId nodes_;
    Pattern pattern_;
    NodeId root_;
    bool reversed_;
    const std::vector<std::uint32_t>& counts_;
};

class UnevenArguments {
public:
    UnevenArguments(const Topology& topology, PortModel ports, const Problem& problem)
        : topology_(topology), ports_(ports), problem_(problem), traffic_(topology, problem)
    {
    }

    std::vector<Argument> all() &&
    {
        add_distance();
        if (distance_ == 0)
            return {nothing_to_do("nothing has to move")};
        add_nodes();
        if (ports_ == PortModel::all) {
            add_factor_cuts();
            add_other_cuts();
        }
        add_hops();
        return std::move(arguments_);
    }

private:
    void add_distance()
    {
        Argument far{
            .kind = Kind::distance, .name = "distance", .reason = "the longest distance of any packet", .far = 0};
        for (const NodeId from : traffic_.origins())
            for (NodeId to = 0; to < topology_.nodes(); ++to)
                if (const unsigned here = topology_.distance(from, to);
                    here > far.far && traffic_.packets(from, to) > 0) {
                    far.far = here;
                    far.node = traffic_.reversed() ? to : from;
                    far.other = traffic_.reversed() ? from : to;
                }
        distance_ = static_cast<unsigned>(far.far);
        arguments_.push_back(std::move(far));
    }

    [[nodiscard]] std::ranges::iota_view<NodeId, NodeId> all_nodes() const
    {
        return std::views::iota(NodeId{0}, topology_.nodes());
    }

    // The largest of those about leaving one node, and about reaching one.
    void add_nodes()
    {
        for (const bool out : {true, false}) {
            std::optional<Argument> most;
            for (const NodeId node : out ? traffic_.origins() : all_nodes())
                if (std::optional<Argument> one = at_node(node, out); one && (!most || one->value() > most->value()))
                    most = std::move(one);
            if (most)
                arguments_.push_back(*std::move(most));
        }
    }

    std::optional<Argument> at_node(NodeId node, bool out) const
    {
        std::vector<std::uint64_t> by_distance(distance_ + 1);
        std::vector<NodeId> example(distance_ + 1);
        for (const NodeId other : out ? all_nodes() : traffic_.origins()) {
            const std::uint64_t packets = out ? traffic_.packets(node, other) : traffic_.packets(other, node);
            const unsigned far = topology_.distance(node, other);
            if (packets == 0)
                continue;
            example[far] = other;
            // Copies leave once; the farthest one is what counts.
            by_distance[far] = traffic_.copies() && out ? packets : by_distance[far] + packets;
        }
        const bool leaving = out != traffic_.reversed();
        Argument one{.kind = leaving ? Kind::leaving : Kind::arriving,
                     .name = "node-links",
                     .reason = leaving
                                   ? "the packets of one node leave it by its ports, those with the farthest to go "
                                     "first"
                                   : "the packets for one node reach it by its ports, those from farthest away last",
                     .per_step = ports_ == PortModel::one ? 1 : topology_.ports(node),
                     .node = node};
        std::optional<Argument> most;
        std::uint64_t beyond = 0;
        for (unsigned far = distance_; far > 0; --far) {
            if (by_distance[far] == 0)
                continue;
            beyond = traffic_.copies() && out ? by_distance[far] : beyond + by_distance[far];
            one.factors = {beyond, 1};  // of many nodes
            one.far = far;
            one.other = example[far];
            if (!most || one.value() > most->value())
                most = one;
            if (traffic_.copies() && out)
                break;
        }
        return most;
    }

    // ---- Cuts ----

    void add_cut(NodeCut cut, bool inwards, std::uint64_t packets, std::uint64_t links, std::string_view name,
                 std::string reason)
    {
        if (packets == 0 || links == 0 || detail::ceil_div(packets, links) <= most_of_cuts_)
            return;
        most_of_cuts_ = detail::ceil_div(packets, links);
        if (inwards != traffic_.reversed())
            cut.inside.flip();
        best_cut_ = {.kind = Kind::cut,
                     .name = name,
                     .reason = std::move(reason),
                     .factors = {packets},
                     .per_step = links,
                     .cut = std::move(cut)};
    }

    void take_best_cut()
    {
        if (best_cut_)
            arguments_.push_back(*std::move(best_cut_));
        best_cut_.reset();
    }

    // Every factor's nodes in two parts: a row of neighbours in rings and paths, elsewhere the nodes round one.
    void add_factor_cuts()
    {
        for (unsigned factor = 0; factor < topology_.dimension(); ++factor) {
            const Graph& graph = topology_.factor(factor);
            const std::vector<std::uint64_t> between = between_digits(factor);
            for_each_part(graph, [&](const Inside& part) {
                for (const bool inwards : {false, true})
                    add_cut(
                        {factor, part}, inwards, across_digits(between, part, inwards),
                        links_of(graph, part) * (topology_.nodes() / graph.nodes()), "cut",
                        topology_.is_hypercube()
                            ? "the packets that cross one dimension in one direction have N/2 links"
                            : "the packets that cross one factor in one direction, over the links of all its copies");
            });
        }
        take_best_cut();
    }

    // Packets from each digit of a factor to each; copies are counted once, where they start.
    [[nodiscard]] std::vector<std::uint64_t> between_digits(unsigned factor) const
    {
        const std::size_t digits = topology_.factor(factor).nodes();
        std::vector<std::uint64_t> between(digits * digits);
        const auto at = [&](NodeId from, NodeId to) -> std::uint64_t& {
            return between[topology_.digit(from, factor) * digits + topology_.digit(to, factor)];
        };
        for (const NodeId from : traffic_.origins())
            if (traffic_.copies())
                at(from, from) += problem_.counts[from];
            else
                for (NodeId to = 0; to < topology_.nodes(); ++to)
                    at(from, to) += traffic_.packets(from, to);
        return between;
    }

    [[nodiscard]] std::uint64_t across_digits(const std::vector<std::uint64_t>& between, const Inside& part,
                                              bool inwards) const
    {
        const std::size_t digits = part.size();
        std::uint64_t sum = 0;
        for (std::size_t a = 0; a < digits; ++a)
            for (std::size_t b = 0; b < digits; ++b)
                if (part[a] != inwards && (traffic_.copies() || part[b] == inwards))
                    sum += between[a * digits + b];
        return sum;
    }

    // Links that lead from one part to the other, in one direction.
    static std::uint64_t links_of(const Graph& graph, const Inside& part)
    {
        std::uint64_t links = 0;
        for (NodeId node = 0; node < graph.nodes(); ++node)
            for (Port port = 0; part[node] && port < graph.ports(node); ++port)
                links += part[graph.neighbour(node, port)] ? 0 : 1;
        return links;
    }

    template <class Visit>
    static void for_each_part(const Graph& graph, const Visit& visit)
    {
        const NodeId nodes = graph.nodes();
        const bool rows = graph.kind() == Graph::Kind::ring || graph.kind() == Graph::Kind::path;
        for (NodeId first = 0; first < nodes; ++first) {
            Inside part(nodes);
            const NodeId longest = rows ? nodes / 2 : graph.diameter() - 1;
            for (NodeId size = rows ? 1 : 0; size <= longest; ++size) {
                for (NodeId node = 0; node < nodes; ++node)
                    part[node] = rows ? (node + nodes - first) % nodes < size : graph.distance(first, node) <= size;
                visit(part);
            }
        }
    }

    // Hypercubes: subcubes. Elsewhere the nodes round each.
    void add_other_cuts()
    {
        if (topology_.is_hypercube())
            add_subcubes();
        else
            add_balls();
        take_best_cut();
    }

    [[nodiscard]] bool is_affordable(std::uint64_t inside)
    {
        looks_ += inside * topology_.nodes() + 4 * topology_.directed_links();
        return looks_ <= most_looks_at_counts;
    }

    // A subcube is given by the dimensions that are free in it, and by the bits of the others.
    void add_subcubes()
    {
        const NodeId all = topology_.nodes() - 1;
        const unsigned d = topology_.dimension();
        for (NodeId free = 0; free < all; ++free)
            for (NodeId fixed = 0; fixed <= all; ++fixed) {
                if ((fixed & free) != 0)
                    continue;
                const NodeId nodes = NodeId{1} << static_cast<unsigned>(std::popcount(free));
                if (!is_affordable(nodes))
                    return;
                Inside inside(topology_.nodes());
                for (NodeId node = 0; node <= all; ++node)
                    inside[node] = (node & ~free) == fixed;
                add_both(inside, std::uint64_t{nodes} * (d - static_cast<unsigned>(std::popcount(free))));
            }
    }

    void add_balls()
    {
        for (NodeId centre = 0; centre < topology_.nodes(); ++centre)
            for (unsigned radius = 0; radius < topology_.diameter(); ++radius) {
                Inside inside(topology_.nodes());
                std::uint64_t links = 0;
                for (NodeId node = 0; node < topology_.nodes(); ++node)
                    inside[node] = topology_.distance(centre, node) <= radius;
                for (NodeId node = 0; node < topology_.nodes(); ++node)
                    for (Port port = 0; inside[node] && port < topology_.ports(node); ++port)
                        links += inside[topology_.neighbour(node, port)] ? 0 : 1;
                if (!is_affordable(static_cast<std::uint64_t>(std::ranges::count(inside, true))))
                    return;
                add_both(inside, links);
            }
    }

    void add_both(const Inside& inside, std::uint64_t links)
    {
        const auto nodes = static_cast<std::uint64_t>(std::ranges::count(inside, true));
        for (const bool inwards : {false, true}) {
            const Traffic::Crossing crossing = traffic_.across(inside, inwards);
            if (crossing.packets == 0)
                continue;
            const bool leave = inwards == traffic_.reversed();
            const std::string what =
                fmt::format("the packets that must {} {} have {}", leave ? "leave" : "reach",
                            nodes == 1 ? "one node" : fmt::format("{} nodes", grouped(nodes)), grouped(links, "link"));
            const std::vector<std::uint64_t> waits = waits_of(inside, inwards, crossing);
            if (waits.empty() || waits.back() == 0) {
                add_cut({std::nullopt, inside}, inwards, crossing.packets, links, "cut", what);
                continue;
            }
            const std::uint64_t steps = detail::least_steps(crossing.packets, waits);
            if (steps <= most_of_cuts_)
                continue;
            most_of_cuts_ = steps;
            best_cut_ = {.kind = Kind::entering,
                         .name = "entrances",
                         .reason = what + ", not all of them near enough to be of use from beginning to end",
                         .factors = {crossing.packets},
                         .per_step = links,
                         .cut = {std::nullopt, inside},
                         .waits = waits,
                         .outwards = true};
            if (inwards != traffic_.reversed())
                best_cut_->cut.inside.flip();
        }
    }

    // For each link of a cut: the steps in which it brings nothing, because nothing can have come to it, or what it
    // brings could not get to where it has to. Of a packet that crosses several times the first crossing counts, so
    // that it comes there without leaving its side.
    [[nodiscard]] std::vector<std::uint64_t> waits_of(const Inside& inside, bool inwards,
                                                      const Traffic::Crossing& crossing) const
    {
        const std::vector<std::uint32_t> before =
            hops_from(crossing.origins, [&](NodeId node) { return inside[node] != inwards; });
        const std::vector<std::uint32_t> after = crossing.targets.empty()
                                                     ? std::vector<std::uint32_t>(topology_.nodes())
                                                     : hops_from(crossing.targets, [](NodeId) { return true; });
        std::vector<std::uint64_t> waits;
        for (NodeId node = 0; node < topology_.nodes(); ++node)
            for (Port port = 0; inside[node] != inwards && port < topology_.ports(node); ++port) {
                const NodeId next = topology_.neighbour(node, port);
                if (inside[next] == inwards && before[node] != detail::unreachable)
                    waits.push_back(std::uint64_t{before[node]} + after[next]);
            }
        std::ranges::sort(waits);
        return waits;
    }

    template <class Allowed>
    [[nodiscard]] std::vector<std::uint32_t> hops_from(const std::vector<NodeId>& starts, const Allowed& allowed) const
    {
        std::vector<std::uint32_t> hops(topology_.nodes(), detail::unreachable);
        std::vector<NodeId> reached = starts;
        for (const NodeId node : starts)
            hops[node] = 0;
        for (std::size_t i = 0; i < reached.size(); ++i)
            for (Port port = 0; port < topology_.ports(reached[i]); ++port)
                if (const NodeId next = topology_.neighbour(reached[i], port);
                    hops[next] == detail::unreachable && allowed(next)) {
                    hops[next] = hops[reached[i]] + 1;
                    reached.push_back(next);
                }
        return hops;
    }

    void add_hops()
    {
        const std::uint64_t moves =
            ports_ == PortModel::all ? topology_.directed_links() : simultaneous_moves(topology_);
        const std::string packets =
            traffic_.copies() ? "every packet goes to all other nodes" : "the sum of all distances";
        arguments_.push_back({.kind = Kind::hops,
                              .name = traffic_.copies() ? "transmissions" : "hops",
                              .reason = ports_ == PortModel::all
                                            ? packets + ", over all links"
                                            : fmt::format("{}; at most {} packets can move at once", packets, moves),
                              .factors = {transmissions_of_uneven(topology_, problem_).value},
                              .per_step = moves});
    }

    const Topology& topology_;
    PortModel ports_;
    const Problem& problem_;
    Traffic traffic_;
    std::vector<Argument> arguments_;
    unsigned distance_ = 0;
    std::optional<Argument> best_cut_;
    std::uint64_t most_of_cuts_ = 0;
    std::uint64_t looks_ = 0;
};

}  // namespace

std::shared_ptr<const std::vector<Argument>> uneven_arguments(const Topology& topology, PortModel ports,
                                                              const Problem& problem)
{
    validate(problem, topology);
    static detail::Memo<detail::UnitQuestion, std::vector<Argument>> memo(16);
    return memo.get(detail::question_of(topology, ports, problem),
                    [&] { return UnevenArguments(topology, ports, problem).all(); });
}

Argument steps_of_uneven(const Topology& topology, PortModel ports, const Problem& problem)
{
    const auto all = uneven_arguments(topology, ports, problem);
    return *std::ranges::max_element(*all, {}, &Argument::value);
}

std::uint64_t packets_of_uneven(const Topology& topology, const Problem& problem)
{
    const Traffic traffic(topology, problem);
    std::uint64_t packets = 0;
    for (const NodeId from : traffic.origins())
        for (NodeId to = 0; to < topology.nodes(); ++to)
            packets += traffic.packets(from, to);
    return packets;
}

Bound transmissions_of_uneven(const Topology& topology, const Problem& problem)
{
    const Traffic traffic(topology, problem);
    std::uint64_t hops = 0;
    for (const NodeId from : traffic.origins())
        for (NodeId to = 0; to < topology.nodes(); ++to)
            hops += traffic.packets(from, to) * (traffic.copies() ? 1 : topology.distance(from, to));
    return {hops, traffic.copies() ? "every packet goes to all other nodes" : "the sum of the distances"};
}

}  // namespace dcube
