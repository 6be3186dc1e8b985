#pragma once
// Algorithms whose nodes hold several sums of a block at a time.

#include <dcube/catalogue.hpp>

namespace test_support {

// Only what a trace tells says which of the sums is sent.
inline bool keeps_sums_apart(const dcube::Algorithm& algorithm)
{
    return algorithm.name == "window-sums" || algorithm.name == "by-dimensions";
}

}  // namespace test_support
