#pragma once
// Reductions of floats that a user gave: the order of additions is free, so the result is known up to rounding only.

#include <dcube/problem.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace dcube {

/// What N contributions give, worked out in double, and the sum of their magnitudes (not a number if one of them is
/// not).
struct FloatSum {
    FloatSum(const Problem& problem, std::size_t bytes);

    void add(std::span<const std::byte> contribution);

    std::vector<double> value;
    std::vector<double> magnitude;

private:
    Problem problem_;
    bool first_ = true;
};

/// Element i of floats or doubles that lie anywhere in memory.
double element(const Problem& problem, std::span<const std::byte> bytes, std::size_t i);

/// The first element that no order of N additions can explain; their number if there is none. Where a not-a-number
/// takes part in a minimum or maximum, or a sum can overflow in one order and not in another, anything is right.
std::size_t first_wrong_element(const Problem& problem, const Topology& topology, std::span<const double> value,
                                std::span<const double> magnitude, std::span<const std::byte> output);

}  // namespace dcube
