#include "inspect/view/words/sentences.hpp"

#include "base/numbers.hpp"
#include "inspect/view/words/clean.hpp"
#include "inspect/view/words/states.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

namespace dcube::view {

namespace {

constexpr std::size_t most_ports = 8;  // that a sentence can list

// A row as its sender sees it; what does not apply is 0.
struct Seen {
    Port port = 0;
    NodeId origin = 0;
    NodeId target = 0;
    std::uint32_t part = 0;
    std::uint32_t count = 0;
    std::uint64_t terms = 0;

    friend bool operator==(const Seen&, const Seen&) = default;
};

// The blocks that the sender of flight `at` sends before flight `last`; moves `at` to the next sender's.
std::vector<Seen> seen_by_next(const Film& film, std::size_t& at, std::size_t last)
{
    std::vector<Seen> all;
    const NodeId sender = film.recording.flights[at].from;
    const auto from_here = [&](std::optional<NodeId> node) { return node ? film.relative.seen(*node, sender) : 0; };
    for (; at < last && film.recording.flights[at].from == sender; ++at)
        for (const Row& row : film.rows_of(at)) {
            const MessageEnds ends = film.messages.ends(row.message);
            const bool sum = film.messages.kind() == MessageKind::sums;
            all.push_back({film.recording.flights[at].port, from_here(ends.origin), from_here(ends.target), row.part,
                           row.count, sum ? film.sets[row.set].size() : 0});
        }
    return all;
}

// The blocks that every node sends, as it sees them; empty if some node sends others.
std::vector<Seen> sent_by_all(const Film& film, Step step)
{
    auto [at, last] = film.flights_in(step);
    if (film.relative.relation() == Relation::plain || at == last)
        return {};
    const std::vector<Seen> common = seen_by_next(film, at, last);
    NodeId senders = 1;
    for (; at < last; ++senders)
        if (seen_by_next(film, at, last) != common)
            return {};
    return senders == film.recording.topology.nodes() ? common : std::vector<Seen>();
}

// What node 0 sends: "the blocks for 3, 6 and 4", or where each node sends its own, "its own block".
std::string packets_text(const Film& film, const std::vector<Seen>& rows)
{
    const std::string what = plural(rows.size(), film.parts.count() == 1 ? "block" : "packet");
    std::vector<std::string> each;
    bool all_own = true;
    for (const Seen& row : rows) {
        all_own = all_own && film.messages.kind() == MessageKind::copies && row.origin == 0;
        switch (film.messages.kind()) {
        case MessageKind::moves: each.push_back(std::to_string(row.target)); break;
        case MessageKind::copies: each.push_back(std::to_string(row.origin)); break;
        case MessageKind::sums: each.push_back(std::to_string(row.terms)); break;
        }
    }
    if (all_own)
        return film.recording.free       ? "data of its own"
               : film.parts.count() == 1 ? "its own block"
                                         : "packets of its own";
    switch (film.messages.kind()) {
    case MessageKind::moves: return fmt::format("the {} for {}", what, enumerated(each));
    case MessageKind::copies: return fmt::format("the {} of {}", what, enumerated(each));
    case MessageKind::sums: break;
    }
    if (is_barrier(film.recording.problem.collective))
        return fmt::format("the news of {} {}", enumerated(each),
                           plural(rows.size() == 1 ? rows.front().terms : rows.size(), "node"));
    if (film.recording.free)
        return fmt::format("data of {} {}", enumerated(each),
                           plural(rows.size() == 1 ? rows.front().terms : rows.size(), "node"));
    if (rows.size() == 1)
        return rows.front().terms == 1 ? "one share" : fmt::format("a sum of {} shares", each.front());
    return fmt::format("sums of {} shares", enumerated(each));
}

// The phases that the senders in a trace name, each from the first step to the last in which a sender names it.
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
    if (recording.algorithm != nullptr && recording.algorithm->phases)
        phases = recording.algorithm->phases(recording.topology, recording.problem);
    if (phases.empty())
        phases = told_phases(recording);
    std::erase_if(phases, [&](const AlgorithmPhase& phase) {
        return phase.first < 1 || phase.last < phase.first || phase.last > recording.steps;
    });
    return phases;
}

// The algorithm's sentence where a phase begins; within phases what all nodes do, or else the shortest phase's
// sentence.
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
    if (film.has_rows() && !film.is_of_one_node())
        if (std::string same = same_for_all(film, step); !same.empty())
            return same;
    return shortest == nullptr ? "" : shortest->sentence;
}

// "64 packets on 64 links: none is idle." On one-port machines the nodes that send are counted.
std::string what_arrives(const Film& film, Step step)
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

// The same, and "1 of them is lost."
std::string what_links_do(const Film& film, Step step)
{
    const std::vector<std::uint32_t>& lost = film.recording.lost;
    if (step > lost.size() || lost[step - 1] == 0)
        return what_arrives(film, step);
    const std::uint64_t count = lost[step - 1];
    return fmt::format("{} {} of them {} lost.", what_arrives(film, step), grouped(count), count == 1 ? "is" : "are");
}

std::string joined(const std::string& first, const std::string& second)
{
    return first.empty() || second.empty() ? first + second : first + " " + second;
}

/// The start of the first packet of each step and the end of the last; steps in which nothing is sent have none.
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

/// A phase's first and last step, or tick.
struct Extent {
    std::uint64_t first;
    std::uint64_t last;

    [[nodiscard]] bool meets(const Extent& other) const { return first <= other.last && other.first <= last; }
};

Extent in_ticks(const AlgorithmPhase& phase, const StepTimes& times)
{
    const auto first = static_cast<std::ptrdiff_t>(phase.first - 1);
    const auto last = static_cast<std::ptrdiff_t>(phase.last);
    return {*std::min_element(times.begin.begin() + first, times.begin.begin() + last),
            *std::max_element(times.end.begin() + first, times.end.begin() + last)};
}

/// A phase in which something is sent, on the film's scale.
struct PlacedPhase {
    Extent extent;
    AlgorithmPhase phase;
};

std::vector<PlacedPhase> placed_phases(const Film& film)
{
    const StepTimes times(film);
    std::vector<PlacedPhase> all;
    for (AlgorithmPhase& phase : phases_of(film)) {
        const Extent extent = film.timed() ? in_ticks(phase, times) : Extent{phase.first, phase.last};
        if (extent.first <= extent.last)
            all.push_back({extent, std::move(phase)});
    }
    return all;
}

// The dimensions of a phase that overlaps others: its own one if it has a single dimension, otherwise those that the
// others leave. Empty: all.
std::vector<unsigned> dimensions_of(const std::vector<PlacedPhase>& all, std::size_t which, unsigned dimensions)
{
    std::set<unsigned> left;
    for (unsigned k = 0; k < dimensions; ++k)
        left.insert(k);
    bool shared = false;
    for (std::size_t other = 0; other < all.size(); ++other)
        if (other != which && all[other].extent.meets(all[which].extent)) {
            shared = true;
            if (const std::optional<unsigned> taken = all[other].phase.dimension)
                left.erase(*taken);
        }
    if (!shared)
        return {};
    if (const std::optional<unsigned> own = all[which].phase.dimension)
        left = {*own};
    if (left.size() == dimensions)
        return {};
    return {left.begin(), left.end()};
}

}  // namespace

std::string enumerated(const std::vector<std::string>& each)
{
    if (each.size() < 2)
        return fmt::format("{}", fmt::join(each, ""));
    return fmt::format("{} and {}", fmt::join(each.begin(), each.end() - 1, ", "), each.back());
}

std::string same_for_all(const Film& film, Step step)
{
    const std::vector<Seen> rows = sent_by_all(film, step);
    std::vector<Port> ports;
    for (const Seen& row : rows)
        if (ports.empty() || ports.back() != row.port)
            ports.push_back(row.port);
    if (ports.empty())
        return {};
    const bool few = rows.size() == ports.size() && ports.size() <= most_ports;
    const std::string sent = few ? packets_text(film, rows)
                                 : grouped(rows.size(), film.messages.kind() == MessageKind::sums ? "sum" : "block");
    std::vector<std::string> numbers;
    for (const Port port : ports)
        numbers.push_back(std::to_string(port));
    const std::string over = ports.size() > most_ports
                                 ? grouped(ports.size(), "port")
                                 : fmt::format("{} {}", plural(ports.size(), "port"), enumerated(numbers));
    return fmt::format("Node 0 sends {} over {}; every other node does the same, seen from itself.", sent, over);
}

std::vector<NamedStretch> stretches(const Film& film)
{
    const std::vector<PlacedPhase> placed = placed_phases(film);
    std::vector<NamedStretch> all;
    for (std::size_t i = 0; i < placed.size(); ++i)
        all.push_back({placed[i].extent.first, placed[i].extent.last, placed[i].phase.name,
                       dimensions_of(placed, i, film.recording.topology.dimension())});
    return all;
}

std::vector<std::string> step_sentences(const Film& film)
{
    std::vector<std::string> all{before_sentence(film)};
    const std::vector<AlgorithmPhase> phases = phases_of(film);
    for (Step step = 1; step <= film.recording.steps; ++step)
        all.push_back(joined(what_is_done(film, phases, step), what_links_do(film, step)));
    if (film.steps() > film.recording.steps)
        all.emplace_back(film.rejected ? "The next packet is rejected." : "Nothing more is sent.");
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
        const std::string which = fmt::format("Step {} of {} is under way.", step, film.recording.steps);
        all.push_back({times.begin[step - 1], joined(which, what_is_done(film, phases, step))});
    }
    std::ranges::stable_sort(all, {}, &TimedSentence::at);
    if (all.empty() || all.front().at > 0)
        all.insert(all.begin(), {0, before_sentence(film)});
    all.push_back({film.recording.end, last_sentence(film)});
    return all;
}

}  // namespace dcube::view
