#include <dcube/node.hpp>

#include "base/numbers.hpp"
#include "base/sizes.hpp"
#include "emu/engine.hpp"
#include "emu/renamed_node.hpp"
#include "emu/script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace dcube {

using detail::Failure;
using detail::Inlet;
using detail::NodeState;
using detail::Parcel;
using detail::Traffic;

namespace {

// A port as the machine numbers it, of a node or of one that has other names.
Port of_machine(const NodeState& me, const Node& node, Port port)
{
    return &me == &node ? port : static_cast<const detail::RenamedNode&>(node).port_of_machine(port);
}

Traffic& traffic(const NodeState& node)
{
    return node.engine->traffic();
}

void require_equal_sizes(std::size_t into, std::size_t from)
{
    if (into != from)
        throw InvalidArgument(fmt::format("{} bytes do not fit a place of {}: sizes must be equal", from, into));
}

void require_operation(Combine operation)
{
    if (!operation) [[unlikely]]
        throw InvalidArgument("there is no operation to combine with");
}

// The less usual cases of a send, apart, so that Node::send and Node::receive are short and need no stack.
[[gnu::noinline]] void send_otherwise(NodeState& me, Port port, std::span<const std::byte> bytes, std::uint64_t header,
                                      Usable usable)
{
    const detail::PlainTraffic& plain = me.chunk->plain_traffic();
    if (plain.one_port() && plain.send<PortModel::one>(me, port, bytes, header))
        return me.chunk->count_sent(1, bytes.size());
    traffic(me).send(me, port, {bytes.data(), bytes.size(), header}, usable);
}

[[gnu::noinline]] void copy_any_size(std::span<std::byte> into, const std::byte* packet)
{
    if (!into.empty())  // memory that a wrong program has lent may have become this node's
        std::memmove(into.data(), packet, into.size());
}

// An operation of all nodes would take a packet that waits here for one of its own.
void require_no_packets(const NodeState& node, std::string_view name)
{
    const detail::Engine& engine = *node.engine;
    for (Port port = 0; port < node.ports(); ++port)
        if (const Inlet found = engine.links().inlet(node.id(), port, engine.step()); found.waits) [[unlikely]]
            node.throw_violation(Rule::stray_packet, port,
                                 fmt::format("the packet that node {} sent in step {} waits when {} begins",
                                             node.topology().neighbour(node.id(), port), found.oldest, name)
                                     .c_str());
}

// Which node exceeds the limit depends on the order in which nodes ask: no node is at fault, so node 0 is named.
[[noreturn, gnu::cold]] void throw_no_memory(const NodeState& finder)
{
    const detail::Engine& engine = *finder.engine;
    const std::size_t most = engine.options().memory_limit;
    const std::string limit = most ? fmt::format(" (the limit is {})", memory_text(most)) : "";
    finder.end_run({engine.step(), 0,
                    std::make_exception_ptr(InvalidArgument(fmt::format(
                        "the nodes ask for more memory in step {} than there is{}", engine.step(), limit)))});
}

}  // namespace

Step Node::step() const
{
    return NodeState::of(*this).chunk->step();
}

PortModel Node::port_model() const
{
    return NodeState::of(*this).engine->options().ports;
}

const LinkModel& Node::link() const
{
    return NodeState::of(*this).engine->options().link;
}

void Node::send(Port port, std::span<const std::byte> bytes, std::uint64_t header, Usable usable)
{
    NodeState& me = NodeState::of(*this);
    port = of_machine(me, *this, port);
    const detail::PlainTraffic& plain = me.chunk->plain_traffic();
    if (!plain.is_on() || plain.one_port() || !plain.send<PortModel::all>(me, port, bytes, header)) [[unlikely]]
        return send_otherwise(me, port, bytes, header, usable);
    if (plain.checked())
        me.chunk->count_sent(1, bytes.size());
}

void Node::send(Port port, const JoinedPacket& packet)
{
    NodeState& me = NodeState::of(*this);
    port = of_machine(me, *this, port);
    std::size_t bytes = 0;
    for (const std::span<const std::byte> part : packet.parts)
        bytes += part.size();
    traffic(me).send(
        me, port,
        {reinterpret_cast<const std::byte*>(packet.parts.data()), bytes | Parcel::joined, packet.parts.size()},
        packet.usable);
}

Usable Node::usable_now() const
{
    return detail::usable_at(NodeState::of(*this).latest_arrival);
}

bool Node::has_room(Port port) const
{
    const NodeState& me = NodeState::of(*this);
    port = of_machine(me, *this, port);
    if (!me.engine->options().link.bound())
        throw InvalidArgument(
            "only channels of link-bound machines push back: elsewhere too many packets break a rule");
    return traffic(me).has_room(me, port);
}

bool Node::alive(Port port) const
{
    const NodeState& me = NodeState::of(*this);
    port = of_machine(me, *this, port);
    return traffic(me).alive(me, port);
}

bool Node::arrived(Port port) const
{
    const NodeState& me = NodeState::of(*this);
    port = of_machine(me, *this, port);
    return traffic(me).arrived(me, port);
}

BorrowedPacket Node::peek(Port port)
{
    NodeState& me = NodeState::of(*this);
    port = of_machine(me, *this, port);
    return traffic(me).peek(me, port);
}

BorrowedPacket Node::receive(Port port)
{
    NodeState& me = NodeState::of(*this);
    port = of_machine(me, *this, port);
    return traffic(me).receive(me, port);
}

BorrowedParts Node::receive_joined(Port port)
{
    NodeState& me = NodeState::of(*this);
    port = of_machine(me, *this, port);
    return traffic(me).receive_joined(me, port);
}

Packet Node::receive(Port port, std::span<std::byte> into)
{
    NodeState& me = NodeState::of(*this);
    port = of_machine(me, *this, port);
    const detail::PlainTraffic& plain = me.chunk->plain_traffic();
    if (!plain.is_on())
        return traffic(me).receive(me, port, into);
    const auto packet = plain.waiting(me, port, into.size());
    if (!packet.data) [[unlikely]]
        return traffic(me).receive(me, port, into);
    if (into.size() == sizeof(std::uint64_t))
        std::memcpy(into.data(), packet.data, sizeof(std::uint64_t));
    else
        copy_any_size(into, packet.data);
    plain.take(packet);
    if (plain.checked())
        me.chunk->count_taken(1);
    return {into, 0, detail::usable_at(0)};
}

Packet Node::receive(Port port, std::span<std::byte> into, std::span<const std::byte> base, Combine operation)
{
    require_operation(operation);
    NodeState& me = NodeState::of(*this);
    port = of_machine(me, *this, port);
    const detail::PlainTraffic& plain = me.chunk->plain_traffic();
    const bool usual = plain.is_on() && base.size() == into.size();
    const auto packet = usual ? plain.waiting(me, port, into.size()) : detail::PlainTraffic::Waiting{};
    if (!packet.data) [[unlikely]]
        return traffic(me).receive(me, port, into, base, operation);
    operation(into.data(), base.data(), packet.data, into.size());
    plain.take(packet);
    if (plain.checked())
        me.chunk->count_taken(1);
    return {into, 0, detail::usable_at(0)};
}

void Node::copy(std::span<std::byte> into, std::span<const std::byte> from)
{
    require_equal_sizes(into.size(), from.size());
    const NodeState& me = NodeState::of(*this);
    if (me.engine->observers().any()) [[unlikely]]
        me.engine->observers().copy(me, into, from);
    if (!from.empty())
        std::memmove(into.data(), from.data(), from.size());
    if (me.engine->observers().any()) [[unlikely]]
        me.engine->observers().written(me, into);
}

void Node::combine(std::span<std::byte> into, std::span<const std::byte> base, std::span<const std::byte> from,
                   Combine operation)
{
    require_equal_sizes(into.size(), from.size());
    require_equal_sizes(into.size(), base.size());
    require_operation(operation);
    const NodeState& me = NodeState::of(*this);
    if (me.engine->observers().any()) [[unlikely]]
        me.engine->observers().combine(me, into, base, from);
    operation(into.data(), base.data(), from.data(), from.size());
    if (me.engine->observers().any()) [[unlikely]]
        me.engine->observers().written(me, into);
}

void Node::begin_together(const void* what, std::string_view name, std::uint64_t meaning)
{
    NodeState& me = NodeState::of(*this);
    require_no_packets(me, name);
    me.began_together = step();
    me.chunk->begin_together({what, name, me.id(), meaning});
}

void Node::phase(std::string_view name)
{
    NodeState& me = NodeState::of(*this);
    me.stay = me.chunk->notes().enter(me.stay, name, step());
}

void Node::count(std::string_view name, std::uint64_t number)
{
    NodeState::of(*this).chunk->notes().count(name, number);
}

Random Node::random() const
{
    const NodeState& me = NodeState::of(*this);
    return Random(me.engine->seed(), me.id());
}

bool Node::traced() const
{
    return NodeState::of(*this).engine->observers().any();
}

namespace {

std::span<std::byte> allocated(NodeState& me, std::size_t bytes)
{
    const std::size_t nodes = me.chunk->last() - me.chunk->first();
    const auto storage = me.chunk->storage().allocate(me.engine->storage(), bytes, nodes);
    if (!storage) [[unlikely]]
        throw_no_memory(me);
    return *storage;
}

}  // namespace

std::span<std::byte> Node::allocate(std::size_t bytes)
{
    NodeState& me = NodeState::of(*this);
    const std::span<std::byte> storage = allocated(me, bytes);
    me.storage += bytes;
    return storage;
}

std::span<std::span<const std::byte>> Node::allocate_parts(std::size_t parts)
{
    using Part = std::span<const std::byte>;
    NodeState& me = NodeState::of(*this);
    if (parts > PTRDIFF_MAX / sizeof(Part)) [[unlikely]]
        throw_no_memory(me);
    auto* const list = reinterpret_cast<Part*>(allocated(me, parts * sizeof(Part)).data());
    std::uninitialized_default_construct_n(list, parts);
    return {list, parts};
}

Stripes Node::allocate_stripes(std::size_t pieces, std::size_t bytes)
{
    NodeState& me = NodeState::of(*this);
    const NodeRange own = me.engine->ranks().own();
    const auto all = me.chunk->storage().interleaved(me.engine->storage(), own.size(), pieces, bytes);
    if (!all) [[unlikely]]
        throw_no_memory(me);
    me.storage += pieces * bytes;
    std::byte* const first = all->data();  // none where nothing has bytes
    return {first ? first + (me.id() - own.first) * bytes : nullptr, own.size() * bytes};
}

namespace {

// Apart, so that Node::pause needs no frame.
[[gnu::cold, gnu::noinline]] bool pause_other(std::coroutine_handle<> task) noexcept
{
    NodeState& other = NodeState::of(*detail::task_handle(task).promise().node);
    other.pause = NodeState::Pause::for_a_step;
    other.note_violation(Rule::no_such_task, RuleViolation::no_port, "what it awaits is another node's");
    return false;
}

}  // namespace

bool Node::pause(std::coroutine_handle<> task) noexcept
{
    NodeState& me = NodeState::of(*this);
    if (me.innermost != task) [[unlikely]]
        return pause_other(task);
    me.pause = NodeState::Pause::for_a_step;
    return true;
}

// Pauses the node for more than the step, as the caller then notes. Null if the task is another node's.
detail::NodeState* Node::pause_longer(std::coroutine_handle<> task) noexcept
{
    if (!pause(task)) [[unlikely]]
        return nullptr;
    NodeState& me = NodeState::of(*this);
    me.pause = NodeState::Pause::longer;
    return &me;
}

void Node::pause_until(std::coroutine_handle<> task, Step step) noexcept
{
    if (NodeState* const me = pause_longer(task)) [[likely]]
        me->asleep_until = std::min(step, detail::Wires::last_step + 1);
}

bool Node::pause_for(std::coroutine_handle<> task, Port port, bool room) noexcept
{
    NodeState* const me = pause_longer(task);
    if (!me) [[unlikely]]
        return false;
    me->awaited_port = of_machine(*me, *this, port);
    me->awaits_room = room;
    me->awaited_since = step();
    return true;
}

Port detail::AnyArrival::port_of_machine(std::size_t i) const
{
    return of_machine(NodeState::of(*node), *node, port(i));
}

std::size_t detail::AnyArrival::found() const
{
    for (std::size_t i = 0; i < count; ++i)
        if (node->arrived(port(i)))
            return i;
    return none;
}

void detail::AnyArrival::await_suspend(std::coroutine_handle<> task) const noexcept
{
    if (node->pause_for(task, port(0), false)) [[likely]]
        NodeState::of(*node).awaited_any = this;
}

detail::AnyArrival Node::any_arrival(std::span<const Port> ports)
{
    if (ports.empty())
        throw InvalidArgument("a list of no ports cannot be waited on: at least one is needed");
    return {this, ports.data(), ports.size()};
}

detail::AnyArrival Node::any_arrival()
{
    if (ports_ == 0)
        throw InvalidArgument("a node without ports has none to wait on");
    return {this, nullptr, ports_};
}

bool detail::Follow::await_ready()
{
    if (script.stages.empty())
        return true;
    const Step now = node->step();
    before = (first == 0 ? now : first) - 1;
    const std::uint64_t begins = std::uint64_t{before} + script.stages.front().step;
    const std::uint64_t ends = std::uint64_t{before} + script.stages.back().step;
    if (begins < now)
        throw InvalidArgument(
            fmt::format("a script whose first actions are in step {} cannot begin in step {}", begins, now));
    if (ends > detail::Wires::last_step)
        throw InvalidArgument(fmt::format("a script cannot end in step {}: a run has at most 2^31-2 steps", ends));
    return false;
}

void detail::Follow::await_suspend(std::coroutine_handle<> task) const noexcept
{
    if (NodeState* const me = node->pause_longer(task)) [[likely]]
        me->following = this;
}

namespace detail {

NodeState::NodeState(Engine& owner, Chunk& home, const Topology& topology, NodeId id, std::uint32_t first)
    : engine(&owner), chunk(&home), first_link(first)
{
    id_ = id;
    ports_ = topology.ports(id);
    topology_ = &topology;
    state_ = this;
}

RenamedNode::RenamedNode(const Node& me, NodeId id, const Topology& network, std::span<const Port> ports)
    : ports_of_renamed_(ports), more_ports_(me.ports()),
      outer_(static_cast<const Node*>(me.state_) == &me ? nullptr : static_cast<const RenamedNode*>(&me))
{
    id_ = id;
    ports_ = static_cast<Port>(ports.size());
    topology_ = &network;
    state_ = me.state_;
}

RenamedNode::RenamedNode(const Node& me, const Recognition& known)
    : RenamedNode(me, known.there[me.id()], known.network,
                  std::span(known.ports).subspan(as_size(known.network.link(known.there[me.id()], 0)), me.ports()))
{
}

RenamedNode::RenamedNode(const Node& me, const Group& group)
    : RenamedNode(me, group.rank(me.id()), group.network(), group.ports(me.id()))
{
}

void NodeState::reset()
{
    innermost = program = {};
    pause = Pause::none;
    awaits_room = forgotten = false;
    looks = 0;
    asleep_until = last_send = began_together = 0;
    awaited_port = no_port;
    awaited_any = nullptr;
    stay = Notes::no_stay;
    following = nullptr;
    last_arrival.store(0, std::memory_order_relaxed);
    dormant.store(false, std::memory_order_relaxed);
    latest_arrival = 0;
    storage = 0;
}

void NodeState::throw_size_mismatch(Port port, std::size_t packet, std::size_t room) const
{
    throw_violation(Rule::size_mismatch, port,
                    fmt::format("a packet of {} bytes arrived where {} are expected", packet, room).c_str());
}

void NodeState::end_run(const Failure& failure) const
{
    chunk->fail(failure);
    std::rethrow_exception(failure.error);
}

void NodeState::throw_violation(Rule rule, Port port, const char* detail) const
{
    throw note_violation(rule, port, detail);
}

RuleViolation NodeState::note_violation(Rule rule, Port port, const char* detail) const
{
    RuleViolation violation(rule, engine->step(), id_, port, detail);
    chunk->fail({violation.step, violation.node, std::make_exception_ptr(violation)});
    return violation;
}

}  // namespace detail

}  // namespace dcube
