// The entries of permute.cpp, with their costs and phases.

#include "algorithms/papers/stout_wagar/permute.hpp"

#include "algorithms/families.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/papers/stout_wagar/all_to_all.hpp"
#include "algorithms/programs/cut.hpp"
#include "algorithms/programs/entry.hpp"
#include "base/arithmetic.hpp"

#include <bit>

namespace dcube::detail {

namespace {

std::string only_identity(const Topology& /*topology*/, const Problem& problem)
{
    return xor_mask(problem) == NodeId{0} ? "" : "it is for the identity";
}

std::string only_xor(const Topology& /*topology*/, const Problem& problem)
{
    return xor_mask(problem).value_or(0) != 0 ? "" : "it is for permutations n -> n ^ D with D > 0";
}

Phases two_exchanges_phases(const Topology& topology, const Problem&)
{
    const unsigned d = topology.dimension();
    return followed_by(part_of("scatter", complete_exchange_phases(d)), d,
                       part_of("collect", complete_exchange_phases(d)));
}

Exact two_exchanges_limit(const Topology& topology, const Problem& problem)
{
    const std::size_t packet = ceil_div<std::size_t>(message_bytes(problem), topology.nodes());
    return 2 * complete_exchange_limit(topology, packet, problem.link);
}

}  // namespace

std::vector<Entry> permute_family()
{
    Entry identity{
        {.collective = Collective::permute, .name = "nothing", .link = LinkKind::link_bound, .obstacle = only_identity},
        {.paper = "Stout & Wagar 1990, section 9",
         .summary = "the identity moves nothing",
         .idea = "The identity moves nothing, and takes no time.",
         .formula = {.time = "0"},
         .paper_note = "Stout & Wagar mention it in section 9."}};
    Entry inverting{
        {.collective = Collective::permute, .name = "inversion", .link = LinkKind::link_bound, .obstacle = only_xor},
        {.aliases = {"INV", "xor"},
         .paper = "Stout & Wagar 1990, section 6",
         .origin = Origin::refinement,
         .summary = "n -> n ^ D: a part of every message over each rotation of D's dimensions",
         .idea = "Every node n sends to n ^ D. A part of every message goes over each rotation of the h dimensions of "
                 "D: all nodes send at once, and in every stage each link of those dimensions carries one part.",
         .formula = {.time = "h (tau ceil(m/h) + beta)"},
         .paper_note = "INVERSION is for the complement, where h = d: tau m + d beta. For any other XOR it is dcube's. "
                       "It completes O.C. SEND 2, not 1 as the section once says (errata, 9).",
         .phases = [](const Topology&, const Problem& problem) {
             return rotated_hops_phases(static_cast<unsigned>(std::popcount(*xor_mask(problem))));
         }}};
    Entry permuting{
        {.collective = Collective::permute, .name = "two-exchanges", .link = LinkKind::link_bound},
        {.aliases = {"PS", "PERMUTED SEND"},
         .paper = "Stout & Wagar 1990, section 6",
         .summary = "each message scattered over all nodes, then collected: two all-to-alls",
         .idea =
             "A permutation can want all its messages over a few links. So each message is scattered over all nodes, a "
             "packet to each, and collected from there: two all-to-alls of m/N bytes, which never meet a bottleneck.",
         .formula = {.time = "tau m + 2 d beta"},
         .paper_note = "PERMUTED SEND, with this time.",
         .time_limit = in_ns(two_exchanges_limit),
         .time_floor = busy_at_root(permuted_send),
         .phases = two_exchanges_phases}};
    return {routing_entry(costed_by_formula(std::move(identity)), no_packets),
            routing_entry(costed_by_formula(std::move(inverting)), inversion, {.acting = Acting::alike}),
            routing_entry(costed_by_formula(std::move(permuting)), permuted_send,
                          {.pieces = [](const Topology& topology, const Problem&) {
                              return 2 * complete_exchange_pieces(topology);
                          }})};
}

}  // namespace dcube::detail
