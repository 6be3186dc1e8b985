// Networks of texts that take the place of files.

#include "base/files.hpp"
#include "tests/support/catch.hpp"

#include <dcube/topology.hpp>

#include <string>

using namespace dcube;

TEST_CASE("given networks: networks are read from texts, and from no file of the system", "[base]")
{
    const detail::GivenFiles files({{"square", "0 1\n1 2\n2 3\n3 0\n"}, {"line 3", "0 1\n1 2\n"}, {"empty", ""}});
    CHECK(Topology::parse("graph:square").nodes() == 4);
    CHECK(Topology::parse("graph:line 3*ring:4").nodes() == 12);
    CHECK(Topology::parse("graph:square").name() == "graph:square");
    CHECK_THROWS_WITH(Topology::parse("graph:empty"), Catch::Contains("has no edges"));
    for (const char* const none : {"graph:circle", "graph:/", "graph:" DCUBE_SOURCE_DIR "/README.md"})
        CHECK_THROWS_WITH(Topology::parse(none), std::string(none) + ": there is no such file");
}
