#include "view/words/sentences.hpp"

#include "base/numbers.hpp"
#include "view/words/clean.hpp"
#include "view/words/same_for_all.hpp"
#include "view/words/states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace dcube::view {

namespace {

// What the senders in a trace say: from the first step to the last in which somebody says it.
std::vector<AlgorithmPhase> told_phases(const Recording& recording)
{
    std::vector<AlgorithmPhase> phases;
    for (std::size_t i = 1; i < recording.phases.size(); ++i) {
        const std::string name = clean(recording.phases[i], longest_title);
        phases.push_back({.first = std::numeric_limits<Step>::max(),
                          .last = 0,
                          .name = name,
                          .sentence = fmt::format("The senders call this \"{}\".", name)});
    }
    for (const Flight& flight : recording.flights)
        if (flight.phase > 0) {
            AlgorithmPhase& phase = phases[flight.phase - 1];
            phase.first = std::min(phase.first, flight.step);
            phase.last = std::max(phase.last, flight.step);
        }
    std::ranges::stable_sort(phases, {}, &AlgorithmPhase::first);
    return phases;
}

std::vector<AlgorithmPhase> phases_of(const Film& film)
{
    const Recording& recording = film.recording;
    std::vector<AlgorithmPhase> phases;
    if (recording.algorithm == nullptr)
        phases = told_phases(recording);
    else if (recording.algorithm->phases)
        phases = recording.algorithm->phases(recording.topology, recording.problem);
    std::erase_if(phases, [&](const AlgorithmPhase& phase) {
        return phase.first < 1 || phase.last < phase.first || phase.last > recording.steps;
    });
    return phases;
}

// What the algorithm says where a phase begins; within phases what all nodes do, or else the shortest phase's sentence.
std::string what_is_done(const Film& film, const std::vector<AlgorithmPhase>& phases, Step step)
{
    std::string begins;
    const AlgorithmPhase* shortest = nullptr;
    for (const AlgorithmPhase& phase : phases) {
        if (step < phase.first || step > phase.last)
            continue;
        if (step == phase.first)
            begins += (begins.empty() ? "" : " ") + phase.sentence;
        if (shortest == nullptr || phase.last - phase.first < shortest->last - shortest->first)
            shortest = &phase;
    }
    if (!begins.empty())
        return begins;
    if (film.has_rows())
        if (std::string same = same_for_all(film, step); !same.empty())
            return same;
    return shortest == nullptr ? "" : shortest->sentence;
}

// "64 packets on 64 links: none is idle." On one-port machines the nodes that send are counted.
std::string what_links_do(const Film& film, Step step)
{
    const Recording& recording = film.recording;
    const bool rejected = film.rejected && film.rejected->step == step;
    const std::uint64_t packets = recording.links_used[step - 1] + (rejected ? 1 : 0);
    if (rejected)
        return fmt::format("{} on {}; one of them breaks a rule.", grouped(packets, "packet"),
                           grouped(recording.topology.directed_links(), "link"));
    if (packets == 0)
        return "Nothing is sent.";
    if (recording.ports == PortModel::one)
        return fmt::format("{} of {} send.", grouped(packets), grouped(recording.topology.members(), "node"));
    const std::uint64_t links = recording.topology.directed_links();
    const std::string on = fmt::format("{} on {}", grouped(packets, "packet"), grouped(links, "link"));
    return packets == links ? on + ": none is idle." : fmt::format("{}, {} idle.", on, grouped(links - packets));
}

std::string joined(const std::string& first, const std::string& second)
{
    return first.empty() || second.empty() ? first + second : first + " " + second;
}

/// When the first packet of each step starts and the last one ends; steps in which nothing is sent have none.
struct StepTimes {
    explicit StepTimes(const Film& film)
        : begin(film.recording.steps, std::numeric_limits<Time>::max()), end(film.recording.steps)
    {
        for (const Flight& flight : film.recording.flights) {
            begin[flight.step - 1] = std::min(begin[flight.step - 1], flight.start);
            end[flight.step - 1] = std::max(end[flight.step - 1], flight.end);
        }
    }

    std::vector<Time> begin;
    std::vector<Time> end;
};

NamedStretch in_ticks(const AlgorithmPhase& phase, const StepTimes& times)
{
    const auto first = static_cast<std::ptrdiff_t>(phase.first - 1);
    const auto last = static_cast<std::ptrdiff_t>(phase.last);
    return {*std::min_element(times.begin.begin() + first, times.begin.begin() + last),
            *std::max_element(times.end.begin() + first, times.end.begin() + last), phase.name};
}

}  // namespace

std::vector<NamedStretch> stretches(const Film& film)
{
    std::vector<NamedStretch> all;
    const StepTimes times(film);
    for (const AlgorithmPhase& phase : phases_of(film)) {
        NamedStretch one = film.timed() ? in_ticks(phase, times) : NamedStretch{phase.first, phase.last, phase.name};
        if (one.first <= one.last)
            all.push_back(std::move(one));
    }
    return all;
}

std::vector<std::string> step_sentences(const Film& film)
{
    std::vector<std::string> all{before_sentence(film)};
    const std::vector<AlgorithmPhase> phases = phases_of(film);
    for (Step step = 1; step <= film.recording.steps; ++step)
        all.push_back(joined(what_is_done(film, phases, step), what_links_do(film, step)));
    if (film.rejected && film.rejected->step > film.recording.steps)
        all.emplace_back("A packet would be sent that is rejected.");
    all.push_back(last_sentence(film));
    return all;
}

std::vector<TimedSentence> timed_sentences(const Film& film)
{
    const std::vector<AlgorithmPhase> phases = phases_of(film);
    const StepTimes times(film);
    std::vector<TimedSentence> all;
    for (Step step = 1; step <= film.recording.steps; ++step) {
        if (times.begin[step - 1] > times.end[step - 1])
            continue;
        const std::string stage = fmt::format("Stage {} of {} is on the way.", step, film.recording.steps);
        all.push_back({times.begin[step - 1], joined(stage, what_is_done(film, phases, step))});
    }
    std::ranges::stable_sort(all, {}, &TimedSentence::at);
    if (all.empty() || all.front().at > 0)
        all.insert(all.begin(), {0, before_sentence(film)});
    all.push_back({film.recording.end, last_sentence(film)});
    return all;
}

}  // namespace dcube::view
