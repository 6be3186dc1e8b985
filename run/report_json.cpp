// Reports for programs: JSON and CSV, both made from the list of fields.

#include "run/report_fields.hpp"

#include <string_view>
#include <vector>

namespace dcube {

namespace {

Json record(const Report& report, RecordKind kind)
{
    Json json;
    for (const FieldEntry& entry : field_entries())
        if (entry.field.stands_in(kind))
            json[entry.field.key] = entry.value(report);
    return json;
}

// Text with a comma, a quote or a line's end stands in quotes, which are doubled within.
std::string cell(const Json& value)
{
    if (value.is_null())
        return "";
    std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (text.find_first_of(",\"\n") == std::string::npos)
        return text;
    for (std::size_t place = 0; (place = text.find('"', place)) != std::string::npos; place += 2)
        text.insert(place, 1, '"');
    return '"' + text + '"';
}

}  // namespace

std::span<const ReportField> report_fields()
{
    static const std::vector<ReportField> fields = [] {
        std::vector<ReportField> all;
        for (const FieldEntry& entry : field_entries())
            all.push_back(entry.field);
        return all;
    }();
    return fields;
}

std::string to_json(const Report& report, RecordKind kind)
{
    return record(report, kind).dump(2);
}

std::string to_json(std::span<const Report> reports)
{
    Json all = Json::array();
    for (const Report& report : reports)
        all.push_back(record(report, RecordKind::report));
    return all.dump(2);
}

std::string to_csv(std::string_view records)
{
    const Json parsed = Json::parse(records);
    const Json rows = parsed.is_array() ? parsed : Json::array({parsed});
    std::string keys;
    std::string values;
    for (const Json& row : rows) {
        keys.clear();
        std::string_view comma;
        for (const auto& [key, value] : row.items()) {
            keys.append(comma).append(key);
            values.append(comma).append(cell(value));
            comma = ",";
        }
        values += '\n';
    }
    return keys + "\n" + values;
}

}  // namespace dcube
