// Largest flows: every cut of small networks, tried one by one, is as narrow as the flow says.

#include "collectives/graphs/capacity_flow.hpp"
#include "tests/support/catch.hpp"

#include <dcube/random.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

using namespace dcube;
using detail::CapacityFlow;

namespace {

struct DrawnArc {
    std::size_t from;
    std::size_t to;
    std::uint64_t capacity;
};

std::uint64_t narrowest_cut(std::size_t nodes, const std::vector<DrawnArc>& arcs)
{
    std::uint64_t narrowest = ~std::uint64_t{0};
    for (std::uint64_t side = 0; side < std::uint64_t{1} << nodes; ++side) {
        const auto inside = [&](std::size_t node) { return (side >> node & 1) == 1; };
        if (!inside(0) || inside(nodes - 1))
            continue;
        std::uint64_t across = 0;
        for (const DrawnArc& arc : arcs)
            across += inside(arc.from) && !inside(arc.to) ? arc.capacity : 0;
        narrowest = std::min(narrowest, across);
    }
    return narrowest;
}

}  // namespace

TEST_CASE("capacity flow: the largest flow is the narrowest cut, and shows one", "[graphs][flow]")
{
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        Random random(seed);
        const std::size_t nodes = 2 + random.below(6);
        std::vector<DrawnArc> arcs;
        for (std::uint64_t i = random.below(20); i > 0; --i)
            arcs.push_back({random.below(nodes), random.below(nodes), random.below(9)});
        const std::uint64_t narrowest = narrowest_cut(nodes, arcs);
        CAPTURE(seed, nodes, narrowest);
        for (const std::uint64_t wanted : {narrowest, narrowest / 2, narrowest + 5}) {
            CapacityFlow flow(nodes);
            for (const DrawnArc& arc : arcs)
                flow.add(arc.from, arc.to, arc.capacity);
            const std::uint64_t found = flow.largest(0, nodes - 1, wanted);
            CHECK(found == std::min(wanted, narrowest));
            if (found == wanted)
                continue;
            std::uint64_t across = 0;
            for (const DrawnArc& arc : arcs)
                across += flow.before_cut(arc.from) && !flow.before_cut(arc.to) ? arc.capacity : 0;
            CHECK(across == narrowest);
            CHECK(flow.before_cut(0));
            CHECK_FALSE(flow.before_cut(nodes - 1));
        }
    }
}
