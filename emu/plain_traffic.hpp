#pragma once
// PlainTraffic: Traffic's work for nearly every packet on an unobserved machine with unit links and wires of two
// places, for Node::send and Node::receive. It tests the states of places, as the loops over tiles do, and does nothing
// if anything is unusual: then Traffic does it, or reports the error.

#include "emu/atomic_word.hpp"
#include "emu/link_numbers.hpp"
#include "emu/links.hpp"
#include "emu/node_state.hpp"
#include "emu/wires.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace dcube::detail {

// One for each chunk, so that all that it reads stands in lines of the chunk's worker.
class PlainTraffic {
public:
    // For a machine that is not plain, or not running: all packets take the other route.
    PlainTraffic() = default;
    PlainTraffic(Links& links, bool checked, bool one_port)
        : packets_(links.packets()), outs_(links.numbers().outs().data()), stride_(links.numbers().stride()),
          checked_(checked), one_port_(checked && one_port), is_on_(true)
    {
        for (const std::uint32_t place : {0U, 1U})
            rows_[place] = {links.wires().data(place), links.wires().states(place)};
    }

    void set_step(Step step)
    {
        step_ = step;
        now_ = rows_[step % 2];
        before_ = rows_[1 - step % 2];
    }

    // On one-port machines, where a node sends and receives at most one packet per step: false if it is not the node's
    // first.
    static bool note_one_send(NodeState& me, Port port, Step step, bool lost);

    [[nodiscard]] bool is_on() const { return is_on_; }
    [[nodiscard]] bool one_port() const { return one_port_; }
    [[nodiscard]] bool checked() const { return checked_; }

    // True if it was sent.
    template <PortModel ports>
    [[nodiscard]] bool send(NodeState& me, Port port, std::span<const std::byte> bytes, std::uint64_t header) const
    {
        if (port >= me.ports() || (header | bytes.size() / Place::end_of_sizes) != 0) [[unlikely]]
            return false;
        const std::uint32_t plane = port * stride_;
        const std::uint32_t link = outs_ ? outs_[me.first_link + plane] : (me.id() ^ (NodeId{1} << port)) + plane;
        const Place place = now_.at(link);
        if (!Place::is_free(place.state(), step_)) [[unlikely]]
            return false;
        if constexpr (ports == PortModel::one)
            if (!note_one_send(me, port, step_, false)) [[unlikely]]
                return false;
        place.fill(bytes.data(), Place::full_since(step_, static_cast<std::uint32_t>(bytes.size())));
        if (checked_)
            ++packets_[link];
        return true;
    }

    // A packet of just that size, sent in the step before. Its data are null if there is none.
    struct Waiting {
        const std::byte* data = nullptr;
        std::uint64_t* state = nullptr;
    };
    [[nodiscard]] Waiting waiting(const NodeState& me, Port port, std::size_t size) const
    {
        if (port >= me.ports() || size >= Place::end_of_sizes || step_ == 1) [[unlikely]]
            return {};  // in step 1 an unused place's mark is that of the step before
        const std::uint32_t link = me.first_link + port * stride_;
        const Place place = before_.at(link);
        if (place.state() != Place::full_since(step_ - 1, static_cast<std::uint32_t>(size)) ||
            Place::waits_in(now_.at(link).state(), step_)) [[unlikely]]
            return {};
        return {place.data(), before_.states + link};
    }

    // It has been copied, or added.
    void take(const Waiting& packet) const
    {
        AtomicWord(*packet.state).store(Place::empty_since(step_), std::memory_order_release);
    }

private:
    struct Rows {
        std::uint64_t* data = nullptr;
        std::uint64_t* states = nullptr;

        [[nodiscard]] Place at(std::uint32_t link) const { return {data[link], states[link]}; }
    };

    Rows now_;     // in which this step's packets are put
    Rows before_;  // in which those of the step before lie
    std::uint32_t* packets_ = nullptr;
    const std::uint32_t* outs_ = nullptr;  // LinkNumbers::outs
    std::uint32_t stride_ = 0;
    Step step_ = 0;
    bool checked_ = true;
    bool one_port_ = false;
    bool is_on_ = false;
    Rows rows_[2];  // of even steps, and of odd ones
};

}  // namespace dcube::detail
