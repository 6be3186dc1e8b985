#include "cli/text/reports_table.hpp"

#include "base/numbers.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/table.hpp"
#include "collectives/problem_fields.hpp"
#include "run/question.hpp"
#include "run/report_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace dcube::cli {

namespace {

/// A key of the list of fields.
struct Heading {
    std::string_view key;
    std::string_view usual = "-";  ///< left out above the table

    [[nodiscard]] std::string text() const
    {
        std::string text = argument_of(key);
        std::ranges::replace(text, '_', ' ');
        return text;
    }
};

std::vector<Heading> make_parameters()
{
    std::vector<Heading> all{{"collective"}, {"topology"}, {"ports"}, {"tau_ns_per_byte"}, {"beta_ns"}, {"clock"}};
    for (const ProblemField& field : problem_fields())
        if (field.is_number() || field.is_name())
            all.push_back({field.key});
    all.insert(all.end(), {{"threads"}, {"channel"}, {"pin", "none"}, {"seed"}, {"algorithm"}});
    return all;
}

const std::vector<Heading> parameters = make_parameters();

// "12 345"; a number that is not whole is rounded to one decimal.
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

std::string parameter_cell(const Report& report, std::string_view key)
{
    if (key == "threads")
        return threads_text(report);
    const Json value = value_of(report_entry(key), report);
    if (value.is_null() || value == "")
        return "-";
    return value.is_string() ? value.get<std::string>() : value.dump();
}

// Values that all rows share above the table, then the other parameters, the results, and `last`.
std::string table_of(std::span<const Report> reports, const std::vector<Column>& last)
{
    Table table;
    std::string shared;
    for (const Heading& heading : parameters) {
        Column column{heading.text()};
        for (const Report& report : reports)
            column.cells.push_back(parameter_cell(report, heading.key));
        const std::string& first = column.cells.front();
        if (!column.is_same())
            table.columns.push_back(std::move(column));
        else if (first != heading.usual && first != "-")
            shared += fmt::format("{}{} {}", shared.empty() ? "" : ", ", heading.text(), first);
    }
    for (Column& column : results(reports))
        table.columns.push_back(std::move(column));
    table.columns.insert(table.columns.end(), last.begin(), last.end());
    return wrapped(shared) + "\n" + in_text(table);
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
    return table_of(reports, {walls});
}

std::string forecasts_table(std::span<const Forecast> forecasts)
{
    std::vector<Report> reports;
    Column memory{"memory"};
    Column seconds{"time"};
    for (const Forecast& forecast : forecasts) {
        reports.push_back(forecast.report);
        reports.back().virtual_time_ns = forecast.report.predicted_time_ns;
        memory.cells.push_back(size_text(forecast.memory_bytes));
        seconds.cells.push_back(forecast.seconds ? duration_text(*forecast.seconds) : "-");
    }
    return "dry run: estimated memory and time\n" + table_of(reports, {memory, seconds});
}

}  // namespace dcube::cli
