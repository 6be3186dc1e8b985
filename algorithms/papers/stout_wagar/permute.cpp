// Permute: node n sends its m bytes to pi(n). Stout & Wagar 1990, section 6 (INVERSION, PERMUTED SEND), on a d-cube.
//
//   name           paper           for              time
//   nothing        section 9       the identity     0
//   inversion      INVERSION       n -> n ^ D       |D| (tau ceil(m/|D|) + beta)
//   two-exchanges  PERMUTED SEND   every pi         tau m + 2 d beta       exact if d 2^d divides m
//
// inversion: all nodes complete an O.C. SEND 2 (the text says 1) at once, over the |D| dimensions of D; the paper has
// all d. two-exchanges: packet b of every message goes to node b; then node b has one packet for every destination.
// Both send one packet per link and stage. Nothing is planned: every node works out what it sends.

#include "algorithms/papers/stout_wagar/permute.hpp"

#include "algorithms/papers/stout_wagar/all_to_all.hpp"
#include "algorithms/programs/cut.hpp"

#include <optional>

namespace dcube::detail {

std::optional<NodeId> xor_mask(const Problem& problem)
{
    for (NodeId node = 0; node < problem.permutation.size(); ++node)
        if ((problem.permutation[node] ^ node) != problem.permutation[0])
            return std::nullopt;
    return problem.permutation[0];
}

Routing no_packets(const Topology& /*topology*/, const Problem& /*problem*/)
{
    return {0, [](Step, NodeId, Port, Fragments&) {}};
}

Routing inversion(const Topology& topology, const Problem& problem)
{
    const NodeId mask = *xor_mask(problem);
    return complete_send(topology, one_positions(mask), {mask},
                         [bytes = message_bytes(problem)](NodeId source, NodeId) {
                             return Fragment{source, 0, bytes};
                         });
}

Routing permuted_send(const Topology& topology, const Problem& problem)
{
    const std::size_t n = topology.nodes();
    std::vector<NodeId> origin_of(n);
    for (NodeId node = 0; node < n; ++node)
        origin_of[problem.permutation[node]] = node;
    const auto packet = [n, bytes = message_bytes(problem)](NodeId origin, NodeId b) {
        const auto [offset, length] = balanced_part(bytes, n, b);
        return Fragment{origin, offset, length};
    };
    return followed_by(complete_exchange(topology, packet),
                       complete_exchange(topology, [packet, origin_of = std::move(origin_of)](NodeId b, NodeId target) {
                           return packet(origin_of[target], b);
                       }));
}

}  // namespace dcube::detail
