#pragma once
/// Which dcube this is, and which documents and traces it writes and reads. docs/versions.md in the project says what a
/// change of each number means.

#include <string_view>

/// The version of these headers: that of a program's compile time. CMakeLists.txt reads it here.
#define DCUBE_VERSION_MAJOR 1
#define DCUBE_VERSION_MINOR 0
#define DCUBE_VERSION_PATCH 0

namespace [[gnu::visibility("default")]] dcube {

/// The version of the library that is linked or loaded: "1.2.3".
std::string_view version();

/// The "schema" of JSON documents: reports, measurements, facts about networks. Documents of another one are refused.
inline constexpr unsigned report_schema = 1;

/// The "dcube_trace" of traces and schedules. Those of another version are refused.
inline constexpr unsigned trace_schema = 1;

}  // namespace dcube
