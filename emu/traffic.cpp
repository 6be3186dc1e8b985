#include "emu/traffic.hpp"

#include "emu/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace dcube::detail {

namespace {

// Sizes are compared with their mark included, so a joined packet always comes here.
[[gnu::cold]] void copy_joined(const NodeState& me, Port port, const Parcel& parcel, std::span<std::byte> into)
{
    if (parcel.size() != into.size())
        me.throw_size_mismatch(port, parcel.size(), into.size());
    std::byte* next = into.data();
    for (const std::span<const std::byte> part : parcel.parts())
        next = std::copy(part.begin(), part.end(), next);
}

template <class Channels, Policy policy>
class TrafficBy final : public Traffic {
public:
    TrafficBy(Engine& engine, Channels& channels) : engine_(engine), channels_(channels) {}

    void send(NodeState& me, Port port, const Parcel& parcel, Usable usable) override
    {
        if constexpr (checked)
            check_port(me, port);
        const Step step = me.chunk->step();
        const std::uint32_t link = engine_.links().numbers().out(me.id(), port);
        const Outlet outlet = channels_.outlet(link, step);
        const bool lost = fails(link);
        if constexpr (checked) {
            // A link carries one packet per step.
            if (outlet.busy || lost_already(link)) [[unlikely]]
                me.throw_violation(Rule::link_busy, port, "a second packet on one link in one step");
            if (engine_.one_port())
                note_one_send(me, port, step, lost);
            // A channel of capacity c has c + 1 places, so this finds what was wrong in an earlier step (wires.hpp).
            if (outlet.full) [[unlikely]]
                throw_channel_full(me, outlet.newest, me.id(), port);
        }
        if constexpr (instrumented)  // before the receiver can see the packet
            engine_.observers().send(me, port, link, place_number(channels_, link, outlet.place), parcel, usable,
                                     lost ? Fate::lost : Fate::arrives);
        if (lost)
            return lose(me, port, link, parcel.size());
        const bool has_bell = channels_.put(link, outlet.place, parcel, step);
        if constexpr (checked)
            count_sent(me, link, parcel.size());
        if (has_bell) [[unlikely]]
            engine_.ring(me.topology().neighbour(me.id(), port));
    }

    BorrowedPacket receive(NodeState& me, Port port) override
    {
        const Taken taken = take(me, port);
        const Parcel& parcel = taken.parcel;
        if (parcel.is_joined()) [[unlikely]]
            throw_joined(me, port);
        const std::span<const std::byte> bytes(parcel.data, parcel.bytes);
        observe(me, taken, {&bytes, 1});
        return {bytes, parcel.header, taken.usable};
    }

    BorrowedParts receive_joined(NodeState& me, Port port) override
    {
        const Taken taken = take(me, port);
        if (!taken.parcel.is_joined()) [[unlikely]]
            me.throw_violation(Rule::size_mismatch, port, "the packet is one stretch: receive");
        observe(me, taken, taken.parcel.parts());
        return {taken.parcel.parts(), taken.usable};
    }

    Packet receive(NodeState& me, Port port, std::span<std::byte> into) override
    {
        const Taken taken = take(me, port);
        const Parcel& parcel = taken.parcel;
        if constexpr (checked)
            if (parcel.bytes != into.size() && !parcel.is_joined()) [[unlikely]]
                me.throw_size_mismatch(port, parcel.bytes, into.size());
        const std::span<const std::byte> copied = into;
        observe(me, taken, {&copied, 1});
        if (parcel.bytes != into.size()) [[unlikely]] {
            copy_joined(me, port, parcel, into);
            observe_written(me, into);
            return {into, 0, taken.usable};
        }
        if (parcel.bytes != 0)  // no null pointers; what a wrong program has lent may have become this node's memory
            std::memmove(into.data(), parcel.data, parcel.bytes);
        observe_written(me, into);
        return {into, parcel.header, taken.usable};
    }

    Packet receive(NodeState& me, Port port, std::span<std::byte> into, std::span<const std::byte> base,
                   Combine operation) override
    {
        const Taken taken = take(me, port);
        const Parcel& parcel = taken.parcel;
        if constexpr (checked)
            for (const std::size_t room : {into.size(), base.size()})
                if (parcel.bytes != room) [[unlikely]] {
                    if (parcel.is_joined())
                        throw_joined(me, port);
                    me.throw_size_mismatch(port, parcel.size(), room);
                }
        if constexpr (instrumented)
            engine_.observers().receive_sum(me, taken.link, into, base);
        operation(into.data(), base.data(), parcel.data, parcel.bytes);
        observe_written(me, into);
        return {into, parcel.header, taken.usable};
    }

    [[nodiscard]] BorrowedPacket peek(NodeState& me, Port port) const override
    {
        check_port(me, port);
        const std::uint32_t link = engine_.links().numbers().in(me.id(), port);
        const Inlet inlet = channels_.inlet(link, me.chunk->step());
        if (!inlet.waits)
            throw_nothing(me, port);
        const Parcel parcel = channels_.front(link, inlet.place);
        if (parcel.is_joined())
            throw_joined(me, port);
        const Time usable = engine_.links().times().arrival(place_number(channels_, link, inlet.place));
        me.latest_arrival = std::max(me.latest_arrival, usable);  // a value read here may be sent on
        return {{parcel.data, parcel.bytes}, parcel.header, usable_at(usable)};
    }

    [[nodiscard]] bool arrived(const NodeState& me, Port port) const override
    {
        check_port(me, port);
        return channels_.inlet(engine_.links().numbers().in(me.id(), port), me.chunk->step()).waits;
    }

    [[nodiscard]] bool has_room(const NodeState& me, Port port) const override
    {
        check_port(me, port);
        const std::uint32_t link = engine_.links().numbers().out(me.id(), port);
        return !lost_already(link) && channels_.has_room(link, me.chunk->step());
    }

    [[nodiscard]] bool alive(const NodeState& me, Port port) const override
    {
        check_port(me, port);
        return !fails(engine_.links().numbers().out(me.id(), port));
    }

private:
    static constexpr bool checked = policy != Policy::unchecked;
    static constexpr bool losing = policy == Policy::losing;
    static constexpr bool instrumented = policy == Policy::instrumented || losing;

    // Whether what is sent over the link in this step is lost.
    [[nodiscard]] bool fails([[maybe_unused]] std::uint32_t link) const
    {
        if constexpr (losing)
            return engine_.lossy_links().loses(link, engine_.step());
        return false;
    }

    // Whether something was sent in this step, and is lost.
    [[nodiscard]] bool lost_already([[maybe_unused]] std::uint32_t link) const
    {
        if constexpr (losing)
            return engine_.lossy_links().busy(link, engine_.step());
        return false;
    }

    void count_sent(NodeState& me, std::uint32_t link, std::size_t bytes)
    {
        ++engine_.links().packets()[link];
        me.chunk->count_sent(1, bytes);
    }

    // The sender cannot know that its packet is lost, so all is as with any other packet, but that it enters no
    // channel.
    void lose(NodeState& me, Port port, std::uint32_t link, std::size_t bytes)
    {
        LossyLinks& links = engine_.lossy_links();
        const Step step = me.chunk->step();
        links.note_lost(link, step);
        count_sent(me, link, bytes);
        const NodeId receiver = me.topology().neighbour(me.id(), port);
        me.chunk->note_lost({step, me.id(), port, receiver, bytes, links.cause(link)});
    }

    struct Taken {
        Parcel parcel;
        std::uint32_t link;
        Usable usable;
    };

    static void check_port(const NodeState& me, Port port)
    {
        if (port >= me.ports()) [[unlikely]]
            me.throw_violation(Rule::no_such_port, port, "the node has no such port");
    }

    // Throws the same violation whether the sender or the receiver comes across it (wires.hpp). `step`: the step in
    // which the packet that was one too many was sent.
    [[noreturn, gnu::cold]] void throw_channel_full(const NodeState& finder, Step step, NodeId sender, Port port) const
    {
        finder.end_run(Failure::of_rule(Rule::channel_full, sender, port, step,
                                        fmt::format("more packets are sent than the {} that may wait to be received",
                                                    engine_.options().channel_capacity)));
    }

    [[noreturn, gnu::cold]] static void throw_nothing(const NodeState& me, Port port)
    {
        me.throw_violation(Rule::nothing_arrived, port, "no packet waits to be received");
    }

    [[noreturn, gnu::cold]] static void throw_joined(const NodeState& me, Port port)
    {
        me.throw_violation(Rule::size_mismatch, port,
                           "the packet is joined from several places: receive_joined, or a receive that copies");
    }

    static void note_one_send(NodeState& me, Port port, Step step, bool lost)
    {
        if (!PlainTraffic::note_one_send(me, port, step, lost)) [[unlikely]]
            me.throw_violation(Rule::second_send, port, "a second send in one step on a one-port machine");
        if (me.engine->half_duplex())
            me.engine->note_arrival(me.id());
    }

    Taken take(NodeState& me, Port port)
    {
        const Step step = me.chunk->step();
        const std::uint32_t link = engine_.links().numbers().in(me.id(), port);
        if constexpr (checked)
            check_port(me, port);
        const Inlet inlet = channels_.inlet(link, step);
        if constexpr (checked) {
            if (!inlet.waits) [[unlikely]]
                throw_nothing(me, port);
            if (inlet.overfull) [[unlikely]]
                throw_channel_full(me, inlet.newest, me.topology().neighbour(me.id(), port),
                                   me.topology().arrival_port(me.id(), port));
        }
        Taken taken{channels_.front(link, inlet.place), link, usable_at(0)};
        if constexpr (instrumented)  // before the sender can use the place again
            taken.usable = usable_at(engine_.observers().take(me, place_number(channels_, link, inlet.place)));
        channels_.empty(link, inlet.place, step);
        if constexpr (checked)
            me.chunk->count_taken(1);
        if constexpr (instrumented)  // only link-bound machines have room to wait for
            if (engine_.links().times().has_bell(link)) [[unlikely]]
                engine_.ring(me.topology().neighbour(me.id(), port));
        return taken;
    }

    // `parts`: where the receiver finds the bytes that it took; the sender's memory if it does not copy them.
    void observe(const NodeState& me, const Taken& taken, std::span<const std::span<const std::byte>> parts)
    {
        if constexpr (instrumented)
            engine_.observers().receive(me, taken.link, parts);
    }

    void observe_written(const NodeState& me, std::span<const std::byte> into)
    {
        if constexpr (instrumented)
            engine_.observers().written(me, into);
    }

    Engine& engine_;
    Channels& channels_;
};

template <class Channels>
std::unique_ptr<Traffic> make_traffic(Engine& engine, Channels& channels, Policy policy)
{
    switch (policy) {
    case Policy::unchecked: return std::make_unique<TrafficBy<Channels, Policy::unchecked>>(engine, channels);
    case Policy::checked: return std::make_unique<TrafficBy<Channels, Policy::checked>>(engine, channels);
    case Policy::instrumented: return std::make_unique<TrafficBy<Channels, Policy::instrumented>>(engine, channels);
    case Policy::losing: break;
    }
    return std::make_unique<TrafficBy<Channels, Policy::losing>>(engine, channels);
}

class IdleTraffic final : public Traffic {
public:
    explicit IdleTraffic(Idle manner) : manner_(manner) {}

    void send(NodeState&, Port, const Parcel&, Usable) override { complain(); }
    BorrowedPacket receive(NodeState&, Port) override { return complain(), BorrowedPacket{}; }
    BorrowedParts receive_joined(NodeState&, Port) override { return complain(), BorrowedParts{}; }
    Packet receive(NodeState&, Port, std::span<std::byte>) override { return complain(), Packet{}; }
    Packet receive(NodeState&, Port, std::span<std::byte>, std::span<const std::byte>, Combine) override
    {
        return complain(), Packet{};
    }
    [[nodiscard]] BorrowedPacket peek(NodeState&, Port) const override { return complain(), BorrowedPacket{}; }
    [[nodiscard]] bool arrived(const NodeState&, Port) const override { return complain(), false; }
    [[nodiscard]] bool has_room(const NodeState&, Port) const override { return complain(), false; }
    [[nodiscard]] bool alive(const NodeState&, Port) const override { return complain(), false; }

private:
    void complain() const
    {
        if (manner_ == Idle::complaining)
            throw InvalidArgument("a node sends and receives in its program, while the machine is running it");
    }

    Idle manner_;
};

}  // namespace

bool PlainTraffic::note_one_send(NodeState& me, Port port, Step step, bool lost)
{
    if (me.last_send == step)
        return false;
    me.last_send = step;
    if (!lost)
        me.engine->note_arrival(me.topology().neighbour(me.id(), port));
    return true;
}

std::unique_ptr<Traffic> make_traffic(Engine& engine, Policy policy)
{
    return engine.options().channel == ChannelKind::slots ? make_traffic(engine, engine.links().wires(), policy)
                                                          : make_traffic(engine, engine.links().queues(), policy);
}

// Made before they are needed: there may be no memory then.
Traffic& idle_traffic(Idle manner)
{
    static IdleTraffic complaining(Idle::complaining);
    static IdleTraffic quiet(Idle::quiet);
    return manner == Idle::quiet ? quiet : complaining;
}

}  // namespace dcube::detail
