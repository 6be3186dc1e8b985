#pragma once
// What a trace viewer shows beside the packets: phases, and how many links are busy.

#include "run/recording.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace dcube {

/// A recording's times in picoseconds, so that rounding never lets two packets of a link overlap. With unit links a
/// step takes a microsecond.
class TraceClock {
public:
    explicit TraceClock(const LinkModel& link) : scale_(link.bound() ? link.ticks_per_ns() : 0) {}

    [[nodiscard]] std::uint64_t start(const Flight& one) const
    {
        return scale_ == 0 ? (one.step - 1) * step : at(one.start);
    }
    [[nodiscard]] std::uint64_t end(const Flight& one) const { return scale_ == 0 ? one.step * step : at(one.end); }

private:
    static constexpr std::uint64_t step = 1'000'000;

    [[nodiscard]] std::uint64_t at(Time ticks) const { return ticks / scale_ * 1000 + ticks % scale_ * 1000 / scale_; }

    std::uint64_t scale_;  // ticks in a nanosecond; 0 with unit links
};

/// What the algorithm does from when to when.
struct PhaseSlice {
    std::uint64_t begin;
    std::uint64_t end;
    std::string name;
    std::string sentence{};
    std::uint32_t lane = 0;  ///< those of a lane do not overlap
};
/// The algorithm's own phases, or if it tells none those that the nodes told.
std::vector<PhaseSlice> phase_slices(const Recording& recording, const TraceClock& clock);

/// From `time` on so many links are busy.
struct BusyLinks {
    std::uint64_t time;
    std::uint64_t links;
};
/// Wherever their number changes; the last one is 0.
std::vector<BusyLinks> busy_links(const Recording& recording, const TraceClock& clock);

}  // namespace dcube
