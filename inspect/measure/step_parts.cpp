#include "inspect/measure/step_parts.hpp"

#include "inspect/measure/limit_of_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace dcube::measure {

namespace {

EngineCounts mean_of(const StepDemand& demand)
{
    const auto mean = [&](std::uint64_t sum) { return (sum + demand.runs / 2) / demand.runs; };
    const EngineCounts& sums = demand.counts;
    return {mean(sums.steps_alone), mean(sums.steps_together), mean(sums.crossing_packets), mean(sums.helped_chunks),
            mean(sums.sleeps)};
}

// How many times as large a step must be to reach the speed-up, if its work and its crossing lines grow alike and the
// barrier and the rest do not. Empty where no size does.
std::optional<double> growth_to(double speed_up, const StepDemand& demand, const StepParts& parts)
{
    if (parts.together == 0)
        return std::nullopt;
    const double alone = demand.one_thread_seconds / static_cast<double>(demand.steps);
    const double grows = alone / demand.threads + parts.crossing_seconds / parts.together;
    const double stays = parts.barrier_seconds / parts.together + std::max(0.0, parts.rest_seconds);
    const double room = alone / speed_up - grows;
    return room > 0 ? std::optional(stays / room) : std::nullopt;
}

// "14", "3.4", "0.08".
std::string short_number(double value)
{
    const double size = std::abs(value);
    return size >= 9.95 ? fmt::format("{:.0f}", value) : fmt::format("{:.2g}", value);
}

struct Unit {
    double seconds;
    const char* name;
};

Unit unit_of(double seconds)
{
    if (seconds < 1e-6)
        return {1e-9, "ns"};
    if (seconds < 1e-3)
        return {1e-6, "us"};
    return seconds < 1 ? Unit{1e-3, "ms"} : Unit{1, "s"};
}

constexpr double worth_saying = 0.02;  // of a step

// Times that differ by less are equal.
constexpr double equal = 0.05;

double gain_of(const StepDemand& demand)
{
    return demand.one_thread_seconds / demand.seconds;
}

std::string gain_text(const StepDemand& demand)
{
    const double gain = gain_of(demand);
    if (gain < 1 - equal)
        return fmt::format("{} threads lose: they take {} times as long as one", demand.threads,
                           short_number(1 / gain));
    if (gain < 1 + equal)
        return fmt::format("{} threads gain nothing", demand.threads);
    return fmt::format("{} threads gain {}", demand.threads, short_number(gain));
}

std::string crossing_text(const StepDemand& demand, const StepParts& parts)
{
    const char* const from = demand.threads == 2 ? "the other core" : "other cores";
    const char* const how = parts.crossing == Crossing::one_by_one ? ", one by one" : "";
    return fmt::format("wait for {:.0f} lines from {}{}", parts.crossing_lines, from, how);
}

// What the rest is due to, as far as the counts show it.
enum class Cause : std::uint8_t { unknown, absent_threads, sleeping_threads };

Cause cause_of_rest(const StepDemand& demand, const StepParts& parts)
{
    const auto a_step = [&](std::uint64_t count) {
        return static_cast<double>(count) /
               static_cast<double>(std::max<std::uint64_t>(1, parts.counts.steps_together));
    };
    constexpr double often = 0.1;
    const unsigned others = demand.threads - 1;
    if (a_step(parts.counts.helped_chunks) >= 0.5 * others)  // each that is absent leaves one at least
        return Cause::absent_threads;
    return a_step(parts.counts.sleeps) >= often * others ? Cause::sleeping_threads : Cause::unknown;
}

std::string rest_text(const StepDemand& demand, const StepParts& parts)
{
    switch (cause_of_rest(demand, parts)) {
    case Cause::absent_threads:
        return fmt::format("are lost to threads that came late or not at all ({} chunks of a run were done for them)",
                           parts.counts.helped_chunks);
    case Cause::sleeping_threads:
        return fmt::format("are lost to threads that slept ({} times in a run)", parts.counts.sleeps);
    case Cause::unknown: break;
    }
    return "have no known cause";
}

// The part of a step from which on the rest, or what the parts are too much, is worth a word.
constexpr double large_rest = 0.1;

std::string parts_text(const StepDemand& demand, const StepParts& parts)
{
    const Unit unit = unit_of(parts.step_seconds);
    const auto number = [&](double seconds) { return short_number(seconds / unit.seconds); };
    const auto counts = [&](double seconds) { return std::abs(seconds) >= worth_saying * parts.step_seconds; };
    std::vector<std::string> all{number(parts.work_seconds) + " are work"};
    if (counts(parts.barrier_seconds))
        all.push_back(number(parts.barrier_seconds) + " the barrier");
    if (counts(parts.crossing_seconds))
        all.push_back(number(parts.crossing_seconds) + ' ' + crossing_text(demand, parts));
    if (parts.rest_seconds >= large_rest * parts.step_seconds)
        all.push_back(number(parts.rest_seconds) + ' ' + rest_text(demand, parts));
    if (-parts.rest_seconds >= large_rest * parts.step_seconds)
        all.push_back(fmt::format("together {} more than it took", number(-parts.rest_seconds)));
    return fmt::format("of {} {} a step {}", number(parts.step_seconds), unit.name, fmt::join(all, ", "));
}

std::string alone_text(const StepParts& parts)
{
    constexpr double few = 0.05;
    if (parts.together > 1 - few)
        return "";
    const std::uint64_t steps = parts.counts.steps_alone + parts.counts.steps_together;
    return parts.counts.steps_together == 0
               ? "one thread ran all steps, which the clock took to be faster"
               : fmt::format("one thread ran {} of {} steps, which the clock took to be faster",
                             parts.counts.steps_alone, steps);
}

// "d >= 10", where the speed-up would be that; empty if nowhere.
std::string larger_text(double speed_up, const StepDemand& demand, const StepParts& parts)
{
    constexpr double most_growth = 64;
    const std::optional<double> growth = growth_to(speed_up, demand, parts);
    if (!growth || *growth <= 1 || *growth > most_growth)
        return "";
    const auto doublings = static_cast<unsigned>(std::ceil(std::log2(*growth)));
    return demand.dimension ? fmt::format("d >= {}", *demand.dimension + doublings)
                            : fmt::format("{} times the nodes", 1U << doublings);
}

// Where the speed-up is at least half of what the threads could add, there is nothing to advise.
std::string advice_text(const StepDemand& demand, const StepParts& parts)
{
    const double aim = good_speed_up(demand.threads);
    if (gain_of(demand) >= aim)
        return "";
    const bool others_took_the_time =
        parts.rest_seconds >= large_rest * parts.step_seconds && cause_of_rest(demand, parts) == Cause::absent_threads;
    std::vector<std::string> all;
    if (gain_of(demand) < 1 - equal)
        all.emplace_back("--threads 1");
    if (std::string larger = others_took_the_time ? "an idle machine" : larger_text(aim, demand, parts);
        !larger.empty())
        all.push_back(std::move(larger));
    return all.empty() ? "" : fmt::format("try {}", fmt::join(all, " or "));
}

}  // namespace

double good_speed_up(unsigned threads)
{
    return (1.0 + threads) / 2;
}

void add(EngineCounts& sum, const EngineCounts& run)
{
    sum.steps_alone += run.steps_alone;
    sum.steps_together += run.steps_together;
    sum.crossing_packets += run.crossing_packets;
    sum.helped_chunks += run.helped_chunks;
    sum.sleeps += run.sleeps;
}

std::optional<StepCosts> step_costs(const Limits& limits, unsigned threads)
{
    const auto of_threads = std::ranges::find(limits.threads, threads, &ThreadLimits::threads);
    if (threads < 2 || of_threads == limits.threads.end() || of_threads->best_barrier_seconds == 0)
        return std::nullopt;
    StepCosts costs{of_threads->barrier_seconds};
    std::size_t pairs = 0;
    for (const auto& row : limits.lines.rates)
        for (const std::optional<LineRates>& rates : row) {
            if (!rates || rates->lines_per_second <= 0)
                continue;
            ++pairs;
            costs.line_seconds += rates->line_seconds;
            costs.line_in_row_seconds += 1 / rates->lines_per_second;
        }
    if (pairs == 0)
        return std::nullopt;
    costs.line_seconds /= static_cast<double>(pairs);
    costs.line_in_row_seconds /= static_cast<double>(pairs);
    return costs;
}

std::optional<StepParts> step_parts(const StepDemand& demand, const StepCosts& costs)
{
    const std::uint64_t passes = demand.counts.steps_alone + demand.counts.steps_together;
    if (demand.threads < 2 || demand.steps == 0 || passes == 0 || demand.runs == 0 || demand.seconds <= 0 ||
        demand.one_thread_seconds <= 0)
        return std::nullopt;
    const auto steps = static_cast<double>(demand.steps);
    const double one_thread = demand.one_thread_seconds / steps;
    StepParts parts;
    parts.counts = mean_of(demand);
    parts.step_seconds = demand.seconds / steps;
    parts.together = static_cast<double>(demand.counts.steps_together) / static_cast<double>(passes);
    parts.work_seconds = one_thread * (1 - parts.together + parts.together / demand.threads);
    parts.barrier_seconds = costs.barrier_seconds * parts.together;
    parts.crossing_lines = static_cast<double>(parts.counts.crossing_packets) / steps / demand.threads *
                           lines_of_packet(demand.packet_bytes);
    const auto waiting = [&](double line) { return parts.crossing_lines * line * parts.together; };
    const double left = parts.step_seconds - parts.work_seconds - parts.barrier_seconds;
    const double in_rows = waiting(costs.line_in_row_seconds);
    const double one_by_one = waiting(costs.line_seconds);
    constexpr double without_cause = 0.25;
    if (cause_of_rest(demand, parts) == Cause::unknown && left - in_rows > without_cause * parts.step_seconds &&
        std::abs(left - one_by_one) < (left - in_rows) / 2)
        parts.crossing = Crossing::one_by_one;
    parts.crossing_seconds = parts.crossing == Crossing::one_by_one ? one_by_one : in_rows;
    parts.rest_seconds = left - parts.crossing_seconds;
    parts.sentence = step_sentence(demand, parts);
    return parts;
}

std::optional<StepParts> step_parts(const StepDemand& demand, const Limits& limits)
{
    const std::optional<StepCosts> costs = step_costs(limits, demand.threads);
    return costs ? step_parts(demand, *costs) : std::nullopt;
}

std::string step_sentence(const StepDemand& demand, const StepParts& parts)
{
    std::string text = gain_text(demand) + ": " + parts_text(demand, parts);
    for (const std::string& more : {alone_text(parts), advice_text(demand, parts)})
        if (!more.empty())
            text += "; " + more;
    return text;
}

}  // namespace dcube::measure
