#pragma once
// Queues: the reference kind of channel, a boost::lockfree::spsc_queue for every directed link, with the meaning that
// wires.hpp has. It is slower, and exists to compare with.

#include "base/sizes.hpp"
#include "emu/wires.hpp"

#include <boost/lockfree/spsc_queue.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace dcube::detail {

class Queues {
public:
    Queues() = default;
    // The links are made one by one, with make(): their memory is that of the thread that makes them.
    Queues(std::uint64_t links, std::size_t capacity)
        : places_(static_cast<std::uint32_t>(capacity + 1)), queues_(allocatable(links))
    {
    }

    void make(std::uint64_t link) { queues_[as_size(link)] = std::make_unique<Queue>(places_); }

    static std::size_t bytes_per_link(std::size_t capacity)
    {
        return sizeof(Queue) + (capacity + 2) * sizeof(Sent) + sizeof(void*);
    }

    [[nodiscard]] std::uint32_t places() const { return places_; }

    // Places are counted, so that what stands beside a packet finds it again.
    [[nodiscard]] Outlet outlet(std::uint64_t link, Step step) const
    {
        const Queue& queue = *queues_[as_size(link)];
        return {.busy = queue.last_sent.load(std::memory_order_relaxed) == step,
                .full = queue.parcels.write_available() == 0,
                .place = queue.pushed % places_,
                .newest = queue.last_sent.load(std::memory_order_relaxed)};
    }

    // True if the receiver's bell is to be rung.
    [[nodiscard]] bool put(std::uint64_t link, std::uint32_t, const Parcel& parcel, Step step)
    {
        Queue& queue = *queues_[as_size(link)];
        queue.last_sent.store(step, std::memory_order_relaxed);  // before the parcel can be seen
        ++queue.pushed;
        queue.parcels.push({parcel, step});
        queue.newest = parcel;
        return queue.bell.load(std::memory_order_relaxed);
    }

    // For a receiver that has found nothing: packets sent from the next step on ring, until it has taken something.
    void put_bell(std::uint64_t link, Step) { queues_[as_size(link)]->bell.store(true, std::memory_order_relaxed); }

    [[nodiscard]] Inlet inlet(std::uint64_t link, Step step) const
    {
        Queue& queue = *queues_[as_size(link)];
        const std::size_t there = queue.parcels.read_available();
        if (there == 0)
            return {};
        const Step oldest = queue.parcels.front().step;
        const Step newest = there < places_ ? oldest : queue.last_sent.load(std::memory_order_relaxed);
        return {.waits = oldest < step,
                .overfull = there == places_ && newest < step,
                .place = queue.popped % places_,
                .oldest = oldest,
                .newest = newest};
    }

    [[nodiscard]] Parcel front(std::uint64_t link, std::uint32_t) const
    {
        return queues_[as_size(link)]->parcels.front().parcel;
    }

    void empty(std::uint64_t link, std::uint32_t, Step step)
    {
        Queue& queue = *queues_[as_size(link)];
        if (queue.taken.load(std::memory_order_relaxed) >> 32 != step)
            queue.taken.store(std::uint64_t{step} << 32 | queue.popped, std::memory_order_release);
        ++queue.popped;
        queue.parcels.pop();
        if (queue.bell.load(std::memory_order_relaxed))
            queue.bell.store(false, std::memory_order_relaxed);
    }

    // Asked by the sender. If it sees no parcel taken in this step, none had been taken when it counted the waiting
    // ones: the receiver writes `taken` before it takes the first.
    [[nodiscard]] bool has_room(std::uint64_t link, Step step) const
    {
        const Queue& queue = *queues_[as_size(link)];
        if (queue.last_sent.load(std::memory_order_relaxed) == step)
            return false;
        const std::size_t waiting = places_ - queue.parcels.write_available();
        const std::uint64_t taken = queue.taken.load(std::memory_order_acquire);
        const std::size_t waited = taken >> 32 == step ? queue.pushed - static_cast<std::uint32_t>(taken) : waiting;
        return waited + 1 < places_;
    }

    // The place of what was sent in that step, for the sender's end.
    [[nodiscard]] std::optional<std::uint32_t> sent_in(std::uint64_t link, Step step) const
    {
        const Queue& queue = *queues_[as_size(link)];
        return queue.last_sent.load(std::memory_order_relaxed) == step ? std::optional((queue.pushed - 1) % places_)
                                                                       : std::nullopt;
    }
    [[nodiscard]] Parcel newest(std::uint64_t link, std::uint32_t) const { return queues_[as_size(link)]->newest; }

    [[nodiscard]] Turnover turnover(std::uint64_t link, Step step) const
    {
        Queue& queue = *queues_[as_size(link)];
        const std::uint64_t taken = queue.taken.load(std::memory_order_relaxed);
        return {.taken = taken >> 32 == step ? queue.popped - static_cast<std::uint32_t>(taken) : 0,
                .oldest = queue.parcels.read_available() != 0 ? queue.parcels.front().step : Turnover::none};
    }

    void reset(std::uint64_t link)
    {
        Queue& queue = *queues_[as_size(link)];
        queue.parcels.reset();
        queue.last_sent.store(0, std::memory_order_relaxed);
        queue.taken.store(0, std::memory_order_relaxed);
        queue.bell.store(false, std::memory_order_relaxed);
        queue.pushed = queue.popped = 0;
    }

private:
    struct Sent {
        Parcel parcel;
        Step step;
    };
    // `last_sent` shows the receiver whether the newest parcel is one of this step. `taken` shows the sender in which
    // step the receiver last began to take parcels, and how many it had taken before that.
    struct Queue {
        explicit Queue(std::size_t places) : parcels(places) {}

        boost::lockfree::spsc_queue<Sent> parcels;
        std::atomic<Step> last_sent{0};
        std::atomic<std::uint64_t> taken{0};
        std::atomic<bool> bell{false};  // the receiver waits; only it writes this
        std::uint32_t pushed = 0;       // the sender's
        std::uint32_t popped = 0;       // the receiver's
        Parcel newest{};                // the sender's
    };

    std::uint32_t places_ = 0;
    std::vector<std::unique_ptr<Queue>> queues_;
};

}  // namespace dcube::detail
