// class-matching: steps that meet lower bounds, which stand behind each figure.

#include "algorithms/papers/dimakopoulos/exchanges.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/exchange_check.hpp"
#include "tests/support/same_schedule.hpp"
#include "tests/support/search_figures.hpp"

#include <vector>

using namespace dcube;
using namespace dcube::detail;
using dcube::test::check_at_most;
using dcube::test::exchange_fault;
using dcube::test::Figure;

TEST_CASE("class-matching: total exchange on Cayley graphs on all ports takes the expected steps", "[dimakopoulos]")
{
    const std::vector<Figure> figures = {
        {"star:3", 5},
        {"star:4", 21},             // average load of the links
        {"star:5", 111},            // the same
        {"pancake:4", 20},          // the same
        {"pancake:5", 107},         // the same
        {"circulant:13,1,5", 5},    // the same
        {"ccc:3", 36},              // load of the links between cycles
        {"ccc:4", 128},             // the same
        {"ccc:5", 400},             // the same
        {"torus:6x6", 27},          // edge-colouring takes as many
        {"ghc:3x4x5", 20},          // the same
        {"star:4*ring:3", 62},      // average load of the star's links
        {"star:4*pancake:3", 124},  // the same
        {"complete:2", 1},
        {"hypercube:6", 32},
        {"hypercube:0", 0},
    };
    for (const auto& [network, steps] : figures) {
        INFO(network);
        const Topology topology = Topology::parse(network);
        const Schedule schedule = class_matching(topology);
        CHECK(schedule.symmetry == Symmetry::translated);
        CHECK(schedule.steps == steps);
        CHECK(exchange_fault(topology, PortModel::all, schedule) == "");
    }
}

TEST_CASE("class-matching: total exchange on Cayley graphs of 720 nodes on all ports takes the expected steps",
          "[dimakopoulos][long]")
{
    check_at_most({{"star:6", 689}, {"pancake:6", 661}}, PortModel::all, class_matching);
}

TEST_CASE("class-matching: planning twice gives the same schedule", "[dimakopoulos]")
{
    const Topology star = Topology::parse("star:5");
    CHECK(dcube::test::same(class_matching(star), class_matching(star)));
}
