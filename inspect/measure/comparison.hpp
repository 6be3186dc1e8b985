#pragma once
// Two benchmarks, cell by cell: faster, slower, equal within some per cent, or undecidable.

#include "inspect/measure/cell.hpp"
#include "inspect/measure/statistics.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::measure {

enum class Finding : std::uint8_t {
    faster,  ///< than the old one
    slower,
    equal,  ///< within ComparedCell::equal_within
    cannot_tell,
};
/// "faster", "slower", "equal", "cannot tell".
std::string_view name(Finding finding);

/// A cell that both have, or two cells of one benchmark.
struct ComparedCell {
    std::string cell;  ///< by cell_text()
    double old_seconds = 0;
    double new_seconds = 0;
    double ratio = 1;                    ///< new over old, round by round if they shared rounds: above 1 is slower
    std::optional<Interval> interval{};  ///< the ratio's, as estimate.hpp has it; empty below 6 rounds
    double p_value = 1;                  ///< by a rank test of the rounds' votes
    std::vector<std::string> doubts{};   ///< about either: "old: modes: ..", "new: few: .."
    Finding finding = Finding::cannot_tell;
    std::optional<double> equal_within{};  ///< the farther end of the interval from 1, if they are equal
};

/// Something other than the results in which the two differ: "compiler", "GNU 12.2.0", "Clang 16.0.6".
struct Difference {
    std::string what;
    std::string old_value;
    std::string new_value;
};

struct BenchComparison {
    std::vector<Difference> differences;  ///< between hosts, programs and settings
    std::vector<ComparedCell> cells;      ///< in the new one's order
    std::vector<std::string> only_old;
    std::vector<std::string> only_new;
};

/// The conditions for a difference: an interval without 1, and a ratio that is this far from 1. Two cells are equal if
/// their interval ends so close to 1 as `most_equal` says.
inline constexpr double least_difference = 0.03;
inline constexpr double most_equal = 0.08;
/// Between two benchmarks lie minutes that change the machine, which neither shows: the interval of cells of two
/// documents is wider by this much at either end. (On a virtual machine under load, 3 % left 5.3 false verdicts of 100
/// about equal programs, 4 % left 4.1.)
inline constexpr double between_benchmarks = 0.04;

/// Compares two documents that read_bench_document() has checked, or bench_document() has made.
BenchComparison compare(const Json& before, const Json& now);

/// The same for two that were measured in turns (see Turns): rounds of the same number are compared with each other, so
/// that what hits both cancels out.
BenchComparison compare_in_turns(const Json& before, const Json& now);

/// A cell against the first one of the same benchmark that does the same work.
struct Rival {
    std::string against;  ///< by cell_text()
    ComparedCell cell;    ///< `old` is the one that it is against
};

/// Within one document: each cell that differs from an earlier one in algorithm, threads, channel or pin only. Where
/// both have as many rounds, the interval is of the ratios round by round, so that what hits both cancels out.
std::vector<Rival> against_each_other(const Json& document);

/// The rivals as a list: `cell`, `against`, and the keys of compared_cell_record().
Json rivals_document(const std::vector<Rival>& rivals);

/// A cell of that document.
Json compared_cell_record(const ComparedCell& one);

/// The comparison as a document of its own: schema, kind ("benchmark comparison"), and the members of BenchComparison.
Json comparison_document(const BenchComparison& comparison);

}  // namespace dcube::measure
