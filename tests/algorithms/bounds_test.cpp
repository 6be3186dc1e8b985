// The catalogue beside the bounds, on small networks.

#include "tests/support/catch.hpp"
#include "tests/support/sizes.hpp"
#include "tests/support/small_graphs.hpp"

#include <dcube/bounds.hpp>
#include <dcube/catalogue.hpp>
#include <dcube/permutation.hpp>
#include <dcube/problem.hpp>

#include <vector>

using namespace dcube;
using test_support::Sample;
using test_support::small_graphs;
using test_support::smaller;
using test_support::SmallGraph;
using test_support::topology_of;

namespace {

// Too large to try all schedules.
const std::vector<SmallGraph> larger_graphs{
    {"tree", {{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}, {2, 6}}},
    {"hub of six", {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}}},
    {"barbell", {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 4}}},
    {"lollipop", {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}, {3, 4}, {4, 5}, {5, 6}}},
    {"wheel", {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 1}}},
    {"ladder with a tail", {{0, 1}, {2, 3}, {4, 5}, {0, 2}, {2, 4}, {1, 3}, {3, 5}, {5, 6}, {6, 7}}}};

}  // namespace

TEST_CASE("bounds: no entry of the catalogue beats a bound on any small network", "[bounds][long]")
{
    std::size_t compared = 0;
    Sample sample;
    std::vector<SmallGraph> all = small_graphs;
    all.insert(all.end(), larger_graphs.begin(), larger_graphs.end());
    for (const SmallGraph& graph : all) {
        const Topology topology = topology_of(graph);
        for (const Entry& algorithm : catalogue()) {
            if (algorithm.link != LinkKind::unit || is_matrix(algorithm.collective))
                continue;
            for (const std::size_t packets : {1U, 2U, 5U, 17U}) {
                Problem problem{.collective = algorithm.collective, .packets = packets, .peer = topology.nodes() - 1};
                if (has_permutation(algorithm.collective))
                    problem.permutation = permutation_by_name("rotation", topology, 1);
                if (!obstacle_of(algorithm, topology, algorithm.ports, problem).empty() || !sample.takes_next())
                    continue;
                const Bound bound = steps_bound(topology, algorithm.ports, problem);
                CAPTURE(graph.name, algorithm.name, name(algorithm.collective), packets, bound.reason);
                CHECK(algorithm.cost(topology, problem).steps >= bound.value);
                ++compared;
            }
        }
    }
    CHECK(compared > smaller(500U, 100U));
}
