#pragma once
// The parts of documents.

#include "inspect/view/document/document.hpp"
#include "inspect/view/document/network.hpp"

#include <string_view>

namespace dcube::view {

/// The beginning of every document.
Json head_json(std::string_view title, const Recording& recording, std::string_view command);

/// One film in a document.
Json film_json(const Film& film, Packing packing);

}  // namespace dcube::view
