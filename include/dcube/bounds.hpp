#pragma once
/// Lower bounds: the least steps and transmissions with which any algorithm could achieve a collective
/// (Bertsekas et al. 1991, Table I and section 2; the one-port and several-packet bounds are counting arguments of the
/// same kind).

#include <dcube/collective.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <string>

namespace dcube {

/// A least count, and in words why no algorithm does with less.
struct Bound {
    std::uint64_t value;
    std::string reason;
};

/// In the unit-time model. Throws InvalidArgument: a root that is no node, or a point-to-point or matrix problem that
/// validate() refuses.
Bound steps_bound(const Topology& topology, PortModel ports, const Problem& problem);
Bound transmissions_bound(const Topology& topology, PortModel ports, const Problem& problem);

/// A least virtual time in ns.
struct TimeBound {
    Rational value;
    std::string reason;
};

/// In the link-bound model `problem.link` (Stout & Wagar 1990; every bound is one cut's bytes over its links plus one
/// start-up, or the start-ups and bytes of one path, whichever is larger). Throws InvalidArgument if it does not fit in
/// 64 bits, and where steps_bound() does.
TimeBound time_bound(const Topology& topology, const Problem& problem);

}  // namespace dcube
