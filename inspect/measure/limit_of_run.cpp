#include "inspect/measure/limit_of_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace dcube::measure {

namespace {

// A measured rate at a size.
struct Point {
    std::uint64_t size = 0;
    double rate = 0;
};

// Linear in the logarithms of both; beyond the ends as at the ends. The points ascend; there is at least one.
double interpolated(const std::vector<Point>& points, std::uint64_t size)
{
    const auto above = std::ranges::lower_bound(points, size, {}, &Point::size);
    if (above == points.end())
        return points.back().rate;
    if (above == points.begin() || above->size == size)
        return above->rate;
    const Point& below = *(above - 1);
    const auto log = [](auto number) { return std::log(static_cast<double>(number)); };
    const double share = (log(size) - log(below.size)) / (log(above->size) - log(below.size));
    return std::exp(log(below.rate) + share * (log(above->rate) - log(below.rate)));
}

// The points by working set: a smaller set can reach the rate of a larger one, whatever was measured.
std::vector<Point> falling(std::vector<Point> sets)
{
    for (std::size_t i = sets.size(); i-- > 1;)
        sets[i - 1].rate = std::max(sets[i - 1].rate, sets[i].rate);
    return sets;
}

std::vector<Point> copy_points(const ThreadLimits& limits)
{
    std::vector<Point> points;
    for (const CopyRate& rate : limits.copies)
        points.push_back({rate.working_set_bytes, rate.best_bytes_per_second});
    return falling(std::move(points));
}

// The points by working set, each at that size of blocks, which can be copied as smaller ones too.
std::vector<Point> block_points(const ThreadLimits& limits, std::uint64_t block_bytes)
{
    std::vector<Point> sets;
    std::vector<Point> blocks;
    for (std::size_t i = 0; i < limits.blocks.size(); ++i) {
        const BlockRate& one = limits.blocks[i];
        const double of_smaller = blocks.empty() ? 0 : blocks.back().rate;
        blocks.push_back({one.block_bytes, std::max(one.best_bytes_per_second, of_smaller)});
        if (i + 1 < limits.blocks.size() && limits.blocks[i + 1].working_set_bytes == one.working_set_bytes)
            continue;
        sets.push_back({one.working_set_bytes, interpolated(blocks, block_bytes)});
        blocks.clear();
    }
    return falling(std::move(sets));
}

// The least and the most bytes of a block that was measured; 0 if none was.
std::pair<std::uint64_t, std::uint64_t> block_sizes(const ThreadLimits& limits)
{
    if (limits.blocks.empty())
        return {0, 0};
    const auto [least, most] = std::ranges::minmax_element(limits.blocks, {}, &BlockRate::block_bytes);
    return {least->block_bytes, most->block_bytes};
}

// The bytes that a step sends, on average.
std::uint64_t sent_in_a_step(const Demand& demand)
{
    return demand.transmissions * demand.packet_bytes / std::max<std::uint64_t>(1, demand.steps);
}

// Copying every transmission's bytes once; what is smaller than any block takes as long as that block.
LimitOfRun of_copies(const ThreadLimits& limits, const Demand& demand)
{
    const auto [smallest, largest] = block_sizes(limits);
    const bool contiguous = demand.packet_bytes > largest;
    const std::vector<Point> copies = copy_points(limits);
    const std::vector<Point> packets = contiguous ? copies : block_points(limits, demand.packet_bytes);
    if (packets.empty() || copies.empty() || demand.packet_bytes == 0)
        return {};
    const std::uint64_t each = std::max<std::uint64_t>(demand.packet_bytes, smallest);
    const std::uint64_t at_the_ends = std::min(demand.transmissions * each, demand.data_bytes / 2);
    const std::uint64_t between = demand.transmissions * each - at_the_ends;
    return {static_cast<double>(at_the_ends) / interpolated(copies, demand.data_bytes) +
                static_cast<double>(between) / interpolated(packets, 2 * sent_in_a_step(demand)),
            contiguous ? "copies" : fmt::format("scattered {}-byte copies", demand.packet_bytes)};
}

// What a step costs one thread; nothing where that was not measured.
double least_step_seconds(const Limits& limits)
{
    const auto one = std::ranges::find(limits.threads, 1U, &ThreadLimits::threads);
    return one == limits.threads.end() ? 0 : one->best_barrier_seconds;
}

LimitOfRun of_steps(const Limits& limits, const ThreadLimits& of_threads, const Demand& demand)
{
    const double alone = least_step_seconds(limits);
    const double together = of_threads.best_barrier_seconds;
    const auto all = static_cast<double>(demand.steps);
    if (!demand.steps_together)
        return {all * std::min(alone, together), "steps"};
    const auto shared = static_cast<double>(std::min(*demand.steps_together, demand.steps));
    return {shared * together + (all - shared) * alone, "steps"};
}

LimitOfRun of_lines(const Limits& limits, const ThreadLimits& of_threads, const Demand& demand)
{
    double best = 0;
    for (const LineLevel& level : limits.lines.levels)
        best = std::max(best, level.rates.best_lines_per_second);
    if (best == 0 || of_threads.blocks.empty() ||
        2 * sent_in_a_step(demand) > of_threads.blocks.front().working_set_bytes)
        return {};
    const auto steps = static_cast<double>(std::max<std::uint64_t>(1, demand.steps));
    const double together = static_cast<double>(demand.steps_together.value_or(demand.steps)) / steps;
    const double lines = static_cast<double>(demand.crossing_packets) * lines_of_packet(demand.packet_bytes);
    return {std::min(1.0, together) * lines / (best * demand.threads), "lines from other cores"};
}

}  // namespace

std::optional<LimitOfRun> limit_of_run(const Limits& limits, const Demand& demand)
{
    const auto of_threads = std::ranges::find(limits.threads, demand.threads, &ThreadLimits::threads);
    if (of_threads == limits.threads.end())
        return std::nullopt;
    std::array roofs{of_copies(*of_threads, demand), of_steps(limits, *of_threads, demand),
                     of_lines(limits, *of_threads, demand)};
    LimitOfRun& largest = *std::ranges::max_element(roofs, {}, &LimitOfRun::seconds);
    return largest.seconds > 0 ? std::optional(std::move(largest)) : std::nullopt;
}

double lines_of_packet(std::size_t bytes)
{
    constexpr std::size_t line = 64;
    constexpr double place = 16;  // of which four lie in a line, in rows
    const bool held = bytes == 4 || bytes == 8;
    return place / line + static_cast<double>(held ? 0 : (bytes + line - 1) / line);
}

std::string limit_doubt(const Limits& limits, double share)
{
    if (share >= highest_share)
        return "the limit was measured too low; run dcube limits again on an idle machine";
    if (!limits.warnings.empty())
        return "when the limits were measured, " + limits.warnings.front();
    return "";
}

}  // namespace dcube::measure
