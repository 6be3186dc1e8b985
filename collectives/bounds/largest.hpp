#pragma once

#include "collectives/bounds/argument.hpp"

#include <algorithm>
#include <initializer_list>

namespace dcube {

/// The first of the largest.
inline Argument largest(std::initializer_list<Argument> arguments)
{
    return *std::max_element(arguments.begin(), arguments.end(),
                             [](const Argument& a, const Argument& b) { return a.value() < b.value(); });
}

}  // namespace dcube
