// Lower bounds of the virtual time. Bytes are whole and each of them crosses a link of its cut: the busiest link has no
// fewer than their number divided by the links, rounded up, and starts at least one packet. So this holds however
// messages are cut into packets.

#include "base/numbers.hpp"
#include "collectives/bounds/any_network.hpp"
#include "collectives/bounds/argument.hpp"
#include "collectives/bounds/demand.hpp"
#include "collectives/bounds/extremes.hpp"
#include "collectives/bounds/fabric.hpp"
#include "collectives/bounds/scan.hpp"
#include "collectives/bounds/uneven.hpp"
#include "collectives/graphs/arcs.hpp"
#include "collectives/graphs/cut_nodes.hpp"
#include "collectives/renamed.hpp"

#include <dcube/layout.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace dcube {

namespace {

using detail::Exact;
using detail::Integer;

using Kind = Argument::Kind;

/// Keeps the largest of the bounds that are added to it.
class LargestTime {
public:
    /// `unit`: the bytes of what the arguments count.
    LargestTime(const LinkModel& link, Integer unit, std::string none)
        : tau_(detail::exact(link.tau)),
          beta_(detail::exact(link.beta)), bound_{nothing_to_do(std::move(none)), std::move(unit), 0}
    {
    }

    /// Bytes have to cross `per_step` links, and the last of them has `far` - 1 links more to go; or, if links have
    /// prices, they pay as much as one byte on each link costs.
    void cut(Argument argument)
    {
        const Integer bytes = argument.packets() * bound_.unit;
        if (argument.kind == Kind::nothing || bytes == 0)  // uneven messages may all be for their own nodes
            return;
        const Exact across = tau_ * Exact((bytes + argument.per_step - 1) / argument.per_step) + beta_;
        const Exact value = across + (argument.far - 1) * (tau_ + beta_);
        keep(value, std::move(argument));
    }

    /// A byte, which is a packet at least, or an empty packet has to go so far.
    void path(NodeId from, NodeId to, unsigned distance, std::string reason)
    {
        const Exact hop = bound_.unit == 0 ? beta_ : tau_ + beta_;
        keep(distance * hop, {.kind = Kind::distance,
                              .name = "start-ups",
                              .reason = std::move(reason),
                              .far = distance,
                              .node = from,
                              .other = to});
    }

    /// From one node to all, or back: while a byte, or an empty packet, is sent, the nodes that hold it at most double.
    void doubling(NodeId node, unsigned doublings)
    {
        keep(doublings * (bound_.unit == 0 ? beta_ : tau_ + beta_),
             {.kind = Kind::doubling,
              .name = "doubling",
              .reason = "with one port the nodes that know of one at most double while a packet is sent",
              .factors = {1},
              .far = doublings,
              .node = node});
    }

    [[nodiscard]] TimeArgument bound() && { return std::move(bound_); }

private:
    void keep(const Exact& value, Argument argument)
    {
        if (value <= bound_.value)
            return;
        bound_.value = value;
        bound_.argument = std::move(argument);
    }

    Exact tau_;
    Exact beta_;
    TimeArgument bound_;
};

// Cuts of networks that are no hypercubes, for bounds of the virtual time.
// Why this holds: of every byte that must cross, one copy is followed to where it is needed (of a sum, one node's share
// of it). The busiest link of the cut carries at least their number over the links, one after the other; none of them
// has left before it came there from its origin, and the last one then has to go on to its target.

using detail::ArcId;
using detail::Arcs;
using Inside = std::vector<bool>;

// Looks at arcs: about a tenth of a second.
constexpr std::uint64_t most_looks_at_arcs = 20'000'000;

class TimeCuts {
public:
    TimeCuts(const Topology& topology, const Problem& problem, LargestTime& largest)
        : topology_(topology), problem_(problem), largest_(largest), arcs_(topology)
    {
    }

    void operator()()
    {
        for (const NodeId centre : centres())
            if (looks_ < most_looks_at_arcs)
                add_balls(centre);
        for (const NodeId node : detail::cut_nodes(arcs_))
            if (looks_ < most_looks_at_arcs)
                add_parts(node);
    }

private:
    // The ends first, then all others, unless they are all alike.
    [[nodiscard]] std::vector<NodeId> centres() const
    {
        std::vector<NodeId> all;
        if (has_root(problem_.collective))
            all.push_back(problem_.root);
        if (has_peer(problem_.collective))
            all.insert(all.end(), {problem_.root, problem_.peer});
        if (topology_.symmetric() && !all.empty())
            return all;
        for (NodeId node = 0; node < topology_.nodes(); ++node)
            all.push_back(node);
        if (topology_.symmetric() && !has_permutation(problem_.collective) && !is_scan(problem_.collective))
            all.resize(1);
        return all;
    }

    void add_balls(NodeId centre)
    {
        const std::vector<std::uint32_t> hops = detail::hops_from(arcs_, centre);
        const std::uint32_t farthest = *std::ranges::max_element(hops);
        for (std::uint32_t radius = 0; radius < farthest; ++radius) {
            Inside ball(topology_.nodes());
            for (NodeId node = 0; node < topology_.nodes(); ++node)
                ball[node] = hops[node] <= radius;
            add_both(std::move(ball));
        }
    }

    void add_parts(NodeId node)
    {
        const detail::WithoutNode rest = detail::without_node(arcs_, node);
        for (std::uint32_t part = 0; part < rest.parts.size(); ++part) {
            Inside inside(topology_.nodes());
            for (NodeId other = 0; other < topology_.nodes(); ++other)
                inside[other] = rest.part[other] == part;
            add_both(std::move(inside));
        }
    }

    void add_both(Inside inside)
    {
        add(inside);
        inside.flip();
        add(std::move(inside));
    }

    void add(Inside inside)
    {
        looks_ += std::uint64_t{3} * arcs_.size();
        const std::uint64_t messages = crossing(inside);
        if (messages == 0)
            return;
        std::vector<NodeId> tails;
        std::vector<NodeId> heads;
        for (ArcId arc = 0; arc < arcs_.size(); ++arc)
            if (inside[arcs_.from(arc)] && !inside[arcs_.to(arc)]) {
                tails.push_back(arcs_.from(arc));
                heads.push_back(arcs_.to(arc));
            }
        const std::uint64_t further = hops_before(inside, tails) + hops_after(inside, heads);
        largest_.cut({.kind = Kind::cut,
                      .name = "links-across",
                      .reason = words(inside, messages, tails.size(), further),
                      .factors = {messages},
                      .per_step = tails.size(),
                      .far = further + 1,
                      .cut = {.inside = std::move(inside)}});
    }

    [[nodiscard]] std::string words(const Inside& inside, std::uint64_t messages, std::uint64_t links,
                                    std::uint64_t further) const
    {
        const auto nodes = static_cast<std::uint64_t>(std::ranges::count(inside, true));
        const std::string to_go =
            further == 0 ? ""
                         : fmt::format(", and ha{} {} to go", messages == 1 ? "s" : "ve", grouped(further, "more hop"));
        return fmt::format("{} {} {} over {}{}",
                           messages == 1 ? "a message" : fmt::format("{} messages", grouped(messages)),
                           messages == 1 ? "leaves" : "leave", grouped(nodes, "node"), grouped(links, "link"), to_go);
    }

    // The number of messages, or of sums of messages, that nodes outside need from nodes inside.
    [[nodiscard]] std::uint64_t crossing(const Inside& inside) const
    {
        if (has_permutation(problem_.collective)) {
            std::uint64_t messages = 0;
            for (NodeId node = 0; node < inside.size(); ++node)
                messages += inside[node] && !inside[problem_.permutation[node]] ? 1 : 0;
            return messages;
        }
        if (is_scan(problem_.collective))
            return rank_of_cut(inside);
        const CollectiveTraits& of = traits(problem_.collective);
        if (of.origin == Who::ends)
            return inside[problem_.root] != inside[problem_.peer] ? 1 : 0;
        return ends_at(of.origin, inside, true) * ends_at(of.target, inside, false);
    }

    // The number of messages' origins, or targets, on that side. Who::nobody counts as 1, because it stands for all
    // nodes: the origins of a sum, or the targets of data for all nodes.
    [[nodiscard]] std::uint64_t ends_at(Who who, const Inside& inside, bool side) const
    {
        switch (who) {
        case Who::root: return inside[problem_.root] == side ? 1 : 0;
        case Who::peer: return inside[problem_.peer] == side ? 1 : 0;
        case Who::all: return static_cast<std::uint64_t>(std::ranges::count(inside, side));
        case Who::nobody:
        case Who::ends:
        case Who::partner: break;
        }
        return 1;
    }

    // Hops to the cut from the node that all of them come from, or, where all nodes have shares in them, from the
    // farthest.
    [[nodiscard]] std::uint64_t hops_before(const Inside& inside, std::span<const NodeId> tails) const
    {
        return hops_to_ends(traits(problem_.collective).origin, inside, true, tails);
    }

    // Hops from the cut to a node that needs all of them.
    [[nodiscard]] std::uint64_t hops_after(const Inside& inside, std::span<const NodeId> heads) const
    {
        return hops_to_ends(traits(problem_.collective).target, inside, false, heads);
    }

    [[nodiscard]] std::uint64_t hops_to_ends(Who who, const Inside& inside, bool side,
                                             std::span<const NodeId> border) const
    {
        if (is_scan(problem_.collective))
            return 0;  // some of the sums may need no more than the nodes at the cut
        if (has_peer(problem_.collective))
            return nearest(border, end_where(inside, side));
        if (who == Who::root)
            return nearest(border, problem_.root);
        return who == Who::nobody ? farthest(border, inside, side) : 0;  // else each has another end
    }

    [[nodiscard]] NodeId end_where(const Inside& inside, bool is_inside) const
    {
        return inside[problem_.root] == is_inside ? problem_.root : problem_.peer;
    }

    [[nodiscard]] std::uint64_t nearest(std::span<const NodeId> ends, NodeId node) const
    {
        return detail::hops_from(arcs_, ends)[node];
    }

    [[nodiscard]] std::uint64_t farthest(std::span<const NodeId> ends, const Inside& inside, bool is_inside) const
    {
        const std::vector<std::uint32_t> hops = detail::hops_from(arcs_, ends);
        std::uint64_t most = 0;
        for (NodeId node = 0; node < inside.size(); ++node)
            if (inside[node] == is_inside)
                most = std::max<std::uint64_t>(most, hops[node]);
        return most;
    }

    const Topology& topology_;
    const Problem& problem_;
    LargestTime& largest_;
    Arcs arcs_;
    std::uint64_t looks_ = 0;
};

/// Cuts between the nodes round a node and the others, for every radius of "round", and between the parts into which
/// the network falls without a node: the messages that must cross, and the `far` - 1 hops that the last of them has to
/// go before and after that. Collectives with a message for each pair have bounds of their own.
void add_time_cuts(LargestTime& largest, const Topology& topology, const Problem& problem)
{
    const Pattern pattern = pattern_of(problem.collective);
    if (topology.is_hypercube() || pattern == Pattern::elements || pattern == Pattern::each_to_each ||
        pattern == Pattern::signals)
        return;
    TimeCuts(topology, problem, largest)();
}

TimeArgument time_by_demand(const Topology& topology, const Problem& problem)
{
    const Demand demand(problem, topology);
    const std::size_t unit = is_matrix(problem.collective) ? size_of(problem.type) : Layout(problem, topology).message;
    LargestTime largest(problem.link, unit, "nothing has to move");
    if (demand.distance() == 0)
        return std::move(largest).bound();
    const Demand::Crossing crossing = demand.crossing();
    largest.cut({.kind = Kind::leaving,
                 .name = "node-links",
                 .reason = "all that one node sends leaves it by its links",
                 .factors = {demand.node()},
                 .per_step = topology.max_ports(),
                 .node = demand.busiest()});
    largest.cut({.kind = Kind::cut,
                 .name = "cut",
                 .reason = "what crosses one dimension in one direction has N/2 links",
                 .factors = {crossing.amount},
                 .per_step = topology.nodes() / 2,
                 .cut = crossing.cut});
    largest.cut({.kind = Kind::hops,
                 .name = "hops",
                 .reason = "every byte takes a link for each hop of its distance, of all links",
                 .factors = {demand.hops()},
                 .per_step = topology.directed_links()});
    largest.cut(four_cycles(topology, demand, 1));
    largest.path(demand.farthest_origin(), demand.farthest_target(), demand.distance(),
                 "the longest distance of any message");
    add_time_cuts(largest, topology, problem);
    return std::move(largest).bound();
}

/// An argument about steps, restated for bytes.
Argument of_bytes(Argument steps, const Topology& topology, const LinkModel& link)
{
    if (steps.kind == Kind::entering) {  // whose links wait for steps
        steps.kind = Kind::cut;
        steps.name = "cut";
        steps.reason = fmt::format("the packets that must leave these nodes have {}", grouped(steps.per_step, "link"));
        steps.waits.clear();
    }
    if (steps.kind == Kind::hops && link.one_port()) {
        steps.name = "through-ports";
        steps.reason = "every byte holds a port that sends for each hop of its way, of all nodes' ports";
        steps.per_step = topology.nodes();
    }
    return steps;
}

TimeArgument time_of_uneven(const Topology& topology, const Problem& problem)
{
    LargestTime largest(problem.link, problem.bytes, "nothing has to move");
    const PortModel ports = problem.link.one_port() ? PortModel::one : PortModel::all;
    for (const PortModel one : {PortModel::all, ports})
        for (const Argument& argument : *uneven_arguments(topology, one, problem)) {
            if (argument.kind == Kind::distance)
                largest.path(argument.node, argument.other, static_cast<unsigned>(argument.far), argument.reason);
            else
                largest.cut(of_bytes(argument, topology, problem.link));
        }
    // Every byte pays for its path as a packet does.
    const bool has_paths = pattern_of(problem.collective) == Pattern::each_to_each;
    if (Argument most = has_paths ? steps_argument(topology, ports, problem) : Argument{}; most.kind == Kind::priced)
        largest.cut(std::move(most));
    return std::move(largest).bound();
}

/// Stout & Wagar 1990, for hypercubes; elsewhere it is the same by the ports that nodes have.
void cut_of(LargestTime& largest, const Topology& topology, const Problem& problem)
{
    const std::uint64_t others = topology.nodes() - 1;
    const auto at = [&](Kind kind, std::string_view name, std::uint64_t messages, NodeId node, std::string reason) {
        largest.cut({.kind = kind,
                     .name = name,
                     .reason = std::move(reason),
                     .factors = {messages},
                     .per_step = topology.ports(node),
                     .node = node});
    };
    const NodeId root = problem.root;  // only of collectives that have one; elsewhere it may be no node
    const NodeId poorest = node_with_fewest_ports(topology);
    const bool reversed = is_reversed(problem.collective);
    switch (pattern_of(problem.collective)) {
    case Pattern::one_to_all:
        return reversed
                   ? at(Kind::arriving, "root-links", 1, root, "the shares of all others enter the root by its links")
                   : at(Kind::leaving, "root-links", 1, root, "the message leaves the root by its links");
    case Pattern::one_to_each:
        return reversed ? at(Kind::arriving, "root-links", others, root,
                             "all messages of the other nodes enter the root by its links")
                        : at(Kind::leaving, "root-links", others, root,
                             "all messages for the other nodes leave the root by its links");
    case Pattern::each_to_all:
        return reversed ? at(Kind::leaving, "node-links", others, poorest,
                             "every node sends its share of all other blocks by its links")
                        : at(Kind::arriving, "node-links", others, poorest,
                             "every node receives the messages of all others by its links");
    case Pattern::each_to_each:
        for (Argument& one : exchange_arguments(topology, PortModel::all, Layout(problem, topology).message))
            if (one.kind != Kind::distance)
                largest.cut(std::move(one));
        return;
    case Pattern::sums_to_all:
        return largest.cut({.kind = Kind::hops,
                            .name = "transmissions",
                            .reason = "every byte needs 2(N-1) transmissions over all links",
                            .factors = {2, others},
                            .per_step = topology.directed_links()});
    case Pattern::prefix_sums: return largest.cut(widest_scan_cut(topology));
    case Pattern::signals:  // which have no bytes
    case Pattern::pairs:
    case Pattern::elements: return;  // time_by_demand
    }
}

/// What nodes with one port make longer, and half duplex again: all that a node sends goes through one port, and comes
/// from another one.
void add_one_port(LargestTime& largest, const Topology& topology, const Problem& problem)
{
    if (!problem.link.one_port() || is_point_to_point(problem.collective) || is_matrix(problem.collective))
        return;
    const bool half = problem.link.duplex == Duplex::half;
    const std::uint64_t others = topology.nodes() - 1;
    const NodeId root = has_root(problem.collective) ? problem.root : 0;
    largest.doubling(root, static_cast<unsigned>(std::bit_width(others)));
    const auto at_port = [&](std::vector<std::uint64_t> messages, std::string reason) {
        const bool leaves = is_reversed(problem.collective) != has_root(problem.collective);
        largest.cut({.kind = leaves ? Kind::leaving : Kind::arriving,
                     .name = "through-port",
                     .reason = std::move(reason),
                     .factors = std::move(messages),
                     .node = root});
    };
    const auto at_ports = [&](std::vector<std::uint64_t> transmissions) {
        if (half)
            transmissions.insert(transmissions.begin(), 2);
        largest.cut({.kind = Kind::hops,
                     .name = "through-ports",
                     .reason = half ? "every byte holds two ports for each hop of its way, of all nodes' ports"
                                    : "every byte holds a port that sends for each hop of its way, of all nodes' ports",
                     .factors = std::move(transmissions),
                     .per_step = topology.nodes()});
    };
    switch (pattern_of(problem.collective)) {
    case Pattern::one_to_all: return at_port({1}, "the message goes through the root's one port");
    case Pattern::one_to_each: return at_port({others}, "all messages go through the root's one port");
    case Pattern::each_to_all:
        return half ? at_ports({topology.nodes(), others})
                    : at_port({others}, "every node's messages, or sums, go through its one port");
    case Pattern::each_to_each: return at_ports({topology.sum_of_statuses()});
    case Pattern::sums_to_all: return at_ports({2, others});
    case Pattern::prefix_sums:
    case Pattern::signals:
    case Pattern::pairs:
    case Pattern::elements: return;
    }
}

}  // namespace

TimeArgument time_argument(const Topology& topology, const Problem& problem)
{
    if (const auto groups = groups_of(problem, topology)) {
        TimeArgument bound = time_argument(groups->network(), in_group(problem));
        bound.argument = named(std::move(bound.argument), *groups);
        return bound;
    }
    require_root(topology, problem);
    if (!topology.is_uniform())
        return time_on_fabric(topology, problem);
    if (topology.lacks_nodes()) {
        TimeArgument bound = time_argument(topology.of_members(), numbered(problem, topology));
        bound.argument = named(std::move(bound.argument), topology);
        return bound;
    }
    if (std::string why = why_nothing_moves(topology, problem); !why.empty())
        return {nothing_to_do(std::move(why))};
    if (const Recognition* const known = detail::known_for(topology, problem)) {
        TimeArgument bound = time_argument(known->called, detail::renamed(problem, *known));
        bound.argument = named(std::move(bound.argument), *known);
        return bound;
    }
    if (is_point_to_point(problem.collective) || is_matrix(problem.collective))
        return time_by_demand(topology, problem);
    if (!problem.counts.empty())
        return time_of_uneven(topology, problem);
    LargestTime largest(problem.link, Layout(problem, topology).message, "tau and beta are 0");
    const auto [from, to] = has_root(problem.collective)
                                ? std::pair(problem.root, farthest_from(topology, problem.root))
                                : farthest_pair(topology);
    largest.path(from, to, topology.distance(from, to), "the longest distance");
    cut_of(largest, topology, problem);
    add_one_port(largest, topology, problem);
    add_time_cuts(largest, topology, problem);
    return std::move(largest).bound();
}

}  // namespace dcube
