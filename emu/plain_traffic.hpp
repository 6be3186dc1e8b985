#pragma once
// PlainTraffic: what Traffic does with nearly every packet on a machine with unit links and wires of two places that
// nobody watches, for Node::send and Node::receive. It tests the states of places, as the loops over tiles do, and does
// nothing if anything is unusual: then Traffic does it, or says what is wrong.

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
        : rows_{rows_of(links, 0), rows_of(links, 1)}, packets_(links.packets()), outs_(links.numbers().outs().data()),
          stride_(links.numbers().stride()), checked_(checked), one_port_(checked && one_port)
    {
    }

    // On one-port machines, where a node sends one packet a step and receives one: false if it is not its first.
    static bool note_one_send(NodeState& me, Port port, Step step, bool lost);

    [[nodiscard]] bool is_on() const { return rows_[0].data != nullptr; }
    [[nodiscard]] bool one_port() const { return one_port_; }

    // True if it was sent.
    template <PortModel ports>
    [[nodiscard]] bool send(NodeState& me, Port port, Step step, std::span<const std::byte> bytes,
                            std::uint64_t header) const
    {
        if (port >= me.ports() || (header | bytes.size() / Place::end_of_sizes) != 0) [[unlikely]]
            return false;
        const std::uint32_t plane = port * stride_;
        const std::uint32_t link = outs_ ? outs_[me.first_link + plane] : (me.id() ^ (NodeId{1} << port)) + plane;
        const Place place = rows_[step % 2].at(link);
        if (!Place::is_free(place.state(), step)) [[unlikely]]
            return false;
        if constexpr (ports == PortModel::one)
            if (!note_one_send(me, port, step, false)) [[unlikely]]
                return false;
        place.fill(bytes.data(), Place::full_since(step, static_cast<std::uint32_t>(bytes.size())));
        if (checked_) {
            ++packets_[link];
            me.chunk->count_sent(1, bytes.size());
        }
        return true;
    }

    // A packet of just that size, sent in the step before; null if there is none.
    [[nodiscard]] const std::byte* waiting(const NodeState& me, Port port, Step step, std::size_t size) const
    {
        if (port >= me.ports() || size >= Place::end_of_sizes || step == 1) [[unlikely]]
            return nullptr;  // in step 1 an unused place's mark is that of the step before
        const std::uint32_t link = me.first_link + port * stride_;
        const Place place = rows_[1 - step % 2].at(link);
        if (place.state() != Place::full_since(step - 1, static_cast<std::uint32_t>(size)) ||
            Place::waits_in(rows_[step % 2].at(link).state(), step)) [[unlikely]]
            return nullptr;
        return place.data();
    }

    // That packet has been copied, or added.
    void take(const NodeState& me, Port port, Step step) const
    {
        rows_[1 - step % 2].at(me.first_link + port * stride_).set_state(Place::empty_since(step));
        if (checked_)
            me.chunk->count_taken(1);
    }

private:
    struct Rows {
        std::uint64_t* data = nullptr;
        std::uint64_t* states = nullptr;

        [[nodiscard]] Place at(std::uint32_t link) const { return {data[link], states[link]}; }
    };
    static Rows rows_of(Links& links, std::uint32_t place)
    {
        return {links.wires().data(place), links.wires().states(place)};
    }

    Rows rows_[2];  // of even steps, of odd ones
    std::uint32_t* packets_ = nullptr;
    const std::uint32_t* outs_ = nullptr;  // LinkNumbers::outs
    std::uint32_t stride_ = 0;
    bool checked_ = true;
    bool one_port_ = false;
};

}  // namespace dcube::detail
