#pragma once
// StepNote: what a rank tells all others of a step, so that all of them decide the same; or what all of them told.

#include "emu/summary.hpp"

#include <cstdint>

namespace dcube::detail {

struct StepNote {
    Summary sum{};            // of the rank's chunks
    bool failed = false;      // something ends the run
    bool stop = false;        // somebody has asked for that
    bool rung = false;        // a bell of this step is still to be answered
    bool crossed = false;     // packets crossed between ranks, or were taken that had
    std::uint64_t begun = 0;  // nodes that began what takes all of them (Node::begin_together)
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
