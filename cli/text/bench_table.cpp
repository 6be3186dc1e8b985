#include "cli/text/bench_table.hpp"

#include "cli/text/columns.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/numbers.hpp"
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
    {"busy", "busy: fewer processors were idle at the start than it has threads"},
    {"threads", "threads: not as many worked as were asked for"},
    {"alone", "alone: too large to be interleaved with other cells"},
    {"unchecked", "unchecked: its result was not checked"},
};

std::string plain(const BenchJson& value)
{
    if (value.is_null())
        return "-";
    return text_of_file(value.is_string() ? value.get<std::string>() : value.dump());
}

// "1.23 %" would be too much; "±0.8 %" of the median, and the width on its longer side.
std::string plus_minus(const BenchJson& cell)
{
    const BenchJson& interval = cell.at("interval_seconds");
    if (interval.is_null())
        return "-";
    const auto middle = cell.at("median_seconds").get<double>();
    const double side = std::max(interval[1].get<double>() - middle, middle - interval[0].get<double>());
    return fmt::format("{:.1f} %", 100 * side / middle);
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
        Column column{variable.heading,
                      variable.key == std::string_view("bytes") ? Column::Side::right : Column::Side::left};
        for (const BenchJson& cell : cells)
            column.cells.push_back(plain(cell.at(variable.key)));
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
                               2, 0, 120);
    for (const BenchJson& warning : document.at("warnings"))
        text += wrapped("warning: " + plain(warning), 2, 0, 120);
    return text;
}

std::string limits_line(const BenchJson& cells)
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
    return wrapped("of limit: of what this host reaches at best, by dcube limits: " + list, 2, 0, 120);
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
            text += fmt::format("{}  {} ({} of {} cells)\n", mark.word.front(), mark.meaning, count, cells.size());
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
    return head_of(document) + (what.empty() ? "" : wrapped(what, 2, 0, 120)) + "\n" + laid_out(columns) +
           limits_line(cells) + footnotes(cells);
}

}  // namespace dcube::cli
