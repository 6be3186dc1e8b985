#pragma once
// A table: for a screen or in Markdown; and records of several keys: as JSON or CSV.

#include "cli/requests.hpp"
#include "run/field.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dcube::cli {

struct Column {
    enum class Side : std::uint8_t { left, right };

    std::string heading{};
    Side side = Side::right;  ///< where its cells begin or end
    std::size_t least = 0;    ///< its width, unless a cell is wider
    std::vector<std::string> cells{};

    [[nodiscard]] std::size_t width() const;
    [[nodiscard]] bool is_same() const;   ///< all cells are
    [[nodiscard]] bool is_blank() const;  ///< no cell says anything: all are "" or "-"
};

/// A table; its columns have the same number of cells.
struct Table {
    std::vector<Column> columns;

    /// A cell for each column.
    void add(std::vector<std::string> row);
    /// The width of a line.
    [[nodiscard]] std::size_t width() const;
};

/// The headings, if there are any, then the rows: columns as wide as their cells, two spaces between them, each line
/// behind `indent` spaces. Colours in cells take no room.
std::string in_text(const Table& table, std::size_t indent = 0);
/// Cells are Markdown already.
std::string in_markdown(const Table& table);

/// An array of records, or one record, in JSON or CSV. Invalid UTF-8 in it is replaced.
std::string in_format(const Json& records, Format format);

}  // namespace dcube::cli
