// What crosses a border in the common case: every link carries one packet, all are of one size, and nothing is unusual.

#include "emu/border.hpp"
#include "emu/copies.hpp"
#include "emu/engine.hpp"
#include "emu/message.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace dcube::detail {

namespace {

// Of a wire of two places: where the packet of this step is, if it is where it usually is.
const Place* usual_place(const Wires& wires, std::uint32_t link, Step step)
{
    const Place* const place = wires.wire_of_two(link) + step % 2;
    return place->mark() == step ? place : nullptr;
}

std::uint32_t size_of(const Place& place)
{
    return static_cast<std::uint32_t>(place.state.load(std::memory_order_relaxed));
}

// Packets that usually lie side by side in neither memory, so that they are asked for some time before.
template <class Size>
std::uint32_t pack_of_size(const Wires& wires, std::span<const CrossingLink> outs, MessageWriter& writer, Step step,
                           std::uint32_t bytes)
{
    constexpr std::uint32_t ahead = 16;
    const std::uint64_t state = Place::full_since(step, bytes);
    return writer.add_alike(static_cast<std::uint32_t>(outs.size()), bytes, [&](std::uint32_t i, std::byte* into) {
        if (i + ahead < outs.size())
            __builtin_prefetch(wires.wire_of_two(outs[i + ahead].link)[step % 2].data);
        const Place& place = wires.wire_of_two(outs[i].link)[step % 2];
        if (place.state.load(std::memory_order_acquire) != state)
            return false;
        Size::copy(into, place.data, bytes);
        return true;
    });
}

}  // namespace

// Where all links carry packets of one size, as they do most of the time. Returns how many there are, from the first
// link on.
std::uint32_t Border::pack_alike(const Peer& peer, MessageWriter& writer)
{
    const Wires& wires = engine_.wires();
    const Step step = engine_.step();
    const Place* const first = usual_place(wires, peer.outs.front().link, step);
    if (!first || size_of(*first) == Place::aside || size_of(*first) == 0)
        return 0;
    switch (const std::uint32_t bytes = size_of(*first)) {
    case 8: return pack_of_size<Words<8>>(wires, peer.outs, writer, step, bytes);
    case 16: return pack_of_size<Words<16>>(wires, peer.outs, writer, step, bytes);
    case 64: return pack_of_size<Words<64>>(wires, peer.outs, writer, step, bytes);
    default: return pack_of_size<AnySize>(wires, peer.outs, writer, step, bytes);
    }
}

// The same for the receivers' wires, of which those places are empty. False, and nothing done, if one is not.
bool Border::enter_alike(const Peer& peer, MessageReader& reader)
{
    const std::uint64_t size = reader.header().size;
    if (!reader.plain() || size >= Place::aside)
        return false;
    const Wires& wires = engine_.wires();
    const Step step = engine_.step();
    const auto is_empty = [&](const CrossingLink& in) { return !wires.wire_of_two(in.link)[step % 2].is_full(); };
    if (!std::ranges::all_of(peer.ins, is_empty))
        return false;
    const std::uint64_t state = Place::full_since(step, static_cast<std::uint32_t>(size));
    const std::size_t stride = packet_place(size, size);
    const std::byte* bytes = reader.bytes();
    for (const CrossingLink& in : peer.ins) {
        Place& place = wires.wire_of_two(in.link)[step % 2];
        place.data = bytes;
        place.state.store(state, std::memory_order_release);
        bytes += stride;
    }
    return true;
}

}  // namespace dcube::detail
