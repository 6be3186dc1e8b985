#pragma once
// Traces that dcube itself makes, for the tests of what it says of them.

#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

#include <string>
#include <vector>

namespace dcube::test {

/// The trace that a run leaves.
inline std::string trace_of(const std::string& problem)
{
    const TemporaryFolder folder;
    const Outcome outcome = dcube_line("run " + problem + " --trace " + folder.file("t"));
    CAPTURE(problem, outcome.err);
    REQUIRE(outcome.exit_code == 0);
    CHECK(folder.names() == std::vector<std::string>{"t"});
    return read_text(folder.file("t"));
}

inline std::string without_header(const std::string& trace)
{
    REQUIRE(trace.starts_with("{\"dcube_trace\":1,"));
    return trace.substr(trace.find('\n') + 1);
}

inline std::string joined(const std::vector<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines)
        text += line + "\n";
    return text;
}

}  // namespace dcube::test
