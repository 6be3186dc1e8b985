// All-gather: every node is the root of a BROADCAST 2 at once. Stout & Wagar 1990, section 6 (COMPLETE BROADCAST). m
// bytes per node on a d-cube.
//
//   rotated   (2^d - 1) tau m/d + d beta   exact if d divides m      d N links, each busy in all of d stages
//
// Part i of a message doubles through the dimensions i, i + 1, .., cyclically, so in stage k link j carries parts i =
// j - k (mod d): those of the 2^k messages that the doublings before have brought. (The paper prints C(d,k) of them.)
// Which parts of a message are a byte longer is staggered by its origin. Nothing is planned: every node works out what
// it sends, 2^k pieces per packet.

#include "algorithms/papers/stout_wagar/all_gather.hpp"

#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/cut.hpp"
#include "base/arithmetic.hpp"

namespace dcube::detail {

std::size_t doubling_stagger(NodeId origin, unsigned d)
{
    std::size_t sum = 0;
    for (const Port j : one_positions(origin))
        sum += 1 + j % ceil_div(d, 2U);
    return sum % d;
}

Routing complete_broadcast(const Topology& topology, const LengthOf& length_of, std::size_t unit, Stagger first_longer)
{
    const unsigned d = topology.dimension();
    return {d, [=](Step k, NodeId from, Port j, Fragments& fragments) {
                const unsigned i = (j + d - k) % d;
                for (NodeId x = 0; x < bit(k); ++x) {
                    const NodeId origin = from ^ rotated(x, i, d);
                    const auto [offset, units] =
                        staggered_part(length_of(origin) / unit, d, i, first_longer(origin, d));
                    append(fragments, {origin, offset * unit, units * unit});
                }
            }};
}

}  // namespace dcube::detail
