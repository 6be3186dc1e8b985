#include "emu/observers.hpp"

#include "emu/engine.hpp"

#include <algorithm>

namespace dcube::detail {

void Observers::begin_trace(const RunOptions& options)
{
    const Topology& topology = engine_.topology();
    const std::uint64_t links = engine_.links().numbers().count();
    const std::size_t places = engine_.options().channel_capacity + 1;
    engine_.require_memory(Tracer::bytes(topology, links, places), "a trace");
    tracer_ = std::make_unique<Tracer>(topology, engine_.ranks().own(), links, places, options);
}

void Observers::send(NodeState& node, Port port, std::uint32_t link, std::uint64_t place, const Parcel& parcel,
                     Usable usable, Fate fate)
{
    Transit transit;
    LinkTimes& times = engine_.links().times();
    if (times.bound()) {
        const PacketEnds ends{node.id(), fate == Fate::arrives
                                             ? std::optional(engine_.topology().neighbour(node.id(), port))
                                             : std::nullopt};
        const auto departed =
            times.depart(link, place, parcel.size(), usable.known() ? usable.ticks() : node.latest_arrival, ends);
        if (!departed)
            node.throw_violation(Rule::time_overflow, port, "the packet's virtual time does not fit in 64 bits");
        transit = *departed;
        node.chunk->note_transit(transit, times.lockstep());
    }
    const std::span<const std::byte> whole(parcel.data, parcel.size());
    const auto parts = parcel.is_joined() ? parcel.parts() : std::span(&whole, 1);
    if (tracer_)
        tracer_->sent(link,
                      {.step = engine_.step(),
                       .from = node.id(),
                       .to = engine_.topology().neighbour(node.id(), port),
                       .port = port,
                       .bytes = 0,
                       .start = transit.start,
                       .end = transit.end,
                       .pieces = {},
                       .phase = node.chunk->notes().name_of(node.stay),
                       .lost = fate == Fate::lost},
                      parts);
    if (lent_ && fate == Fate::arrives)
        lent_->lend(place, node.id(), port, parcel, engine_.step());
}

Time Observers::take(NodeState& node, std::uint64_t place)
{
    if (lent_) {
        const LentBytes::Loan& loan = lent_->take(place);
        node.chunk->note_loan(loan);
        if (!loan.there()) [[unlikely]]  // before the receiver reads what is gone
            node.end_run(lent_bytes_changed(loan));
    }
    const Time usable = engine_.links().times().arrival(place);
    node.latest_arrival = std::max(node.latest_arrival, usable);
    return usable;
}

void Observers::receive(const NodeState& node, std::uint32_t link, std::span<const std::span<const std::byte>> parts)
{
    if (tracer_)
        tracer_->received(node.id(), link, parts);
}

void Observers::copy(const NodeState& node, std::span<const std::byte> into, std::span<const std::byte> from)
{
    if (tracer_)
        tracer_->copied(node.id(), into, from);
}

void Observers::receive_sum(const NodeState& node, std::uint32_t link, std::span<const std::byte> into,
                            std::span<const std::byte> base)
{
    if (tracer_)
        tracer_->received_sum(node.id(), link, into, base);
}

void Observers::combine(const NodeState& node, std::span<const std::byte> into, std::span<const std::byte> base,
                        std::span<const std::byte> from)
{
    if (tracer_)
        tracer_->combined(node.id(), into, base, from);
}

void Observers::written(const NodeState& node, std::span<const std::byte> into)
{
    if (tracer_)
        tracer_->written(node.id(), into);
}

void Observers::take_across(std::uint64_t place)
{
    if (!lent_)
        return;
    const LentBytes::Loan& loan = lent_->take(place);
    if (!loan.unchanged())
        failure_across_.keep_first(lent_bytes_changed(loan));
}

void Observers::arrival(NodeId receiver, std::uint64_t place, Time arrival)
{
    engine_.links().times().arrive(place, arrival);
    if (lent_)
        lent_->forget(place);
    if (engine_.one_port())
        engine_.note_arrival(receiver);
}

// All nodes have had their step.
void Observers::check_loans(Chunk& chunk)
{
    for (const LentBytes::Loan& loan : chunk.take_ending_loans())
        if (!loan.unchanged())
            chunk.fail(lent_bytes_changed(loan));
}

Failure Observers::lent_bytes_changed(const LentBytes::Loan& loan) const
{
    return Failure::of_rule(Rule::lent_bytes_changed, loan.sender, loan.port, engine_.step(), loan.complaint(),
                            RuleViolation::Packet{loan.sender, loan.sent});
}

}  // namespace dcube::detail
