// The choices of "auto" in the unit-time model: as few steps as the best entry that it may take.

#include "tests/support/catch.hpp"
#include "tests/support/drawn_problems.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <iterator>
#include <string>
#include <string_view>

using namespace dcube;
using namespace dcube::test;

namespace {

Topology small_network(Random& random, unsigned seed)
{
    constexpr std::string_view shapes[] = {"hypercube:3", "hypercube:4",      "hypercube:5",  "torus:3x4", "torus:4x4",
                                           "mesh:3x4",    "mesh:2x5",         "ring:7",       "path:6",    "complete:5",
                                           "ghc:3x4",     "kary:3^2",         "star:4",       "pancake:3", "petersen",
                                           "ccc:3",       "circulant:13,1,5", "ring:5*path:3"};
    if (random.below(2) == 0)
        return Topology::parse(shapes[random.below(std::size(shapes))]);
    return random.below(2) == 0 ? random_product(seed)
                                : Topology::product({random_graph(seed, 3 + static_cast<NodeId>(random.below(14)))});
}

}  // namespace

TEST_CASE("where no algorithm can do it, a reason that several have is said once", "[algorithms][negative]")
{
    const Topology cube = Topology::hypercube(3);
    Problem problem{.collective = Collective::all_to_all};
    problem.counts = counts_by_law("sparse:1/8:1000000", problem.collective, cube, 1);
    const std::string why = error_of([&] { find_algorithm(cube, PortModel::all, problem); });
    CHECK_THAT(why, Catch::StartsWith("no algorithm can do this all-to-all: ") &&
                        Catch::Contains("; priced-routes, priced-routes-one: it would have to plan at least"));
    const std::string reason = "all its messages have the same length";
    CHECK(why.find(reason) != std::string::npos);
    CHECK(why.find(reason) == why.rfind(reason));
}

TEST_CASE("auto takes no more steps than any entry that it may take", "[algorithms][long]")
{
    std::size_t others = 0;
    for (unsigned seed = 1; seed <= test_support::smaller(300U, 100U, 60U); ++seed) {
        Random random(seed);
        const Topology topology = small_network(random, seed);
        const Collective collective = any_network_collectives[random.below(any_network_collectives.size())];
        const PortModel ports = random.below(2) == 0 ? PortModel::all : PortModel::one;
        const Problem problem = drawn_problem(topology, collective, 1 + random.below(6), seed);
        const Entry& chosen = find_algorithm(topology, ports, problem);
        const std::uint64_t steps = chosen.cost(topology, problem).steps;
        CAPTURE(seed, topology.name(), name(collective), name(ports), problem.packets, chosen.name);
        CHECK(steps >= steps_bound(topology, ports, problem).value);
        for (const Entry& other : catalogue()) {
            if (other.collective != collective || !other.automatic ||
                !obstacle_of(other, topology, ports, problem).empty())
                continue;
            CAPTURE(other.name);
            CHECK(steps <= other.cost(topology, problem).steps);
            ++others;
        }
    }
    CHECK(others > test_support::smaller(900U, 300U, 150U));
}
