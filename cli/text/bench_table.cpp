#include "cli/text/bench_table.hpp"

#include "base/numbers.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/table.hpp"
#include "inspect/measure/cell.hpp"
#include "inspect/measure/step_parts.hpp"
#include "inspect/view/words/clean.hpp"
#include "run/question.hpp"

#include <dcube/elements.hpp>
#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <vector>

namespace dcube::cli {

namespace {

using BenchJson = nlohmann::ordered_json;

// The columns that describe a cell; a value that all cells share stands above the table instead.
constexpr std::string_view bench_variables[] = {
    "collective", "asked",   "topology", "ports",   "tau_ns_per_byte", "beta_ns", "root", "operation", "type",
    "bytes",      "packets", "rows",     "columns", "options",         "channel", "pin",  "threads"};

std::string bench_heading(std::string_view key)
{
    return key == "asked" ? "algorithm" : argument_of(key);
}

// Of older documents too: they had "spread" and "busy".
struct DoubtMark {
    std::string_view word;  ///< with which a doubt begins; its first letter is the mark
    std::string_view meaning;
};

constexpr DoubtMark doubt_marks[] = {
    {"disturbed", "disturbed: too few rounds have a run that no other program disturbed"},
    {"few", "few: too few rounds for an interval"},
    {"modes", "modes: the rounds fall into two groups, both of which are shown"},
    {"spread", "spread: the 95 % interval of the median is wider than 5 % of it"},
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

// "3 x 639 us, 6 x 1.82 ms": both groups into which the rounds fall.
std::string modes_of(const BenchJson& cell)
{
    std::string text;
    const BenchJson modes = cell.value("modes", BenchJson());
    for (const BenchJson& mode : modes)
        text += fmt::format("{}{} x {}", text.empty() ? "" : ", ", plain(mode.at("rounds")),
                            duration_text(mode.at("seconds").get<double>()));
    return text;
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
        const char mark = known == std::end(doubt_marks) ? '?' : known->word.front();
        if (marks.find(mark) == std::string::npos)
            marks += mark;
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
        {"modes", modes_of},
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

bool is_usual(const std::string& key, const std::string& value)
{
    return value == "-" || value.empty() || (key == "asked" && value == "auto") || (key == "ports" && value == "all") ||
           (key == "channel" && value == "slots") || (key == "pin" && value == "none") ||
           (key == "root" && value == "0") || (key == "packets" && value == "1");
}

// The variables in which cells differ, as columns; those in which they do not are added to `common`.
Table variables_table(const BenchJson& cells, std::string& common)
{
    Table table;
    for (const std::string_view key : bench_variables) {
        const std::string name(key);
        const bool numbers = !cells.empty() && cells.front().at(name).is_number();
        Column column{bench_heading(key), numbers ? Column::Side::right : Column::Side::left};
        for (const BenchJson& cell : cells)
            column.cells.push_back(key == "threads" ? threads_of(cell) : plain(cell.at(name)));
        if (!column.is_same())
            table.columns.push_back(std::move(column));
        else if (!column.cells.empty() && key == "collective")
            common.insert(0, column.cells.front());
        else if (!column.cells.empty() && !is_usual(name, column.cells.front()))
            common += fmt::format(", {} {}", column.heading, column.cells.front());
    }
    return table;
}

// Takes columns away until the rest fits; says which.
std::string fit_columns(Table& table)
{
    std::string gone;
    for (const std::string_view heading :
         {"busbw GB/s", "p99", "link GB/s", "samples", "ns/hop", "efficiency", "modes"}) {
        if (table.width() <= terminal_width())
            break;
        if (std::erase_if(table.columns, [&](const Column& column) { return column.heading == heading; }) > 0)
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
    return wrapped("of limit: share of the best that this host reaches, by dcube limits: " + list + doubt, 2, 0,
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

// The row's values of the variables in which cells differ, but for the threads: "topology hypercube:8, bytes 64".
std::string work_of(const Table& variables, std::size_t row)
{
    std::string text;
    for (const Column& column : variables.columns)
        if (column.heading != bench_heading("threads"))
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", column.heading, column.cells[row]);
    return text;
}

// Of the cells that do the same work, the one whose threads gain least, if there is something to say of it.
std::vector<std::size_t> least_gains(const BenchJson& cells)
{
    std::map<std::string, std::size_t> least;
    const auto gain = [&](std::size_t which) { return cells[which].at("speed_up").get<double>(); };
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const BenchJson& cell = cells[i];
        if (!cell.value("step", BenchJson()).is_object() || cell.at("speed_up").is_null() ||
            gain(i) >= measure::good_speed_up(cell.value("threads_used", 1U)))
            continue;
        const auto [known, is_first] = least.emplace(measure::family(cell, false), i);
        if (!is_first && gain(i) < gain(known->second))
            known->second = i;
    }
    std::vector<std::size_t> all;
    for (const auto& [work, which] : least)
        all.push_back(which);
    std::ranges::sort(all);
    return all;
}

// Where threads gain little, what the step goes to.
std::string step_lines(const BenchJson& cells, const Table& variables)
{
    constexpr std::size_t most = 4;
    const std::vector<std::size_t> all = least_gains(cells);
    std::string text;
    for (std::size_t i = 0; i < std::min(most, all.size()); ++i) {
        const std::string work = work_of(variables, all[i]);
        text += wrapped((work.empty() ? "" : work + ": ") + plain(cells[all[i]].at("step").at("sentence")), 2, 0,
                        terminal_width());
    }
    if (all.size() > most)
        text += fmt::format("and {} more (--format json has them)\n", all.size() - most);
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
    const Table variables = variables_table(cells, common);
    Table table = variables;
    for (const BenchMeasure& measure : bench_measures()) {
        Column column{measure.heading, *measure.heading == '\0' ? Column::Side::left : Column::Side::right};
        for (const BenchJson& cell : cells)
            column.cells.push_back(measure.text(cell));
        if (!column.is_blank())
            table.columns.push_back(std::move(column));
    }
    const bool comma = common.starts_with(", ");
    const std::string what = comma ? common.substr(2) : common;
    const std::string gone = fit_columns(table);
    return head_of(document) + (what.empty() ? "" : wrapped(what, 2, 0, terminal_width())) + "\n" + in_text(table) +
           gone + limits_line(cells, document.at("limits")) + step_lines(cells, variables) + footnotes(cells);
}

namespace {

using NcclJson = nlohmann::ordered_json;

constexpr std::string_view nccl_header =
    "#                                                              out-of-place                       in-place\n"
    "#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw"
    "  #wrong\n"
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)"
    "  (GB/s)\n";

// Of the runs that count: if all were disturbed, of these.
double mean_seconds(const NcclJson& cell)
{
    for (const char* const key : {"samples_seconds", "disturbed_seconds"}) {
        double sum = 0;
        double count = 0;
        for (const NcclJson& round : cell.at("rounds"))
            for (const NcclJson& sample : round.value(key, NcclJson::array())) {
                sum += sample.get<double>();
                ++count;
            }
        if (count > 0)
            return sum / count;
    }
    return cell.at("median_seconds").get<double>();
}

std::string text_or(const NcclJson& value, std::string_view otherwise)
{
    return text_of_file(value.is_string() ? value.get<std::string>() : std::string(otherwise));
}

// The line above a group of rows: the values that they share.
std::string nccl_group(const NcclJson& cell)
{
    const auto threads = cell.at("threads").get<unsigned>();
    return fmt::format("# {} by {} on {}: {} ranks, {}, pin {}\n", text_or(cell.at("collective"), ""),
                       text_or(cell.at("algorithm"), ""), text_or(cell.at("topology"), ""),
                       cell.at("nodes").get<std::uint64_t>(), counted(threads, "thread"), text_or(cell.at("pin"), ""));
}

bool is_checked(const NcclJson& document)
{
    return document.at("settings").at("check").get<bool>();
}

struct NcclTimes {
    double microseconds;
    double algbw;  ///< GB/s
    double busbw;
};

// The document's rates are those of the median time; these are those of the mean.
NcclTimes nccl_times(const NcclJson& cell)
{
    const double mean = mean_seconds(cell);
    const double of_mean = cell.at("median_seconds").get<double>() / mean / 1e9;
    return {mean * 1e6, cell.at("algbw_bytes_per_second").get<double>() * of_mean,
            cell.at("busbw_bytes_per_second").get<double>() * of_mean};
}

// The count is that of a message, as there: of an array that is gathered or scattered, each rank's part.
std::string nccl_row(const NcclJson& cell, const NcclTimes& times, bool checked)
{
    const auto size = cell.at("size_bytes").get<std::uint64_t>();
    const auto message = cell.at("bytes").get<std::uint64_t>() * cell.at("packets").get<std::uint64_t>();
    const std::string type = text_or(cell.at("type"), "uint8");
    const std::string root = cell.at("root").is_null() ? "-1" : cell.at("root").dump();
    return fmt::format("{:>12}  {:>12}  {:>8}  {:>6}  {:>6}  {:>7.4g}  {:>6.2f}  {:>6.2f}  {:>6}  {:>7}  {:>6}  {:>6}  "
                       "{:>6}\n",
                       size, message / size_of(parse_element_type(type)), type, text_or(cell.at("operation"), "none"),
                       root, times.microseconds, times.algbw, times.busbw, checked ? "0" : "N/A", "N/A", "N/A", "N/A",
                       "N/A");
}

}  // namespace

std::string nccl_table(const nlohmann::ordered_json& document)
{
    std::string text =
        fmt::format("# dcube {}; sizes as nccl-tests count them; time: mean of all runs\n{}",
                    text_or(document.at("program").value("version", NcclJson()), "unknown"), nccl_header);
    std::string group;
    double sum = 0;
    double rows = 0;
    for (const NcclJson& cell : document.at("cells")) {
        if (cell.at("size_bytes").is_null())
            throw InvalidArgument(fmt::format("--format nccl: nccl-tests have no {}; text, json and csv can show it",
                                              cell.at("collective").get<std::string>()));
        if (const std::string mine = nccl_group(cell); mine != group)
            text += group = mine;
        const NcclTimes times = nccl_times(cell);
        text += nccl_row(cell, times, is_checked(document));
        sum += times.busbw;
        ++rows;
    }
    return text + fmt::format("# Out of bounds values : {}\n# Avg bus bandwidth    : {:.6g}\n#\n",
                              is_checked(document) ? "0 OK" : "N/A", rows > 0 ? sum / rows : 0);
}

}  // namespace dcube::cli
