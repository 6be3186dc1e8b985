// Lower bounds of the virtual time. Bytes are whole and each of them crosses a link of its cut: the busiest link has no
// fewer than their number divided by the links, rounded up, and starts at least one packet. So this holds however
// messages are cut into packets.

#include <dcube/bounds.hpp>
#include <dcube/layout.hpp>

#include "base/exact.hpp"
#include "collectives/bounds/any_network.hpp"
#include "collectives/bounds/demand.hpp"

#include <utility>

namespace dcube {

namespace {

using detail::Exact;
using detail::Integer;

/// Keeps the largest of the bounds that it is told of.
class LargestTime {
public:
    LargestTime(const LinkModel& link, std::string none)
        : tau_(detail::exact(link.tau)), beta_(detail::exact(link.beta)), reason_(std::move(none))
    {
    }

    /// `bytes` have to cross `links` links.
    void cut(const Integer& bytes, const Integer& links, std::string_view reason)
    {
        if (bytes > 0)
            keep(tau_ * Exact((bytes + links - 1) / links) + beta_, reason);
    }

    /// A byte, which is a packet at least, has to go so far.
    void path(unsigned distance, std::string_view reason) { keep(distance * (tau_ + beta_), reason); }

    [[nodiscard]] TimeBound bound() const { return {detail::to_rational(value_), reason_}; }

private:
    void keep(const Exact& value, std::string_view reason)
    {
        if (value <= value_)
            return;
        value_ = value;
        reason_ = reason;
    }

    Exact tau_;
    Exact beta_;
    Exact value_ = 0;
    std::string reason_;
};

TimeBound time_by_demand(const Topology& topology, const Problem& problem)
{
    const Demand demand(problem, topology);
    const std::size_t unit = is_matrix(problem.collective) ? size_of(problem.type) : Layout(problem, topology).message;
    LargestTime largest(problem.link, "nothing has to move");
    if (demand.distance() == 0)
        return largest.bound();
    largest.cut(Integer(demand.node()) * unit, topology.max_ports(), "all that one node sends leaves it by its links");
    largest.cut(Integer(demand.crossing()) * unit, topology.nodes() / 2,
                "what crosses one dimension in one direction has N/2 links");
    largest.cut(Integer(demand.hops()) * unit, topology.directed_links(),
                "every byte takes a link for each hop of its distance, of all links");
    largest.path(demand.distance(), "the longest distance of any message");
    return largest.bound();
}

/// Stout & Wagar 1990, for hypercubes; elsewhere it is the same by the ports that nodes have.
void cut_of(LargestTime& largest, const Topology& topology, const Problem& problem, const Integer& m)
{
    const Integer n = topology.nodes();
    const Integer others = (n - 1) * m;
    const Port at_root =
        has_root(problem.collective) ? topology.ports(problem.root) : 0;  // elsewhere it may be no node
    const Port fewest = fewest_ports(topology);
    switch (problem.collective) {
    case Collective::broadcast: largest.cut(m, at_root, "the message leaves the root by its links"); break;
    case Collective::reduce: largest.cut(m, at_root, "the shares of all others enter the root by its links"); break;
    case Collective::scatter:
        largest.cut(others, at_root, "all messages for the other nodes leave the root by its links");
        break;
    case Collective::gather:
        largest.cut(others, at_root, "all messages of the other nodes enter the root by its links");
        break;
    case Collective::all_gather:
        largest.cut(others, fewest, "every node receives the messages of all others by its links");
        break;
    case Collective::reduce_scatter:
        largest.cut(others, fewest, "every node sends its share of all other blocks by its links");
        break;
    case Collective::all_reduce:
        largest.cut(2 * others, topology.directed_links(), "every byte needs 2(N-1) transmissions over all links");
        break;
    case Collective::all_to_all:
        for (const ExchangeBound& bound : exchange_bounds(topology, PortModel::all))
            if (bound.name != "L7")
                largest.cut(m * bound.value.numerator, bound.value.denominator, bound.reason);
        break;
    case Collective::send:
    case Collective::exchange:
    case Collective::permute:
    case Collective::matrix_transpose:
    case Collective::matrix_quarter_turn:
    case Collective::matrix_half_turn:
    case Collective::matrix_relayout: break;  // time_by_demand
    }
}

}  // namespace

TimeBound time_bound(const Topology& topology, const Problem& problem)
{
    require_root(topology, problem);
    if (topology.nodes() == 1)
        return {{}, "one node has nothing to send"};
    if (is_point_to_point(problem.collective) || is_matrix(problem.collective))
        return time_by_demand(topology, problem);
    const Integer m = Layout(problem, topology).message;
    LargestTime largest(problem.link, "tau and beta are 0");
    largest.path(has_root(problem.collective) ? eccentricity(topology, problem.root) : topology.diameter(),
                 "the longest distance");
    cut_of(largest, topology, problem, m);
    return largest.bound();
}

}  // namespace dcube
