#pragma once
// The first line of a trace, which says what it is a trace of.

#include <dcube/judge.hpp>

#include <optional>
#include <string_view>

namespace dcube {

/// Empty if the line is no header: a JSON object that begins with the key "dcube_trace". Throws TraceFormatError for a
/// header that cannot be understood.
std::optional<TraceQuestion> parse_trace_header(std::string_view line);

}  // namespace dcube
