// Names that were meant.

#include "base/names.hpp"
#include "tests/support/catch.hpp"

#include <array>
#include <string>
#include <string_view>

using namespace dcube;

TEST_CASE("names: the one that was meant is near, or begins with what is written", "[base]")
{
    constexpr std::array<std::string_view, 5> names{"topology", "to_layout", "operation", "packets", "ports"};
    const auto meant = [&](std::string_view text) { return suggestion(text, names, "expected .."); };
    CHECK(meant("packet") == "did you mean packets? Expected ..");
    CHECK(meant("oepration") == "did you mean operation? Expected ..");
    CHECK(meant("op") == "did you mean operation? Expected ..");
    CHECK(meant("topo") == "did you mean topology? Expected ..");
    CHECK(meant("to") == "did you mean to_layout? Expected ..");  // a word of it, of the two that begin so
    CHECK(meant("t") == "expected ..");
    CHECK(meant("size") == "expected ..");
    constexpr std::array<std::string_view, 2> options{"--rows", "--columns"};
    CHECK(suggestion("--cols", options, "see help") == "see help");  // not --rows: dashes are not letters
    CHECK(suggestion("--row", options, "see help") == "did you mean --rows? See help");
}
