#pragma once
// The rows of a film as columns, as a page reads them.

#include "inspect/view/document/document.hpp"
#include "inspect/view/document/network.hpp"
#include "inspect/view/film/film.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace dcube::view {

/// Numbers as text: differences to the row before, zigzag, LEB128, deflate, base64.
struct Column {
    std::optional<std::int64_t> constant{};  ///< all rows have it; 0 where there are no rows
    std::size_t raw = 0;                     ///< bytes before they were deflated
    std::string data{};                      ///< base64
};

Column encoded(std::span<const std::int64_t> values, Packing packing);

/// "columns" and "sets" of a film that has rows.
struct Columns {
    Json columns;
    Json sets;
};
Columns columns_of(const Film& film, Packing packing);

/// "use": the links in use in every step.
Json use_json(const Film& film, Packing packing);

}  // namespace dcube::view
