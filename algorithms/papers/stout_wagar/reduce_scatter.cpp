// Reduce-scatter: node t gets the sums of block t. Stout & Wagar 1990, section 8 (HISTOGRAM). m bytes per block on a
// d-cube, M = N m bytes per vector.
//
//   rotated   (1 - 2^-d) tau M/d + d beta   exact if d divides the elements of a block   d^2 N transmissions
//
// The all-gather backwards: in stage k a node hands over its sums of the blocks whose node lies across the link, half
// of what it still has; the receiver adds them to its own. Parts are whole elements. Nothing is planned.

#include "algorithms/papers/stout_wagar/all_gather.hpp"
#include "algorithms/programs/cut.hpp"

namespace dcube::detail {

Routing histogram(const Topology& topology, const Problem& problem)
{
    return reversed(complete_broadcast(topology, equal_lengths(problem), element_size(problem)), Arrival::added);
}

}  // namespace dcube::detail
