#pragma once
/// @file
/// Which dcube this is, and which documents and traces it writes and reads. docs/versions.md in the project says what a
/// change of each number means.

#include <string_view>

// CMakeLists.txt reads these.
/// The version of these headers, at a program's compile time: the first of three numbers.
#define DCUBE_VERSION_MAJOR 0
/// The second number.
#define DCUBE_VERSION_MINOR 9
/// The third number.
#define DCUBE_VERSION_PATCH 0

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup version
/// @{

/// The version of the library that is linked or loaded: "0.9.0".
std::string_view version();

/// The "schema" of JSON documents: reports, measurements, facts about networks. Documents of another one are refused.
inline constexpr unsigned report_schema = 1;

/// The "dcube_trace" of traces and schedules. Other versions are refused.
inline constexpr unsigned trace_schema = 1;

/// @}

}  // namespace dcube
#pragma GCC visibility pop
