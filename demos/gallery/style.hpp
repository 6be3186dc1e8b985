#pragma once
/// What the gallery's index looks like; lessons have the player's style (page/src/whole.css).

#include <string>

namespace dcube::gallery {

std::string index_style();

}  // namespace dcube::gallery
