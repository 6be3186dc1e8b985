#pragma once
// Formulas that are not the same in every case: one term for each factor of a network, or with values that a search has
// found.

#include "explain/case.hpp"
#include "explain/formula.hpp"

#include <optional>
#include <string>
#include <vector>

namespace dcube::explain {

/// A time within a formula: another entry's, in a case of its own.
struct PartOfFormula {
    std::string letter;
    const Algorithm* algorithm;
    Case one;
};

struct ChosenFormula {
    std::string formula;                 ///< of the steps or, on links that take time, of the time
    Variables variables;                 ///< those that variables_of() does not know
    std::vector<PartOfFormula> parts{};  ///< what some of the variables are
    std::string remark{};  ///< why the program can come to a little more or less; empty: as sizes do not divide evenly
};

/// None for algorithms whose formula is always the same, and for those that have none.
std::optional<ChosenFormula> chosen_formula(const Algorithm& algorithm, const Case& one);

}  // namespace dcube::explain
