#pragma once
// Limits as JSON, and back.

#include "base/json.hpp"
#include "inspect/measure/limits.hpp"

#include <string_view>

namespace dcube::measure {

struct Host;

/// The whole document: schema, kind, program, command, date, host, warnings, pin, quick, limits.
nlohmann::ordered_json limits_document(const Limits& limits, const Host& host, std::string_view command);

/// A record for each figure: its name, what it is a figure of (null where that does not apply), its value and unit.
nlohmann::ordered_json limits_records(const Limits& limits);

/// The text of such a document as JSON. Throws InvalidArgument if it is no JSON, no limits, or of another schema.
nlohmann::ordered_json parsed_limits_document(std::string_view text);

/// The limits in it. Throws InvalidArgument, with the place of what is missing or has no value that it can have.
Limits read_limits(const nlohmann::ordered_json& document);

/// Whether the program that wrote the document had the compiler, the flags and the build type of this one.
bool is_of_this_build(const nlohmann::ordered_json& document);

}  // namespace dcube::measure
