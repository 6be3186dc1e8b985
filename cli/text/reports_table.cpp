#include "cli/text/reports_table.hpp"

#include "cli/text/columns.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/numbers.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace dcube::cli {

namespace {

using nlohmann::ordered_json;

bool same(const Column& column)
{
    return std::ranges::adjacent_find(column.cells, std::not_equal_to<>()) == column.cells.end();
}

/// A key of the list of fields and what a table calls it.
struct Heading {
    std::string_view key;
    std::string_view text;
    std::string_view usual = "-";  ///< not said where it is that in all rows
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
    {"pin", "pin", "none"},
    {"seed", "seed"},
    {"algorithm", "algorithm"},
};

std::string cell(const ordered_json& value)
{
    if (value.is_null() || value == "")
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

std::string bound_cell(const Report& report)
{
    return report.link.bound() ? ns_cell(report.time_lower_bound_ns) : grouped(report.steps_lower_bound);
}

std::vector<Column> results(std::span<const Report> reports)
{
    const bool bound = reports.front().link.bound();
    std::vector<Column> columns{{bound ? "virtual ns" : "steps"}, {"lower bound"}, {"ratio"}, {"transmissions"}};
    for (const Report& report : reports) {
        columns[0].cells.push_back(reached_text(report));
        columns[1].cells.push_back(bound_cell(report));
        columns[2].cells.push_back(ratio_text(report));
        columns[3].cells.push_back(grouped(report.counts.transmissions));
    }
    return columns;
}

// "2", and where more were asked for "2 of 8".
std::string threads_text(const Report& report)
{
    if (report.threads_asked.value_or(report.threads) == report.threads)
        return std::to_string(report.threads);
    return fmt::format("{} of {}", report.threads, *report.threads_asked);
}

std::vector<Column> asked(std::span<const Report> reports)
{
    std::vector<Column> columns;
    for (const Heading& heading : parameters)
        columns.push_back({std::string(heading.text)});
    for (const Report& report : reports) {
        const ordered_json record = ordered_json::parse(to_json(report));
        for (std::size_t i = 0; i < columns.size(); ++i)
            columns[i].cells.push_back(parameters[i].key == "threads" ? threads_text(report)
                                                                      : cell(record.at(parameters[i].key)));
    }
    return columns;
}

// What is the same in all rows above the table, then the other parameters, what was reached, and `last`.
std::string table(std::span<const Report> reports, const std::vector<Column>& last)
{
    std::vector<Column> columns = asked(reports);
    std::string shared;
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (same(columns[i]) && columns[i].cells.front() != parameters[i].usual && columns[i].cells.front() != "-")
            shared += fmt::format("{}{} {}", shared.empty() ? "" : ", ", columns[i].heading, columns[i].cells.front());
    std::erase_if(columns, [](const Column& column) { return same(column); });
    for (Column& column : results(reports))
        columns.push_back(std::move(column));
    columns.insert(columns.end(), last.begin(), last.end());
    return wrapped(shared) + "\n" + laid_out(columns);
}

}  // namespace

std::string reached_text(const Report& report)
{
    return report.link.bound() ? ns_cell(report.virtual_time_ns) : grouped(report.counts.steps);
}

std::string ratio_text(const Report& report)
{
    const auto ratio = report.ratio_to_bound();
    return ratio ? fmt::format("{:.3f}", *ratio) : "-";
}

std::string wall_cell(const Report& report)
{
    return (report.is_cold() ? "cold " : "") + duration_text(report.counts.wall_seconds);
}

std::string reports_table(std::span<const Report> reports)
{
    Column walls{"wall"};
    for (const Report& report : reports)
        walls.cells.push_back(wall_cell(report));
    return table(reports, {walls});
}

std::string forecasts_table(std::span<const Forecast> forecasts)
{
    std::vector<Report> reports;
    Column memory{"memory"};
    Column seconds{"would take"};
    for (const Forecast& forecast : forecasts) {
        reports.push_back(forecast.report);
        reports.back().virtual_time_ns = forecast.report.predicted_time_ns;
        memory.cells.push_back(size_text(forecast.memory_bytes));
        seconds.cells.push_back(forecast.seconds ? duration_text(*forecast.seconds) : "-");
    }
    return "nothing was run\n" + table(reports, {memory, seconds});
}

}  // namespace dcube::cli
