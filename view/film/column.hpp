#pragma once
// Columns of numbers as text: differences to the row before, zigzag, LEB128, deflate, base64.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dcube::view {

enum class Packing : std::uint8_t { deflated, plain };

struct Column {
    std::optional<std::int64_t> constant{};  ///< all rows have it; 0 where there are no rows
    std::size_t raw = 0;                     ///< bytes before they were deflated
    std::string data{};                      ///< base64
};

Column encoded(std::span<const std::int64_t> values, Packing packing);

}  // namespace dcube::view
