#pragma once
// The sentence that compares two films shown side by side.

#include "inspect/view/film/film.hpp"

#include <string>

namespace dcube::view {

/// "The same task on the same machine: optimal takes 4 steps, dimension-exchange 12 steps: 3 times as many. ..." Both
/// films are of the same collective, with links of the same kind.
std::string comparison_sentence(const Recording& left, const Recording& right);

}  // namespace dcube::view
