#pragma once

#include <dcube/bounds.hpp>

#include <algorithm>
#include <initializer_list>

namespace dcube {

/// The first of the largest.
inline Bound largest(std::initializer_list<Bound> bounds)
{
    return *std::max_element(bounds.begin(), bounds.end(),
                             [](const Bound& a, const Bound& b) { return a.value < b.value; });
}

}  // namespace dcube
