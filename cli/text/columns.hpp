#pragma once
// Tables for people: columns as wide as their cells, two spaces between them.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dcube::cli {

struct Column {
    enum class Side : std::uint8_t { left, right };

    std::string heading;
    Side side = Side::right;  ///< where its cells begin or end
    std::vector<std::string> cells{};

    [[nodiscard]] std::size_t width() const;
};

/// The headings, then the rows; all columns have as many cells.
std::string laid_out(const std::vector<Column>& columns);

}  // namespace dcube::cli
