// The words for products and their factors.

#include "collectives/coordinates.hpp"
#include "tests/support/catch.hpp"

#include <dcube/topology.hpp>

using namespace dcube;

TEST_CASE("coordinates: a factor is called by its number from 1 on, and by what it is", "[bounds]")
{
    CHECK(detail::factor_words(Topology::parse("ring:4*path:3"), 0) == "coordinate 1, a ring of 4");
    CHECK(detail::factor_words(Topology::parse("ring:4*path:3"), 1) == "coordinate 2, a path of 3");
    CHECK(detail::factor_words(Topology::parse("ring:3*petersen"), 1) == "coordinate 2, the Petersen graph");
    CHECK(detail::coordinate_words(std::vector<unsigned>{2}) == "coordinate 3");
    CHECK(detail::coordinate_words({3, 1, 2}) == "coordinates 2 to 4");
    CHECK(detail::coordinate_words({0, 2}) == "coordinates 1, 3");
    CHECK(detail::product_words(Topology::hypercube(8)) == "an 8-cube");
    CHECK(detail::product_words(Topology::parse("torus:4x6")) == "a torus of 4x6");
    CHECK(detail::product_words(Topology::parse("mesh:2x3")) == "a mesh of 2x3");
    CHECK(detail::product_words(Topology::parse("ring:5*path:4")) == "ring:5*path:4");
}
