#pragma once
// Legends: what is seen in a figure of a film, and nothing that is not.

#include "view/film/film.hpp"
#include "view/svg/figure.hpp"

#include <optional>
#include <string>

namespace dcube::view {

enum class Numbers : std::uint8_t { drawn, left_out };

std::string legend_of(const Film& film, const Figure& figure, std::optional<NodeId> origin, Numbers numbers);

}  // namespace dcube::view
