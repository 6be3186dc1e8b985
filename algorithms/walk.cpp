#include "algorithms/plan.hpp"

#include <cstring>

namespace dcube::detail {

namespace {

// The memory of one node, as its plan speaks of it.
class Places {
public:
    Places(const Topology& topology, const Problem& problem, NodeId origin, NodeData data, std::span<std::byte> slots)
        : topology_(topology), origin_(origin), bytes_(problem.bytes), data_(data), slots_(slots)
    {
        // All-reduce deals the blocks of its vector out to the nodes in turn; elsewhere a block is one node's message.
        const bool dealt = problem.collective == Collective::all_reduce;
        block_stride_ = dealt ? bytes_ : bytes_ * problem.packets;
        copy_stride_ = dealt ? bytes_ * topology.nodes() : bytes_;
    }

    // These are empty where the last blocks of a dealt vector are missing: nobody has them.
    [[nodiscard]] std::span<const std::byte> to_send(const Action& action, std::size_t round) const
    {
        if (action.place == Place::input || action.place == Place::input_block)
            return stretch(data_.input, offset(action.place, action, round));
        return to_store(action, round);
    }
    [[nodiscard]] std::span<std::byte> to_store(const Action& action, std::size_t round) const
    {
        return stretch(action.place == Place::slot ? slots_ : data_.output, offset(action.place, action, round));
    }
    [[nodiscard]] std::span<const std::byte> own_share(const Action& action, std::size_t round) const
    {
        return stretch(data_.input, offset(Place::input_block, action, round));
    }

private:
    [[nodiscard]] std::size_t offset(Place place, const Action& action, std::size_t round) const
    {
        if (place == Place::slot)
            return action.slot * bytes_;
        const std::size_t within = (action.copy + round) * copy_stride_;
        if (place == Place::input || place == Place::output)
            return within;
        return topology_.translate(action.block, origin_) * block_stride_ + within;
    }

    template <class Byte>
    [[nodiscard]] std::span<Byte> stretch(std::span<Byte> memory, std::size_t offset) const
    {
        return offset < memory.size() ? memory.subspan(offset, bytes_) : std::span<Byte>{};
    }

    const Topology& topology_;
    NodeId origin_;
    std::size_t bytes_;
    std::size_t block_stride_;
    std::size_t copy_stride_;
    NodeData data_;
    std::span<std::byte> slots_;
};

void perform(Node& me, const Action& action, const Places& places, Combine combine, std::size_t round)
{
    using enum Action::Kind;
    if (action.kind == send) {
        const std::span<const std::byte> bytes = places.to_send(action, round);
        if (!bytes.empty())
            me.send(action.port, bytes);
        return;
    }
    const std::span<std::byte> into = places.to_store(action, round);
    if (into.empty())
        return;
    if (action.kind == keep)
        me.receive(action.port, into);
    else
        me.receive(action.port, into, action.kind == begin_sum ? places.own_share(action, round) : into, combine);
}

// All that the plan has for one step; returns the first action of a later one. Then asks the cache for the places of
// what will arrive in the next step: they are scattered, and a whole step is time enough to fetch them.
const Action* perform_step(Node& me, const Action* action, const Action* end, const Places& places, Combine combine,
                           std::size_t round)
{
    const Step step = action->step;
    for (; action != end && action->step == step; ++action)
        perform(me, *action, places, combine, round);
    for (const Action* next = action; next != end && next->step == step + 1 && next->kind != Action::Kind::send; ++next)
        __builtin_prefetch(places.to_store(*next, round).data(), 1);
    return action;
}

void copy(std::span<std::byte> into, std::span<const std::byte> from, std::size_t bytes, std::size_t into_at,
          std::size_t from_at)
{
    if (into_at < into.size() && from_at < from.size())
        std::memcpy(into.data() + into_at, from.data() + from_at, bytes);
}

}  // namespace

Task walk(Node& me, const Plan& plan, NodeData data)
{
    const Problem& problem = plan.problem();
    const std::span<std::byte> slots = me.allocate(plan.slots(me.id()) * problem.bytes);
    const Places places(me.topology(), problem, plan.origin(me.id()), data, slots);
    const Combine combine = is_reduction(problem.collective) ? combiner(problem.operation, problem.type) : nullptr;
    keep_own(me, problem, data);

    // What arrives in a round's last step is received in the first step of the next round.
    for (std::size_t round = 0; round < plan.rounds(); ++round) {
        const Step before = static_cast<Step>(round) * plan.steps();
        const std::span<const Action> actions = plan.actions(me.id());
        const Action* const end = actions.data() + actions.size();
        for (const Action* next = actions.data(); next != end;) {
            while (me.step() < before + next->step)
                co_await me.next_step();
            next = perform_step(me, next, end, places, combine, round);
        }
    }
}

void keep_own(const Node& me, const Problem& problem, NodeData data)
{
    const std::size_t message = problem.bytes * problem.packets;
    const std::size_t own = me.id() * message;
    switch (problem.collective) {
    case Collective::broadcast:
    case Collective::reduce:
        if (me.id() == problem.root)
            copy(data.output, data.input, message, 0, 0);
        break;
    case Collective::scatter:
        if (me.id() == problem.root)
            copy(data.output, data.input, message, 0, own);
        break;
    case Collective::gather:
        if (me.id() == problem.root)
            copy(data.output, data.input, message, own, 0);
        break;
    case Collective::all_gather: copy(data.output, data.input, message, own, 0); break;
    case Collective::reduce_scatter: copy(data.output, data.input, message, 0, own); break;
    case Collective::all_to_all: copy(data.output, data.input, message, own, own); break;
    case Collective::all_reduce:
        if (me.topology().nodes() == 1)
            copy(data.output, data.input, message, 0, 0);
        break;
    }
}

}  // namespace dcube::detail
