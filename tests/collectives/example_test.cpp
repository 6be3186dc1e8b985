#include "collectives/example.hpp"
#include "tests/support/catch.hpp"

#include <dcube/error.hpp>
#include <dcube/layout.hpp>

using namespace dcube;

TEST_CASE("example: every collective has a valid one on every network", "[collectives]")
{
    for (const char* const text : {"hypercube:1", "hypercube:4", "torus:3x4", "mesh:2x3", "petersen"}) {
        const Topology topology = Topology::parse(text);
        for (const Collective collective : all_collectives) {
            CAPTURE(text, name(collective));
            const Problem problem = example_problem(collective, topology);
            CHECK(problem.collective == collective);
            CHECK_NOTHROW(validate(problem, topology));
            CHECK((Layout(problem, topology).output_bytes > 0) == !is_barrier(collective));
        }
    }
}

TEST_CASE("example: on one node only what goes between two is refused", "[collectives][negative]")
{
    const Topology one = Topology::hypercube(0);
    for (const Collective collective : all_collectives) {
        CAPTURE(name(collective));
        if (has_peer(collective))
            CHECK_THROWS_AS(validate(example_problem(collective, one), one), InvalidArgument);
        else
            CHECK_NOTHROW(validate(example_problem(collective, one), one));
    }
}
