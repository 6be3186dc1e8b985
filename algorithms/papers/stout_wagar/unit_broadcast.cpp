// Broadcast and reduce in unit steps. Stout & Wagar 1990, section 2, with packets of one size. m packets, N = 2^d
// nodes.
//
//   recursive-doubling   BROADCAST 1   one port    d steps               N-1 transmissions      one packet only
//   pipelined-trees      BROADCAST 4   all ports   ceil(m/d)+d-1 steps   m(N-1) transmissions   both optimal
//   pipelined-trees      backwards: a packet becomes a partial sum that is handed over once
//
// pipelined-trees takes as long as BROADCAST 4 with unit packets, but brings no packet twice (tree_pipeline.hpp); that,
// and running backwards, are not the paper's.
//
// Planning: none. A node's pipeline is a few words per port; inner nodes of a reduction hold m packets.

#include "algorithms/papers/stout_wagar/broadcast.hpp"

#include "algorithms/programs/cube.hpp"

#include <algorithm>

namespace dcube::detail {

namespace {

// Before stage k the nodes with label < 2^k hold the message; each sends it across dimension k, so every stage doubles
// the subcube that is informed.
Task doubling(Node& me, NodeId root, NodeData data)
{
    const NodeId label = me.topology().untranslate(me.id(), root);  // relabelled so that the root is 0
    if (label == 0)
        std::ranges::copy(data.input, data.output.begin());

    Packet message{data.input, 0, me.usable_now()};
    for (Port k = 0; k < me.ports(); ++k) {
        if (label < bit(k))
            me.send(k, message);
        co_await me.next_step();
        if (label >> k == 1)  // k is my highest 1 bit: this is the one packet meant for me
            message = me.receive(k, data.output);
    }
}

}  // namespace

CollectiveProgram doubling_program(const Topology& /*topology*/, const Problem& problem)
{
    return [root = problem.root](Node& me, NodeData data) { return doubling(me, root, data); };
}

}  // namespace dcube::detail
