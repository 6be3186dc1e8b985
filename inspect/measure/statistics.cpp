#include "inspect/measure/statistics.hpp"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <stdexcept>
#include <vector>

namespace dcube::measure {

namespace {

std::vector<double> sorted(std::span<const double> values)
{
    if (values.empty())
        throw std::invalid_argument("no values to summarise");
    std::vector<double> all(values.begin(), values.end());
    std::ranges::sort(all);
    return all;
}

double middle_of(const std::vector<double>& in_order)
{
    const std::size_t half = in_order.size() / 2;
    return in_order.size() % 2 != 0 ? in_order[half] : (in_order[half - 1] + in_order[half]) / 2;
}

// The chance of exactly k heads in n throws of a coin.
double heads(std::size_t n, std::size_t k)
{
    const auto log_factorial = [](std::size_t i) { return std::lgamma(static_cast<double>(i) + 1); };
    return std::exp(log_factorial(n) - log_factorial(k) - log_factorial(n - k) -
                    static_cast<double>(n) * std::numbers::ln2);
}

// Twice the mean rank of each value among all, so that ties have whole numbers too: the first sample's, then the
// second's; and the sum of t^3 - t over all groups of t equal values.
struct Ranks {
    std::vector<std::uint32_t> doubled;
    double ties = 0;
};

Ranks ranks_of(std::span<const double> first, std::span<const double> second)
{
    std::vector<double> all(first.begin(), first.end());
    all.insert(all.end(), second.begin(), second.end());
    std::vector<double> in_order = all;
    std::ranges::sort(in_order);
    Ranks ranks;
    for (const double value : all) {
        const auto [begin, end] = std::ranges::equal_range(in_order, value);
        ranks.doubled.push_back(static_cast<std::uint32_t>((begin - in_order.begin()) + (end - in_order.begin()) + 1));
    }
    for (auto begin = in_order.begin(); begin != in_order.end();) {
        const auto end = std::upper_bound(begin, in_order.end(), *begin);
        const auto equal = static_cast<double>(end - begin);
        ranks.ties += equal * equal * equal - equal;
        begin = end;
    }
    return ranks;
}

// The probability that the ranks of `chosen` values, drawn from all, add up to as little as `sum` or less, or to as
// much or more: twice the smaller of both.
double exact_p_value(const std::vector<std::uint32_t>& ranks, std::size_t chosen, std::size_t sum)
{
    std::size_t most = 0;
    for (const std::uint32_t rank : ranks)
        most += rank;
    std::vector<std::vector<double>> ways(chosen + 1, std::vector<double>(most + 1));  // by how many, and their sum
    ways[0][0] = 1;
    for (const std::uint32_t rank : ranks)
        for (std::size_t many = chosen; many > 0; --many)
            for (std::size_t total = rank; total <= most; ++total)
                ways[many][total] += ways[many - 1][total - rank];
    double below = 0;
    double above = 0;
    double all = 0;
    for (std::size_t total = 0; total <= most; ++total) {
        const double here = ways[chosen][total];
        below += total <= sum ? here : 0;
        above += total >= sum ? here : 0;
        all += here;
    }
    return std::min(1.0, 2 * std::min(below, above) / all);
}

double normal_p_value(double u, double n, double m, double ties)
{
    const double all = n + m;
    const double variance = n * m / 12 * (all + 1 - ties / (all * (all - 1)));
    if (variance <= 0)
        return 1;  // all values are equal
    const double distance = std::max(0.0, std::abs(u - n * m / 2) - 0.5);
    return std::min(1.0, std::erfc(distance / std::sqrt(2 * variance)));
}

// Student's quantile for intervals of 95 %.
double student(double freedom)
{
    constexpr double above = 0.025;
    const boost::math::students_t_distribution<double> distribution(freedom);
    return boost::math::quantile(boost::math::complement(distribution, above));
}

double squares_around_mean(std::span<const double> values)
{
    double mean = 0;
    for (const double value : values)
        mean += value / static_cast<double>(values.size());
    double squares = 0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    return squares;
}

// The variance of the mean of a series' logarithms, by those of its thirds: neighbours may depend on each other, thirds
// much less.
double variance_of_thirds(std::span<const double> series)
{
    constexpr std::size_t parts = 3;
    std::array<double, parts> means{};
    for (std::size_t i = 0; i < parts; ++i) {
        const std::size_t begin = i * series.size() / parts;
        const std::size_t end = (i + 1) * series.size() / parts;
        means[i] = std::log(median(series.subspan(begin, end - begin)));
    }
    return squares_around_mean(means) / (parts - 1) / parts;
}

}  // namespace

double median(std::span<const double> values)
{
    return middle_of(sorted(values));
}

Summary summary(std::span<const double> values)
{
    const std::vector<double> in_order = sorted(values);
    Summary all;
    all.count = in_order.size();
    all.median = middle_of(in_order);
    all.minimum = in_order.front();
    all.p99 = in_order[(99 * in_order.size() + 99) / 100 - 1];
    std::vector<double> deviations;
    for (const double value : in_order)
        deviations.push_back(std::abs(value - all.median));
    all.mad = median(deviations);
    return all;
}

std::optional<Interval> interval_of_median(std::span<const double> values)
{
    constexpr double outside = 0.05;
    if (values.size() < 6)
        return std::nullopt;
    const std::vector<double> in_order = sorted(values);
    const std::size_t n = in_order.size();
    std::size_t cut = 0;  // values left out at either end
    double tail = heads(n, 0);
    while (cut + 1 < n / 2 && 2 * (tail + heads(n, cut + 1)) <= outside)
        tail += heads(n, ++cut);
    return Interval{in_order[cut], in_order[n - 1 - cut]};
}

Interval ratio(const Interval& a, const Interval& b)
{
    return {a.low / b.high, a.high / b.low};
}

double reach_of_batches(std::span<const double> first, std::span<const double> second)
{
    double freedom = 0;
    double parts = 0;  // 1 / n of each
    for (const std::span<const double> one : {first, second})
        if (!one.empty()) {
            freedom += static_cast<double>(one.size()) - 1;
            parts += 1 / static_cast<double>(one.size());
        }
    if (freedom < 1)
        throw std::invalid_argument("a variance needs two batches");
    const double variance = (squares_around_mean(first) + squares_around_mean(second)) / freedom;
    return student(freedom) * std::sqrt(variance * parts);
}

double reach_of_thirds(std::span<const double> first, std::span<const double> second)
{
    constexpr double freedom_of_one = 2;  // for three thirds
    const double a = variance_of_thirds(first);
    const double b = variance_of_thirds(second);
    return a + b <= 0 ? 0 : student(freedom_of_one * (a + b) * (a + b) / (a * a + b * b)) * std::sqrt(a + b);
}

std::optional<Interval> interval_of_ratio(std::span<const double> first, std::span<const double> second)
{
    const std::optional<Interval> a = interval_of_median(first);
    const std::optional<Interval> b = interval_of_median(second);
    if (!a || !b)
        return std::nullopt;
    const double reach = std::exp(reach_of_thirds(first, second));
    const double middle = median(first) / median(second);
    const Interval ranks = ratio(*a, *b);
    return Interval{std::min(ranks.low, middle / reach), std::max(ranks.high, middle * reach)};
}

RankTest rank_test(std::span<const double> first, std::span<const double> second)
{
    if (first.empty() || second.empty())
        throw std::invalid_argument("a rank test needs two samples");
    constexpr std::size_t most_exact = 40;
    const Ranks ranks = ranks_of(first, second);
    std::size_t sum = 0;
    for (std::size_t i = 0; i < first.size(); ++i)
        sum += ranks.doubled[i];
    const auto n = static_cast<double>(first.size());
    const auto m = static_cast<double>(second.size());
    RankTest test;
    test.u = static_cast<double>(sum) / 2 - n * (n + 1) / 2;
    test.exact = ranks.doubled.size() <= most_exact;
    test.p_value =
        test.exact ? exact_p_value(ranks.doubled, first.size(), sum) : normal_p_value(test.u, n, m, ranks.ties);
    return test;
}

}  // namespace dcube::measure
