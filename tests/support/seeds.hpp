#pragma once
// The random programs that a test runs.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace test_support {

/// 1 to `runs`; DCUBE_PROGRAMS says another number, DCUBE_SEED one seed.
inline std::vector<std::uint64_t> seeds(std::uint64_t runs)
{
    if (const char* const seed = std::getenv("DCUBE_SEED"))
        return {std::stoull(seed)};
    const char* const programs = std::getenv("DCUBE_PROGRAMS");
    std::vector<std::uint64_t> all(programs ? std::stoull(programs) : runs);
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = i + 1;
    return all;
}

}  // namespace test_support
