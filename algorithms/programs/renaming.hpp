#pragma once
// Algorithms for networks that are recognised as known ones (Topology::recognised()): they are asked about, and plan
// for, the known network; their programs run on it, as RenamedNodes.

#include "collectives/renamed.hpp"

#include <dcube/catalogue.hpp>

#include <functional>

namespace dcube::detail {

// The network that this one is known as to the algorithm; null if the algorithm is asked about the network itself. The
// catalogue's are asked about the known network wherever they are for it, a caller's own only if it is for no other.
const Recognition* known_to(const Algorithm& algorithm, const Topology& topology, const Problem& problem);

// The algorithm, for recognised networks too.
Entry renaming(Entry entry);
Algorithm renaming(Algorithm own);
// Whether that was done.
bool is_renaming(const Algorithm& algorithm);

// The algorithm's Algorithm::prepare before renaming.
using Prepare = std::function<CollectiveProgram(const Topology&, const Problem&)>;
const Prepare& prepare_of(const Algorithm& algorithm);

}  // namespace dcube::detail
