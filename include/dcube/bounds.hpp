#pragma once
/// @file
/// Lower bounds: the fewest steps and transmissions with which any algorithm could achieve a collective
/// (Bertsekas et al. 1991, Table I and section 2; the one-port and several-packet bounds are counting arguments of the
/// same kind).

#include <dcube/link.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup judge
/// @{

/// A lower bound on a count, and why no algorithm needs less.
struct Bound {
    std::uint64_t value;  ///< steps, transmissions or packets
    std::string reason;   ///< one line of plain text
};

/// The fewest steps in which any algorithm achieves the problem, in the unit-time model. Throws InvalidArgument for a
/// root that is no node, and for a point-to-point or matrix problem that validate(const Problem&, const Topology&)
/// refuses.
Bound steps_bound(const Topology& topology, PortModel ports, const Problem& problem);
/// The fewest transmissions with which any algorithm achieves the problem. Throws as steps_bound() does.
Bound transmissions_bound(const Topology& topology, const Problem& problem);

/// The fewest packets that some node must hold in transit between two steps of a run of `steps` steps
/// (Entry::in_transit), where every message has one origin and one target: a packet over h hops waits h - 1 times,
/// and there are only `steps` - 1 times to wait. 0 for other collectives. Throws where transmissions_bound() does.
Bound in_transit_bound(const Topology& topology, const Problem& problem, std::uint64_t steps);

/// A lower bound on the virtual time, and why no algorithm is faster.
struct TimeBound {
    Rational value;      ///< in ns
    std::string reason;  ///< one line of plain text
};

/// The least virtual time in which any algorithm achieves the problem on links that take time, Problem::link (Stout &
/// Wagar 1990; every bound is one cut's bytes over its links plus one
/// start-up, off the hypercube also the links before and after the cut, or the start-ups and bytes of one path,
/// whichever is larger). Throws InvalidArgument if it does not fit in 64 bits, and where steps_bound() does.
TimeBound time_bound(const Topology& topology, const Problem& problem);

/// A lower bound on the steps of one total exchange, one packet for each ordered pair of nodes (Dimakopoulos &
/// Dimopoulos 1998, and beyond them; docs/optimality.md has the arguments).
struct ExchangeBound {
    std::string_view name;  ///< "L1" to "L7", "prices"
    Rational value;         ///< not rounded; for m packets per pair multiply by m, except L7
    std::uint64_t steps;    ///< rounded up
    std::string reason;     ///< one line of plain text
};

/// The bounds that apply, by name. One port: L1 (average status), L2 (packets that can move at once), L3 (unique
/// routes), prices (nodes with few links cost nothing; of up to 256 nodes), L7 (diameter). All ports: L4 (cuts of the
/// whole network, of up to 20 nodes), L5 (cuts of a factor), L6 (all links; those of one factor), L7.
std::vector<ExchangeBound> exchange_bounds(const Topology& topology, PortModel ports);

/// Packets that can move at once if every node sends and receives at most one: a largest matching of senders to
/// receivers.
std::uint64_t simultaneous_moves(const Topology& topology);

/// The largest |V1| |V2| / c over splits of the graph in two parts with c edges between them; of graphs with many
/// nodes, and no formula, the largest that was found.
Rational cut_ratio(const Graph& graph);

/// @}

}  // namespace dcube
#pragma GCC visibility pop
