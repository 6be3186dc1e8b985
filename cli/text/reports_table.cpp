#include "cli/text/reports_table.hpp"

#include "cli/text/describe.hpp"
#include "cli/text/numbers.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace dcube::cli {

namespace {

using nlohmann::ordered_json;

struct Column {
    std::string heading;
    std::vector<std::string> cells{};

    [[nodiscard]] bool same() const { return std::ranges::adjacent_find(cells, std::not_equal_to<>()) == cells.end(); }
    [[nodiscard]] std::size_t width() const
    {
        std::size_t most = heading.size();
        for (const std::string& cell : cells)
            most = std::max(most, cell.size());
        return most;
    }
};

/// A key of the list of fields and what a table calls it.
struct Heading {
    std::string_view key;
    std::string_view text;
};

constexpr Heading parameters[] = {
    {"collective", "collective"},
    {"topology", "topology"},
    {"ports", "ports"},
    {"tau_ns_per_byte", "tau"},
    {"beta_ns", "beta"},
    {"clock", "clock"},
    {"bytes", "bytes"},
    {"packets", "packets"},
    {"rows", "rows"},
    {"columns", "columns"},
    {"layout", "layout"},
    {"to_layout", "to layout"},
    {"root", "root"},
    {"peer", "to"},
    {"operation", "operation"},
    {"type", "type"},
    {"groups", "groups"},
    {"detour_groups", "detour groups"},
    {"waves", "waves"},
    {"halvings", "halvings"},
    {"threads", "threads"},
    {"channel", "channel"},
    {"seed", "seed"},
    {"algorithm", "algorithm"},
};

std::string cell(const ordered_json& value)
{
    if (value.is_null())
        return "-";
    return value.is_string() ? value.get<std::string>() : value.dump();
}

// "12 345", and what is no whole number as a decimal one.
std::string ns_cell(const std::optional<Rational>& ns)
{
    if (!ns)
        return "-";
    return ns->denominator == 1 ? grouped(static_cast<std::uint64_t>(ns->numerator))
                                : fmt::format("{:.1f}", ns->to_double());
}

std::string reached_cell(const Report& report)
{
    return report.link.bound() ? ns_cell(report.virtual_time_ns) : grouped(report.counts.steps);
}

std::string bound_cell(const Report& report)
{
    return report.link.bound() ? ns_cell(report.time_lower_bound_ns) : grouped(report.steps_lower_bound);
}

std::string ratio_cell(const Report& report)
{
    const auto ratio = report.ratio_to_bound();
    return ratio ? fmt::format("{:.3f}", *ratio) : "-";
}

std::vector<Column> results(std::span<const Report> reports)
{
    const bool bound = reports.front().link.bound();
    std::vector<Column> columns{
        {bound ? "virtual ns" : "steps"}, {"lower bound"}, {"ratio"}, {"transmissions"}, {"wall"}};
    for (const Report& report : reports) {
        columns[0].cells.push_back(reached_cell(report));
        columns[1].cells.push_back(bound_cell(report));
        columns[2].cells.push_back(ratio_cell(report));
        columns[3].cells.push_back(grouped(report.counts.transmissions));
        columns[4].cells.push_back(duration_text(report.counts.wall_seconds));
    }
    return columns;
}

std::vector<Column> asked(std::span<const Report> reports)
{
    std::vector<Column> columns;
    for (const Heading& heading : parameters)
        columns.push_back({std::string(heading.text)});
    for (const Report& report : reports) {
        const ordered_json record = ordered_json::parse(to_json(report));
        for (std::size_t i = 0; i < columns.size(); ++i)
            columns[i].cells.push_back(cell(record.at(parameters[i].key)));
    }
    return columns;
}

// Two spaces between columns, whatever they hold.
std::string laid_out(const std::vector<Column>& columns, std::size_t rows)
{
    std::string text;
    for (std::size_t row = 0; row <= rows; ++row) {
        std::string line;
        for (const Column& column : columns)
            line += fmt::format("{}{:>{}}", line.empty() ? "" : "  ", row == 0 ? column.heading : column.cells[row - 1],
                                column.width());
        text += line + "\n";
    }
    return text;
}

}  // namespace

std::string reports_table(std::span<const Report> reports)
{
    std::vector<Column> columns = asked(reports);
    std::string shared;
    for (const Column& column : columns)
        if (column.same() && column.cells.front() != "-")
            shared += fmt::format("{}{} {}", shared.empty() ? "" : ", ", column.heading, column.cells.front());
    std::erase_if(columns, [](const Column& column) { return column.same(); });
    for (Column& column : results(reports))
        columns.push_back(std::move(column));
    return wrapped(shared) + "\n" + laid_out(columns, reports.size());
}

std::string formatted(std::span<const Report> reports, Format format)
{
    if (format == Format::text)
        return reports_table(reports);
    const std::string json = to_json(reports);
    return format == Format::csv ? to_csv(json) : json + "\n";
}

}  // namespace dcube::cli
