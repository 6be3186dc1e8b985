#pragma once
// Algorithms whose nodes hold several sums of a block at a time.

#include <dcube/catalogue.hpp>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace test_support {

// Only the lists in a trace show which of the sums is sent.
inline bool keeps_sums_apart(const dcube::Entry& algorithm)
{
    constexpr std::string_view all[] = {"window-sums",           "by-dimensions",     "recursive-doubling",
                                        "merged-groups",         "merged-groups-one", "gather-and-combine",
                                        "gather-and-combine-one"};
    return is_scan(algorithm.collective) || (algorithm.collective == dcube::Collective::all_reduce &&
                                             std::ranges::find(all, algorithm.name) != std::end(all));
}

}  // namespace test_support
