#pragma once
// Summary: what a chunk's part of a step leaves to be known by whoever closes the step; or that of many chunks.

#include <dcube/graph.hpp>
#include <dcube/link.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace dcube::detail {

// Small, because it goes from core to core: four of them and a counter share a cache line (combining_tree.hpp). Added
// up in whatever order, the sum is the same.
struct Summary {
    static constexpr Step never = ~Step{0};

    Time longest = 0;           // packet that was sent, on link-bound machines in lockstep
    Step next = never;          // the first step in which there is something to do, unless somebody rings
    std::uint16_t work_ns = 0;  // of the next step, roughly; what is more than fits counts as the most that does
    bool sent = false;          // a packet
    bool left = false;          // a node whose program has not ended
    bool able = false;          // one of those that waits neither for a packet nor for room
    bool has_events = false;    // something that is rare: the chunks' tallies say what

    static constexpr std::uint16_t limited(std::uint64_t work_ns)
    {
        constexpr std::uint64_t most = std::numeric_limits<std::uint16_t>::max();
        return static_cast<std::uint16_t>(std::min(work_ns, most));
    }

    void add(const Summary& other)
    {
        longest = std::max(longest, other.longest);
        next = std::min(next, other.next);
        work_ns = limited(std::uint64_t{work_ns} + other.work_ns);
        sent = sent || other.sent;
        left = left || other.left;
        able = able || other.able;
        has_events = has_events || other.has_events;
    }
    friend bool operator==(const Summary&, const Summary&) = default;
};

}  // namespace dcube::detail
