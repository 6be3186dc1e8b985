#include "inspect/measure/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace dcube::measure {

namespace {

std::vector<double> seconds_of(std::span<const Vote> votes)
{
    std::vector<double> all;
    for (const Vote& vote : votes)
        all.push_back(vote.seconds);
    return all;
}

// The run of a round that was disturbed least, by its bounds.
Vote least_disturbed(const Round& round)
{
    Interval narrowest{0, std::numeric_limits<double>::infinity()};
    for (const Interval& one : round.disturbed_bounds)
        if (one.high * narrowest.low <= one.low * narrowest.high)
            narrowest = one;
    return {.seconds = std::sqrt(narrowest.low * narrowest.high), .bounds = narrowest, .undisturbed = false};
}

// The vote of a round, if it has one.
std::optional<Vote> vote_of(const Round& round)
{
    if (!round.samples_seconds.empty()) {
        const double middle = median(round.samples_seconds);
        return Vote{.seconds = middle, .bounds = {middle, middle}};
    }
    if (!round.disturbed_bounds.empty())
        return least_disturbed(round);
    return std::nullopt;
}

// What is left if nothing is known of the disturbances but that there were some.
std::vector<Vote> votes_of_disturbed(std::span<const Round> rounds)
{
    std::vector<Vote> votes;
    for (const Round& round : rounds)
        if (!round.disturbed_seconds.empty()) {
            const double middle = median(round.disturbed_seconds);
            votes.push_back({.process = round.process,
                             .number = votes.size(),
                             .seconds = middle,
                             .bounds = {middle, middle},
                             .undisturbed = false});
        }
    return votes;
}

// The interval of the votes' median by their ranks, from the lower end of their bounds to the upper one.
std::optional<Interval> interval_by_ranks(std::span<const Vote> votes)
{
    std::vector<double> low;
    std::vector<double> high;
    for (const Vote& vote : votes) {
        low.push_back(vote.bounds.low);
        high.push_back(vote.bounds.high);
    }
    const std::optional<Interval> lower = interval_of_median(low);
    const std::optional<Interval> upper = interval_of_median(high);
    if (!lower || !upper)
        return std::nullopt;
    return Interval{lower->low, upper->high};
}

// The logarithm of each process' median.
std::vector<double> processes_of(std::span<const Vote> votes)
{
    std::map<unsigned, std::vector<double>> by_process;
    for (const Vote& vote : votes)
        by_process[vote.process].push_back(vote.seconds);
    std::vector<double> all;
    for (const auto& [process, seconds] : by_process)
        all.push_back(std::log(median(seconds)));
    return all;
}

// The interval with all within `factor` of the middle, and the middle, in it.
Interval widened(const Interval& interval, double middle, double factor)
{
    return {std::min(interval.low, middle / factor), std::max(interval.high, middle * factor)};
}

// The ratios of votes of the same rounds.
std::vector<Vote> ratios_of(std::span<const Vote> first, std::span<const Vote> second)
{
    std::map<std::pair<unsigned, std::size_t>, const Vote*> known;
    for (const Vote& vote : second)
        known[{vote.process, vote.number}] = &vote;
    std::vector<Vote> ratios;
    for (const Vote& over : first)
        if (const auto found = known.find({over.process, over.number}); found != known.end()) {
            const Vote& under = *found->second;
            ratios.push_back({.process = over.process,
                              .number = over.number,
                              .seconds = over.seconds / under.seconds,
                              .bounds = ratio(over.bounds, under.bounds),
                              .undisturbed = over.undisturbed && under.undisturbed});
        }
    return ratios;
}

// The vote of each round that has one.
std::vector<Vote> all_votes_of(std::span<const Round> rounds)
{
    std::vector<Vote> votes;
    std::map<unsigned, std::size_t> number;
    for (const Round& round : rounds) {
        std::optional<Vote> vote = vote_of(round);
        const std::size_t own = number[round.process]++;
        if (!vote)
            continue;
        vote->process = round.process;
        vote->number = own;
        votes.push_back(*vote);
    }
    return votes;
}

// Of votes, or of ratios of them, those that count.
std::vector<Vote> counting(std::vector<Vote> votes)
{
    if (std::ranges::count_if(votes, &Vote::undisturbed) >= fewest_rounds)
        std::erase_if(votes, [](const Vote& vote) { return !vote.undisturbed; });
    return votes;
}

// The ratios of the same rounds that count.
std::vector<Vote> ratios_together(std::span<const Round> first, std::span<const Round> second)
{
    return counting(ratios_of(all_votes_of(first), all_votes_of(second)));
}

// Each run counts as undisturbed.
std::vector<Round> with_all_runs(std::span<const Round> rounds)
{
    std::vector<Round> all(rounds.begin(), rounds.end());
    for (Round& round : all) {
        round.samples_seconds.insert(round.samples_seconds.end(), round.disturbed_seconds.begin(),
                                     round.disturbed_seconds.end());
        round.disturbed_seconds.clear();
        round.disturbed_bounds.clear();
    }
    return all;
}

std::map<unsigned, std::size_t> rounds_by_process(std::span<const Round> rounds)
{
    std::map<unsigned, std::size_t> count;
    for (const Round& round : rounds)
        ++count[round.process];
    return count;
}

}  // namespace

std::vector<Vote> votes_of(std::span<const Round> rounds)
{
    std::vector<Vote> votes = counting(all_votes_of(rounds));
    return votes.empty() ? votes_of_disturbed(rounds) : votes;
}

std::optional<std::array<Mode, 2>> modes_of(std::span<const Vote> votes)
{
    constexpr double most_left = 0.1;
    constexpr double least_ratio = 1.2;
    constexpr std::size_t least_votes = 2;
    std::vector<double> in_order = seconds_of(votes);
    std::ranges::sort(in_order);
    const std::size_t all = in_order.size();
    std::vector<double> sums(1);
    std::vector<double> squares(1);
    for (const double one : in_order) {
        const double log = std::log(one / in_order.front());
        sums.push_back(sums.back() + log);
        squares.push_back(squares.back() + log * log);
    }
    const auto variance = [&](std::size_t begin, std::size_t end) {
        const double sum = sums[end] - sums[begin];
        return squares[end] - squares[begin] - sum * sum / static_cast<double>(end - begin);
    };
    std::size_t best = 0;
    double least = all == 0 ? 0 : variance(0, all) * most_left;
    for (std::size_t cut = least_votes; cut + least_votes <= all; ++cut)
        if (const double left = variance(0, cut) + variance(cut, all); left <= least) {
            best = cut;
            least = left;
        }
    if (best == 0)
        return std::nullopt;
    const std::span<const double> values(in_order);
    const Mode fast{median(values.first(best)), best};
    const Mode slow{median(values.subspan(best)), all - best};
    if (slow.seconds < fast.seconds * least_ratio)
        return std::nullopt;
    return std::array{fast, slow};
}

Estimate estimate_of(std::span<const Round> rounds)
{
    const std::vector<Vote> votes = votes_of(rounds);
    Estimate estimate;
    estimate.rounds = rounds.size();
    estimate.undisturbed_rounds = static_cast<std::size_t>(
        std::ranges::count_if(rounds, [](const Round& round) { return !round.samples_seconds.empty(); }));
    estimate.seconds = median(seconds_of(votes));
    estimate.modes = modes_of(votes);
    estimate.interval = interval_by_ranks(votes);
    if (!estimate.interval)
        return estimate;
    const std::vector<double> processes = processes_of(votes);
    const double reach = processes.size() > 1 ? std::exp(reach_of_batches(processes, {})) : 1;
    estimate.interval = widened(*estimate.interval, estimate.seconds, reach);
    return estimate;
}

std::optional<Interval> interval_of_ratio_apart(std::span<const Round> first, std::span<const Round> second)
{
    const std::vector<Vote> over = votes_of(first);
    const std::vector<Vote> under = votes_of(second);
    const std::optional<Interval> a = interval_by_ranks(over);
    const std::optional<Interval> b = interval_by_ranks(under);
    if (!a || !b)
        return std::nullopt;
    const std::vector<double> over_processes = processes_of(over);
    const std::vector<double> under_processes = processes_of(under);
    // Thirds of a process depend on each other, too: where a round keeps 0.8 of the drift of the one before, the mean
    // of nine has 4.4 times the variance that its thirds show.
    constexpr double drift_beyond_thirds = 2.1;
    const double reach = over_processes.size() + under_processes.size() > 2
                             ? reach_of_batches(over_processes, under_processes)
                             : drift_beyond_thirds * reach_of_thirds(seconds_of(over), seconds_of(under));
    return widened(ratio(*a, *b), median(seconds_of(over)) / median(seconds_of(under)), std::exp(reach));
}

std::optional<Interval> interval_of_ratio_together(std::span<const Round> first, std::span<const Round> second)
{
    const std::vector<Vote> ratios = ratios_together(first, second);
    const std::optional<Interval> interval = interval_by_ranks(ratios);
    if (!interval)
        return std::nullopt;
    const std::vector<double> processes = processes_of(ratios);
    const std::vector<double> values = seconds_of(ratios);
    const double reach = processes.size() > 1 ? reach_of_batches(processes, {})
                                              : reach_of_thirds(values, std::vector<double>(values.size(), 1));
    return widened(*interval, median(values), std::exp(reach));
}

double ratio_together(std::span<const Round> first, std::span<const Round> second)
{
    const std::vector<Vote> ratios = ratios_together(first, second);
    return ratios.empty() ? median(seconds_of(votes_of(first))) / median(seconds_of(votes_of(second)))
                          : median(seconds_of(ratios));
}

RoundsInTurns in_turns(std::span<const Round> first, std::span<const Round> second)
{
    const std::vector<Vote> ratios = ratios_of(all_votes_of(first), all_votes_of(second));
    if (std::ranges::count_if(ratios, &Vote::undisturbed) < fewest_rounds)
        return {with_all_runs(first), with_all_runs(second)};
    return {{first.begin(), first.end()}, {second.begin(), second.end()}};
}

bool share_rounds(std::span<const Round> first, std::span<const Round> second)
{
    return rounds_by_process(first) == rounds_by_process(second);
}

}  // namespace dcube::measure
