#pragma once
// How a step has ended. Summary: the work left after a chunk's part of the step, or after all chunks'. StepNote: a
// rank's note to all others at the end of a step.

#include <dcube/graph.hpp>
#include <dcube/link.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace dcube::detail {

// Rough costs in ns, by which steps of like work are told apart (step_choice.hpp). Packets sent in one step are copied
// in the next, so a step's work is known when it begins.
constexpr std::uint64_t ns_per_visit = 60;  // per node, at a run's beginning and end
constexpr std::uint64_t ns_per_program = 12;
constexpr std::uint64_t ns_per_follower = 2;  // per node that follows a script
constexpr std::uint64_t ns_per_packet = 2;
constexpr std::uint64_t bytes_per_ns = 30;

// Small, because it goes from core to core: four of them and a counter share a cache line (combining_tree.hpp). Added
// up in whatever order, the sum is the same.
struct Summary {
    static constexpr Step never = ~Step{0};

    Time longest = 0;           // packet that was sent, on link-bound machines in lockstep
    Step next = never;          // the first step in which there is something to do, unless a bell rings
    std::uint16_t work_ns = 0;  // of the next step, roughly; values that do not fit count as the largest that does
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

// A rank's note to all others at the end of a step, so that all of them decide the same; or the sum of all ranks'
// notes.
struct StepNote {
    Summary sum{};                // of the rank's chunks
    bool failed = false;          // something ends the run
    bool stop = false;            // a stop was requested
    bool rung = false;            // a bell of this step is still to be answered
    bool crossed = false;         // packets crossed between ranks, or were taken that had
    std::uint64_t begun = 0;      // nodes that began what takes all of them (Node::begin_together)
    std::uint64_t under_way = 0;  // packets sent and not taken, as far as the rank knows; asked for at the end

    void add(const StepNote& other)
    {
        sum.add(other.sum);
        failed = failed || other.failed;
        stop = stop || other.stop;
        rung = rung || other.rung;
        crossed = crossed || other.crossed;
        begun += other.begun;
        under_way += other.under_way;
    }
};

}  // namespace dcube::detail
