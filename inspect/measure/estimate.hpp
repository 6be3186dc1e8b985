#pragma once
// The time of a cell from its rounds: one estimator for the value, its interval, and ratios of two cells.
//
// Each round has one vote, the median of its undisturbed runs, however many these are: a machine that is three times as
// fast for a while has no more votes then. The value is the median of the votes.

#include "inspect/measure/experiment.hpp"
#include "inspect/measure/statistics.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace dcube::measure {

/// A round's vote: undisturbed where no bounds are given, else the run that was disturbed least.
struct Vote {
    unsigned process = 0;
    std::size_t number = 0;  ///< of the round, within its process
    double seconds = 0;      ///< of undisturbed runs their median, else the geometric middle of the bounds
    Interval bounds{};       ///< between which the undisturbed time lies; of undisturbed runs the median twice
    bool undisturbed = true;
};

/// The votes that count: those of undisturbed rounds if there are at least `fewest_rounds`, else also those of rounds
/// whose runs were all disturbed, if it is known by how much. Without any of these, medians of disturbed runs.
std::vector<Vote> votes_of(std::span<const Round> rounds);

/// One of the two modes, groups into which votes fall.
struct Mode {
    double seconds = 0;  ///< the median of its votes
    std::size_t rounds = 0;

    friend bool operator==(const Mode&, const Mode&) = default;
};

/// The two modes, the faster one first, if there are two. The split of the sorted logarithms that leaves the least
/// variance within the groups (Jenks' natural break) must leave at most a tenth of it (a goodness of variance fit of
/// 0.9), the groups' medians must differ by a factor of 1.2, and each group must have two votes.
std::optional<std::array<Mode, 2>> modes_of(std::span<const Vote> votes);

struct Estimate {
    double seconds = 0;
    std::optional<Interval> interval{};  ///< 95 %; none below fewest_rounds votes
    std::optional<std::array<Mode, 2>> modes{};
    std::size_t rounds = 0;              ///< all
    std::size_t undisturbed_rounds = 0;  ///< with an undisturbed run
};

/// The estimate from at least one round that has a run. The interval is that of the median of the votes, by their
/// ranks. With several processes it also has Student's interval of the processes' medians, in logarithms, in it: what
/// layout, huge pages and placement do to a process is in it, with as many draws as there are processes.
Estimate estimate_of(std::span<const Round> rounds);

/// Between which the ratio of two cells' times lies, first over second, with a probability of about 95 %, if they were
/// measured apart. It is the widest of: the ratio of both intervals by ranks; with several processes Student's interval
/// of the difference of the processes' mean logarithms, whose variance is taken to be the same for both (three and
/// three processes have 4 degrees of freedom then, and a quantile of 2.8, not 4.3); with one process of each twice
/// Student's interval of the thirds of the rounds, which drift together. None if either has fewer than fewest_rounds
/// votes.
std::optional<Interval> interval_of_ratio_apart(std::span<const Round> first, std::span<const Round> second);

/// The same for cells that were measured in the same rounds: the ratios are taken round by round, so that what hits
/// both cancels. Ratios of undisturbed rounds count as votes do. Empty if fewer than fewest_rounds rounds have votes of
/// both.
std::optional<Interval> interval_of_ratio_together(std::span<const Round> first, std::span<const Round> second);

/// The median of the ratios of the same rounds, first over second; of both medians where no round has votes of both.
double ratio_together(std::span<const Round> first, std::span<const Round> second);

/// Rounds of the same work that were measured in turns, as these functions want them. What disturbs hits both alike: if
/// fewer than fewest_rounds rounds are undisturbed in both, all runs count as if they were.
struct RoundsInTurns {
    std::vector<Round> first;
    std::vector<Round> second;
};
RoundsInTurns in_turns(std::span<const Round> first, std::span<const Round> second);

/// Whether both have as many rounds in each process: they then shared their rounds.
bool share_rounds(std::span<const Round> first, std::span<const Round> second);

}  // namespace dcube::measure
