#include "inspect/view/html/bench_page.hpp"

#include "base/json.hpp"
#include "inspect/view/html/built_page.hpp"
#include "inspect/view/html/page.hpp"
#include "inspect/view/words/clean.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace dcube::view {

namespace {

using Json = nlohmann::json;

// A value of an object as text that is no markup; "" where there is none.
std::string shown_value(const Json& object, const char* key)
{
    const auto found = object.find(key);
    if (found == object.end() || found->is_null())
        return {};
    if (found->is_number_float())
        return fmt::format("{:.4g}", found->get<double>());
    if (found->is_array()) {
        std::string items;
        for (const Json& item : *found)
            items += (items.empty() ? "" : "; ") + (item.is_string() ? item.get<std::string>() : item.dump());
        return escaped(clean(items, longest_sentence));
    }
    return escaped(clean(found->is_string() ? found->get<std::string>() : found->dump(), longest_sentence));
}

// Whether it is of that kind, and has cells.
bool is_document(const Json& document, std::string_view kind)
{
    if (!document.is_object() || shown_value(document, "kind") != kind)
        return false;
    const auto cells = document.find("cells");
    return cells != document.end() && cells->is_array() &&
           std::ranges::all_of(*cells, [](const Json& cell) { return cell.is_object(); });
}

// What distinguishes a cell, then what decides, then the rest.
constexpr const char* benchmark_columns[] = {"collective",     "algorithm", "topology",       "bytes",
                                             "threads",        "speed_up",  "share_of_limit", "doubts",
                                             "median_seconds", "count",     "ns_per_hop"};
constexpr const char* comparison_columns[] = {
    "cell", "verdict", "ratio", "ratio_interval", "old_median_seconds", "new_median_seconds", "doubts"};

std::string rows_of(const Json& cells, std::span<const char* const> columns)
{
    std::string text = "<table><thead><tr>";
    for (const char* column : columns)
        text += fmt::format("<th scope=\"col\">{}</th>", column);
    text += "</tr></thead><tbody>\n";
    for (const Json& cell : cells) {
        text += "<tr>";
        for (const char* column : columns)
            text += fmt::format("<td>{}</td>", shown_value(cell, column));
        text += "</tr>\n";
    }
    return text + "</tbody></table>\n";
}

}  // namespace

std::string bench_page(std::string_view json)
{
    const Json document = Json::parse(json, nullptr, false);
    if (!is_document(document, "benchmark"))
        throw InvalidArgument("a benchmark's page wants a JSON object of the kind \"benchmark\" with cells");
    const auto found = document.find("command");
    const std::string command =
        found != document.end() && found->is_string() ? found->get<std::string>() : "dcube bench";
    std::string body =
        fmt::format("<h1>Benchmark</h1>\n<p><code>{}</code></p>\n", escaped(clean(command, longest_sentence)));
    if (const auto warnings = document.find("warnings"); warnings != document.end() && warnings->is_array())
        for (const Json& warning : *warnings)
            if (warning.is_string())
                body += fmt::format("<p>{}</p>\n", escaped(clean(warning.get<std::string>(), longest_sentence)));
    body += rows_of(document["cells"], benchmark_columns);
    return filled(built_bench_page(), "Benchmark: " + clean(command, longest_title), body, json);
}

std::string comparison_page(std::string_view json, std::string_view old_name, std::string_view new_name)
{
    Json document = Json::parse(json, nullptr, false);
    if (!is_document(document, "benchmark comparison"))
        throw InvalidArgument(
            "a comparison's page wants a JSON object of the kind \"benchmark comparison\" with cells");
    const std::string before = clean(old_name, longest_title);
    const std::string now = clean(new_name, longest_title);
    document["old"] = before;
    document["new"] = now;
    const std::string body = fmt::format("<h1>Benchmarks compared</h1>\n<p>{} against {}</p>\n{}", escaped(now),
                                         escaped(before), rows_of(document["cells"], comparison_columns));
    return filled(built_bench_page(), fmt::format("Benchmarks compared: {} against {}", now, before), body,
                  document.dump());
}

}  // namespace dcube::view
