#pragma once
// Channels: the bounded lock-free queue of one directed link, in two kinds with the same meaning.
//
// A parcel sent in step t may be taken from step t+1 on. At the end of every step at most `capacity` parcels may wait,
// so a channel has capacity + 1 places: in a step the sender may fill one before the receiver has emptied another. A
// parcel is "waiting in step t" if it was sent before t.
//
// Whether the receiver is faster or slower than the sender in a step must not show. It does not:
// - the receiver sees only parcels of earlier steps, which a barrier has put there;
// - push fails only if capacity + 1 parcels of earlier steps waited when the step began, and then the rule was broken
// in an
//   earlier step already. Whoever of the two touches the channel first reports that same violation (see Node::send).
// - whether there is room is told from what waited when the step began; what the receiver takes in the step itself does
//   not count yet.

#include <boost/lockfree/spsc_queue.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace dcube::detail {

// A joined packet's `data` are its list of parts, `bytes` has the mark `joined`, and `header` is the number of parts.
struct Parcel {
    static constexpr std::size_t joined = std::size_t{1} << 63;

    const std::byte* data;
    std::size_t bytes;
    std::uint64_t header;
    std::uint32_t sent;  // the step

    [[nodiscard]] bool is_joined() const { return (bytes & joined) != 0; }
    [[nodiscard]] std::size_t size() const { return bytes & ~joined; }
    [[nodiscard]] std::span<const std::span<const std::byte>> parts() const
    {
        return {reinterpret_cast<const std::span<const std::byte>*>(data), header};
    }
};

// A place in a ring. `mark` is the step in which the parcel was sent, or for an empty place `emptied` + the step in
// which it was taken (0 at first): it is both the full/empty mark and the time stamp, so neither side ever reads the
// other's index.
struct Slot {
    const std::byte* data;
    std::size_t bytes;
    std::uint64_t header;
    std::atomic<std::uint32_t> mark;
};

// A ring of slots. Sender and receiver each keep the place that is next; with capacity 1 the ring is one cache line.
//
// Order of memory: the sender fills a slot, then marks it (release); the receiver reads the mark (acquire), then the
// slot. Emptying it is the same in the other direction. Between two steps the clock's barrier orders everything anyway;
// the marks matter for a sender and a receiver that meet at one ring within a step.
namespace slots {

inline void advance(std::uint32_t& place, std::size_t places)
{
    place = place + 1 == places ? 0 : place + 1;
}

inline constexpr std::uint32_t emptied = std::uint32_t{1} << 31;

inline bool is_full(std::uint32_t mark)
{
    return mark - 1 < emptied - 1;
}

// True if the place was empty when `step` began.
inline bool was_empty(std::uint32_t mark, std::uint32_t step)
{
    return !is_full(mark) && mark != (emptied | step);
}

inline bool push(Slot* ring, std::uint32_t& place, std::size_t places, const Parcel& parcel)
{
    Slot& slot = ring[place];
    if (is_full(slot.mark.load(std::memory_order_acquire)))
        return false;
    slot.data = parcel.data;
    slot.bytes = parcel.bytes;
    slot.header = parcel.header;
    slot.mark.store(parcel.sent, std::memory_order_release);
    advance(place, places);
    return true;
}

// True if fewer than places - 1 parcels waited when `step` began: then the next two places were empty.
inline bool has_room(const Slot* ring, std::uint32_t place, std::size_t places, std::uint32_t step)
{
    std::uint32_t after = place;
    advance(after, places);
    return was_empty(ring[place].mark.load(std::memory_order_acquire), step) &&
           was_empty(ring[after].mark.load(std::memory_order_acquire), step);
}

// True for a mark of a step before `step`, and not of an empty place: 0 wraps around, and emptied is later than all.
inline bool is_earlier(std::uint32_t mark, std::uint32_t step)
{
    return mark - 1 < step - 1;
}

inline bool waiting(const Slot* ring, std::uint32_t place, std::uint32_t step)
{
    return is_earlier(ring[place].mark.load(std::memory_order_acquire), step);
}

// If more than the capacity waited when `step` began, the step of the send that was one too many, else 0.
// The ring's last place then holds a waiting parcel, too.
inline std::uint32_t overfull_since(const Slot* ring, std::uint32_t place, std::size_t places, std::uint32_t step)
{
    const std::uint32_t sent = ring[place == 0 ? places - 1 : place - 1].mark.load(std::memory_order_acquire);
    return is_earlier(sent, step) ? sent : 0;
}

inline Parcel front(const Slot* ring, std::uint32_t place)
{
    const Slot& slot = ring[place];
    return {slot.data, slot.bytes, slot.header, slot.mark.load(std::memory_order_relaxed)};
}

inline Parcel pop(Slot* ring, std::uint32_t& place, std::size_t places, std::uint32_t step)
{
    const Parcel parcel = front(ring, place);
    ring[place].mark.store(emptied | step, std::memory_order_release);
    advance(place, places);
    return parcel;
}

}  // namespace slots

// The reference kind. `last_sent` tells the receiver whether the newest parcel is one of this step. `taken` tells the
// sender how many the receiver had taken when it began to take some in a step: the step, and the count.
struct SpscChannel {
    explicit SpscChannel(std::size_t places) : queue(places) {}

    bool push(const Parcel& parcel)
    {
        if (queue.write_available() == 0)
            return false;
        last_sent.store(parcel.sent, std::memory_order_relaxed);  // before the parcel can be seen
        queue.push(parcel);
        return true;
    }

    [[nodiscard]] bool waiting(std::uint32_t step) { return queue.read_available() != 0 && queue.front().sent < step; }

    [[nodiscard]] std::uint32_t overfull_since(std::uint32_t step, std::size_t places) const
    {
        if (queue.read_available() < places)
            return 0;
        const std::uint32_t sent = last_sent.load(std::memory_order_relaxed);
        return sent < step ? sent : 0;
    }

    // For the sender, who has pushed `pushed` parcels so far. If it sees no parcel taken in this step, none that it
    // counts was: the receiver writes `taken` before it takes the first.
    [[nodiscard]] bool has_room(std::uint32_t step, std::size_t places, std::uint32_t pushed) const
    {
        const std::size_t waiting = places - queue.write_available();
        const std::uint64_t noted = taken.load(std::memory_order_acquire);
        const std::size_t waited = noted >> 32 == step ? pushed - static_cast<std::uint32_t>(noted) : waiting;
        return waited + 1 < places;
    }

    [[nodiscard]] Parcel front() { return queue.front(); }

    // `telling`: the sender may ask whether there is room.
    Parcel pop(std::uint32_t step, bool telling)
    {
        const Parcel parcel = front();
        if (telling) {
            if (taken.load(std::memory_order_relaxed) >> 32 != step)
                taken.store(std::uint64_t{step} << 32 | popped, std::memory_order_release);
            ++popped;
        }
        queue.pop();
        return parcel;
    }

    void reset()
    {
        queue.reset();
        last_sent.store(0, std::memory_order_relaxed);
        taken.store(0, std::memory_order_relaxed);
        popped = 0;
    }

    boost::lockfree::spsc_queue<Parcel> queue;
    std::atomic<std::uint32_t> last_sent{0};
    std::atomic<std::uint64_t> taken{0};
    std::uint32_t popped = 0;  // the receiver's
};

}  // namespace dcube::detail
