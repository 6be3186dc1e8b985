#pragma once
// Arithmetic as it is written down: every number that a proof or a formula shows is made here.

#include "base/exact.hpp"
#include "base/formula.hpp"
#include "base/numbers.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace dcube::explain {

/// "16 384", "4 937/4".
std::string text_of(const detail::Exact& value);
std::string text_of(const detail::Integer& value);

/// "8 x 8 x 2 = 128"; factors of 1 are left out.
std::string product_text(const std::vector<std::uint64_t>& factors);

/// "64 / 8 = 8", "9 / 2 = 4.5, so 5", "7 / 3 = 2.3.., so 3".
std::string quotient_text(const detail::Integer& dividend, const detail::Integer& divisor);

/// The formula, the formula with the numbers filled in, and what it comes to step by step: the last line is a number.
/// Throws as Formula::value() does.
std::vector<std::string> lines_of(const detail::Formula& formula, const detail::Letters& letters);

}  // namespace dcube::explain
