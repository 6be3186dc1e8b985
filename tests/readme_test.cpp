// README: the first program is the demo that is compiled, and what a newcomer needs comes first. tests/docs has the
// rest.

#include "tests/docs/documents.hpp"
#include "tests/support/catch.hpp"

using namespace dcube::test;

namespace {

std::string readme()
{
    return read_text(source_path("README.md"));
}

}  // namespace

TEST_CASE("README shows the first demo whole, with the first and last line that it prints", "[docs]")
{
    CHECK_THAT(readme(),
               Catch::Contains("```cpp\n" + read_text(source_path("demos/hello-neighbours/main.cpp")) + "```"));
    const std::vector<std::string> printed = lines_of(read_text(source_path("demos/hello-neighbours/expected.txt")));
    CHECK_THAT(readme(), Catch::Contains("`" + printed.front() + "`"));
    CHECK_THAT(readme(), Catch::Contains("`" + printed.back() + "`"));
}

TEST_CASE("README begins with what dcube is, what can be had without building, and the two commands, and is short",
          "[docs]")
{
    CHECK(readme().find("\n## Without building\n") < 1500);
    CHECK(readme().find("./dcube run all-to-all --dim 8 --bytes 4KiB\n./dcube test\n") < 2500);
    CHECK(lines_of(readme()).size() <= 150);
}
