#pragma once
// Other tools that tests use where they are installed.

#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

#include <string>

namespace dcube::test {

/// Whether there is such a program on the PATH; where not, the test says that it is skipped.
inline bool on_path(const std::string& program)
{
    const Start which{.program = {"sh", "-c", "command -v \"$0\"", program}};
    if (dcube_program({}, which).exit_code == 0)
        return true;
    WARN("skipped: " + program + " is not on the PATH");
    return false;
}

}  // namespace dcube::test
