#include "emu/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace dcube {

using detail::LinkOut;
using detail::NodeState;
using detail::Parcel;

// DCUBE_UNCHECKED leaves out rules and counters; it is defined for one benchmark only, which measures what they cost.

Step Node::step() const
{
    return NodeState::of(*this).engine->step();
}

namespace {

// The rules of sending, and the push. Arguments come by value, not as a Packet: what is written in words and read as a
// vector stalls for some 10 ns.
[[gnu::always_inline]] inline void transmit(NodeState& state, Port port, const std::byte* data, std::size_t size,
                                            std::size_t mark, std::uint64_t header, Time usable)
{
    const std::size_t bytes = size | mark;
    detail::Engine& engine = *state.engine;
    const Step step = engine.step();
#ifndef DCUBE_UNCHECKED
    state.check_port(port);
#endif
    LinkOut& link = state.out[port];
#ifndef DCUBE_UNCHECKED
    if (link.last_sent == step) [[unlikely]]
        state.throw_violation(Rule::link_busy, port, "a second packet on one link in one step");
    if (engine.one_port()) {
        if (state.last_send == step) [[unlikely]]
            state.throw_violation(Rule::second_send, port, "a second send in one step on a one-port machine");
        state.last_send = step;
        engine.note_arrival(state.topology().neighbour(state.id(), port));
    }
#endif
    if (!state.push(link, Parcel{data, bytes, header, step})) [[unlikely]]
        NodeState::throw_channel_full(link.last_sent, state.id(), port, engine.places() - 1);
    if (engine.attentive()) [[unlikely]]
        engine.attend_send(state, port, {data, bytes, header, step}, usable);
#ifndef DCUBE_UNCHECKED
    link.last_sent = step;
    ++link.packets;
    ++state.transmissions;
    state.bytes += size;
#endif
}

}  // namespace

void Node::send(Port port, std::span<const std::byte> bytes, std::uint64_t header, Time usable)
{
    transmit(NodeState::of(*this), port, bytes.data(), bytes.size(), 0, header, usable);
}

void Node::send(Port port, const JoinedPacket& packet)
{
    std::size_t bytes = 0;
    for (const std::span<const std::byte> part : packet.parts)
        bytes += part.size();
    transmit(NodeState::of(*this), port, reinterpret_cast<const std::byte*>(packet.parts.data()), bytes, Parcel::joined,
             packet.parts.size(), packet.usable);
}

bool Node::has_room(Port port) const
{
    const NodeState& state = NodeState::of(*this);
    state.check_port(port);
    if (!state.engine->link_bound())
        throw InvalidArgument(
            "only channels of link-bound machines push back: elsewhere too many packets break a rule");
    return state.has_room(port);
}

bool Node::arrived(Port port) const
{
    const NodeState& state = NodeState::of(*this);
    state.check_port(port);
    return state.waiting(port);
}

Packet Node::peek(Port port) const
{
    const NodeState& state = NodeState::of(*this);
    state.check_arrival(port);
    const detail::LinkIn& link = state.in[port];
    const Parcel parcel = state.engine->slots() ? detail::slots::front(link.ring, link.place) : link.queue->front();
    if (parcel.is_joined())
        state.throw_violation(Rule::size_mismatch, port, "the packet is joined from several places: receive_joined");
    return {{parcel.data, parcel.bytes},
            parcel.header,
            state.engine->link_bound() ? state.engine->arrival_time(state, port) : 0};
}

// What a machine that is not attentive pays for is one branch: neither time nor parts nor a trace.

Packet Node::receive(Port port)
{
    NodeState& state = NodeState::of(*this);
    const Parcel parcel = state.take(port);
    if (parcel.is_joined()) [[unlikely]]
        state.throw_violation(Rule::size_mismatch, port, "the packet is joined from several places: receive_joined");
    const std::span<const std::byte> bytes(parcel.data, parcel.bytes);
    Time usable = 0;
    if (state.engine->attentive()) [[unlikely]]
        usable = state.engine->attend_receive(state, port, {&bytes, 1});
    return {bytes, parcel.header, usable};
}

JoinedPacket Node::receive_joined(Port port)
{
    NodeState& state = NodeState::of(*this);
    const Parcel parcel = state.take(port);
    if (!parcel.is_joined()) [[unlikely]]
        state.throw_violation(Rule::size_mismatch, port, "the packet is one stretch: receive");
    Time usable = 0;
    if (state.engine->attentive()) [[unlikely]]
        usable = state.engine->attend_receive(state, port, parcel.parts());
    return {parcel.parts(), usable};
}

namespace {

// Sizes are told apart with their mark, so a joined packet always comes here.
[[gnu::cold]] void copy_joined(const NodeState& state, Port port, const Parcel& parcel, std::span<std::byte> into)
{
    if (parcel.size() != into.size())
        state.throw_size_mismatch(port, parcel.size(), into.size());
    std::byte* next = into.data();
    for (const std::span<const std::byte> part : parcel.parts())
        next = std::copy(part.begin(), part.end(), next);
}

}  // namespace

Packet Node::receive(Port port, std::span<std::byte> into)
{
    NodeState& state = NodeState::of(*this);
    const Parcel parcel = state.take(port);
    Time usable = 0;
#ifndef DCUBE_UNCHECKED
    if (parcel.bytes != into.size() && !parcel.is_joined()) [[unlikely]]
        state.throw_size_mismatch(port, parcel.bytes, into.size());
#endif
    if (state.engine->attentive()) [[unlikely]] {
        const std::span<const std::byte> copied = into;
        usable = state.engine->attend_receive(state, port, {&copied, 1});
    }
    if (parcel.bytes != into.size()) [[unlikely]] {
        copy_joined(state, port, parcel, into);
        return {into, 0, usable};
    }
    if (parcel.bytes != 0)  // memcpy wants no null pointers
        std::memcpy(into.data(), parcel.data, parcel.bytes);
    return {into, parcel.header, usable};
}

Packet Node::receive(Port port, std::span<std::byte> into, std::span<const std::byte> base, Combine operation)
{
    NodeState& state = NodeState::of(*this);
    const Parcel parcel = state.take(port);
    Time usable = 0;
#ifndef DCUBE_UNCHECKED
    state.check_size(port, parcel.bytes, into.size());
    state.check_size(port, parcel.bytes, base.size());
#endif
    if (state.engine->attentive()) [[unlikely]] {
        const std::span<const std::byte> copied = into;
        usable = state.engine->attend_receive(state, port, {&copied, 1});
    }
    operation(into.data(), base.data(), parcel.data, parcel.bytes);
    return {into, parcel.header, usable};
}

void Node::copy(std::span<std::byte> into, std::span<const std::byte> from)
{
    const NodeState& state = NodeState::of(*this);
    if (state.engine->observed()) [[unlikely]]
        state.engine->observe_copy(state, into, from);
    std::memmove(into.data(), from.data(), from.size());
}

void Node::combine(std::span<std::byte> into, std::span<const std::byte> base, std::span<const std::byte> from,
                   Combine operation)
{
    const NodeState& state = NodeState::of(*this);
    if (state.engine->observed()) [[unlikely]]
        state.engine->observe_copy(state, into, from);
    operation(into.data(), base.data(), from.data(), from.size());
}

bool Node::traced() const
{
    return NodeState::of(*this).engine->observed();
}

std::span<std::byte> Node::allocate(std::size_t bytes)
{
    NodeState& state = NodeState::of(*this);
    return state.engine->allocate(state, bytes);
}

void Node::pause() noexcept
{
    NodeState::of(*this).paused = true;
}

void Node::pause_until(Step step) noexcept
{
    NodeState& state = NodeState::of(*this);
    state.paused = true;
    state.asleep_until = step;
}

void Node::pause_for(Port port, bool room) noexcept
{
    NodeState& state = NodeState::of(*this);
    state.paused = true;
    state.awaited_port = port;
    state.awaits_room = room;
    state.awaited_since = step();
}

namespace detail {

void NodeState::place(Engine& owner, const Topology& topology, NodeId id, LinkOut* links_out, LinkIn* links_in)
{
    engine = &owner;
    out = links_out;
    in = links_in;
    id_ = id;
    ports_ = topology.ports(id);
    topology_ = &topology;
}

// The trampoline: whichever task is innermost runs, until one of them ends the node's step or the program has ended.
void NodeState::resume()
{
    paused = false;
    while (innermost && !paused)
        innermost.resume();
}

void NodeState::throw_channel_full(Step step, NodeId sender, Port port, std::size_t capacity)
{
    throw RuleViolation(Rule::channel_full, step, sender, port,
                        fmt::format("more packets are sent than the {} that may wait to be received", capacity));
}

void NodeState::throw_size_mismatch(Port port, std::size_t packet, std::size_t room) const
{
    throw_violation(Rule::size_mismatch, port,
                    fmt::format("a packet of {} bytes arrived where {} are expected", packet, room).c_str());
}

void NodeState::throw_violation(Rule rule, Port port, const char* detail) const
{
    throw RuleViolation(rule, engine->step(), id_, port, detail);
}

}  // namespace detail

}  // namespace dcube
