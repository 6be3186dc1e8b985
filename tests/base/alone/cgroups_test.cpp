// Where there is no system, there are no cgroups.

#include "base/cgroups.hpp"
#include "tests/support/catch.hpp"

#include <limits>

TEST_CASE("alone: no group limits a program", "[emu]")
{
    CHECK(dcube::detail::cgroups("cpu").empty());
    CHECK(dcube::detail::processor_quota() == std::numeric_limits<double>::infinity());
}
