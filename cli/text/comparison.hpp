#pragma once
// Every algorithm for one collective, run on the same problem.

#include "cli/shared_options.hpp"

#include <dcube/run.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace dcube::cli {

struct Contender {
    std::string name;  ///< as --algorithm takes it
    Report report;

    /// Virtual time over its lower bound, or steps over theirs; 0 if there is none.
    [[nodiscard]] double ratio() const;
};

struct SizeResult {
    std::size_t bytes;
    std::vector<Contender> contenders;  ///< the best first
};

/// From which to which size an algorithm was the best.
struct BestRange {
    std::size_t from;
    std::size_t to;
    std::string algorithm;
};

/// An algorithm that could not do it, at sizes from the one to the other, and why at the first.
struct LeftOut {
    std::string algorithm;
    std::size_t from;
    std::size_t to;
    std::string reason;
};

struct Comparison {
    std::vector<SizeResult> sizes;  ///< those at which some algorithm could do it
    std::vector<BestRange> best;
    std::vector<LeftOut> left_out;
};

}  // namespace dcube::cli
