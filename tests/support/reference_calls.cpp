#include "tests/support/reference_state.hpp"

#include <algorithm>
#include <utility>

namespace test_support {

namespace {

using Kind = Call::Kind;
__extension__ using Wide = unsigned __int128;

}  // namespace

void Reference::perform(NodeId id, const Call& call)
{
    Processor& node = nodes_[id];
    switch (call.kind) {
    case Kind::send: return send(id, call, {call.from}, false);
    case Kind::send_joined: return send(id, call, {call.from, call.other}, true);
    case Kind::receive_into:
    case Kind::receive_sum:
    case Kind::receive_view:
    case Kind::receive_joined: return receive(id, call);
    case Kind::peek: return peek(id, call.port);
    case Kind::arrived: return answer(id, arrived(id, call.port));
    case Kind::has_room: return answer(id, has_room(id, call.port));
    case Kind::write:
        return memory_.write(id, call.into, std::vector(call.into.bytes, static_cast<std::byte>(call.word)), step_);
    case Kind::copy:
    case Kind::sum: return work(id, call);
    case Kind::allocate: node.storage += call.word; return;
    case Kind::begin_task: node.tasks.push_back({end_of_task(id), call.caught}); return;
    case Kind::end_task: node.tasks.pop_back(); return;
    case Kind::forget_task: node.forgot = true; return;
    case Kind::fail:
    case Kind::follow: throw Thrown();  // scripts come written out
    case Kind::begin_script: return begin_script(id, call);
    case Kind::stage: return;
    case Kind::next_step:
    case Kind::until:
    case Kind::await_arrival:
    case Kind::await_room: return answer(id, step_);
    }
}

// Copies and sums.
void Reference::work(NodeId id, const Call& call)
{
    const bool sum = call.kind == Kind::sum;
    if (call.into.bytes != call.from.bytes || (sum && call.into.bytes != call.other.bytes))
        throw Thrown();
    const Owners owners = memory_.owners(id, {call.from});
    if (!sum)
        memory_.write(id, call.into, memory_.read(id, call.from), step_);
    for (std::size_t i = 0; sum && i < call.into.bytes; ++i)  // stretches may overlap
        mix_into(id, {call.into.at + i, 1}, {call.other.at + i, 1}, memory_.read(id, {call.from.at + i, 1}));
    memory_.label(id, call.into, owners);
}

void Reference::begin_script(NodeId id, const Call& call)
{
    Step& begins = nodes_[id].script_begins;
    begins = call.word == 0 ? step_ : static_cast<Step>(call.word);
    if (begins - 1 + call.from.at < step_)
        throw Thrown();
}

// The end of the task that has just begun.
std::size_t Reference::end_of_task(NodeId id)
{
    std::size_t at = nodes_[id].next;
    for (int open = 1;; ++at) {
        open += program_.nodes[id][at].kind == Kind::begin_task;
        open -= program_.nodes[id][at].kind == Kind::end_task;
        if (open == 0)
            return at;
    }
}

void Reference::send(NodeId id, const Call& call, const std::vector<Stretch>& parts, bool joined)
{
    require_port(id, call.port);
    Link& out = link(id, call.port);
    if (out.last_send == step_)
        breaks(Rule::link_busy, id, call.port);
    if (program_.machine.ports == PortModel::one) {
        if (nodes_[id].last_send == step_)
            breaks(Rule::second_send, id, call.port);
        nodes_[id].last_send = step_;
    }
    if (out.waited > program_.machine.channel_capacity)
        breaks_capacity(id, call.port);
    Sent packet{id, call.port, parts, joined, joined ? 0 : call.word, 0, step_, {}, memory_.owners(id, parts)};
    packet.bytes = bytes_of(packet);
    const Time start = departure(id, call, packet);
    out.last_send = step_;
    ++out.carried;
    ++sent_;
    ++transmissions_;
    bytes_ += packet.bytes.size();
    if (program_.traced)
        trace(packet, start);
    out.packets.push_back(std::move(packet));
}

// The time at which the packet leaves; notes when it has arrived.
Time Reference::departure(NodeId id, const Call& call, Sent& packet)
{
    if (!bound())
        return 0;
    const std::size_t bytes = packet.bytes.size();
    const LinkModel& model = program_.machine.link;
    const auto ticks = [&](const Rational& ns) {
        return static_cast<Wide>(ns.numerator) * (model.ticks_per_ns() / static_cast<std::uint64_t>(ns.denominator));
    };
    Time& free_from = link(id, call.port).free_from;
    const Processor& node = nodes_[id];
    const Time usable = call.as_received ? node.received : call.of_script ? since(id, call.from) : node.latest;
    const Time start = model.clock == LinkClock::lockstep ? now_ : std::max(usable, free_from);
    const Wide end = start + ticks(model.tau) * bytes + ticks(model.beta);
    if (end > ~Time{0})
        breaks(Rule::time_overflow, id, call.port);
    packet.usable = free_from = static_cast<Time>(end);
    longest_ = std::max(longest_, packet.usable - start);
    last_arrival_ = std::max(last_arrival_, packet.usable);
    return start;
}

void Reference::receive(NodeId id, const Call& call)
{
    const Sent packet = take(id, call.port);
    require_fit(id, call, packet);
    note_arrival(id, call, packet);
    store(id, call, packet, borrow(packet));
}

Sent Reference::take(NodeId id, Port port)
{
    if (!arrived(id, port))
        breaks(Rule::nothing_arrived, id, port);
    Link& in = link_into(id, port);
    if (in.waited > program_.machine.channel_capacity)
        breaks_capacity(in.packets.front().sender, in.packets.front().port);
    Sent packet = std::move(in.packets.front());
    in.packets.pop_front();
    nodes_[id].latest = std::max(nodes_[id].latest, packet.usable);
    lent_.push_back(packet);
    return packet;
}

// A receive that copies takes joined packets and others, the rest one of the two.
void Reference::require_fit(NodeId id, const Call& call, const Sent& packet)
{
    const std::size_t size = packet.bytes.size();
    const bool sum = call.kind == Kind::receive_sum;
    const bool copies = call.kind == Kind::receive_into;
    if ((!copies && packet.joined != (call.kind == Kind::receive_joined)) ||
        ((copies || sum) && size != call.into.bytes) || (sum && size != call.other.bytes))
        breaks(Rule::size_mismatch, id, call.port);
}

void Reference::note_arrival(NodeId id, const Call& call, const Sent& packet)
{
    Processor& node = nodes_[id];
    if (!call.of_script) {
        node.received = packet.usable;
        answer(id, packet.usable);
        answer(id, packet.header);
    } else if (bound()) {
        const Time base = call.kind == Kind::receive_sum ? since(id, call.other) : 0;
        node.since[call.into.at] = std::max(packet.usable, base);
    }
}

void Reference::store(NodeId id, const Call& call, const Sent& packet, const std::vector<std::byte>& bytes)
{
    const std::size_t size = bytes.size();
    if (call.kind == Kind::receive_sum) {
        mix_into(id, call.into, call.other, bytes);
        return memory_.label(id, call.into, packet.owners);
    }
    if (call.kind != Kind::receive_into) {
        answer(id, word_of(bytes));
        if (call.into.at + size > program_.memory)
            return;
    }
    memory_.write(id, {call.into.at, size}, bytes, step_);
    memory_.label(id, {call.into.at, size}, packet.owners);
}

void Reference::peek(NodeId id, Port port)
{
    if (!arrived(id, port))
        breaks(Rule::nothing_arrived, id, port);
    const Sent& packet = link_into(id, port).packets.front();
    if (packet.joined)
        breaks(Rule::size_mismatch, id, port);
    nodes_[id].latest = std::max(nodes_[id].latest, packet.usable);
    answer(id, packet.usable);
    answer(id, packet.header);
    answer(id, word_of(borrow(packet)));
}

void Reference::trace(const Sent& packet, Time start)
{
    std::vector<Piece> pieces;
    for (const std::optional<Owner>& owner : packet.owners) {
        if (!owner)
            break;
        if (!pieces.empty() &&
            Owner{pieces.back().origin, pieces.back().target, pieces.back().offset + pieces.back().length} == *owner)
            ++pieces.back().length;
        else
            pieces.push_back({owner->origin, owner->target, owner->offset, 1});
    }
    const NodeId to = topology_.neighbour(packet.sender, packet.port);
    lines_.emplace_back(
        packet.sender, packet.port,
        trace_text({step_, packet.sender, to, packet.port, packet.bytes.size(), start, packet.usable, pieces}));
}

Time Reference::since(NodeId id, Stretch place)
{
    const auto found = nodes_[id].since.find(place.at);
    return found == nodes_[id].since.end() ? 0 : found->second;
}

// The present bytes of a packet's stretches.
std::vector<std::byte> Reference::bytes_of(const Sent& packet)
{
    std::vector<std::byte> bytes;
    for (const Stretch& part : packet.parts)
        for (const std::byte byte : memory_.read(packet.sender, part))
            bytes.push_back(byte);
    return bytes;
}

// The same, read by the receiver.
std::vector<std::byte> Reference::borrow(const Sent& packet)
{
    for (const Stretch& part : packet.parts)
        memory_.lend(packet.sender, part, step_);
    return bytes_of(packet);
}

// Byte by byte: stretches may overlap.
void Reference::mix_into(NodeId id, Stretch into, Stretch base, const std::vector<std::byte>& packet)
{
    for (std::size_t i = 0; i < into.bytes; ++i) {
        std::vector<std::byte> one = memory_.read(id, {base.at + i, 1});
        mix(one.data(), one.data(), &packet[i], 1);
        memory_.write(id, {into.at + i, 1}, one, step_);
    }
}

}  // namespace test_support
