#pragma once

#include "explain/formula.hpp"

#include <string_view>

namespace dcube::explain {

/// Throws std::logic_error: no formula.
Formula::Term read_formula(std::string_view text);

}  // namespace dcube::explain
