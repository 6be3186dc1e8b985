#include "cli/text/bench_table.hpp"

#include "cli/text/columns.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/numbers.hpp"
#include "cli/text/terminal.hpp"
#include "view/words/clean.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>
#include <vector>

namespace dcube::cli {

namespace {

using BenchJson = nlohmann::ordered_json;

struct BenchVariable {
    const char* key;
    const char* heading;
};

// Where all cells agree, the value stands above the table.
constexpr BenchVariable bench_variables[] = {
    {"collective", "collective"},
    {"asked", "algorithm"},
    {"topology", "topology"},
    {"ports", "ports"},
    {"tau_ns_per_byte", "tau"},
    {"beta_ns", "beta"},
    {"root", "root"},
    {"operation", "operation"},
    {"type", "type"},
    {"bytes", "bytes"},
    {"packets", "packets"},
    {"rows", "rows"},
    {"columns", "columns"},
    {"options", "options"},
    {"channel", "channel"},
    {"pin", "pin"},
    {"threads", "threads"},
};

struct DoubtMark {
    std::string_view word;  ///< with which a doubt begins; its first letter is the mark
    std::string_view meaning;
};

constexpr DoubtMark doubt_marks[] = {
    {"spread", "spread: the 95 % interval of the median is wider than 5 % of it"},
    {"few", "few: too few rounds for an interval"},
    {"busy", "busy: others left fewer processors than it has threads"},
    {"threads", "threads: fewer worked than were asked for"},
    {"limit", "limit: more than 100 % of it is reached, so it was measured too low"},
    {"alone", "alone: too large to be interleaved with other cells"},
    {"unchecked", "unchecked: its result was not checked"},
};

std::string plain(const BenchJson& value)
{
    if (value.is_null())
        return "-";
    return text_of_file(value.is_string() ? value.get<std::string>() : value.dump());
}

// "8", and where fewer worked "8 (2 used)".
std::string threads_of(const BenchJson& cell)
{
    const BenchJson& threads = cell.at("threads");
    const BenchJson used = cell.value("threads_used", threads);
    return used == threads ? plain(threads) : fmt::format("{} ({} used)", plain(threads), plain(used));
}

// "1.23 %" would be too much; "±0.8 %" of the median, and the width on its longer side.
std::string plus_minus(const BenchJson& cell)
{
    const BenchJson& interval = cell.at("interval_seconds");
    if (interval.is_null())
        return "-";
    const auto middle = cell.at("median_seconds").get<double>();
    const double side = std::max(interval[1].get<double>() - middle, middle - interval[0].get<double>());
    return side < middle ? fmt::format("{:.1f} %", 100 * side / middle) : "> 100 %";
}

std::string scaled_number(const BenchJson& value, double unit, const char* form)
{
    return value.is_null() ? "-" : fmt::format(fmt::runtime(form), value.get<double>() / unit);
}

std::string marks_of(const BenchJson& cell)
{
    std::string marks;
    for (const BenchJson& doubt : cell.at("doubts")) {
        const auto known = std::ranges::find_if(
            doubt_marks, [&](const DoubtMark& mark) { return doubt.get<std::string>().starts_with(mark.word); });
        marks += known == std::end(doubt_marks) ? '?' : known->word.front();
    }
    return marks;
}

struct BenchMeasure {
    const char* heading;
    std::function<std::string(const BenchJson&)> text;
};

const std::vector<BenchMeasure>& bench_measures()
{
    static const std::vector<BenchMeasure> all{
        {"samples", [](const BenchJson& cell) { return plain(cell.at("count")); }},
        {"median", [](const BenchJson& cell) { return duration_text(cell.at("median_seconds").get<double>()); }},
        {"+-", plus_minus},
        {"p99", [](const BenchJson& cell) { return duration_text(cell.at("p99_seconds").get<double>()); }},
        {"ns/hop", [](const BenchJson& cell) { return scaled_number(cell.at("ns_per_hop"), 1, "{:.3g}"); }},
        {"link GB/s",
         [](const BenchJson& cell) { return scaled_number(cell.at("link_bytes_per_second"), 1e9, "{:.3g}"); }},
        {"busbw GB/s",
         [](const BenchJson& cell) { return scaled_number(cell.at("busbw_bytes_per_second"), 1e9, "{:.3g}"); }},
        {"speed-up", [](const BenchJson& cell) { return scaled_number(cell.at("speed_up"), 1, "{:.2f}"); }},
        {"efficiency", [](const BenchJson& cell) { return scaled_number(cell.at("efficiency"), 1, "{:.2f}"); }},
        {"of limit", [](const BenchJson& cell) { return scaled_number(cell.at("share_of_limit"), 0.01, "{:.0f} %"); }},
        {"", marks_of},
    };
    return all;
}

bool says_nothing(const Column& column)
{
    return std::ranges::all_of(column.cells, [](const std::string& cell) { return cell == "-" || cell.empty(); });
}

bool is_usual(const std::string& key, const std::string& value)
{
    return value == "-" || value.empty() || (key == "asked" && value == "auto") || (key == "ports" && value == "all") ||
           (key == "channel" && value == "slots") || (key == "pin" && value == "none") ||
           (key == "root" && value == "0") || (key == "packets" && value == "1");
}

// The variables in which cells differ, as columns; those in which they do not are added to `common`.
std::vector<Column> variable_columns(const BenchJson& cells, std::string& common)
{
    std::vector<Column> columns;
    for (const BenchVariable& variable : bench_variables) {
        const bool numbers = !cells.empty() && cells.front().at(variable.key).is_number();
        Column column{variable.heading, numbers ? Column::Side::right : Column::Side::left};
        for (const BenchJson& cell : cells)
            column.cells.push_back(variable.key == std::string_view("threads") ? threads_of(cell)
                                                                               : plain(cell.at(variable.key)));
        const bool same = std::ranges::adjacent_find(column.cells, std::not_equal_to<>()) == column.cells.end();
        if (!same)
            columns.push_back(std::move(column));
        else if (!column.cells.empty() && variable.key == std::string_view("collective"))
            common = column.cells.front() + common;
        else if (!column.cells.empty() && !is_usual(variable.key, column.cells.front()))
            common += fmt::format(", {} {}", variable.heading, column.cells.front());
    }
    return columns;
}

std::size_t width_of(const std::vector<Column>& columns)
{
    std::size_t width = 0;
    for (const Column& column : columns)
        width += (width == 0 ? 0 : 2) + column.width();
    return width;
}

// Takes columns away until the rest fits; says which.
std::string fit_columns(std::vector<Column>& columns)
{
    std::string gone;
    for (const std::string_view heading : {"busbw GB/s", "p99", "link GB/s", "samples", "ns/hop", "efficiency"}) {
        if (width_of(columns) <= terminal_width())
            break;
        if (std::erase_if(columns, [&](const Column& column) { return column.heading == heading; }) > 0)
            gone += fmt::format("{}{}", gone.empty() ? "" : ", ", heading);
    }
    return gone.empty() ? ""
                        : wrapped("no room here for: " + gone + " (--format csv has them)", 2, 0, terminal_width());
}

std::string head_of(const BenchJson& document)
{
    const auto known = [](const BenchJson& part, const char* key) {
        const BenchJson value = part.value(key, BenchJson());
        return value.is_null() ? std::string("unknown") : plain(value);
    };
    const BenchJson& program = document.at("program");
    const BenchJson& host = document.at("host");
    const std::string commit = known(program, "commit");
    std::string text = wrapped(fmt::format("dcube {}{}, {}, {}, on {}, {} processors, {}", known(program, "version"),
                                           commit.empty() ? "" : " (" + commit + ")", known(program, "compiler"),
                                           known(program, "build_type"), known(host, "cpu"), known(host, "processors"),
                                           plain(document.at("date"))),
                               2, 0, terminal_width());
    if (document.value("interrupted", false))
        text += wrapped("interrupted: these are the rounds that were finished", 2, 0, terminal_width());
    for (const BenchJson& warning : document.at("warnings"))
        text += wrapped("warning: " + plain(warning), 2, 0, terminal_width());
    return text;
}

std::string limits_line(const BenchJson& cells, const BenchJson& limits)
{
    std::set<std::string> binding;
    for (const BenchJson& cell : cells)
        if (!cell.at("limit_binds").is_null())
            binding.insert(plain(cell.at("limit_binds")));
    if (binding.empty())
        return "";
    std::string list;
    for (const std::string& one : binding)
        list += (list.empty() ? "" : ", ") + one;
    const BenchJson warnings = limits.is_object() ? limits.value("warnings", BenchJson::array()) : BenchJson::array();
    const std::string doubt =
        warnings.empty() ? "" : "; doubtful: when the limits were measured, " + plain(warnings.front());
    return wrapped("of limit: of what this host reaches at best, by dcube limits: " + list + doubt, 2, 0,
                   terminal_width());
}

std::string footnotes(const BenchJson& cells)
{
    std::string text;
    for (const DoubtMark& mark : doubt_marks) {
        const auto has_it = [&](const BenchJson& cell) {
            return std::ranges::any_of(cell.at("doubts"), [&](const BenchJson& doubt) {
                return doubt.get<std::string>().starts_with(mark.word);
            });
        };
        if (const auto count = std::ranges::count_if(cells, has_it); count > 0)
            text +=
                wrapped(fmt::format("{}  {} ({} of {} cells)", mark.word.front(), mark.meaning, count, cells.size()), 3,
                        0, terminal_width());
    }
    return text;
}

}  // namespace

std::string text_of_file(std::string_view text)
{
    return view::clean(text, text.size());
}

std::string bench_table(const nlohmann::ordered_json& document)
{
    const BenchJson& cells = document.at("cells");
    std::string common;
    std::vector<Column> columns = variable_columns(cells, common);
    for (const BenchMeasure& measure : bench_measures()) {
        Column column{measure.heading, *measure.heading == '\0' ? Column::Side::left : Column::Side::right};
        for (const BenchJson& cell : cells)
            column.cells.push_back(measure.text(cell));
        if (!says_nothing(column))
            columns.push_back(std::move(column));
    }
    const bool comma = common.starts_with(", ");
    const std::string what = comma ? common.substr(2) : common;
    const std::string gone = fit_columns(columns);
    return head_of(document) + (what.empty() ? "" : wrapped(what, 2, 0, terminal_width())) + "\n" + laid_out(columns) +
           gone + limits_line(cells, document.at("limits")) + footnotes(cells);
}

}  // namespace dcube::cli
