#pragma once
// The colours of reports.

#include "cli/requests.hpp"

#include <string>
#include <string_view>

namespace dcube::cli {

enum class Colour : std::uint8_t { off, on };

/// --color decides, then NO_COLOR, CLICOLOR_FORCE and TERM=dumb in this order, then whether standard output is a
/// terminal.
Colour choose_colour(ColourMode mode);

/// The text as it is, or in green, yellow or bold.
std::string green(Colour colour, std::string_view text);
std::string yellow(Colour colour, std::string_view text);
std::string bold(Colour colour, std::string_view text);

}  // namespace dcube::cli
