#include "cli/text/columns.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dcube::cli {

namespace {

std::string padded(const std::string& text, const Column& column)
{
    return column.side == Column::Side::left ? fmt::format("{:<{}}", text, column.width())
                                             : fmt::format("{:>{}}", text, column.width());
}

}  // namespace

std::size_t Column::width() const
{
    std::size_t most = heading.size();
    for (const std::string& cell : cells)
        most = std::max(most, cell.size());
    return most;
}

std::string laid_out(const std::vector<Column>& columns)
{
    std::string text;
    const std::size_t rows = columns.empty() ? 0 : columns.front().cells.size();
    for (std::size_t row = 0; row <= rows; ++row) {
        std::string line;
        for (const Column& column : columns)
            line += (line.empty() ? "" : "  ") + padded(row == 0 ? column.heading : column.cells[row - 1], column);
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

}  // namespace dcube::cli
