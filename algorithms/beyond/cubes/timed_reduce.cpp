// Reduce: the root gets the sum of all nodes' vectors. Ours: BROADCAST 4 (Stout & Wagar 1990, section 2) backwards. m
// bytes, g groups of whole elements.
//
//   pipelined   (d+g-1)(tau ceil(m/(dg)) + beta)   d g (N - 1) transmissions
//
// A packet that a node would receive in stage k of the pruned broadcast is sent by it in stage d + g - 2 - k, with all
// that it has added to it by then. Every packet goes along its tree, so nothing is counted twice. Nothing is planned.

#include "algorithms/families.hpp"
#include "algorithms/papers/stout_wagar/broadcast.hpp"
#include "algorithms/programs/entry.hpp"

namespace dcube::detail {

std::vector<Entry> link_reduce_family()
{
    Entry pipelined{
        {.collective = Collective::reduce,
         .name = "pipelined",
         .link = LinkKind::link_bound,
         .obstacle = too_many_groups},
        {.aliases = {"RD", "B4 reversed"},
         .paper = "Stout & Wagar 1990, section 2 (backwards)",
         .origin = Origin::dcube,
         .summary = "the pipelined broadcast backwards, sums on the way",
         .idea =
             "BROADCAST 4 backwards: what a node would receive in stage k it sends in stage d + g - 2 - k, with all "
             "that it has added to it by then. Packets are whole elements of e bytes.",
         .formula = {.time = "(d + g - 1) (tau e ceil(m/(d g e)) + beta)"},
         .paper_note = "Stout & Wagar have no reduce. This is their BROADCAST 4 backwards, in as much time.",
         .tunable = {.groups = true},
         .time = in_ns(pipelined_time),
         .phases = reduced_phases}};
    return {stream_entry(std::move(pipelined), pipelined_pruned)};
}

}  // namespace dcube::detail
