#include "cli/text/bench_fields_table.hpp"

#include "cli/text/describe.hpp"
#include "measure/bench_fields.hpp"

#include <dcube/report.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string_view>

namespace dcube::cli {

namespace {

using measure::BenchField;
using measure::BenchValue;

std::string_view value_words(BenchValue value)
{
    switch (value) {
    case BenchValue::text: return "text";
    case BenchValue::text_or_null: return "text, null";
    case BenchValue::exact_or_null: return "number, fraction as text, null";
    case BenchValue::number:
    case BenchValue::positive: return "number";
    case BenchValue::number_or_null: return "number, null";
    case BenchValue::whole: return "whole number";
    case BenchValue::whole_or_null: return "whole number, null";
    case BenchValue::flag: return "true, false";
    case BenchValue::interval: return "[low, high]";
    case BenchValue::interval_or_null: return "[low, high], null";
    case BenchValue::texts: return "texts";
    case BenchValue::positives: return "numbers";
    case BenchValue::part: return "object";
    case BenchValue::part_or_null: return "object, null";
    case BenchValue::parts: return "objects";
    }
    return "";
}

std::string bench_fields_json()
{
    nlohmann::ordered_json records = nlohmann::ordered_json::array();
    for (const BenchField& field : measure::bench_fields())
        records.push_back(
            {{"key", field.key}, {"unit", field.unit}, {"value", value_words(field.value)}, {"about", field.about}});
    return records.dump(2);
}

}  // namespace

std::string bench_fields_table(Format format)
{
    std::string text =
        format == Format::markdown ? "| key | unit | value | meaning |\n| --- | --- | --- | --- |\n" : "";
    if (format == Format::json)
        return bench_fields_json() + "\n";
    if (format == Format::csv)
        return to_csv(bench_fields_json());
    for (const BenchField& field : measure::bench_fields())
        text +=
            format == Format::markdown
                ? fmt::format("| `{}` | {} | {} | {} |\n", field.key, field.unit, value_words(field.value), field.about)
                : fmt::format("{}{} ({})\n    {}", field.key, field.unit.empty() ? "" : fmt::format(", {}", field.unit),
                              value_words(field.value), wrapped(field.about, 4, 4));
    return text;
}

}  // namespace dcube::cli
