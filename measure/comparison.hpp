#pragma once
// Two benchmarks, cell by cell: faster, slower, or no difference that can be told.

#include "measure/cell.hpp"
#include "measure/statistics.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::measure {

enum class Finding : std::uint8_t {
    faster,  ///< than the old one
    slower,
    no_difference,  ///< that can be told
    too_few_rounds,
};
/// "faster", "slower", "no difference", "too few rounds".
std::string_view name(Finding finding);

/// A cell that both have.
struct ComparedCell {
    std::string cell;  ///< as cell_text() has it
    double old_seconds = 0;
    double new_seconds = 0;
    double ratio = 1;                    ///< new over old: above 1 is slower
    std::optional<Interval> interval{};  ///< of the ratio; empty where one of the two has none
    double p_value = 1;
    bool rounds_agree = false;  ///< the median of the rounds' medians, which p is of, differs to the ratio's side of 1
    Finding finding = Finding::no_difference;
};

/// Something that the two were not the same in, beside their results: "compiler", "GNU 12.2.0", "Clang 16.0.6".
struct Difference {
    std::string what;
    std::string old_value;
    std::string new_value;
};

struct BenchComparison {
    std::vector<Difference> differences;  ///< of hosts, programs and settings
    std::vector<ComparedCell> cells;      ///< in the new one's order
    std::vector<std::string> only_old;
    std::vector<std::string> only_new;
};

/// What is needed to tell a difference: a rank test of the rounds' medians below this p-value (of all samples it would
/// find differences between one minute and the next, because the samples of one round are not independent), a ratio
/// that is this far from 1, to the side to which the rounds' medians differ (one slow round with many samples may draw
/// the median of all samples to the other one); and as many rounds on either side.
inline constexpr double greatest_p_value = 0.01;
inline constexpr double least_difference = 0.03;

/// Of two documents that read_bench_document() has checked, or bench_document() has made.
BenchComparison compare(const Json& before, const Json& now);

/// A cell of that document.
Json compared_cell_record(const ComparedCell& one);

/// As a document of its own: schema, kind ("benchmark comparison"), and the members of BenchComparison.
Json comparison_document(const BenchComparison& comparison);

}  // namespace dcube::measure
