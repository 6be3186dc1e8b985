#pragma once
// Other tools that tests use where they are installed. Tests that need one have the tag [needs] and nothing else in
// them: where it is missing, ctest reports them as skipped. Where DCUBE_NO_SKIPS is set, they fail instead.

#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

#include <cstdlib>
#include <string>

namespace dcube::test {

/// Says that the test is skipped, which needs this.
inline void skip_for_lack_of(const std::string& tool)
{
    if (std::getenv("DCUBE_NO_SKIPS") != nullptr)
        FAIL("needs " << tool << ", which is not on the PATH, and DCUBE_NO_SKIPS is set");
    WARN("skipped: needs " << tool);  // ctest looks for this
}

/// Whether there is such a program on the PATH; where not, the test is skipped.
inline bool on_path(const std::string& program)
{
    const Start which{.program = {"sh", "-c", "command -v \"$0\"", program}};
    if (dcube_program({}, which).exit_code == 0)
        return true;
    skip_for_lack_of(program);
    return false;
}

}  // namespace dcube::test
