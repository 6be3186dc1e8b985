#include "cli/text/table.hpp"

#include "base/names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <string_view>

namespace dcube::cli {

namespace {

constexpr std::size_t between_columns = 2;

// Characters that are seen: not those between an escape and the m that ends a colour.
std::size_t seen(std::string_view text)
{
    std::size_t count = 0;
    for (bool colour = false; const char c : text) {
        colour = colour || c == '\033';
        count += colour ? 0 : 1;
        colour = colour && c != 'm';
    }
    return count;
}

std::string padded(const std::string& text, const Column& column)
{
    const std::string space(column.width() - seen(text), ' ');
    return column.side == Column::Side::left ? text + space : space + text;
}

template <class CellOf>
std::string text_line(const Table& table, std::size_t indent, const CellOf& cell_of)
{
    std::string line;
    for (const Column& column : table.columns)
        line += (&column == &table.columns.front() ? "" : std::string(between_columns, ' ')) +
                padded(cell_of(column), column);
    line.erase(line.find_last_not_of(' ') + 1);
    return std::string(indent, ' ') + line + "\n";
}

std::size_t rows_in(const Table& table)
{
    return table.columns.empty() ? 0 : table.columns.front().cells.size();
}

}  // namespace

std::size_t Column::width() const
{
    std::size_t most = std::max(least, heading.size());
    for (const std::string& cell : cells)
        most = std::max(most, seen(cell));
    return most;
}

bool Column::is_same() const
{
    return std::ranges::adjacent_find(cells, std::not_equal_to<>()) == cells.end();
}

bool Column::is_blank() const
{
    return std::ranges::all_of(cells, [](const std::string& cell) { return cell == "-" || cell.empty(); });
}

void Table::add(std::vector<std::string> row)
{
    for (std::size_t i = 0; i < columns.size(); ++i)
        columns[i].cells.push_back(std::move(row[i]));
}

std::size_t Table::width() const
{
    return std::transform_reduce(columns.begin(), columns.end(), std::size_t{0}, std::plus<>(),
                                 [](const Column& column) { return column.width(); }) +
           (columns.empty() ? 0 : between_columns * (columns.size() - 1));
}

std::string in_text(const Table& table, std::size_t indent)
{
    std::string text;
    if (std::ranges::any_of(table.columns, [](const Column& column) { return !column.heading.empty(); }))
        text += text_line(table, indent, [](const Column& column) { return column.heading; });
    for (std::size_t row = 0; row < rows_in(table); ++row)
        text += text_line(table, indent, [row](const Column& column) { return column.cells[row]; });
    return text;
}

std::string in_markdown(const Table& table)
{
    std::string text = "|";
    for (const Column& column : table.columns)
        text += column.heading.empty() ? " |" : fmt::format(" {} |", column.heading);
    text += "\n|";
    for (const Column& column : table.columns)
        text += column.side == Column::Side::left ? " --- |" : " ---: |";
    for (std::size_t row = 0; row < rows_in(table); ++row) {
        text += "\n|";
        for (const Column& column : table.columns)
            text += fmt::format(" {} |", fmt::join(split(column.cells[row], "|"), "\\|"));
    }
    return text + "\n";
}

std::string in_format(const Json& records, Format format)
{
    return format == Format::csv ? csv_of(records) : records.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace dcube::cli
