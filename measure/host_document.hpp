#pragma once
// The head of every measured document: the program, the host, the date.

#include <nlohmann/json.hpp>

#include <string>

namespace dcube::measure {

struct Host;

/// version, commit, compiler, flags, build_type, sanitizers.
nlohmann::ordered_json program_document();

/// All of the host by keys that end in their units; what could not be read is null.
nlohmann::ordered_json host_document(const Host& host);

/// Now in UTC: "2026-11-22T18:30:00Z".
std::string now_text();

}  // namespace dcube::measure
