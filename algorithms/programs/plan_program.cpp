// The program that does what a plan says: it hands the plan's script to the machine.

#include "algorithms/programs/own_block.hpp"
#include "algorithms/programs/plan.hpp"
#include "emu/arrival_times.hpp"
#include "emu/script.hpp"

namespace dcube::detail {

namespace {

// The places of a node's packets, the first copy of each. All-reduce deals the blocks of its vector out to the nodes in
// turn; elsewhere a block is one node's message, if there is more than one message. In place all blocks lie in the one
// array, and `input` holds the packets that were copied (but in all-gather a node's own message). Uneven blocks have no
// stride: the plan counts their packets.
Regions regions_of(const Node& me, const Plan& plan, NodeData data, Stripes slots)
{
    using enum Script::Place;
    const Problem& problem = plan.problem();
    const CollectiveTraits& of = traits(problem.collective);
    const bool dealt = problem.collective == Collective::all_reduce;
    const bool one_message = of.before.share == Share::message && of.after.share == Share::message;
    const bool counted = one_message || !problem.counts.empty();
    const std::size_t block_stride = dealt ? problem.bytes : counted ? 0 : problem.bytes * problem.packets;
    const std::size_t copy_stride = dealt ? problem.bytes * me.topology().nodes() : problem.bytes;
    const std::span<std::byte> in(const_cast<std::byte*>(data.input.data()), data.input.size());  // is only sent from
    Regions regions{.bytes = problem.bytes, .origin = plan.origin(me.id())};
    regions[input] = {in.data(), in.size(), 0, copy_stride};
    regions[input_block] = {in.data(), in.size(), block_stride, copy_stride};
    regions[output] = {data.output.data(), data.output.size(), 0, copy_stride};
    const std::span<std::byte> blocks = problem.in_place && in.size() > data.output.size() ? in : data.output;
    regions[output_block] = {blocks.data(), blocks.size(), block_stride, copy_stride};
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

// Packets that are copied before every round, to either half of a buffer in turn: what was lent in a round's last step
// is read in the first step of the next.
class CopiedPackets {
public:
    CopiedPackets(Node& me, const Plan& plan)
        : me_(me), copied_(plan.copied(me.id())), bytes_(copied_.size() * plan.problem().bytes),
          buffer_(bytes_ == 0 ? std::span<std::byte>() : me.allocate(bytes_ * std::min(plan.rounds(), 2U)))
    {
    }

    void copy(Regions& regions, std::uint32_t round)
    {
        if (copied_.empty())
            return;
        const std::span<std::byte> half = buffer_.subspan(round % 2 * bytes_, bytes_);
        regions[Script::Place::input] = {half.data(), half.size(), 0, regions.bytes};
        const Region& blocks = regions[Script::Place::input_block];
        for (std::size_t i = 0; i < copied_.size(); ++i) {
            const NodeId block = me_.topology().translate(copied_[i].block, regions.origin);
            me_.copy(
                half.subspan(i * regions.bytes, regions.bytes),
                {blocks.base + block * blocks.block_stride + copied_[i].copy * blocks.index_stride, regions.bytes});
        }
    }

private:
    Node& me_;
    std::span<const Plan::Copied> copied_;
    std::size_t bytes_;
    std::span<std::byte> buffer_;
};

Stripes slots_of(Node& me, const Plan& plan)
{
    const std::size_t slots = plan.slots(me.id());
    const std::size_t bytes = plan.problem().bytes;
    return plan.same_slots() ? me.allocate_stripes(slots, bytes) : Stripes{me.allocate(slots * bytes).data(), bytes};
}

}  // namespace

// A packet that arrives in a round's last step is received in the first step of the next round.
Task run_plan(Node& me, const Plan& plan, NodeData data)
{
    Regions regions = regions_of(me, plan, data, slots_of(me, plan));
    ArrivalTimes since(me);
    regions.since = &since;
    CopiedPackets copied(me, plan);
    if (!plan.problem().in_place)
        copy_own_block(me, plan.problem(), plan.layout(), data);
    const Script script = plan.script(me.id());
    const Step first = me.step();
    const std::size_t copies = plan.problem().packets / plan.rounds();
    for (std::uint32_t round = 0; round < plan.rounds(); ++round, next_round(regions, copies)) {
        copied.copy(regions, round);
        co_await follow(me, script, regions, first + round * plan.steps());
    }
}

}  // namespace dcube::detail
