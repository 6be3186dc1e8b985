#pragma once
// The one list of what a report says: every record, table and document is made from it.

#include <dcube/report.hpp>

#include <nlohmann/json.hpp>

#include <span>

namespace dcube {

using Json = nlohmann::ordered_json;

/// A field with the function that gets its value: null where it does not apply.
struct FieldEntry {
    ReportField field;
    Json (*value)(const Report&);
};
std::span<const FieldEntry> field_entries();

}  // namespace dcube
