#pragma once
// The random programs that a test runs.

#include "tests/support/sizes.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace test_support {

/// 1 to `usual`, or to `sanitized_runs` under a sanitizer; DCUBE_PROGRAMS says another number, DCUBE_SEED one seed.
inline std::vector<std::uint64_t> seeds(std::uint64_t usual, std::uint64_t sanitized_runs)
{
    if (const char* const seed = std::getenv("DCUBE_SEED"))
        return {std::stoull(seed)};
    const char* const programs = std::getenv("DCUBE_PROGRAMS");
    std::vector<std::uint64_t> all(programs ? std::stoull(programs) : sanitized ? sanitized_runs : usual);
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = i + 1;
    return all;
}

}  // namespace test_support
