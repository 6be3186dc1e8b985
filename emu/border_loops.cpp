// Packets that cross a border in the common case: every link carries one, all of one size, and nothing is unusual.

#include "base/sizes.hpp"
#include "emu/border.hpp"
#include "emu/copies.hpp"
#include "emu/engine.hpp"
#include "emu/message.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace dcube::detail {

namespace {

// The size of the packet of this step on a wire of two places; 0 unless it is where it usually is, and is plain bytes.
std::size_t usual_size(const Wires& wires, std::uint32_t link, Step step)
{
    const std::uint64_t state = wires.at(link, step % 2).state();
    const auto size = static_cast<std::uint32_t>(state);
    return Place::mark_of(state) == step && size != Place::aside ? size : 0;
}

// Copies packets of this size, of these links from the first on. Returns how many there are. They lie side by side in
// no memory, so that each is asked for some time before.
template <class Size>
std::size_t pack_by(const Wires& wires, std::span<const CrossingLink> outs, std::byte* into, Step step,
                    std::size_t bytes)
{
    constexpr std::size_t ahead = 16;
    const std::uint64_t state = Place::full_since(step, static_cast<std::uint32_t>(bytes));
    const std::size_t stride = packet_place(bytes, bytes);
    for (std::size_t i = 0; i < outs.size(); ++i, into += stride) {
        if (i + ahead < outs.size())
            __builtin_prefetch(wires.at(outs[i + ahead].link, step % 2).data());
        const Place place = wires.at(outs[i].link, step % 2);
        if (place.state() != state) [[unlikely]]
            return i;
        Size::copy(into, place.data(), bytes);
    }
    return outs.size();
}

std::size_t pack_of_size(const Wires& wires, std::span<const CrossingLink> outs, std::byte* into, Step step,
                         std::size_t bytes)
{
    switch (bytes) {
    case 8: return pack_by<Words<8>>(wires, outs, into, step, bytes);
    case 16: return pack_by<Words<16>>(wires, outs, into, step, bytes);
    case 64: return pack_by<Words<64>>(wires, outs, into, step, bytes);
    default: return pack_by<AnySize>(wires, outs, into, step, bytes);
    }
}

}  // namespace

// Packs links that carry packets of one size, as most links do most of the time. Returns how many there are, from the
// first link on.
std::uint32_t Border::pack_alike(const Peer& peer, MessageWriter& writer)
{
    const Wires& wires = engine_.links().wires();
    const Step step = engine_.step();
    const std::size_t size = usual_size(wires, peer.outs.front().link, step);
    if (size == 0)
        return 0;
    std::byte* const into = writer.make_room(peer.outs.size(), size);
    const auto packed = static_cast<std::uint32_t>(pack_of_size(wires, peer.outs, into, step, size));
    writer.note_alike(packed);
    return packed;
}

// The same for the receivers' wires.
void Border::enter_alike(const Peer& peer, const MessageReader& reader, Slice slice)
{
    Wires& wires = engine_.links().wires();
    const Step step = engine_.step();
    const std::size_t size = as_size(reader.header().size);
    const std::uint64_t state = Place::full_since(step, static_cast<std::uint32_t>(size));
    const std::size_t stride = packet_place(size, size);
    const std::byte* bytes = reader.bytes() + slice.first * stride;
    for (const CrossingLink& in : std::span(peer.ins).subspan(slice.first, slice.last - slice.first)) {
        const Place place = wires.at(in.link, step % 2);
        if (!Place::is_free(place.state(), step) || size >= Place::end_of_sizes) [[unlikely]] {
            if (wires.put(in.link, wires.outlet(in.link, step).place, {bytes, size, 0}, step))
                engine_.ring(in.node);
        } else {
            place.fill(bytes, state);
        }
        bytes += stride;
    }
}

// Whether every link's one packet was taken in this step.
bool Border::all_were_taken(const Peer& peer) const
{
    const Step step = engine_.step();
    const std::uint64_t taken = Place::empty_since(step);
    return std::ranges::all_of(peer.ins, [&](const CrossingLink& in) {
        const Wires& wires = engine_.links().wires();
        return wires.at(in.link, (step + 1) % 2).state() == taken &&
               !Place::is_full(wires.at(in.link, step % 2).state());
    });
}

// The same in the senders' wires.
void Border::enter_all_takes(const Peer& peer, Slice slice)
{
    Wires& wires = engine_.links().wires();
    const Step step = engine_.step();
    for (const CrossingLink& out : std::span(peer.outs).subspan(slice.first, slice.last - slice.first)) {
        const Place before = wires.at(out.link, (step + 1) % 2);
        if (Place::waits_in(before.state(), step) && !Place::waits_in(wires.at(out.link, step % 2).state(), step))
            [[likely]]
            before.set_state(Place::empty_since(step));
        else
            wires.empty(out.link, wires.inlet(out.link, step).place, step);
    }
}

namespace {

// Fewer bytes are not worth calling the workers together twice more.
constexpr std::size_t worth_sharing = std::size_t{64} << 10;

}  // namespace

Border::Slice Border::slice_of(std::size_t chunk, std::size_t count) const
{
    const std::size_t chunks = engine_.chunks().size();
    return {chunk * count / chunks, (chunk + 1) * count / chunks};
}

bool Border::begin_packing()
{
    if (!engine_.plain())
        return false;
    const auto size_to = [this](const Peer& peer) {
        return usual_size(engine_.links().wires(), peer.outs.front().link, engine_.step());
    };
    std::size_t bytes = 0;
    for (const Peer& peer : peers_) {
        if (size_to(peer) == 0)
            return false;
        bytes += peer.outs.size() * size_to(peer);
    }
    if (bytes < worth_sharing)
        return false;
    began_ = Clock::now();
    for (std::size_t peer = 0; peer < peers_.size(); ++peer) {
        writers_[peer].begin(engine_.step(), peers_[peer].outs.size());
        writers_[peer].make_room(peers_[peer].outs.size(), size_to(peers_[peer]));
    }
    unusual_.store(false, std::memory_order_relaxed);
    packed_in_parts_ = true;
    return true;
}

void Border::pack_part(std::size_t chunk)
{
    for (std::size_t number = 0; number < peers_.size(); ++number) {
        const Peer& peer = peers_[number];
        const Slice slice{peer.out_of_chunk[chunk], peer.out_of_chunk[chunk + 1]};
        const std::size_t size = writers_[number].size_of_first();
        const std::size_t stride = packet_place(size, size);
        const std::size_t packed =
            pack_of_size(engine_.links().wires(), std::span(peer.outs).subspan(slice.first, slice.last - slice.first),
                         writers_[number].room_made() + slice.first * stride, engine_.step(), size);
        if (packed != slice.last - slice.first)
            unusual_.store(true, std::memory_order_relaxed);
    }
}

// Whether the parts make up the whole; else all is packed again.
bool Border::was_packed(std::size_t peer)
{
    if (!packed_in_parts_ || unusual_.load(std::memory_order_relaxed))
        return false;
    writers_[peer].note_alike(static_cast<std::uint32_t>(peers_[peer].outs.size()));
    return true;
}

bool Border::begin_entering()
{
    const auto alike = [](const MessageReader& reader) {
        return reader.plain() && (reader.header().takes == 0 || reader.header().all_takes);
    };
    std::size_t bytes = 0;
    for (const MessageReader& reader : readers_)
        bytes += reader.header().packets * reader.header().size;
    entered_in_parts_ = engine_.plain() && bytes >= worth_sharing && std::ranges::all_of(readers_, alike);
    return entered_in_parts_;
}

void Border::enter_part(std::size_t chunk)
{
    for (std::size_t number = 0; number < peers_.size(); ++number) {
        const MessageReader& reader = readers_[number];
        enter_takes(engine_.links().wires(), peers_[number], reader, slice_of(chunk, reader.header().takes));
        enter_alike(peers_[number], reader, slice_of(chunk, reader.header().packets));
    }
}

}  // namespace dcube::detail
