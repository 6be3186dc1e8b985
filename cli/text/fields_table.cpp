#include "cli/text/fields_table.hpp"

#include "cli/text/describe.hpp"

#include <dcube/report.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string_view>
#include <vector>

namespace dcube::cli {

namespace {

struct Row {
    std::string_view key;
    std::string_view unit;
    std::string records;
    std::string_view about;
};

struct KindName {
    RecordKind kind;
    std::string_view name;
};

constexpr KindName kinds[] = {{RecordKind::report, "run"},
                              {RecordKind::forecast, "dry run"},
                              {RecordKind::verdict, "verify"},
                              {RecordKind::trace, "trace"}};

// Keys that one command alone adds to those of all reports.
constexpr std::string_view extras[][4] = {
    {"memory_bytes", "bytes", "dry run", "most memory that the process would hold"},
    {"predicted_seconds", "s", "dry run", "from a short calibration on this machine; null for link-bound algorithms"},
    {"lines", "", "verify", "lines of the trace that are transmissions"},
    {"best_algorithm", "", "verify", "dcube's own best algorithm for the same"},
    {"best_steps", "", "verify", "its steps; unit model only"},
    {"best_time_ns_decimal", "ns", "verify", "its predicted time; link-bound only"},
    {"ratio_to_best", "", "verify", "the trace's steps or virtual time over those"},
    {"accepted", "", "verify", "whether the trace keeps all rules and achieves the collective"},
    {"line", "", "verify", "of a rejected trace: the first offending line; null if it is the whole trace"},
    {"reason", "", "verify", "of a rejected trace: why"},
    {"best", "", "compare", "whether no other algorithm of the comparison is better"},
    {"dcube_trace", "", "trace", "version of the trace format: 1"},
};

std::vector<Row> rows()
{
    std::vector<Row> all;
    for (const ReportField& field : report_fields()) {
        std::string records;
        for (const KindName& one : kinds)
            if (field.stands_in(one.kind))
                records += fmt::format("{}{}", records.empty() ? "" : ", ", one.name);
        all.push_back({field.key, field.unit, std::move(records), field.about});
    }
    for (const auto& [key, unit, records, about] : extras)
        all.push_back({key, unit, std::string(records), about});
    return all;
}

std::string for_reading()
{
    std::string text;
    for (const Row& row : rows())
        text += fmt::format("{}{} ({})\n    {}", row.key, row.unit.empty() ? "" : fmt::format(", {}", row.unit),
                            row.records, wrapped(row.about, 4, 4));
    return text;
}

std::string markdown()
{
    std::string table = "| key | unit | in | what it says |\n| --- | --- | --- | --- |\n";
    for (const Row& row : rows())
        table += fmt::format("| `{}` | {} | {} | {} |\n", row.key, row.unit, row.records, row.about);
    return table;
}

std::string json()
{
    nlohmann::ordered_json records = nlohmann::ordered_json::array();
    for (const Row& row : rows())
        records.push_back({{"key", row.key}, {"unit", row.unit}, {"records", row.records}, {"about", row.about}});
    return records.dump(2);
}

}  // namespace

std::string fields_table(Format format)
{
    switch (format) {
    case Format::text: return for_reading();
    case Format::markdown: return markdown();
    case Format::json: return json() + "\n";
    case Format::csv: return to_csv(json());
    }
    return {};
}

}  // namespace dcube::cli
