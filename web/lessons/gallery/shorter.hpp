#pragma once
/// Figures with fewer bytes.

#include <string>

namespace dcube::gallery {

/// The same picture: what elements in a row have in common stands once, in a group around them, and colours have three
/// digits where these say it. Elements are those of `dcube view --svg`, one in a line.
std::string shorter(const std::string& svg);

}  // namespace dcube::gallery
