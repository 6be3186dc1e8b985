#pragma once
// Statistics of a set of measured values: location, spread, and the confidence in either. Nothing here assumes a normal
// distribution: times of a computer have a long tail on one side.

#include <cstddef>
#include <optional>
#include <span>

namespace dcube::measure {

struct Interval {
    double low = 0;
    double high = 0;

    friend bool operator==(const Interval&, const Interval&) = default;
};

/// A summary in the unit of the values.
struct Summary {
    std::size_t count = 0;
    double median = 0;  ///< for an even number of values: the mean of the middle two
    double minimum = 0;
    double p99 = 0;  ///< the least value that at least 99 % do not exceed
    double mad = 0;  ///< median absolute deviation from the median, as it is (not scaled to a standard deviation)
};

/// The summary of at least one value. Throws std::invalid_argument for none.
Summary summary(std::span<const double> values);
double median(std::span<const double> values);

/// The narrowest pair of values of equal rank from either end between which the true median lies with a probability of
/// at least 95 %, whatever the distribution: the number of values below it is binomial (n, 1/2). None below 6 values,
/// where even the smallest and the largest do not have that. The values must be independent of each other.
std::optional<Interval> interval_of_median(std::span<const double> values);

/// Between which a / b lies if a and b lie in these intervals of positive numbers.
Interval ratio(const Interval& a, const Interval& b);

/// The largest error, to either side and with a probability of 95 %, of the difference between the means of two sets of
/// batches by Student's distribution, if the batches of both have the same variance. Without a second set, that of the
/// first one's mean. At least one set has two batches.
double reach_of_batches(std::span<const double> first, std::span<const double> second);

/// The same for the logarithm of the ratio of two series of positive numbers, each in the order of time, whose
/// values may depend on those before them, as on a machine that drifts. Batches are the thirds of the series (batch
/// means: Law and Kelton, Simulation Modeling and Analysis, section 9.5.3), with Welch's degrees of freedom. Both have
/// at least three values.
double reach_of_thirds(std::span<const double> first, std::span<const double> second);

/// Between which the ratio of the medians of two such series lies, first over second, with a probability of about 95 %.
/// It is the wider one of two at either end: the ratio of both intervals of the median, and that of the thirds. None if
/// either has fewer than 6 values.
std::optional<Interval> interval_of_ratio(std::span<const double> first, std::span<const double> second);

/// Whether two samples come from the same distribution: Mann and Whitney's test, two-sided.
struct RankTest {
    double u = 0;        ///< pairs in which the first sample's value is the larger one; of equals half
    double p_value = 1;  ///< the probability of a U as far out as this one if they do
    bool exact = false;  ///< by counting all ways to divide the ranks, ties and all; else the normal approximation
};

/// Exact up to 40 values altogether, beyond by the normal approximation with corrections for ties and continuity.
/// Throws std::invalid_argument where a sample is empty.
RankTest rank_test(std::span<const double> first, std::span<const double> second);

}  // namespace dcube::measure
