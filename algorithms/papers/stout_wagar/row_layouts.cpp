// Matrices stored by rows: transpose and quarter turn (Stout & Wagar 1990, sections 7.1 and 10), and from blocked rows
// to striped ones and back (section 10). On a d-cube, m bytes for every pair of nodes.
//
//   all-to-all   2^(d-1) tau m + d beta
//
// Every pair of nodes exchanges its data by COMPLETE EXCHANGE in its rotated form; one packet per link and stage. For
// blocked to striped rows the paper takes equal amounts, which is so only if 4^d divides the rows; where pairs have
// unequal amounts the time is at most that of the largest packet of every stage, one stage after the other. Nothing is
// planned but the amounts.

#include "algorithms/papers/stout_wagar/all_to_all.hpp"
#include "algorithms/programs/matrix_program.hpp"

#include <memory>

namespace dcube::detail {

Routing matrix_exchange(const Topology& topology, const Problem& problem)
{
    const auto packing = std::make_shared<const MatrixPacking>(problem, topology);
    return complete_exchange(topology, [packing, n = std::uint64_t{topology.nodes()}](NodeId source, NodeId target) {
        return Fragment{source * n + target, 0, packing->bytes(source, target)};
    });
}

}  // namespace dcube::detail
