// Sums of floats that a user gave: their order is free, so they may differ by rounding, and by no more.

#include "judge/result_check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/data.hpp"
#include "tests/support/error_of.hpp"

#include <cmath>
#include <limits>
#include <vector>

using namespace dcube;
using test_support::Bytes;
using test_support::bytes_of;
using test_support::error_of;

namespace {

/// Whether `found` passes as the all-reduce of `given`, one element per node.
template <class T>
bool passes(Operation operation, const std::vector<T>& given, T found)
{
    const Topology topology = Topology::hypercube(given.size() == 4 ? 2 : 1);
    const Problem problem{.collective = Collective::all_reduce,
                          .bytes = sizeof(T),
                          .operation = operation,
                          .type = sizeof(T) == 4 ? ElementType::float32 : ElementType::float64};
    const Bytes input = bytes_of(given);
    const Checker checker(problem, topology, 0, input);
    return error_of([&] { checker.check(0, bytes_of(std::vector<T>{found})); }).empty();
}

}  // namespace

TEST_CASE("check: sums of given floats may differ by rounding and no more", "[judge][negative]")
{
    CHECK(passes<float>(Operation::sum, {1e8F, 1, 1, -1e8F}, 0));
    CHECK(passes<float>(Operation::sum, {1e8F, 1, 1, -1e8F}, 2));
    CHECK_FALSE(passes<float>(Operation::sum, {1, 1, 1, 1}, 4.00001F));
    CHECK_FALSE(passes<float>(Operation::sum, {1, 1, 1, 1}, 3));
    CHECK(passes<double>(Operation::sum, {0.1, 0.2, 0.3, 0.4}, 0.1 + (0.2 + (0.3 + 0.4))));
    CHECK_FALSE(passes<double>(Operation::sum, {0.1, 0.2, 0.3, 0.4}, 1.00000000001));
    CHECK_FALSE(passes<double>(Operation::sum, {0.1, 0.2}, std::nan("")));

    const double nan = std::nan("");
    const double most = std::numeric_limits<double>::max();
    CHECK(passes<double>(Operation::sum, {nan, 1}, nan));
    CHECK_FALSE(passes<double>(Operation::sum, {nan, 1}, 1));
    CHECK(passes<double>(Operation::sum, {most, most, -most, -most}, 0));
    CHECK(passes<double>(Operation::sum, {most, most, -most, -most}, std::numeric_limits<double>::infinity()));
    CHECK(passes<float>(Operation::sum, {3e38F, 3e38F, -3e38F, -3e38F}, 0));
}

TEST_CASE("check: minima and maxima of given floats have one value, to the bit", "[judge][negative]")
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(passes<double>(Operation::min, {0.0, -0.0}, -0.0));
    CHECK_FALSE(passes<double>(Operation::min, {0.0, -0.0}, 0.0));
    CHECK(passes<double>(Operation::max, {-0.0, 0.0}, 0.0));
    CHECK_FALSE(passes<double>(Operation::max, {-0.0, 0.0}, -0.0));
    CHECK(passes<double>(Operation::min, {-nan, 1}, nan));
    CHECK_FALSE(passes<double>(Operation::min, {nan, 1}, -nan));
    CHECK_FALSE(passes<double>(Operation::min, {nan, 1}, 1));
    CHECK(passes<double>(Operation::max, {2, 1}, 2));
    CHECK_FALSE(passes<double>(Operation::max, {2, 1}, 1));
    CHECK_FALSE(passes<float>(Operation::min, {2, 1}, 0.99999F));
}

TEST_CASE("check: the way of comparing is reported", "[judge]")
{
    const Topology topology = Topology::hypercube(1);
    Problem problem{.collective = Collective::all_reduce, .bytes = 8};
    const Bytes input(16);
    const auto comparison = [&](std::span<const std::byte> given) {
        return Checker(problem, topology, 1, given).comparison();
    };
    problem.type = ElementType::float64;
    CHECK(comparison({}) == Comparison::bytes);
    CHECK(comparison(input) == Comparison::rounding);
    problem.operation = Operation::max;
    CHECK(comparison(input) == Comparison::bytes);
    problem = {.collective = Collective::broadcast, .bytes = 16};
    problem.type = ElementType::float64;
    CHECK(comparison(input) == Comparison::bytes);
}
