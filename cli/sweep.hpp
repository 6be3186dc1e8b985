#pragma once
// Numbers and sizes on the command line: one, or several as a list or a range.

#include "base/numbers.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace dcube::cli {

/// 4,8 or 4:10 (all from 4 to 10) or 4:10:+2 (every other one) or 1:100:x10 (1, 10 and 100), or a list of such. Throws
/// InvalidArgument, about the key (or option).
std::vector<std::uint64_t> parse_numbers(std::string_view key, std::string_view text, NumberRange allowed);

/// The same with sizes as parse_size reads them; a range has a step or a factor.
std::vector<std::size_t> parse_sizes(std::string_view key, std::string_view text);

/// 1, 2, 4, .. and at last the most that there are, for --threads all.
std::vector<std::uint64_t> doubled_up_to(unsigned most);

}  // namespace dcube::cli
