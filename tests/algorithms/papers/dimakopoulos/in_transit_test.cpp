// Packets that wait in the nodes of products during a total exchange.

#include "tests/support/catch.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <string>

using namespace dcube;
using namespace test_support;

namespace {

// Slots of 1-byte packets in the node that needs most.
std::size_t slots(const std::string& network, const std::string& algorithm, bool in_place = false)
{
    Machine machine(Topology::parse(network), {.threads = 2});
    CallOptions options;
    options.algorithm = algorithm;
    Problem problem{Collective::all_to_all, 1};
    problem.in_place = in_place;
    const Report report = run_verified(machine, problem, {}, options);
    CHECK(report.in_transit.value() >= report.in_transit_lower_bound);
    CHECK(report.in_transit.value() <= report.counts.largest_storage_bytes);
    return report.counts.largest_storage_bytes;
}

}  // namespace

TEST_CASE("total exchange on products: few blocks wait in a node", "[dimakopoulos][in-transit][slow]")
{
    struct Expected {
        const char* network;
        std::size_t edge_colouring;
        std::size_t in_place;      // with packets that are copied first
        std::size_t digit_rounds;  // 0: the factors differ
        NodeId nodes;
    };
    // Where edges are coloured one after the other edge-colouring needs 35, 213, 132, 69, 281, 277, 287, 25, 25, 396,
    // 238 and 134; where classes take rounds by their digits, digit-rounds needs 51, 570, 274, 136, 528, 471, 571, 277
    // and 134.
    for (const auto& [network, edge_colouring, in_place, digit_rounds, nodes] : {
             Expected{"kary:3^4", 16, 24, 19, 81},
             {"kary:4^5", 26, 40, 37, 1024},
             {"torus:8x8x8", 32, 43, 38, 512},
             {"torus:16x16", 30, 54, 44, 256},
             {"torus:32x32", 60, 112, 92, 1024},
             {"torus:31x31", 58, 62, 65, 961},
             {"torus:31x32", 56, 60, 0, 992},
             {"torus:5x4x3", 10, 16, 0, 60},
             {"ghc:3x4x5", 12, 22, 0, 60},
             {"ghc:4x4x4x4x4", 29, 70, 39, 1024},
             {"ghc:8x8x8", 40, 73, 41, 512},
             {"ghc:16x16", 50, 87, 43, 256},
         }) {
        CAPTURE(network);
        if (nodes > smaller(1024U, 100U))
            continue;
        CHECK(slots(network, "edge-colouring") == edge_colouring);
        CHECK(slots(network, "edge-colouring", true) == in_place);
        if (digit_rounds != 0)
            CHECK(slots(network, "digit-rounds") == digit_rounds);
    }
}
