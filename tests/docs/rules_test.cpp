// The list of rules in the documents.

#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

#include <dcube/error.hpp>

#include <string>

using namespace dcube;

TEST_CASE("docs: the list of rules has every rule", "[docs]")
{
    const std::string text = test::read_text(DCUBE_SOURCE_DIR "/docs/library.md");
    const std::string list = text.substr(text.find("| rule | what was done |"));
    int rules = 0;
    for (; name(static_cast<Rule>(rules)) != "unknown-rule"; ++rules) {
        CAPTURE(name(static_cast<Rule>(rules)));
        CHECK(list.find(name(static_cast<Rule>(rules))) != std::string::npos);
    }
    CHECK(rules == static_cast<int>(Rule::stray_packet) + 1);
}
