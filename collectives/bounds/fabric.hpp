#pragma once
// Bounds of networks whose nodes or links differ (Topology::fabric()).

#include "collectives/bounds/argument.hpp"

#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

namespace dcube {

/// The argument that binds on links that take time, some of which may have times of their own.
TimeArgument time_on_fabric(const Topology& topology, const Problem& problem);

/// Of steps and transmissions only a simple bound is known, since machines of such networks have links that take time:
/// some message goes so far.
Argument steps_on_fabric(const Topology& topology, const Problem& problem);

}  // namespace dcube
