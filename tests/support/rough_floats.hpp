#pragma once
// Floats whose sum depends on the order of additions, as do the bits of a sum of not-a-numbers.

#include "tests/support/data.hpp"

#include <dcube/elements.hpp>
#include <dcube/topology.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace test_support {

/// A not-a-number whose bits identify its node.
template <class T>
T nan_of(std::uint32_t node)
{
    const T nan = std::numeric_limits<T>::quiet_NaN();
    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t> bits = 0;
    std::memcpy(&bits, &nan, sizeof bits);
    bits |= node + 1;
    T marked = 0;
    std::memcpy(&marked, &bits, sizeof marked);
    return node % 2 == 0 ? marked : -marked;
}

/// Element i of a node: every tenth cancels as in 1e8 + 1 - 1e8, every tenth is a zero with a sign, every tenth may be
/// an infinity or a not-a-number, and the others have both signs and twelve orders of magnitude.
template <class T>
T rough_float(std::uint32_t node, std::size_t i, std::mt19937_64& random)
{
    const T large = sizeof(T) == 4 ? T(1e8) : T(1e16);
    switch (i % 10) {
    case 0: return node % 3 == 0 ? large : node % 3 == 1 ? T(1) : -large;
    case 1: return random() % 2 == 0 ? T(0) : -T(0);
    case 2:
        switch (random() % 6) {
        case 0: return std::numeric_limits<T>::infinity();
        case 1: return -std::numeric_limits<T>::infinity();
        case 2: return nan_of<T>(node);
        default: break;
        }
        break;
    default: break;
    }
    const double magnitude = std::pow(10.0, std::uniform_real_distribution<double>(-6, 6)(random));
    return static_cast<T>(random() % 2 == 0 ? magnitude : -magnitude);
}

template <class T>
Bytes rough_floats_of(dcube::NodeId nodes, std::size_t elements, std::uint64_t seed)
{
    std::mt19937_64 random(seed);
    std::vector<T> all;
    for (dcube::NodeId node = 0; node < nodes; ++node)
        for (std::size_t i = 0; i < elements; ++i)
            all.push_back(rough_float<T>(node, i, random));
    return bytes_of(all);
}

/// `elements` floats for every node, node after node.
inline Bytes rough_floats(dcube::ElementType type, dcube::NodeId nodes, std::size_t elements, std::uint64_t seed = 1)
{
    return type == dcube::ElementType::float32 ? rough_floats_of<float>(nodes, elements, seed)
                                               : rough_floats_of<double>(nodes, elements, seed);
}

}  // namespace test_support
