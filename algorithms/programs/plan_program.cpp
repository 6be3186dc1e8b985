// The program that does what a plan says: it hands the plan's script to the machine.

#include "algorithms/programs/own_block.hpp"
#include "algorithms/programs/plan.hpp"
#include "emu/arrival_times.hpp"

namespace dcube::detail {

namespace {

// Where a node's packets lie, the first copy of each. All-reduce deals the blocks of its vector out to the nodes in
// turn; elsewhere a block is one node's message, if there is more than one message.
Regions regions_of(const Node& me, const Plan& plan, NodeData data, Stripes slots)
{
    using enum Script::Place;
    const Problem& problem = plan.problem();
    const CollectiveTraits& of = traits(problem.collective);
    const bool dealt = problem.collective == Collective::all_reduce;
    const bool one_message = of.before.share == Share::message && of.after.share == Share::message;
    const std::size_t block_stride = dealt ? problem.bytes : one_message ? 0 : problem.bytes * problem.packets;
    const std::size_t copy_stride = dealt ? problem.bytes * me.topology().nodes() : problem.bytes;
    auto* const in = const_cast<std::byte*>(data.input.data());  // is only sent from
    Regions regions{.bytes = problem.bytes, .origin = plan.origin(me.id())};
    regions[input] = {in, data.input.size(), 0, copy_stride};
    regions[input_block] = {in, data.input.size(), block_stride, copy_stride};
    regions[output] = {data.output.data(), data.output.size(), 0, copy_stride};
    regions[output_block] = {data.output.data(), data.output.size(), block_stride, copy_stride};
    regions[slot] = {slots.first, static_cast<std::size_t>(-1), 0, slots.stride};
    if (is_reduction(problem.collective))
        regions.combine = combiner(problem);
    return regions;
}

// The next round is about the next copies of every message.
void next_round(Regions& regions, std::size_t copies)
{
    using enum Script::Place;
    for (const Script::Place place : {input, input_block, output, output_block}) {
        Region& region = regions[place];
        const std::size_t by = copies * region.index_stride;
        region.size -= std::min(region.size, by);
        region.base = region.size == 0 ? nullptr : region.base + by;
    }
}

Stripes slots_of(Node& me, const Plan& plan)
{
    const std::size_t slots = plan.slots(me.id());
    const std::size_t bytes = plan.problem().bytes;
    return plan.same_slots() ? me.allocate_stripes(slots, bytes) : Stripes{me.allocate(slots * bytes).data(), bytes};
}

}  // namespace

// What arrives in a round's last step is received in the first step of the next round.
Task run_plan(Node& me, const Plan& plan, NodeData data)
{
    Regions regions = regions_of(me, plan, data, slots_of(me, plan));
    ArrivalTimes since(me);
    regions.since = &since;
    copy_own_block(me, plan.problem(), data);
    const Script script = plan.script(me.id());
    const Step first = me.step();
    const std::size_t copies = plan.problem().packets / plan.rounds();
    for (std::uint32_t round = 0; round < plan.rounds(); ++round, next_round(regions, copies))
        co_await me.follow(script, regions, first + round * plan.steps());
}

}  // namespace dcube::detail
