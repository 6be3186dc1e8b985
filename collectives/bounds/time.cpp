// Lower bounds of the virtual time. Bytes are whole and each of them crosses a link of its cut: the busiest link has no
// fewer than their number divided by the links, rounded up, and starts at least one packet. So this holds however
// messages are cut into packets.

#include "collectives/bounds/any_network.hpp"
#include "collectives/bounds/argument.hpp"
#include "collectives/bounds/demand.hpp"
#include "collectives/bounds/extremes.hpp"
#include "collectives/bounds/members.hpp"
#include "collectives/bounds/time_cuts.hpp"

#include <dcube/layout.hpp>

#include <utility>

namespace dcube {

namespace {

using detail::Exact;
using detail::Integer;

using Kind = Argument::Kind;

/// Keeps the largest of the bounds that it is told of.
class LargestTime {
public:
    /// `unit`: the bytes of what the arguments count.
    LargestTime(const LinkModel& link, Integer unit, std::string none)
        : tau_(detail::exact(link.tau)), beta_(detail::exact(link.beta)),
          bound_{nothing_to_do(std::move(none)), std::move(unit), 0}
    {
    }

    /// Bytes have to cross `per_step` links, and the last of them has `far` - 1 links more to go; or, if links have
    /// prices, they pay as much as one byte on each link costs.
    void cut(Argument argument)
    {
        const Integer bytes = argument.packets() * bound_.unit;
        if (bytes > 0)
            keep(tau_ * Exact((bytes + argument.per_step - 1) / argument.per_step) + beta_ +
                     (argument.far - 1) * (tau_ + beta_),
                 std::move(argument));
    }

    /// A byte, which is a packet at least, has to go so far.
    void path(NodeId from, NodeId to, unsigned distance, std::string reason)
    {
        keep(distance * (tau_ + beta_), {.kind = Kind::distance,
                                         .name = "start-ups",
                                         .reason = std::move(reason),
                                         .far = distance,
                                         .node = from,
                                         .other = to});
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
    for_time_cuts(topology, problem, [&](Argument argument) { largest.cut(std::move(argument)); });
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
    switch (problem.collective) {
    case Collective::broadcast:
        return at(Kind::leaving, "root-links", 1, root, "the message leaves the root by its links");
    case Collective::reduce:
        return at(Kind::arriving, "root-links", 1, root, "the shares of all others enter the root by its links");
    case Collective::scatter:
        return at(Kind::leaving, "root-links", others, root,
                  "all messages for the other nodes leave the root by its links");
    case Collective::gather:
        return at(Kind::arriving, "root-links", others, root,
                  "all messages of the other nodes enter the root by its links");
    case Collective::all_gather:
        return at(Kind::arriving, "node-links", others, poorest,
                  "every node receives the messages of all others by its links");
    case Collective::reduce_scatter:
        return at(Kind::leaving, "node-links", others, poorest,
                  "every node sends its share of all other blocks by its links");
    case Collective::all_reduce:
        return largest.cut({.kind = Kind::hops,
                            .name = "transmissions",
                            .reason = "every byte needs 2(N-1) transmissions over all links",
                            .factors = {2, others},
                            .per_step = topology.directed_links()});
    case Collective::all_to_all:
        for (Argument& one : exchange_arguments(topology, PortModel::all, Layout(problem, topology).message))
            if (one.kind != Kind::distance)
                largest.cut(std::move(one));
        return;
    case Collective::send:
    case Collective::exchange:
    case Collective::permute:
    case Collective::matrix_transpose:
    case Collective::matrix_quarter_turn:
    case Collective::matrix_half_turn:
    case Collective::matrix_relayout: return;  // time_by_demand
    }
}

}  // namespace

TimeArgument time_argument(const Topology& topology, const Problem& problem)
{
    require_root(topology, problem);
    if (topology.lacks_nodes()) {
        TimeArgument bound = time_argument(topology.of_members(), numbered(problem, topology));
        bound.argument = named(std::move(bound.argument), topology);
        return bound;
    }
    if (topology.nodes() == 1)
        return {nothing_to_do("one node has nothing to send")};
    if (is_point_to_point(problem.collective) || is_matrix(problem.collective))
        return time_by_demand(topology, problem);
    LargestTime largest(problem.link, Layout(problem, topology).message, "tau and beta are 0");
    const auto [from, to] = has_root(problem.collective)
                                ? std::pair(problem.root, farthest_from(topology, problem.root))
                                : farthest_pair(topology);
    largest.path(from, to, topology.distance(from, to), "the longest distance");
    cut_of(largest, topology, problem);
    for_time_cuts(topology, problem, [&](Argument argument) { largest.cut(std::move(argument)); });
    return std::move(largest).bound();
}

}  // namespace dcube
