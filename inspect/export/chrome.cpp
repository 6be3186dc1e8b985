// Trace events ("Trace Event Format"), for ui.perfetto.dev and chrome://tracing: a process for every node, a track for
// every directed link, arrows from packets to those that carry their bytes on.

#include "base/json.hpp"
#include "inspect/export/dependencies.hpp"
#include "inspect/export/exports.hpp"
#include "run/recording.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace dcube {

namespace {

// A trace viewer's tracks beside the packets: phases, and the number of busy links.

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

/// The algorithm's phase from `begin` to `end`.
struct PhaseSlice {
    std::uint64_t begin;
    std::uint64_t end;
    std::string name;
    std::string sentence{};
    std::uint32_t lane = 0;  ///< slices of a lane do not overlap
};

/// The number of links that are busy from `time` on.
struct BusyLinks {
    std::uint64_t time;
    std::uint64_t links;
};

// The time from the first departure to the last arrival of some flights.
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

/// The algorithm's own phases, or if it names none, those that the nodes named.
std::vector<PhaseSlice> phase_slices(const Recording& recording, const TraceClock& clock)
{
    std::vector<PhaseSlice> slices = algorithms_phases(recording, clock);
    if (slices.empty())
        slices = nodes_phases(recording, clock);
    std::ranges::stable_sort(slices, {}, &PhaseSlice::begin);
    std::vector<std::uint64_t> free;  // by lane, the end of its last slice
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

/// One entry wherever their number changes; the last one is 0.
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

std::string quoted_json(const std::string& text)
{
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Picoseconds as microseconds, in which the format counts.
std::string microseconds(std::uint64_t ps)
{
    constexpr std::uint64_t in_one = 1'000'000;
    if (ps % in_one == 0)
        return fmt::format("{}", ps / in_one);
    return fmt::format("{}.{:06}", ps / in_one, ps % in_one);
}

// "0 to 5", "of 0", "sum of nodes 0-3 for 5"
std::string piece_name(const Piece& piece)
{
    if (piece.origin && piece.target)
        return fmt::format("{} to {}", *piece.origin, *piece.target);
    std::string name = piece.origin   ? fmt::format("of {}", *piece.origin)
                       : piece.sum_of ? fmt::format("sum of {}", to_string(*piece.sum_of))
                                      : "sum";
    return piece.target ? name + fmt::format(" for {}", *piece.target) : name;
}

std::string packet_name(std::span<const Piece> pieces)
{
    return pieces.size() == 1 ? piece_name(pieces.front()) : fmt::format("{} pieces", pieces.size());
}

std::string pieces_text(std::span<const Piece> pieces)
{
    constexpr std::size_t shown = 8;
    std::vector<std::string> names;
    for (const Piece& piece : pieces.first(std::min(shown, pieces.size())))
        names.push_back(
            fmt::format("{}, bytes {} to {}", piece_name(piece), piece.offset, piece.offset + piece.length - 1));
    if (pieces.size() > shown)
        names.push_back(fmt::format("{} more", pieces.size() - shown));
    return fmt::format("{}", fmt::join(names, "; "));
}

// The number of events of each kind that there are, or that are written.
struct Events {
    std::uint64_t names = 0;
    std::uint64_t phases = 0;
    std::uint64_t packets = 0;
    std::uint64_t counts = 0;
    std::uint64_t arrows = 0;  // two events each
};

// Names first, arrows last.
Events within(const Events& all, std::uint64_t most)
{
    if (all.names > most)
        throw InvalidArgument(
            fmt::format("{} events are too few: the names of the tracks alone need {}", most, all.names));
    std::uint64_t left = most - all.names;
    const auto take = [&left](std::uint64_t wanted) {
        const std::uint64_t taken = std::min(wanted, left);
        left -= taken;
        return taken;
    };
    Events some{.names = all.names};
    some.phases = take(all.phases);
    some.packets = take(all.packets);
    some.counts = take(all.counts);
    some.arrows = take(2 * all.arrows) / 2;
    return some;
}

class Chrome : public Export {
public:
    Chrome(const Recording& recording, std::uint64_t most)
        : recording_(recording), clock_(recording.problem.link), dependencies_(recording),
          phases_(phase_slices(recording, clock_)), busy_(busy_links(recording, clock_)),
          used_(recording.topology.directed_links())
    {
        for (const Flight& one : recording.flights)
            used_[recording.topology.link(one.from, one.port)] = true;
        constexpr std::uint64_t of_the_machine = 2;  // its name and its place
        all_.names = 2 * std::uint64_t{recording.topology.nodes()} + 2 * lanes() + of_the_machine +
                     static_cast<std::uint64_t>(std::ranges::count(used_, true));
        all_.phases = phases_.size();
        all_.packets = recording.flights.size();
        all_.counts = busy_.size();
        for (std::size_t i = 0; i < recording.flights.size(); ++i)
            all_.arrows += dependencies_.of(i).size();
        written_ = within(all_, most);
    }

    void write(TextWriter& text) const override
    {
        text.add("{{\"displayTimeUnit\":\"ns\",\"otherData\":{{");
        const std::vector<std::string> told = notes();
        for (std::size_t i = 0; i < told.size(); ++i)
            text.add("{}\"note {}\":{}", i == 0 ? "" : ",", i + 1, quoted_json(told[i]));
        text.add("}},\"traceEvents\":[\n");
        write_names(text);
        write_phases(text);
        write_counts(text);
        write_packets(text);
        write_arrows(text);
        // The last event, which has no comma after it: the machine stands above its nodes.
        text.add("{{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":{},\"tid\":0,\"args\":{{\"sort_index\":0}}}}"
                 "\n]}}\n",
                 machine());
    }

    [[nodiscard]] std::vector<std::string> notes() const override
    {
        std::vector<std::string> all{
            fmt::format("{} on {}: {}", name(recording_.problem.collective), recording_.topology.name(),
                        recording_.problem.link.bound() ? "virtual time" : "a step is shown as 1 us")};
        std::vector<std::string> missing;
        for (const auto& [what, there, shown] :
             {std::tuple("phases", all_.phases, written_.phases), std::tuple("packets", all_.packets, written_.packets),
              std::tuple("counts of busy links", all_.counts, written_.counts),
              std::tuple("arrows", all_.arrows, written_.arrows)})
            if (shown < there)
                missing.push_back(fmt::format("{} of {} {}", there - shown, there, what));
        if (!missing.empty())
            all.push_back(fmt::format("left out because there are too many events: {}", fmt::join(missing, ", ")));
        return all;
    }

private:
    [[nodiscard]] std::uint64_t machine() const { return recording_.topology.nodes(); }  // the process after the nodes

    [[nodiscard]] std::uint64_t lanes() const
    {
        std::uint64_t lanes = 0;
        for (const PhaseSlice& phase : phases_)
            lanes = std::max<std::uint64_t>(lanes, phase.lane + 1);
        return lanes;
    }

    static void write_name(TextWriter& text, std::string_view what, std::uint64_t process, std::uint64_t track,
                           const std::string& name)
    {
        text.add("{{\"ph\":\"M\",\"name\":\"{}\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":\"{}\"}}}},\n", what,
                 process, track, name);
    }

    static void write_place(TextWriter& text, std::string_view what, std::uint64_t process, std::uint64_t track,
                            std::uint64_t place)
    {
        text.add("{{\"ph\":\"M\",\"name\":\"{}\",\"pid\":{},\"tid\":{},\"args\":{{\"sort_index\":{}}}}},\n", what,
                 process, track, place);
    }

    void write_names(TextWriter& text) const
    {
        const Topology& topology = recording_.topology;
        write_name(text, "process_name", machine(), 0, "machine");
        for (std::uint64_t lane = 0; lane < lanes(); ++lane) {
            write_name(text, "thread_name", machine(), lane, "phases");
            write_place(text, "thread_sort_index", machine(), lane, lane);
        }
        for (NodeId node = 0; node < topology.nodes(); ++node) {
            write_name(text, "process_name", node, 0, fmt::format("node {}", node));
            write_place(text, "process_sort_index", node, 0, node + std::uint64_t{1});
            for (Port port = 0; port < topology.ports(node); ++port)
                if (used_[topology.link(node, port)])
                    write_name(text, "thread_name", node, port,
                               fmt::format("port {} to node {}", port, topology.neighbour(node, port)));
        }
    }

    void write_phases(TextWriter& text) const
    {
        for (const PhaseSlice& phase : std::span(phases_).first(written_.phases))
            text.add("{{\"ph\":\"X\",\"name\":{},\"cat\":\"phase\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},"
                     "\"args\":{{\"sentence\":{}}}}},\n",
                     quoted_json(phase.name), machine(), phase.lane, microseconds(phase.begin),
                     microseconds(phase.end - phase.begin), quoted_json(phase.sentence));
    }

    void write_counts(TextWriter& text) const
    {
        for (const BusyLinks& busy : std::span(busy_).first(written_.counts))
            text.add("{{\"ph\":\"C\",\"name\":\"busy links\",\"pid\":{},\"ts\":{},\"args\":{{\"links\":{}}}}},\n",
                     machine(), microseconds(busy.time), busy.links);
    }

    void write_packets(TextWriter& text) const
    {
        for (const Flight& one : std::span(recording_.flights).first(written_.packets)) {
            const std::span<const Piece> pieces = recording_.pieces_of(one);
            text.add("{{\"ph\":\"X\",\"name\":{},\"cat\":\"packet\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},"
                     "\"args\":{{\"step\":{},\"bytes\":{},\"to\":{},\"pieces\":{}}}}},\n",
                     quoted_json(packet_name(pieces)), one.from, one.port, microseconds(clock_.start(one)),
                     microseconds(clock_.end(one) - clock_.start(one)), one.step, one.bytes, one.to,
                     quoted_json(pieces_text(pieces)));
        }
    }

    // Arrows from just before the end of the flight that brought the bytes to the start of the one that carries them
    // on.
    void write_arrows(TextWriter& text) const
    {
        std::uint64_t arrow = 0;
        for (std::uint32_t i = 0; i < recording_.flights.size(); ++i)
            for (const std::uint32_t before : dependencies_.of(i)) {
                if (arrow == written_.arrows)
                    return;
                const Flight& first = recording_.flights[before];
                const Flight& next = recording_.flights[i];
                const std::uint64_t leaves = std::max(clock_.start(first) + 1, clock_.end(first)) - 1;
                text.add(
                    "{{\"ph\":\"s\",\"name\":\"on\",\"cat\":\"packet\",\"id\":{},\"pid\":{},\"tid\":{},\"ts\":{}}},\n",
                    arrow, first.from, first.port, microseconds(leaves));
                text.add(
                    "{{\"ph\":\"f\",\"bp\":\"e\",\"name\":\"on\",\"cat\":\"packet\",\"id\":{},\"pid\":{},\"tid\":{},"
                    "\"ts\":{}}},\n",
                    arrow, next.from, next.port, microseconds(clock_.start(next)));
                ++arrow;
            }
    }

    const Recording& recording_;
    TraceClock clock_;
    Dependencies dependencies_;
    std::vector<PhaseSlice> phases_;
    std::vector<BusyLinks> busy_;
    std::vector<bool> used_;  // by link
    Events all_;
    Events written_;
};

}  // namespace

std::unique_ptr<Export> chrome_export(const Recording& recording, std::uint64_t events)
{
    return std::make_unique<Chrome>(recording, events);
}

}  // namespace dcube
