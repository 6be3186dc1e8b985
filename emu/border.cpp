#include "emu/border.hpp"

#include "base/sizes.hpp"
#include "emu/engine.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace dcube::detail {

Border::Border(Engine& engine) : engine_(engine), notes_(engine.ranks().world().ranks())
{
    find_links();
    outgoing_.resize(peers_.size());
    incoming_.resize(peers_.size());
    writers_.resize(peers_.size());
}

// Links out are found in the order of (sender, port); links in are sorted.
void Border::find_links()
{
    struct Entering {
        NodeId sender;
        Port port;
        CrossingLink link;
    };
    const Topology& topology = engine_.topology();
    std::map<unsigned, std::pair<Peer, std::vector<Entering>>> found;
    const auto peer_of = [&](NodeId node) -> auto&
    {
        return found[rank_of_node(node, engine_.ranks().world().ranks(), topology.nodes())];
    };
    for (NodeId node = engine_.ranks().own().first; node < engine_.ranks().own().last; ++node)
        for (Port port = 0; port < topology.ports(node); ++port) {
            const NodeId other = topology.neighbour(node, port);
            if (engine_.ranks().owns(other))
                continue;
            auto& [peer, entering] = peer_of(other);
            peer.outs.push_back({engine_.links().numbers().out(node, port), node});
            entering.push_back(
                {other, topology.arrival_port(node, port), {engine_.links().numbers().in(node, port), node}});
        }
    for (auto& [rank, links] : found) {
        auto& [peer, entering] = links;
        std::ranges::sort(entering, {}, [](const Entering& one) { return std::tuple(one.sender, one.port); });
        for (const Entering& one : entering)
            peer.ins.push_back(one.link);
        for (std::size_t chunk = 0; chunk < engine_.chunks().size(); ++chunk)
            peer.out_of_chunk.push_back(static_cast<std::size_t>(
                std::ranges::lower_bound(peer.outs, engine_.chunks()[chunk].first(), {}, &CrossingLink::node) -
                peer.outs.begin()));
        peer.out_of_chunk.push_back(peer.outs.size());
        ranks_.push_back(rank);
        peers_.push_back(std::move(peer));
    }
}

void Border::reset()
{
    for (Peer& peer : peers_)
        give_up_held(peer, Turnover::none);
    readers_.clear();  // left by a run that was lost between ranks
    packed_in_parts_ = entered_in_parts_ = false;
}

template <class Function>
void Border::with_channels(const Function& function)
{
    if (engine_.options().channel == ChannelKind::slots)
        function(engine_.links().wires());
    else
        function(engine_.links().queues());
}

StepNote Border::cross(StepNote mine)
{
    if (!packed_in_parts_)
        began_ = Clock::now();
    with_channels([&](auto& channels) {
        for (std::size_t peer = 0; peer < peers_.size(); ++peer)
            pack(channels, peer);
    });
    packed_in_parts_ = false;
    for (std::size_t peer = 0; peer < peers_.size(); ++peer) {
        mine.crossed = mine.crossed || !writers_[peer].empty();
        std::swap(outgoing_[peer], writers_[peer].message());
        incoming_[peer] = free_buffer();
    }
    const StepNote all = exchange(mine, outgoing_, incoming_);
    for (std::size_t peer = 0; peer < peers_.size(); ++peer) {
        std::swap(outgoing_[peer], writers_[peer].message());
        readers_.emplace_back(incoming_[peer].bytes(), engine_.step());
    }
    return all;
}

void Border::enter()
{
    with_channels([&](auto& channels) {
        for (std::size_t peer = 0; peer < peers_.size(); ++peer)
            enter(channels, peer);
    });
    entered_in_parts_ = false;
    readers_.clear();
    traffic_.seconds += std::chrono::duration<double>(Clock::now() - began_).count();
}

StepNote Border::exchange_notes(const StepNote& mine)
{
    const Clock::time_point began = Clock::now();
    const StepNote all = exchange(mine, {}, {});
    traffic_.seconds += std::chrono::duration<double>(Clock::now() - began).count();
    return all;
}

StepNote Border::exchange(const StepNote& mine, std::span<MessageBuffer> outgoing, std::span<MessageBuffer> incoming)
{
    const Clock::time_point began = Clock::now();
    World& world = engine_.ranks().world();
    world.exchange(std::span(ranks_).first(outgoing.size()), outgoing, incoming, std::as_bytes(std::span(&mine, 1)),
                   std::as_writable_bytes(std::span(notes_)));
    traffic_.waiting += std::chrono::duration<double>(Clock::now() - began).count();
    traffic_.messages += outgoing.empty() ? world.ranks() - 1 : outgoing.size();
    StepNote all;
    for (const StepNote& note : notes_)
        all.add(note);
    return all;
}

MessageBuffer Border::free_buffer()
{
    if (free_.empty())
        return {};
    MessageBuffer buffer = std::move(free_.back());
    free_.pop_back();
    return buffer;
}

template <class Channels>
void Border::pack(Channels& channels, std::size_t number)
{
    Peer& peer = peers_[number];
    MessageWriter& writer = writers_[number];
    if (!was_packed(number)) {
        writer.begin(engine_.step(), peer.outs.size());
        pack_packets(channels, peer, writer);
    }
    pack_takes(channels, peer, writer);
    traffic_.packets += writer.packets();
    traffic_.bytes += writer.bytes();
    writer.finish(peer.outs.size(), peer.ins.size(), engine_.links().times().bound(),
                  engine_.observers().tracer() != nullptr);
}

// A chunk that has not sent anything in the step has not sent anything over the border.
template <class Channels>
void Border::pack_packets(Channels& channels, const Peer& peer, MessageWriter& writer)
{
    const Step step = engine_.step();
    const std::size_t packed = engine_.plain() ? pack_alike(peer, writer) : 0;
    for (std::size_t chunk = 0; chunk < engine_.chunks().size(); ++chunk) {
        if (!engine_.chunks()[chunk].has_sent())
            continue;
        for (std::size_t i = std::max(packed, peer.out_of_chunk[chunk]); i < peer.out_of_chunk[chunk + 1]; ++i) {
            const std::uint32_t link = peer.outs[i].link;
            const std::optional<std::uint32_t> place = channels.sent_in(link, step);
            if (!place)
                continue;
            const std::uint64_t at = place_number(channels, link, *place);
            const Parcel parcel = channels.newest(link, *place);
            const auto number = static_cast<std::uint32_t>(i);
            if (engine_.observers().lent_is_there(at)) [[likely]]
                writer.add(number, parcel, engine_.links().times().arrival(at));
            else
                writer.add_lost(number, parcel, engine_.links().times().arrival(at));
            if (Tracer* const tracer = engine_.observers().tracer())
                tracer->write_newest(link, writer.labels());
        }
    }
}

// Packets may have been taken from held messages; a message with none left waiting is given up.
template <class Channels>
void Border::pack_takes(Channels& channels, Peer& peer, MessageWriter& writer)
{
    const auto took = [](const Chunk& chunk) { return chunk.has_taken(); };
    if (peer.held.empty() || std::ranges::none_of(engine_.chunks(), took))
        return;
    if (engine_.plain() && all_were_taken(peer)) {
        writer.take_from_all(peer.ins.size());
        return give_up_held(peer, Turnover::none);
    }
    Step oldest = Turnover::none;
    for (std::uint32_t i = 0; i < peer.ins.size(); ++i) {
        const Turnover turnover = channels.turnover(peer.ins[i].link, engine_.step());
        oldest = std::min(oldest, turnover.oldest);
        if (turnover.taken != 0)
            writer.take(i, turnover.taken);
    }
    give_up_held(peer, oldest);
}

void Border::give_up_held(Peer& peer, Step before)
{
    for (; !peer.held.empty() && peer.held.front().step < before; peer.held.pop_front())
        free_.push_back(std::move(peer.held.front().message));
}

template <class Channels>
void Border::enter(Channels& channels, std::size_t number)
{
    Peer& peer = peers_[number];
    MessageReader& reader = readers_[number];
    Held held{engine_.step(), std::move(incoming_[number]), nullptr};
    if (!entered_in_parts_) {
        enter_takes(channels, peer, reader, {0, reader.header().takes});
        enter_packets(channels, peer, reader, held);
    }
    if (reader.header().packets == 0)
        free_.push_back(std::move(held.message));
    else
        peer.held.push_back(std::move(held));
}

template <class Channels>
void Border::enter_takes(Channels& channels, const Peer& peer, const MessageReader& reader, Slice slice)
{
    if (engine_.plain() && reader.header().all_takes)
        return enter_all_takes(peer, slice);
    const Step step = engine_.step();
    for (std::size_t i = slice.first; i < slice.last; ++i) {
        const CrossingLink& out = peer.outs[reader.take(static_cast<std::uint32_t>(i))];
        const std::uint32_t place = channels.inlet(out.link, step).place;
        engine_.observers().take_across(place_number(channels, out.link, place));
        channels.empty(out.link, place, step);
        if (engine_.links().times().has_bell(out.link)) [[unlikely]]
            engine_.ring(out.node);
    }
}

template void Border::enter_takes(Wires&, const Peer&, const MessageReader&, Slice);  // for border_loops.cpp

template <class Channels>
void Border::enter_packets(Channels& channels, Peer& peer, MessageReader& reader, Held& held)
{
    if (engine_.plain() && reader.plain())
        return enter_alike(peer, reader, {0, peer.ins.size()});
    if (reader.header().parts != 0)
        held.parts = std::make_unique<std::span<const std::byte>[]>(as_size(reader.header().parts));
    std::span<const std::byte>* part = held.parts.get();
    for (std::uint32_t i = 0; i < reader.header().packets; ++i) {
        auto [number, parcel, arrival] = reader.next();
        const CrossingLink& in = peer.ins[number];
        if (parcel.is_joined()) {
            const std::byte* bytes = parcel.data;
            parcel.data = reinterpret_cast<const std::byte*>(part);
            for (std::uint64_t j = 0; j < parcel.header; ++j, bytes += part->size(), ++part)
                *part = {bytes, as_size(reader.next_part())};
        }
        const std::uint32_t place = channels.outlet(in.link, engine_.step()).place;
        engine_.observers().arrival(in.node, place_number(channels, in.link, place), arrival);
        if (Tracer* const tracer = engine_.observers().tracer())
            tracer->note_arrival(in.link, reader.labels());
        if (channels.put(in.link, place, parcel, engine_.step())) [[unlikely]]
            engine_.ring(in.node);
    }
}

}  // namespace dcube::detail
