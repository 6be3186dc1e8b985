#pragma once
// Every algorithm for one collective, run on the same problem.

#include "cli/options.hpp"

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

struct LeftOut {
    std::string algorithm;
    std::string reason;
};

struct Comparison {
    std::vector<SizeResult> sizes;
    std::vector<BestRange> best;
    std::vector<LeftOut> left_out;
};

}  // namespace dcube::cli
