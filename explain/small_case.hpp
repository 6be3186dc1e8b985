#pragma once
// A small case, really run: who sends what to whom in each step.

#include "explain/case.hpp"
#include "explain/proof.hpp"

#include <dcube/report.hpp>

#include <string>
#include <vector>

namespace dcube::explain {

struct SmallCase {
    Report report;
    std::string legend;           ///< how the rows are to be read
    std::vector<ProofLine> rows;  ///< "step 1", "0->1 0->2"
    std::string cut_off{};        ///< where there are too many steps to show
};

/// Runs the algorithm. Throws what run_verified() throws.
SmallCase run_small(const Algorithm& algorithm, const Case& one);

}  // namespace dcube::explain
