// Exchanges in rounds: on Cayley graphs the schedule is one node's.

#include "algorithms/papers/dimakopoulos/exchanges.hpp"
#include "tests/support/catch.hpp"

#include <vector>

using namespace dcube;
using namespace dcube::detail;

TEST_CASE("total exchange: plans of symmetric networks are one node's", "[dimakopoulos]")
{
    for (const char* const network : {"torus:8x8", "ghc:3x4x5", "star:4*ring:3", "hypercube:6"}) {
        const Topology topology = Topology::parse(network);
        INFO(network);
        const Schedule one = factor_by_factor(topology);
        CHECK(one.hops.size() == topology.status(0));
        const Schedule all = interleaved(topology);
        CHECK(all.symmetry == Symmetry::translated);
        CHECK(all.hops.size() == topology.status(0) << all.alternating.size());
    }
    CHECK(edge_colouring(Topology::parse("torus:8x8")).hops.size() == Topology::parse("torus:8x8").status(0));
    // A ring of six in an odd number of copies is the exception: even and odd nodes differ.
    CHECK(edge_colouring(Topology::parse("torus:6x5")).alternating == std::vector<unsigned>{0});
}
