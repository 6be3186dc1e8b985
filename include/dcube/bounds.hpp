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

/// In the unit-time model.
Bound steps_bound(const Topology& topology, PortModel ports, const Problem& problem);
Bound transmissions_bound(const Topology& topology, PortModel ports, const Problem& problem);

}  // namespace dcube
