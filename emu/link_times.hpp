#pragma once
// LinkTimes: virtual time under the link-bound model, in ticks. A packet leaves when its bytes are usable and its link
// is free, and ends tau s + beta later; in lockstep it leaves when the step begins. Where nodes have one port, it also
// waits for its sender's and its receiver's. In a step at most one packet sets out for a node, by the machine's rules,
// so ports take packets in the order of steps, whatever threads do.

#include "base/memory.hpp"
#include "base/sizes.hpp"

#include <dcube/link.hpp>
#include <dcube/topology.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace dcube::detail {

// The time a packet leaves, and the time its receiver can use it.
struct Transit {
    Time start = 0;
    Time end = 0;
    [[nodiscard]] Time duration() const { return end - start; }
};

// A packet's sender, and its receiver, if it arrives.
struct PacketEnds {
    NodeId from;
    std::optional<NodeId> to;
};

class LinkTimes {
public:
    // Throws InvalidArgument: tau or beta that is negative or does not fit. Tables are made for link-bound machines
    // only.
    explicit LinkTimes(const LinkModel& link);
    void make_tables(const Topology& topology, std::uint64_t links, std::uint64_t places);
    static std::size_t bytes_per_node(const LinkModel& link) { return link.one_port() ? 2 * sizeof(Time) : 0; }
    // The link has times of its own.
    void set(std::uint64_t link, const TimedLink& times)
    {
        paces_[as_size(link)] = {ticks(times.tau), ticks(times.beta)};
    }
    static std::size_t bytes_per_link(const Topology& topology, std::size_t places)
    {
        return (1 + places) * sizeof(Time) + sizeof(Bell) + (topology.fabric().links.empty() ? 0 : sizeof(Pace));
    }

    [[nodiscard]] bool bound() const { return bound_; }
    [[nodiscard]] bool lockstep() const { return lockstep_; }

    // Books the link and the ports; none if the time does not fit in 64 bits.
    std::optional<Transit> depart(std::uint64_t link, std::uint64_t place, std::size_t bytes, Time usable,
                                  PacketEnds ends);
    [[nodiscard]] Time arrival(std::uint64_t place) const { return bound_ ? arrivals_[place] : 0; }
    // Notes the arrival of a packet whose link another rank has booked.
    void arrive(std::uint64_t place, Time end)
    {
        if (bound_)
            arrivals_[place] = end;
    }

    // The bell of a sender that waits for room: only that sender puts it out, and takes it in when it sends. A receiver
    // that makes room while the bell is out rings it.
    void put_bell(std::uint64_t link) { bells_[link].store(true, std::memory_order_relaxed); }
    [[nodiscard]] bool has_bell(std::uint64_t link) const
    {
        return bound_ && bells_[link].load(std::memory_order_relaxed);
    }

    // In lockstep: the next step begins when the longest packet of this one has arrived.
    void advance(Time longest) { now_ += longest; }
    // Called first by the thread that receives from the link, so that it is the first to touch the link's memory.
    void make(std::uint64_t link, std::size_t places)
    {
        if (!bound_)
            return;
        reset(link);
        std::fill_n(arrivals_ + link * places, places, Time{0});
    }
    // Before the next run: this link; and the clock.
    void reset(std::uint64_t link)
    {
        if (!bound_)
            return;
        free_from_[link] = 0;
        bells_[link].store(false, std::memory_order_relaxed);
    }
    void reset()
    {
        now_ = 0;
        std::ranges::fill(ports_free_from_, Time{0});
    }

private:
    using Bell = std::atomic<bool>;
    struct Pace {  // in ticks
        Time tau = 0;
        Time beta = 0;
    };

    // Throws InvalidArgument: it is negative or does not fit.
    [[nodiscard]] Time ticks(const Rational& ns) const;
    // The place of a port's time: of the one that sends, or receives. They are the same where they take turns.
    [[nodiscard]] std::size_t sending(NodeId node) const { return node; }
    [[nodiscard]] std::size_t receiving(NodeId node) const
    {
        return duplex_ == Duplex::half ? node : ports_free_from_.size() / 2 + node;
    }
    [[nodiscard]] Time ports_free_from(PacketEnds ends);
    void hold_ports(PacketEnds ends, Time end);

    bool bound_ = false;
    bool lockstep_ = false;
    Duplex duplex_ = Duplex::per_link;
    std::uint64_t ticks_per_ns_ = 1;
    Pace pace_;                          // of links without times of their own
    std::vector<Pace> paces_;            // of all links, if some have times of their own
    std::vector<Time> ports_free_from_;  // if nodes have one port: as they send, then as they receive
    Time now_ = 0;
    Memory free_from_memory_;
    Memory arrivals_memory_;
    Memory bells_memory_;
    Time* free_from_ = nullptr;  // one per link
    Time* arrivals_ = nullptr;   // one per place in every channel
    Bell* bells_ = nullptr;      // one per link
};

}  // namespace dcube::detail
