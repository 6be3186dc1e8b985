#include "export/chrome_tracks.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace dcube {

namespace {

// From the first departure to the last arrival of some flights.
struct Extent {
    std::uint64_t begin = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t end = 0;

    void include(const Extent& other)
    {
        begin = std::min(begin, other.begin);
        end = std::max(end, other.end);
    }
    [[nodiscard]] bool empty() const { return begin > end; }
};

std::vector<PhaseSlice> algorithms_phases(const Recording& recording, const TraceClock& clock)
{
    if (recording.algorithm == nullptr)
        return {};
    std::vector<Extent> steps(recording.steps + 1);
    for (const Flight& one : recording.flights)
        steps[one.step].include({clock.start(one), clock.end(one)});
    std::vector<PhaseSlice> slices;
    for (AlgorithmPhase& phase : recording.algorithm->phases(recording.topology, recording.problem)) {
        Extent extent;
        for (Step step = phase.first; step <= std::min<Step>(phase.last, recording.steps); ++step)
            extent.include(steps[step]);
        if (!extent.empty())
            slices.push_back({extent.begin, extent.end, std::move(phase.name), std::move(phase.sentence)});
    }
    return slices;
}

std::vector<PhaseSlice> nodes_phases(const Recording& recording, const TraceClock& clock)
{
    std::vector<Extent> extents(recording.phases.size());
    for (const Flight& one : recording.flights)
        extents[one.phase].include({clock.start(one), clock.end(one)});
    std::vector<PhaseSlice> slices;
    for (std::size_t i = 1; i < extents.size(); ++i)  // 0 is no phase
        if (!extents[i].empty())
            slices.push_back({extents[i].begin, extents[i].end, recording.phases[i]});
    return slices;
}

}  // namespace

std::vector<PhaseSlice> phase_slices(const Recording& recording, const TraceClock& clock)
{
    std::vector<PhaseSlice> slices = algorithms_phases(recording, clock);
    if (slices.empty())
        slices = nodes_phases(recording, clock);
    std::ranges::stable_sort(slices, {}, &PhaseSlice::begin);
    std::vector<std::uint64_t> free;  // of each lane, when its last slice ends
    for (PhaseSlice& slice : slices) {
        const auto lane = std::ranges::find_if(free, [&](std::uint64_t end) { return end <= slice.begin; });
        slice.lane = static_cast<std::uint32_t>(lane - free.begin());
        if (lane == free.end())
            free.push_back(slice.end);
        else
            *lane = slice.end;
    }
    return slices;
}

std::vector<BusyLinks> busy_links(const Recording& recording, const TraceClock& clock)
{
    std::vector<std::pair<std::uint64_t, bool>> changes;  // when, and whether a packet leaves
    changes.reserve(2 * recording.flights.size());
    for (const Flight& one : recording.flights) {
        changes.emplace_back(clock.start(one), true);
        changes.emplace_back(clock.end(one), false);
    }
    std::ranges::sort(changes);
    std::vector<BusyLinks> counts;
    std::uint64_t links = 0;
    for (std::size_t i = 0; i < changes.size();) {
        const std::uint64_t now = changes[i].first;
        for (; i < changes.size() && changes[i].first == now; ++i)
            links = changes[i].second ? links + 1 : links - 1;
        if (counts.empty() || counts.back().links != links)
            counts.push_back({now, links});
    }
    return counts;
}

}  // namespace dcube
