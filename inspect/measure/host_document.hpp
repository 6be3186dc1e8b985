#pragma once
// The head of every measured document: the program, the host, the date; and reasons not to trust what is measured on
// this host now.

#include "base/json.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::measure {

struct Host;

/// The build of this program: its sources, compiler and flags; a measurement without it cannot be compared.
struct BuildFacts {
    std::string_view version;  ///< "1.0.0"
    /// The checkout's when the build was set up, "+" behind it if files differed; "" if unknown.
    std::string_view commit;
    std::string_view compiler;    ///< "GNU 12.2.0"
    std::string_view flags;       ///< "-O3 -DNDEBUG"
    std::string_view build_type;  ///< "Release"
    std::string_view sanitizers;  ///< "thread"; "" without
};

BuildFacts build_facts();

/// version, commit, compiler, flags, build_type, sanitizers.
nlohmann::ordered_json program_document();

/// All of the host by keys that end in their units; what could not be read is null.
nlohmann::ordered_json host_document(const Host& host);

/// The text with U+FFFD in place of what is no UTF-8, of which no JSON can be made.
std::string valid_text(const std::string& text);

/// Now in UTC: "2026-11-22T18:30:00Z".
std::string now_text();

/// Processors: what any system does for itself.
constexpr double most_by_system = 0.5;

/// A sentence for each reason there is: other work (load, idle processors), stolen time, throttling, fewer processors
/// than threads, a governor that saves power, a build with asserts or sanitizers. `most_threads` are the most that the
/// measurement has.
std::vector<std::string> warnings(const Host& host, unsigned most_threads);

/// The warning of OthersWatch's result: more than half a processor spoils times. Empty if there is nothing to warn of.
std::string warning_of_others(const std::optional<double>& processors);

}  // namespace dcube::measure
