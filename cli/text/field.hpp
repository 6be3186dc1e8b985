#pragma once
// A key of a record, with its value. Lists of these make JSON, CSV, rows of text, and the table of dcube list fields.

#include "cli/text/describe.hpp"

#include <dcube/link.hpp>

#include <nlohmann/json.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dcube::cli {

using Json = nlohmann::ordered_json;

template <class Facts>
struct Field {
    std::string_view key;
    std::string_view unit;   ///< "ns", "bytes"; empty for what is only counted or named
    std::string_view about;  ///< empty: a report has the key too, and says the same by it
    Json (*value)(const Facts&);
    std::string_view label{};                     ///< of its row in a text; empty: it has none
    std::string (*text)(const Facts&) = nullptr;  ///< what stands in that row
};

/// One object with these keys.
template <class Facts>
Json record_of(std::span<const Field<Facts>> fields, const Facts& facts)
{
    Json record;
    for (const Field<Facts>& field : fields)
        record[std::string(field.key)] = field.value(facts);
    return record;
}

/// An array of such objects.
template <class Facts>
Json records_of(std::span<const Field<Facts>> fields, std::span<const Facts> all)
{
    Json records = Json::array();
    for (const Facts& facts : all)
        records.push_back(record_of(fields, facts));
    return records;
}

template <class Facts>
std::string rows_of(std::span<const Field<Facts>> fields, const Facts& facts)
{
    std::string text;
    for (const Field<Facts>& field : fields)
        if (field.text != nullptr)
            text += row(field.label, field.text(facts));
    return text;
}

/// A number if it is whole, else a string such as "5/2".
inline Json exact(const Rational& value)
{
    return value.denominator == 1 ? Json(value.numerator) : Json(to_string(value));
}

template <class T>
Json or_null(const std::optional<T>& value)
{
    return value ? Json(*value) : Json();
}

}  // namespace dcube::cli
