#pragma once
// PlainTraffic: what Traffic does with nearly every packet on a machine with unit links and wires of two places that
// nobody watches, for Node::send and Node::receive. It tests the marks of the two places, as the loops over tiles do,
// and does nothing if anything is unusual: then Traffic does it, or says what is wrong.

#include "emu/chunk.hpp"
#include "emu/link_numbers.hpp"
#include "emu/links.hpp"
#include "emu/node_state.hpp"
#include "emu/wires.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace dcube::detail {

class PlainTraffic {
public:
    // Of a machine that is not plain, or not running: all goes another way.
    PlainTraffic() = default;
    PlainTraffic(Links& links, bool checked, bool one_port)
        : wires_(links.wires().wire_of_two(0)), packets_(links.packets()), outs_(links.numbers().outs().data()),
          stride_(links.numbers().stride()), checked_(checked), one_port_(checked && one_port)
    {
    }

    // On one-port machines, where a node sends one packet a step and receives one: false if it is not its first.
    static bool note_one_send(NodeState& me, Port port, Step step, bool lost);

    [[nodiscard]] bool is_on() const { return wires_ != nullptr; }
    [[nodiscard]] bool one_port() const { return one_port_; }

    // True if it was sent.
    template <PortModel ports>
    [[nodiscard]] bool send(NodeState& me, Port port, Step step, std::span<const std::byte> bytes,
                            std::uint64_t header) const
    {
        if (port >= me.ports() || (header | bytes.size() / Place::aside) != 0) [[unlikely]]
            return false;
        const std::uint32_t plane = port * stride_;
        const std::uint32_t link = outs_ ? outs_[me.first_link + plane] : (me.id() ^ (NodeId{1} << port)) + plane;
        Place* const wire = wires_ + std::size_t{link} * 2;
        Place& place = wire[step % 2];
        if (!place.is_quiet() || wire[1 - step % 2].mark() == step) [[unlikely]]
            return false;
        if constexpr (ports == PortModel::one)
            if (!note_one_send(me, port, step, false)) [[unlikely]]
                return false;
        place.data.store(bytes.data(), std::memory_order_relaxed);
        place.state.store(Place::full_since(step, static_cast<std::uint32_t>(bytes.size())), std::memory_order_release);
        if (checked_) {
            ++packets_[link];
            me.chunk->count_sent(1, bytes.size());
        }
        return true;
    }

    // The place of a packet of just that size, sent in the step before; null if there is none.
    [[nodiscard]] Place* waiting(const NodeState& me, Port port, Step step, std::size_t size) const
    {
        if (port >= me.ports() || size >= Place::aside || step == 1) [[unlikely]]
            return nullptr;  // in step 1 an unused place's mark is that of the step before
        Place* const wire = wires_ + (std::size_t{me.first_link} + port * stride_) * 2;
        Place& place = wire[1 - step % 2];
        if (place.state.load(std::memory_order_acquire) !=
                Place::full_since(step - 1, static_cast<std::uint32_t>(size)) ||
            wire[step % 2].waits_in(step)) [[unlikely]]
            return nullptr;
        return &place;
    }

    [[nodiscard]] static const std::byte* data(const Place& place)
    {
        return place.data.load(std::memory_order_relaxed);
    }

    // The packet has been copied, or added.
    void take(const NodeState& me, Place& place, Step step) const
    {
        place.state.store(Place::empty_since(step), std::memory_order_release);
        if (checked_)
            me.chunk->count_taken(1);
    }

private:
    Place* wires_ = nullptr;
    std::uint32_t* packets_ = nullptr;
    const std::uint32_t* outs_ = nullptr;  // LinkNumbers::outs
    std::uint32_t stride_ = 0;
    bool checked_ = true;
    bool one_port_ = false;
};

}  // namespace dcube::detail
