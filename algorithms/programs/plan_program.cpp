// The program that does what a plan says.

#include "algorithms/programs/arrival_times.hpp"
#include "algorithms/programs/own_block.hpp"
#include "algorithms/programs/plan.hpp"

#include <array>

namespace dcube::detail {

namespace {

// The memory of one node, as its plan speaks of it. Every hop asks twice where something is, so all places have
// one form: base + block * block stride + index * stride.
template <class Image>
class Regions {
public:
    // `image` takes the plan's nodes to real ones.
    Regions(const Topology& topology, const Problem& problem, Image image, NodeData data, std::span<std::byte> slots)
        : image_(image), bytes_(problem.bytes), output_(data.output.data()), slots_(slots.data())
    {
        // All-reduce deals the blocks of its vector out to the nodes in turn; elsewhere a block is one node's message,
        // if there is more than one message.
        const CollectiveTraits& of = traits(problem.collective);
        const bool dealt = problem.collective == Collective::all_reduce;
        const bool one_message = of.before.share == Share::message && of.after.share == Share::message;
        const std::size_t block_stride = dealt ? bytes_ : one_message ? 0 : bytes_ * problem.packets;
        const std::size_t copy_stride = dealt ? bytes_ * topology.nodes() : bytes_;
        region(Place::input) = {data.input.data(), data.input.size(), 0, 0, copy_stride};
        region(Place::input_block) = {data.input.data(), data.input.size(), 0, block_stride, copy_stride};
        region(Place::output) = {output_, data.output.size(), 0, 0, copy_stride};
        region(Place::output_block) = {output_, data.output.size(), 0, block_stride, copy_stride};
        region(Place::slot) = {slots_, slots.size(), 0, 0, bytes_};
    }

    // The next round is about the next copy of every message.
    void next_round()
    {
        for (const Place place : {Place::input, Place::input_block, Place::output, Place::output_block})
            region(place).first += region(place).stride;
    }

    // These are empty where the last blocks of a dealt vector are missing: nobody has them.
    [[nodiscard]] std::span<const std::byte> to_send(const Action& action) const
    {
        const Region& from = region(action.place);
        const std::size_t at = offset(from, action.block, action.index);
        return {from.base + at, at < from.size ? bytes_ : 0};
    }
    [[nodiscard]] std::span<std::byte> to_store(const Action& action) const
    {
        const Region& to = region(action.place);
        const std::size_t at = offset(to, action.block, action.index);
        return {(action.place == Place::slot ? slots_ : output_) + at, at < to.size ? bytes_ : 0};
    }
    [[nodiscard]] std::span<const std::byte> own_share(const Action& action) const
    {
        const Region& from = region(Place::input_block);
        return {from.base + offset(from, action.block, action.copy), bytes_};
    }

private:
    struct Region {
        const std::byte* base;
        std::size_t size;
        std::size_t first;  // offset of the round's copy
        std::size_t block_stride;
        std::size_t stride;
    };

    [[nodiscard]] Region& region(Place place) { return regions_[static_cast<std::size_t>(place)]; }
    [[nodiscard]] const Region& region(Place place) const { return regions_[static_cast<std::size_t>(place)]; }
    [[nodiscard]] std::size_t offset(const Region& in, NodeId block, std::uint32_t index) const
    {
        return in.first + image_(block) * in.block_stride + index * in.stride;
    }

    Image image_;
    std::size_t bytes_;
    std::byte* output_;
    std::byte* slots_;
    std::array<Region, 5> regions_{};  // by Place
};

template <class Image>
void perform(Node& me, const Action& action, const Regions<Image>& regions, Combine combine, ArrivalTimes& since)
{
    using enum Action::Kind;
    if (action.kind == send) {
        const std::span<const std::byte> bytes = regions.to_send(action);
        if (!bytes.empty())
            me.send(action.port, bytes, 0, since.of(bytes));
        return;
    }
    const std::span<std::byte> into = regions.to_store(action);
    if (into.empty())
        return;
    if (action.kind == keep)
        since.set(me.receive(action.port, into));
    else {
        const std::span<const std::byte> base = action.kind == begin_sum ? regions.own_share(action) : into;
        since.set_sum(me.receive(action.port, into, base, combine), base);
    }
}

// All that the plan has for one step; returns the first action of a later one. Then asks the cache for the places of
// what will arrive in the next step: they are scattered, and a whole step is time enough to fetch them.
template <class Image>
const Action* perform_step(Node& me, const Action* action, const Action* end, const Regions<Image>& regions,
                           Combine combine, ArrivalTimes& since)
{
    const Step step = action->step;
    for (; action != end && action->step == step; ++action)
        perform(me, *action, regions, combine, since);
    for (const Action* next = action; next != end && next->step == step + 1 && next->kind != Action::Kind::send; ++next)
        __builtin_prefetch(regions.to_store(*next).data(), 1);
    return action;
}

template <class Image>
Task run_translated(Node& me, const Plan& plan, NodeData data, Image image)
{
    const Problem& problem = plan.problem();
    const std::span<std::byte> slots = me.allocate(plan.slots(me.id()) * problem.bytes);
    Regions<Image> regions(me.topology(), problem, image, data, slots);
    const Combine combine = is_reduction(problem.collective) ? combiner(problem.operation, problem.type) : nullptr;
    ArrivalTimes since;
    copy_own_block(me, problem, data);

    // What arrives in a round's last step is received in the first step of the next round.
    for (std::uint32_t round = 0; round < plan.rounds(); ++round, regions.next_round()) {
        const Step before = round * plan.steps();
        const std::span<const Action> actions = plan.actions(me.id());
        const Action* const end = actions.data() + actions.size();
        for (const Action* next = actions.data(); next != end;) {
            co_await me.until(before + next->step);
            next = perform_step(me, next, end, regions, combine, since);
        }
    }
}

}  // namespace

Task run_plan(Node& me, const Plan& plan, NodeData data)
{
    return me.topology().with_translation(plan.origin(me.id()),
                                          [&](auto image) { return run_translated(me, plan, data, image); });
}

}  // namespace dcube::detail
