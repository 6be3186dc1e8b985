// What more there is to sending and receiving in runs that want it: virtual time, traces, lent bytes.

#include "emu/engine.hpp"

#include <algorithm>

namespace dcube::detail {

void Engine::observe_send(NodeState& node, Port port, std::uint32_t link, std::uint64_t place, const Parcel& parcel,
                          Usable usable, Fate fate)
{
    Transit transit;
    if (link_times_.bound()) {
        if (parcel.size() == 0)
            node.throw_violation(Rule::empty_packet, port, "a link-bound machine sends no packets of 0 bytes");
        const auto departed =
            link_times_.depart(link, place, parcel.size(), usable.known() ? usable.ticks() : node.latest_arrival);
        if (!departed)
            node.throw_violation(Rule::time_overflow, port, "the packet's virtual time does not fit in 64 bits");
        transit = *departed;
        node.chunk->note_transit(transit, link_times_.lockstep());
    }
    const std::span<const std::byte> whole(parcel.data, parcel.size());
    const auto parts = parcel.is_joined() ? parcel.parts() : std::span(&whole, 1);
    if (tracer_)
        tracer_->sent(link,
                      {.step = step_,
                       .from = node.id(),
                       .to = topology_.neighbour(node.id(), port),
                       .port = port,
                       .bytes = 0,
                       .start = transit.start,
                       .end = transit.end,
                       .pieces = {},
                       .phase = node.chunk->notes().name_of(node.phase),
                       .lost = fate == Fate::lost},
                      parts);
    if (lent_ && fate == Fate::arrives)
        lent_->lend(place, node.id(), port, parcel, step_);
}

Time Engine::observe_take(NodeState& node, std::uint64_t place)
{
    if (lent_) {
        const LentBytes::Loan& loan = lent_->take(place);
        node.chunk->note_loan(loan);
        if (!loan.there()) [[unlikely]]  // before the receiver reads what is gone
            end_run(node, lent_bytes_changed(loan));
    }
    const Time usable = link_times_.arrival(place);
    node.latest_arrival = std::max(node.latest_arrival, usable);
    return usable;
}

void Engine::observe_receive(const NodeState& node, std::uint32_t link,
                             std::span<const std::span<const std::byte>> parts)
{
    if (tracer_)
        tracer_->received(node.id(), link, parts);
}

void Engine::observe_copy(const NodeState& node, std::span<const std::byte> into, std::span<const std::byte> from)
{
    if (tracer_)
        tracer_->copied(node.id(), into, from);
}

void Engine::observe_receive_sum(const NodeState& node, std::uint32_t link, std::span<const std::byte> into,
                                 std::span<const std::byte> base)
{
    if (tracer_)
        tracer_->received_sum(node.id(), link, into, base);
}

void Engine::observe_combine(const NodeState& node, std::span<const std::byte> into, std::span<const std::byte> base,
                             std::span<const std::byte> from)
{
    if (tracer_)
        tracer_->combined(node.id(), into, base, from);
}

void Engine::observe_written(const NodeState& node, std::span<const std::byte> into)
{
    if (tracer_)
        tracer_->written(node.id(), into);
}

void Engine::observe_take_across(std::uint64_t place)
{
    if (!lent_)
        return;
    const LentBytes::Loan& loan = lent_->take(place);
    if (!loan.unchanged())
        failure_.keep_first(lent_bytes_changed(loan));
}

void Engine::observe_arrival(NodeId receiver, std::uint64_t place, Time arrival)
{
    link_times_.arrive(place, arrival);
    if (lent_)
        lent_->forget(place);
    if (one_port())
        note_arrival(receiver);
}

}  // namespace dcube::detail
