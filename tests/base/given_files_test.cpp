// Texts that take the place of files.

#include "base/files.hpp"
#include "tests/support/catch.hpp"

#include <dcube/error.hpp>

#include <istream>
#include <string>

using namespace dcube;
using detail::GivenFiles;

TEST_CASE("given files: they are read as those of the system are, of which none is", "[base]")
{
    const GivenFiles files({{"square", "0 1\n1 2\n2 3\n3 0\n"}, {"line 3", "0 1\n1 2\n"}, {"empty", ""}});
    CHECK_THROWS_WITH(detail::text_of_file("square", 15), "at most 15 bytes are allowed");
    CHECK(detail::text_of_file("square", 16).size() == 16);

    std::string line;
    CHECK(std::getline(*detail::open_file("line 3"), line));
    CHECK(line == "0 1");
    for (const char* const none : {"line", "/", DCUBE_SOURCE_DIR "/README.md"})
        CHECK_THROWS_AS(detail::open_file(none), InvalidArgument);
}

TEST_CASE("given files: the innermost ones count, and only while they live", "[base]")
{
    const auto known = [](const char* name) {
        try {
            return !detail::text_of_file(name, 10).empty();
        } catch (const InvalidArgument&) {
            return false;
        }
    };
    CHECK(GivenFiles::here() == nullptr);
    {
        const GivenFiles outer(GivenFiles::Texts{{"a", "outer"}});
        {
            const GivenFiles inner(GivenFiles::Texts{{"b", "inner"}});
            CHECK(known("b"));
            CHECK_FALSE(known("a"));
        }
        CHECK(known("a"));
        CHECK_FALSE(known("b"));
    }
    CHECK(GivenFiles::here() == nullptr);
    CHECK_FALSE(known("a"));
}
