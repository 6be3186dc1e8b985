#pragma once
// The cost of an algorithm by its formulas, with the numbers of a case filled in.

#include "inspect/explain/case.hpp"

#include <string>
#include <vector>

namespace dcube::explain {

/// "steps = ceil(m/d) + d - 1", "= ceil(8 / 5) + 5 - 1", .., "= 6".
struct WorkedOut {
    std::string what;                ///< "steps", "transmissions", "ns"
    std::vector<std::string> lines;  ///< the formula, then what it comes to; empty where there is no formula
    std::string said;                ///< the formula in words, where it cannot be worked out
    std::string result;              ///< the value that the program computes; the last of the lines, if there are any
    std::string remark;              ///< if the result is not what the lines come to: why
};
/// The costs worked out, in order; each is followed by the letters in it that stand for formulas of other entries.
std::vector<WorkedOut> worked_out(const Entry& algorithm, const Case& one);

/// "m = 8 packets, d = 5, N = 32": those of the variables that the formulas name.
std::string given_text(const Entry& algorithm, const Case& one);

}  // namespace dcube::explain
