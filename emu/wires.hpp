#pragma once
// Wires: the channels of all directed links, each a few places of 16 bytes that carry their own full/empty mark. If
// they have two places, they stand as rows: for each place a row of all links' data and a row of their states, so that
// a step's senders and its receivers write different rows. If they have more, a wire's places stand side by side.
//
// A parcel sent in step t may be taken from step t+1 on. At the end of every step at most `capacity` parcels may wait,
// so a wire has capacity + 1 places: in a step the sender may fill one before the receiver has emptied another. A
// parcel is "waiting in step t" if it was sent before t.
//
// The result must not depend on whether the receiver is faster or slower than the sender in a step. It does not:
// - the receiver sees only parcels of earlier steps, which a barrier has put there;
// - the sender finds no place only if capacity + 1 parcels of earlier steps waited when the step began, and then the
//   rule was broken in an earlier step already. Whichever of the two touches the wire first reports that same
//   violation;
// - whether there is room depends on what waited when the step began; packets that the receiver takes in the step
//   itself do not count yet.
//
// Places are used in a circle, so that the cost of a send or a receive does not grow with their number. In a wire of
// two places the marks show which is next, and in each step the same place serves all wires: packets sent in step t lie
// in place t % 2, unless a packet waited there when the step began. The sender fills no place that was emptied in the
// running step. So the choice does not depend on which of the two comes first, a place that its sender finds free was
// free when the step began, and the sender need not look at the other place, into which the receiver writes. A wire of
// more places has two numbers beside it: the place that the sender fills next, which only the sender touches within a
// step, and the place that the receiver empties next, which only the receiver touches. Memory order: the sender fills a
// place, then marks it (release); the receiver reads the mark (acquire), then the place. Emptying is the same in the
// other direction. Between two steps the clock's barrier orders everything anyway; the marks matter for a sender and a
// receiver that meet at one wire of more than two places within a step.
//
// A receiver that waits puts its bell into the empty place that the next step's packet would fill; the sender that
// fills that place finds the bell and rings it (chunk.hpp says why no packet is missed). In a wire of more than two
// places, the sender may be filling that same place within the step: then either the bell fails to get in, or it is
// overwritten, and in both cases the receiver finds the packet when it looks in the next step. So a send costs nothing
// extra where no receiver waits.

#include "base/memory.hpp"
#include "base/sizes.hpp"
#include "emu/atomic_word.hpp"

#include <dcube/graph.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace dcube::detail {

// A channel's record of one packet; the bytes stay with the sender. A joined packet's `data` are its list of parts,
// `bytes` has the mark `joined`, and `header` is the number of parts.
struct Parcel {
    static constexpr std::size_t joined = std::size_t{1} << (std::numeric_limits<std::size_t>::digits - 1);

    const std::byte* data;
    std::size_t bytes;
    std::uint64_t header;

    [[nodiscard]] bool is_joined() const { return (bytes & joined) != 0; }
    [[nodiscard]] std::size_t size() const { return bytes & ~joined; }
    [[nodiscard]] std::span<const std::span<const std::byte>> parts() const
    {
        return {reinterpret_cast<const std::span<const std::byte>*>(data), as_size(header)};
    }
};

// The state of a link in a step as its sender finds it, and as its receiver finds it.
struct Outlet {
    bool busy = false;        // this step's packet is in it already
    bool full = false;        // no place: a send before was one too many
    std::uint32_t place = 0;  // to be filled
    Step newest = 0;          // the step of the newest waiting packet, if it is full
};
struct Inlet {
    bool waits = false;       // a packet that may be taken
    bool overfull = false;    // more wait than may
    std::uint32_t place = 0;  // the oldest packet's
    Step oldest = 0;
    Step newest = 0;  // if it is overfull
};

// Turnover of a link when a step has ended: the number of packets taken in it, and the step since which the oldest
// packet left has waited.
struct Turnover {
    static constexpr Step none = std::numeric_limits<Step>::max();

    std::uint32_t taken = 0;
    Step oldest = none;
};

// One place of one wire. Its mark is the step in which its parcel was sent, or if it is empty `emptied` + the step in
// which the last one was taken (0 at first, and where a bell is). Mark and size are one word, the state, so that they
// are written and compared at once. Data is where the packet lies or, if the state says `held`, the packet itself.
//
// Loops over rows (rows.hpp) read and write the same words.
class Place {
public:
    static constexpr std::uint32_t emptied = std::uint32_t{1} << 31;
    // A size that marks one kept elsewhere, with the header.
    static constexpr std::uint32_t aside = std::uint32_t{1} << 31;
    // Added to the size: data is the packet itself, of at most 8 bytes. Only loops hold packets (tile_rows.cpp).
    static constexpr std::uint32_t held = std::uint32_t{1} << 30;
    static constexpr std::uint32_t end_of_sizes = held;

    static constexpr std::uint64_t bell = 1;  // the state of an empty place that a receiver waits to see filled

    static constexpr std::uint64_t full_since(Step step, std::uint32_t size)
    {
        return std::uint64_t{step} << 32 | size;
    }
    static constexpr std::uint64_t empty_since(Step step) { return std::uint64_t{emptied | step} << 32; }
    static constexpr std::uint32_t mark_of(std::uint64_t state) { return static_cast<std::uint32_t>(state >> 32); }

    static constexpr bool is_full(std::uint32_t mark) { return mark - 1 < emptied - 1; }
    // True for a full place's mark of a step before `step`: 0 wraps around, and emptied ones are later than all.
    static constexpr bool is_waiting(std::uint32_t mark, Step step) { return mark - 1 < step - 1; }
    // Whether it was full when `step` began.
    static constexpr bool has_waited(std::uint32_t mark, Step step)
    {
        return is_waiting(mark, step) || mark == (emptied | step);
    }

    // The same in one comparison of the whole word: that of an unused place is 0, or a bell.
    static constexpr bool is_full(std::uint64_t state)
    {
        return static_cast<std::int64_t>(state) > static_cast<std::int64_t>(bell);
    }
    static constexpr bool waits_in(std::uint64_t state, Step step)
    {
        return state - (bell + 1) < full_since(step, 0) - (bell + 1);
    }
    // A sender may fill it in `step`, and no receiver waits for that.
    static constexpr bool is_free(std::uint64_t state, Step step)
    {
        return static_cast<std::int64_t>(state) <= 0 && state != empty_since(step);
    }

    Place(std::uint64_t& data, std::uint64_t& state) : data_(data), state_(state) {}

    [[nodiscard, gnu::always_inline]] std::uint64_t state() const
    {
        return AtomicWord(state_).load(std::memory_order_acquire);
    }
    [[nodiscard]] std::uint32_t mark() const { return mark_of(state()); }

    // Fills it with the packet that lies at `data`, or with a packet that is held.
    [[gnu::always_inline]] void fill(const std::byte* data, std::uint64_t full) const
    {
        AtomicWord(data_).store(reinterpret_cast<std::uintptr_t>(data), std::memory_order_relaxed);
        set_state(full);
    }
    [[gnu::always_inline]] void set_state(std::uint64_t state) const
    {
        AtomicWord(state_).store(state, std::memory_order_release);
    }

    // The data of a full place that holds no packet itself.
    [[nodiscard, gnu::always_inline]] const std::byte* data() const
    {
        return reinterpret_cast<const std::byte*>(
            static_cast<std::uintptr_t>(AtomicWord(data_).load(std::memory_order_relaxed)));
    }
    [[nodiscard]] const std::byte* held_data() const { return reinterpret_cast<const std::byte*>(&data_); }

    // Unless it is full, or being filled.
    void put_bell() const
    {
        const AtomicWord state(state_);
        std::uint64_t found = state.load(std::memory_order_relaxed);
        if (!is_full(mark_of(found)))
            state.compare_exchange_strong(found, bell, std::memory_order_relaxed);
    }

private:
    std::uint64_t& data_;
    std::uint64_t& state_;
};

class Wires {
public:
    static constexpr Step last_step = Place::emptied - 1;  // marks have no more

    Wires() = default;
    Wires(std::uint64_t links, std::size_t capacity)
        : places_(static_cast<std::uint32_t>(capacity + 1)), row_(places_ == 2 ? (links + 7) / 8 * 8 + gap : links),
          words_(row_ * places_ * bytes_of_place), asides_(links * places_ * sizeof(Aside)),
          ends_(places_ > 2 ? links * sizeof(Ends) : 0)
    {
    }

    static std::size_t bytes_per_link(std::size_t capacity)
    {
        return (capacity + 1) * (bytes_of_place + sizeof(Aside)) + (capacity > 1 ? sizeof(Ends) : 0);
    }

    [[nodiscard]] std::uint32_t places() const { return places_; }
    // The rows of wires of two places, by link.
    [[nodiscard]] std::uint64_t* data(std::uint32_t place) const { return words() + 2 * place * row_; }
    [[nodiscard]] std::uint64_t* states(std::uint32_t place) const { return data(place) + row_; }
    // The place, for wires of any number of places.
    [[nodiscard]] Place at(std::uint64_t link, std::uint32_t place) const
    {
        if (places_ > 2) [[unlikely]]
            return place_of(wire(link), place);
        return {data(place)[link], states(place)[link]};
    }

    [[nodiscard]] Outlet outlet(std::uint64_t link, Step step) const
    {
        const Seen next = seen_by_sender(link, step);
        return {.busy = next.mark_before == step,
                .full = Place::is_full(next.mark),
                .place = next.place,
                .newest = next.mark_before};
    }

    // True if the receiver's bell is to be rung.
    [[nodiscard]] bool put(std::uint64_t link, std::uint32_t place, const Parcel& parcel, Step step)
    {
        const Place filled = at(link, place);
        const bool has_bell = filled.state() == Place::bell;
        auto size = static_cast<std::uint32_t>(parcel.bytes);
        if (parcel.bytes >= Place::end_of_sizes || parcel.header != 0) [[unlikely]] {
            size = Place::aside;
            aside(link, place) = {parcel.bytes, parcel.header};
        }
        filled.fill(parcel.data, Place::full_since(step, size));
        if (places_ > 2)
            ends(link).fill = after(place);
        return has_bell;
    }

    // For a receiver that has found nothing in this step and has taken nothing in it: the next step's packet rings.
    void put_bell(std::uint64_t link, Step step) { at(link, seen_by_receiver(link, step).place).put_bell(); }

    // The places that are full follow one another: if the last in the circle waits, all do.
    [[nodiscard]] Inlet inlet(std::uint64_t link, Step step) const
    {
        const Seen next = seen_by_receiver(link, step);
        const bool waits = Place::is_waiting(next.mark, step);
        return {.waits = waits,
                .overfull = waits && Place::is_waiting(next.mark_before, step),
                .place = next.place,
                .oldest = next.mark,
                .newest = next.mark_before};
    }

    // A packet that the place holds lies there until the next step, as what is lent does.
    [[nodiscard]] Parcel front(std::uint64_t link, std::uint32_t place) const
    {
        const Place full = at(link, place);
        const auto size = static_cast<std::uint32_t>(full.state());
        if (size == Place::aside) [[unlikely]] {
            const Aside& more = aside(link, place);
            return {full.data(), more.bytes, more.header};
        }
        if ((size & Place::held) != 0) [[unlikely]]
            return {full.held_data(), size & ~Place::held, 0};
        return {full.data(), size, 0};
    }

    void empty(std::uint64_t link, std::uint32_t place, Step step)
    {
        at(link, place).set_state(Place::empty_since(step));
        if (places_ > 2)
            ends(link).empty = after(place);
    }

    // True if fewer parcels than the capacity waited when `step` began: a parcel that was taken in the step itself
    // counts as waiting. The capacity was reached if the oldest of that many parcels waited: it is in the place after
    // the next one or, in a wire of two, in either place.
    [[nodiscard]] bool has_room(std::uint64_t link, Step step) const
    {
        const Seen next = seen_by_sender(link, step);
        return next.mark_before != step && !Place::has_waited(next.mark, step) &&
               !Place::has_waited(at(link, after(next.place)).mark(), step);
    }

    // The place of what was sent in that step, for the sender's end.
    [[nodiscard]] std::optional<std::uint32_t> sent_in(std::uint64_t link, Step step) const
    {
        const Seen next = seen_by_sender(link, step);
        return next.mark_before == step ? std::optional(before(next.place)) : std::nullopt;
    }
    [[nodiscard]] Parcel newest(std::uint64_t link, std::uint32_t place) const { return front(link, place); }

    [[nodiscard]] Turnover turnover(std::uint64_t link, Step step) const
    {
        Turnover found;
        if (places_ > 2) {
            const std::uint32_t next = ends(link).empty;
            for (std::uint32_t place = before(next);
                 found.taken < places_ && at(link, place).mark() == (Place::emptied | step); place = before(place))
                ++found.taken;
            if (const std::uint32_t mark = at(link, next).mark(); Place::is_full(mark))
                found.oldest = mark;
            return found;
        }
        for (const std::uint32_t mark : {at(link, 0).mark(), at(link, 1).mark()}) {
            found.taken += mark == (Place::emptied | step);
            if (Place::is_full(mark))
                found.oldest = std::min(found.oldest, mark);
        }
        return found;
    }

    void reset(std::uint64_t link)
    {
        for (std::uint32_t place = 0; place < places_; ++place)
            at(link, place).set_state(0);
        if (places_ > 2)
            ends(link) = {};
    }

private:
    static constexpr std::size_t bytes_of_place = 2 * sizeof(std::uint64_t);
    static constexpr std::uint64_t gap = 72;  // keeps rows out of each other's cache sets

    struct Aside {
        std::size_t bytes;
        std::uint64_t header;
    };

    // The places that are next, where there are more than two.
    struct Ends {
        std::uint32_t fill;
        std::uint32_t empty;
    };
    // A place that is next, and what it and the one before it are marked with.
    struct Seen {
        std::uint32_t place;
        std::uint32_t mark;
        std::uint32_t mark_before;
    };

    [[nodiscard]] std::uint32_t after(std::uint32_t place) const { return place + 1 == places_ ? 0 : place + 1; }
    [[nodiscard]] std::uint32_t before(std::uint32_t place) const { return (place == 0 ? places_ : place) - 1; }
    [[nodiscard]] Ends& ends(std::uint64_t link) const { return reinterpret_cast<Ends*>(ends_.bytes().data())[link]; }

    [[nodiscard]] Seen see(std::uint64_t link, std::uint32_t place) const
    {
        std::uint64_t* const wire = this->wire(link);
        return {place, place_of(wire, place).mark(), place_of(wire, before(place)).mark()};
    }
    // The place `usual` of two, or else the other. The other one is before it, too.
    template <class Choose>
    [[nodiscard]] Seen see_one_of_two(std::uint64_t link, std::uint32_t usual, const Choose& is_other) const
    {
        const std::uint32_t mark = at(link, usual).mark();
        const std::uint32_t other = at(link, 1 - usual).mark();
        return is_other(mark, other) ? Seen{1 - usual, other, mark} : Seen{usual, mark, other};
    }

    // The place to be filled: if all are full, the oldest.
    [[nodiscard]] Seen seen_by_sender(std::uint64_t link, Step step) const
    {
        if (places_ > 2) [[unlikely]]
            return see(link, ends(link).fill);
        return see_one_of_two(link, step % 2, [step](std::uint32_t mark, std::uint32_t other) {
            if (other == step)
                return false;
            if (Place::is_full(other))
                return Place::is_full(mark) && other < mark;
            return mark == step || Place::has_waited(mark, step);
        });
    }
    // The place of the oldest that waits, if any does.
    [[nodiscard]] Seen seen_by_receiver(std::uint64_t link, Step step) const
    {
        if (places_ > 2) [[unlikely]]
            return see(link, ends(link).empty);
        return see_one_of_two(link, (step + 1) % 2, [step](std::uint32_t mark, std::uint32_t other) {
            return Place::is_waiting(other, step) && (!Place::is_waiting(mark, step) || other < mark);
        });
    }
    [[nodiscard]] Aside& aside(std::uint64_t link, std::uint32_t place) const
    {
        return reinterpret_cast<Aside*>(asides_.bytes().data())[link * places_ + place];
    }

    // Where a wire's places stand side by side.
    [[nodiscard]] std::uint64_t* wire(std::uint64_t link) const { return words() + 2 * link * places_; }
    static Place place_of(std::uint64_t* wire, std::uint32_t place) { return {wire[2 * place], wire[2 * place + 1]}; }

    [[nodiscard]] std::uint64_t* words() const { return reinterpret_cast<std::uint64_t*>(words_.bytes().data()); }

    std::uint32_t places_ = 0;
    std::uint64_t row_ = 0;  // its length in words
    Memory words_;
    Memory asides_;  // touched only where a packet has a header, parts, or 2 GiB
    Memory ends_;    // only for wires of more than two places
};

// The number of a link's place among all channels' places.
template <class Channels>
std::uint64_t place_number(const Channels& channels, std::uint32_t link, std::uint32_t place)
{
    return std::uint64_t{link} * channels.places() + place;
}

}  // namespace dcube::detail
