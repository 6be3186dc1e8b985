#pragma once
// A key of a record, with its value. Lists of these make JSON, CSV, and the tables of keys in docs/report.md.

#include "base/json.hpp"

#include <dcube/link.hpp>

#include <optional>
#include <ranges>
#include <string>
#include <string_view>

namespace dcube {

using Json = nlohmann::ordered_json;

/// `Note` is what else a list says of its keys, if anything.
template <class Facts, class Note = void>
struct Field {
    std::string_view key;
    std::string_view unit;  ///< "ns", "bytes"; empty for counts and names
    std::string_view about;
    Note note;
    Json (*value)(const Facts&);
};

template <class Facts>
struct Field<Facts, void> {
    std::string_view key;
    std::string_view unit;
    std::string_view about;  ///< empty: a report has the key too, with the same meaning
    Json (*value)(const Facts&);
};

/// An object with these keys.
template <std::ranges::range Fields, class Facts>
Json record_of(const Fields& fields, const Facts& facts)
{
    Json record;
    for (const auto& field : fields)
        record[std::string(field.key)] = field.value(facts);
    return record;
}

/// An array of such objects.
template <std::ranges::range Fields, std::ranges::range All>
Json records_of(const Fields& fields, const All& all)
{
    Json records = Json::array();
    for (const auto& facts : all)
        records.push_back(record_of(fields, facts));
    return records;
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

inline Json or_null(const std::string& text)
{
    return text.empty() ? Json() : Json(text);
}

template <class T>
Json if_applies(bool applies, const T& value)
{
    return applies ? Json(value) : Json();
}

/// Records, or one record, as CSV: a line of keys, then a line of values for each; null is empty.
std::string csv_of(const Json& records);

}  // namespace dcube
