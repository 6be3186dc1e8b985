// The program that carries a routing out.

#include "algorithms/programs/holdings.hpp"
#include "algorithms/programs/own_block.hpp"
#include "algorithms/programs/routing.hpp"

namespace dcube::detail {

Task run_routing(Node& me, const Routing& routing, const MessagePlaces& messages, const Problem& problem, NodeData data)
{
    const Combine combine = is_reduction(problem.collective) ? combiner(problem) : nullptr;
    Holdings holdings(me, messages, data, combine);
    if (problem.collective == Collective::all_reduce)
        holdings.begin_sums(routing.sums_begin_aside);
    else
        copy_own_block(me, problem, data);
    Fragments fragments;
    for (Step stage = 0; stage < routing.stages; ++stage) {
        for (Port port = 0; port < me.ports(); ++port) {
            fragments.clear();
            routing.packet(stage, me.id(), port, fragments);
            if (!fragments.empty())
                me.send(port, holdings.collect(port, fragments, stage < routing.giving_stages));
        }
        co_await me.next_step();
        for (Port port = 0; port < me.ports(); ++port) {
            fragments.clear();
            routing.packet(stage, me.topology().neighbour(me.id(), port), me.topology().arrival_port(me.id(), port),
                           fragments);
            if (fragments.empty())
                continue;
            if (stage < routing.adding_stages)
                holdings.add(me.receive_joined(port), fragments);
            else
                holdings.keep(me.receive_joined(port), fragments);
        }
    }
}

}  // namespace dcube::detail
