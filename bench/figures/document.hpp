#pragma once
// The claims with what was measured of them, in words and as JSON.

#include "base/json.hpp"
#include "bench/figures/claims.hpp"

#include <optional>
#include <string>
#include <vector>

namespace figures {

struct Figure {
    const Claim* claim = nullptr;
    std::optional<double> value{};  ///< empty if it was not measured
};

/// A line of the table: measured, aimed at, what.
std::string figure_text(const Figure& figure);

/// A JSON array with an object for each.
nlohmann::ordered_json figures_document(const std::vector<Figure>& all);

}  // namespace figures
