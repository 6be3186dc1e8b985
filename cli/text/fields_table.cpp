#include "cli/text/fields_table.hpp"

#include "cli/text/describe.hpp"
#include "cli/text/field.hpp"
#include "cli/text/histogram_text.hpp"
#include "cli/text/network_fields.hpp"
#include "cli/text/records.hpp"

#include <dcube/report.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dcube::cli {

namespace {

struct Row {
    std::string key;
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

// Keys that stand in no list of fields.
constexpr std::string_view others[][4] = {
    {"lines", "", "verify", "lines of the trace that are transmissions"},
    {"best_algorithm", "", "verify, replay", "dcube's own best algorithm for the same"},
    {"best_steps", "", "verify, replay", "its steps; unit model only"},
    {"best_time_ns_decimal", "ns", "verify, replay", "its predicted time; link-bound only"},
    {"ratio_to_best", "", "verify, replay", "the trace's steps or virtual time over those"},
    {"accepted", "", "verify", "whether the trace keeps all rules and achieves the collective"},
    {"line", "", "verify", "of a rejected trace: the first offending line; null if it is the whole trace"},
    {"reason", "", "verify", "of a rejected trace: why"},
    {"dcube_trace", "", "trace", "version of the trace format: 1"},
    {"algorithms", "", "compare", "the report of each one's run, and best: whether no other is better"},
    {"best", "", "compare", "which algorithm is best on which network, from which to which size of packets"},
    {"left_out", "", "compare", "algorithms that could not do it, where, and why"},
};

// Adds what is listed under `record`; keys of its parts are written "part.key".
template <class Facts>
void add(std::vector<Row>& rows, std::string_view record, std::span<const Field<Facts>> fields,
         std::string_view part = "")
{
    for (const Field<Facts>& field : fields) {
        if (!field.about.empty()) {
            rows.push_back({fmt::format("{}{}", part, field.key), field.unit, std::string(record), field.about});
            continue;
        }
        const auto shared = std::ranges::find(rows, field.key, &Row::key);
        shared->records += fmt::format(", {}", record);
    }
}

std::vector<Row> all_rows()
{
    std::vector<Row> rows;
    for (const ReportField& field : report_fields()) {
        std::string records;
        for (const KindName& one : kinds)
            if (field.stands_in(one.kind))
                records += fmt::format("{}{}", records.empty() ? "" : ", ", one.name);
        rows.push_back({std::string(field.key), field.unit, std::move(records), field.about});
    }
    add(rows, "dry run", forecast_fields());
    for (const auto& [key, unit, record, about] : others)
        rows.push_back({std::string(key), unit, std::string(record), about});
    add(rows, "info", network_fields());
    add(rows, "info", exchange_bound_fields(), "bounds.");
    add(rows, "info", exchange_algorithm_fields(), "algorithms.");
    add(rows, "info", fault_cost_fields(), "fault_costs.");
    add(rows, "info", over_ranks_fields(), "over_ranks.");
    add(rows, "histogram", histogram_fields());
    add(rows, "histogram CSV", bin_fields());
    return rows;
}

std::string for_reading()
{
    std::string text;
    for (const Row& row : all_rows())
        text += fmt::format("{}{} ({})\n    {}", row.key, row.unit.empty() ? "" : fmt::format(", {}", row.unit),
                            row.records, wrapped(row.about, 4, 4));
    return text;
}

std::string markdown()
{
    std::string table = "| key | unit | in | meaning |\n| --- | --- | --- | --- |\n";
    for (const Row& row : all_rows())
        table += fmt::format("| `{}` | {} | {} | {} |\n", row.key, row.unit, row.records, row.about);
    return table;
}

std::string json()
{
    Json records = Json::array();
    for (const Row& row : all_rows())
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
