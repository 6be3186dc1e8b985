// Texts that take the place of files.

#include "base/files.hpp"
#include "tests/support/catch.hpp"

#include <dcube/error.hpp>
#include <dcube/topology.hpp>

#include <istream>
#include <string>

using namespace dcube;
using detail::GivenFiles;

TEST_CASE("given files: networks are read from them, and from no file of the system", "[base]")
{
    const GivenFiles files({{"square", "0 1\n1 2\n2 3\n3 0\n"}, {"line 3", "0 1\n1 2\n"}, {"empty", ""}});
    CHECK(Topology::parse("graph:square").nodes() == 4);
    CHECK(Topology::parse("graph:line 3*ring:4").nodes() == 12);
    CHECK(Topology::parse("graph:square").name() == "graph:square");
    CHECK_THROWS_WITH(Topology::parse("graph:empty"), Catch::Contains("has no edges"));
    for (const char* const none : {"graph:circle", "graph:/", "graph:" DCUBE_SOURCE_DIR "/README.md"})
        CHECK_THROWS_WITH(Topology::parse(none), std::string(none) + ": there is no such file");
    CHECK_THROWS_WITH(detail::text_of_file("square", 15), "at most 15 bytes are allowed");
    CHECK(detail::text_of_file("square", 16).size() == 16);

    std::string line;
    CHECK(std::getline(*detail::open_file("line 3"), line));
    CHECK(line == "0 1");
    CHECK_THROWS_AS(detail::open_file("line"), InvalidArgument);
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
