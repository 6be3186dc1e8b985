#include "judge/float_sum.hpp"

#include <cmath>
#include <cstring>
#include <limits>

namespace dcube {

namespace {

template <class T>
double element_as(std::span<const std::byte> bytes, std::size_t i)
{
    T x;
    std::memcpy(&x, bytes.data() + i * sizeof x, sizeof x);
    return x;
}

/// Half a unit in the last place, and the largest finite value.
struct Precision {
    double rounding;
    double largest;
};

Precision precision(ElementType type)
{
    if (type == ElementType::float32)
        return {std::numeric_limits<float>::epsilon() / 2, std::numeric_limits<float>::max()};
    return {std::numeric_limits<double>::epsilon() / 2, std::numeric_limits<double>::max()};
}

bool sum_is_right(double expected, double magnitude, double found, double nodes, Precision type)
{
    if (std::isnan(magnitude))
        return std::isnan(found);
    if (magnitude > type.largest)
        return true;
    return std::abs(found - expected) <= 2 * nodes * type.rounding * magnitude;  // N - 1 roundings, theirs and ours
}

}  // namespace

FloatSum::FloatSum(const Problem& problem, std::size_t bytes)
    : value(bytes / size_of(problem.type)), magnitude(value.size()), problem_(problem)
{
}

double element(const Problem& problem, std::span<const std::byte> bytes, std::size_t i)
{
    return problem.type == ElementType::float32 ? element_as<float>(bytes, i) : element_as<double>(bytes, i);
}

void FloatSum::add(std::span<const std::byte> contribution)
{
    for (std::size_t i = 0; i < value.size(); ++i) {
        const double x = element(problem_, contribution, i);
        magnitude[i] += std::abs(x);
        if (first_)
            value[i] = x;
        else if (problem_.operation == Operation::sum)
            value[i] += x;
        else if (problem_.operation == Operation::min ? x < value[i] : x > value[i])
            value[i] = x;
    }
    first_ = false;
}

std::size_t first_wrong_element(const Problem& problem, const Topology& topology, std::span<const double> value,
                                std::span<const double> magnitude, std::span<const std::byte> output)
{
    const Precision type = precision(problem.type);
    for (std::size_t i = 0; i < value.size(); ++i) {
        const double found = element(problem, output, i);
        const bool right = problem.operation == Operation::sum
                               ? sum_is_right(value[i], magnitude[i], found, topology.nodes(), type)
                               : found == value[i] || std::isnan(magnitude[i]);
        if (!right)
            return i;
    }
    return value.size();
}

}  // namespace dcube
