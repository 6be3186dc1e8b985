#pragma once
// The six columns of the tables of link-bound times: a cube, a size that every cut divides, a number of groups, tau and
// beta. d = 3, 4 and 5, each with tau = 1, beta = 10 and with tau = 3, beta = 100.

#include "tests/support/link_bound.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace test_support {

struct LinkColumn {
    unsigned d;
    std::size_t bytes;
    std::size_t groups;
    std::int64_t tau;
    std::int64_t beta;

    [[nodiscard]] dcube::NodeId corner() const { return (dcube::NodeId{1} << d) - 1; }
};
inline constexpr LinkColumn link_columns[] = {{3, 24, 2, 1, 10},   {3, 24, 2, 3, 100}, {4, 192, 2, 1, 10},
                                              {4, 192, 2, 3, 100}, {5, 960, 4, 1, 10}, {5, 960, 4, 3, 100}};

using Adjust = std::function<void(dcube::Problem&, const LinkColumn&)>;

inline dcube::Problem column_problem(dcube::Collective collective, const LinkColumn& column)
{
    dcube::Problem problem{.collective = collective, .bytes = column.bytes};
    problem.link = link_bound(column.tau, column.beta);
    problem.tuning.groups = column.groups;
    problem.tuning.detour_groups = column.groups;
    return problem;
}

// The virtual times of verified runs in all columns, in ns: "102 516 808 2704 4850 14900".
inline std::string times(
    dcube::Collective collective, const std::string& algorithm, const Adjust& adjust = [](auto&, const auto&) {})
{
    std::string row;
    for (const LinkColumn& column : link_columns) {
        dcube::Problem problem = column_problem(collective, column);
        adjust(problem, column);
        row += (row.empty() ? "" : " ") + to_string(virtual_time(column.d, problem, algorithm));
    }
    return row;
}

// The same for four sizes that no cut divides, tau = 1 and beta = 10: (d, m) = (3, 10), (4, 7), (5, 23), (3, 1). "-"
// where the algorithm cannot do it.
struct OddSize {
    unsigned d;
    std::size_t bytes;
};
inline constexpr OddSize odd_sizes[] = {{3, 10}, {4, 7}, {5, 23}, {3, 1}};

inline std::string odd_times(
    dcube::Collective collective, const std::string& algorithm,
    const std::function<void(dcube::Problem&, unsigned d)>& adjust = [](auto&, unsigned) {})
{
    std::string row;
    for (const OddSize& size : odd_sizes) {
        dcube::Problem problem{.collective = collective, .bytes = size.bytes};
        problem.link = link_bound(1, 10);
        adjust(problem, size.d);
        std::string time = "-";
        try {
            time = to_string(virtual_time(size.d, problem, algorithm));
        } catch (const dcube::InvalidArgument&) {  // refused
        }
        row += (row.empty() ? "" : " ") + time;
    }
    return row;
}

}  // namespace test_support
