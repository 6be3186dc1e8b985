#pragma once
// One film in a document.

#include "view/document/document.hpp"
#include "view/document/network.hpp"

namespace dcube::view {

Json film_json(const Film& film, Packing packing);

}  // namespace dcube::view
