// README shows programs and tables that are compiled, run and generated elsewhere: it must not fall behind them.

#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

#include <fstream>
#include <sstream>
#include <string>

namespace {

std::string text_of(const std::string& path)
{
    std::ifstream file(DCUBE_SOURCE_DIR "/" + path);
    REQUIRE(file.good());
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("README shows the first demo whole, with what it prints", "[readme]")
{
    const std::string readme = text_of("README.md");
    CHECK_THAT(readme, Catch::Contains("```cpp\n" + text_of("demos/hello-neighbours/main.cpp") + "```"));
    CHECK_THAT(readme, Catch::Contains("```\n" + text_of("demos/hello-neighbours/expected.txt") + "```"));
}

TEST_CASE("README begins with what dcube is and the two commands", "[readme]")
{
    const std::string readme = text_of("README.md");
    CHECK(readme.find("./dcube run all-to-all --dim 8 --bytes 4KiB\n./dcube test\n") < 2500);
}

TEST_CASE("README shows what dcube info prints", "[readme]")
{
    const std::string command = "info --topology torus:6x6";
    CHECK_THAT(text_of("README.md"),
               Catch::Contains("$ ./dcube " + command + "\n" + dcube::test::dcube_line(command).out + "```"));
}
