// Candidates of a comparison, and why some cannot run.

#include "run/compare.hpp"

#include "tests/support/catch.hpp"

#include <dcube/error.hpp>

#include <string>
#include <vector>

using namespace dcube;

TEST_CASE("compare: an obstacle names the key to blame, unless that is the algorithm", "[run][negative]")
{
    const std::vector<std::string> names{"no-such-one"};
    const auto obstacle = [&](const Problem& problem) {
        return candidates(Topology::hypercube(2), PortModel::all, problem, names).at(0).obstacle;
    };
    CHECK(obstacle({.collective = Collective::broadcast}).starts_with("broadcast has no algorithm 'no-such-one': "));
    CHECK(obstacle({.collective = Collective::broadcast, .root = 4}) ==
          mention("root") + " 4 is not a node of hypercube:2: nodes are 0 to 3");
}
