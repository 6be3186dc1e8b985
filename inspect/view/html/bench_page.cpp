#include "inspect/view/html/bench_page.hpp"

#include "base/json.hpp"
#include "inspect/view/html/built_page.hpp"
#include "inspect/view/html/page.hpp"
#include "inspect/view/words/clean.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

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
    return escaped(clean(found->is_string() ? found->get<std::string>() : found->dump(), longest_sentence));
}

bool is_benchmark(const Json& document)
{
    if (!document.is_object() || shown_value(document, "kind") != "benchmark")
        return false;
    const auto cells = document.find("cells");
    return cells != document.end() && cells->is_array() &&
           std::ranges::all_of(*cells, [](const Json& cell) { return cell.is_object(); });
}

std::string rows_of(const Json& cells)
{
    constexpr std::array<const char*, 9> columns{"collective", "algorithm",  "topology",       "bytes",   "threads",
                                                 "count",      "ns_per_hop", "median_seconds", "speed_up"};
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
    if (!is_benchmark(document))
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
    body += rows_of(document["cells"]);
    return filled(built_bench_page(), "Benchmark: " + clean(command, longest_title), body, json);
}

}  // namespace dcube::view
