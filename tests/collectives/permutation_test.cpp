// Permutations: by name against their definitions, and from text with every mistake there is.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include <dcube/permutation.hpp>

#include <algorithm>
#include <set>

using namespace dcube;
using test_support::contains;
using test_support::error_of;
using Nodes = std::vector<NodeId>;

namespace {

Nodes named(std::string_view name, unsigned d, std::uint64_t seed = 1)
{
    return permutation_by_name(name, Topology::hypercube(d), seed);
}

Nodes read(std::string_view text, unsigned d)
{
    return parse_permutation(text, Topology::hypercube(d));
}

constexpr const char* names[] = {"identity", "rotation",  "inversion", "reflection", "bit-reversal",
                                 "shuffle",  "transpose", "tornado",   "neighbour",  "random"};

}  // namespace

TEST_CASE("permutation: every name gives the permutation that it stands for", "[judge]")
{
    CHECK(named("identity", 2) == Nodes{0, 1, 2, 3});
    CHECK(named("rotation", 2) == Nodes{1, 2, 3, 0});
    CHECK(named("inversion", 2) == Nodes{3, 2, 1, 0});
    CHECK(named("reflection", 3) == Nodes{4, 5, 6, 7, 0, 1, 2, 3});
    CHECK(named("bit-reversal", 3) == Nodes{0, 4, 2, 6, 1, 5, 3, 7});
    CHECK(named("Bit Reversal", 3) == named("bit-reversal", 3));
    CHECK(named("shuffle", 3) == Nodes{0, 2, 4, 6, 1, 3, 5, 7});
    CHECK(named("transpose", 2) == Nodes{0, 2, 1, 3});
    CHECK(named("transpose", 4)[0b0110] == 0b1001);
    CHECK(named("transpose", 4)[0b0111] == 0b1101);
    CHECK(named("xor:5", 3) == Nodes{5, 4, 7, 6, 1, 0, 3, 2});
    CHECK(named("xor:0x1F", 5) == named("inversion", 5));
    CHECK(named("xor:0", 1) == named("identity", 1));
}

TEST_CASE("permutation: BookSim's tornado and neighbour move every digit, on any network", "[judge]")
{
    const auto on = [](const char* topology, std::string_view name) {
        return permutation_by_name(name, Topology::parse(topology));
    };
    // In a ring of k nodes: x + ceil(k/2) - 1, and x + 1.
    CHECK(on("ring:5", "tornado") == Nodes{2, 3, 4, 0, 1});
    CHECK(on("ring:8", "tornado") == Nodes{3, 4, 5, 6, 7, 0, 1, 2});
    CHECK(on("ring:5", "neighbour") == Nodes{1, 2, 3, 4, 0});
    // Digit by digit: node 0 is (0, 0), node 4 (1, 1), node 8 (2, 2).
    CHECK(on("torus:3x3", "tornado") == Nodes{4, 5, 3, 7, 8, 6, 1, 2, 0});
    CHECK(on("torus:3x3", "neighbor") == on("torus:3x3", "tornado"));
    CHECK(on("mesh:2x3", "neighbour") == Nodes{4, 5, 3, 1, 2, 0});
    CHECK(on("mesh:2x3", "tornado") == Nodes{1, 2, 0, 4, 5, 3});
    CHECK(named("tornado", 4) == named("identity", 4));  // ceil(2/2) - 1 = 0
    CHECK(named("neighbour", 4) == named("inversion", 4));
    CHECK(on("ring:5 without 2", "neighbour") == Nodes{1, 3, 2, 4, 0});
}

TEST_CASE("permutation: BookSim's other names are aliases", "[judge]")
{
    CHECK(named("bitcomp", 3) == named("inversion", 3));
    CHECK(named("bitrev", 3) == named("bit-reversal", 3));
    CHECK(named("randperm", 3, 7) == named("random", 3, 7));
    CHECK(std::ranges::count(permutation_names(), "bitcomp") == 0);
}

TEST_CASE("permutation: every name gives every node once, in every dimension", "[judge]")
{
    for (unsigned d = 0; d <= 7; ++d) {
        for (const char* const name : names) {
            if (d % 2 != 0 && std::string_view(name) == "transpose")
                continue;
            const Nodes nodes = named(name, d);
            CAPTURE(d, name);
            CHECK(nodes.size() == std::size_t{1} << d);
            CHECK(std::set<NodeId>(nodes.begin(), nodes.end()).size() == nodes.size());
            CHECK(*std::max_element(nodes.begin(), nodes.end()) == nodes.size() - 1);
        }
    }
}

TEST_CASE("permutation: on other networks than hypercubes names work if the number of nodes allows it", "[judge]")
{
    const auto on = [](const char* topology, std::string_view name) {
        return permutation_by_name(name, Topology::parse(topology));
    };
    CHECK(on("ring:5", "rotation") == Nodes{1, 2, 3, 4, 0});
    CHECK(on("ring:5", "inversion") == Nodes{4, 3, 2, 1, 0});
    CHECK(on("ring:5", "identity") == Nodes{0, 1, 2, 3, 4});
    CHECK(on("ring:4", "shuffle") == Nodes{0, 2, 1, 3});
    CHECK(on("mesh:2x2", "xor:2") == Nodes{2, 3, 0, 1});
    for (const char* const name : {"reflection", "bit-reversal", "shuffle", "transpose", "xor:1"})
        CHECK(error_of([&] { on("ring:5", name); }) ==
              "'" + std::string(name) + "' is for 2, 4, 8, ... nodes: ring:5 has 5");
    CHECK(error_of([&] { on("mesh:2x4", "transpose"); }) == "transpose needs 4, 16, 64, ... nodes: mesh:2x4 has 8");
}

TEST_CASE("permutation: random ones depend on the seed and on nothing else", "[judge]")
{
    CHECK(named("random", 6, 1) == named("random", 6, 1));
    CHECK(named("random", 6, 1) != named("random", 6, 2));
    CHECK(named("random", 6) != named("identity", 6));
}

TEST_CASE("permutation: unknown names and impossible ones are refused", "[judge][negative]")
{
    CHECK(error_of([] { named("twist", 2); }) == "'twist' is not a permutation: expected one of identity, rotation, "
                                                 "inversion, reflection, bit-reversal, shuffle, "
                                                 "transpose, tornado, neighbour, random, xor:MASK");
    CHECK(contains(error_of([] { named("inversoin", 2); }),
                   "'inversoin' is not a permutation: did you mean inversion? Expected one of identity, "));
    CHECK(error_of([] { named("transpose", 3); }) == "transpose needs an even dimension: hypercube:3 has 3");
    CHECK(error_of([] { named("xor:8", 3); }) == "mask 8 is not a node of hypercube:3: nodes are 0 to 7");
    for (const char* const mask : {"", "x", "-1", "0x", "0xg", "1 ", "5f", "99999999999999999999"}) {
        CAPTURE(mask);
        CHECK(error_of([&] { named(std::string("xor:") + mask, 3); }) ==
              "'" + std::string(mask) + "' is not a mask: expected a whole number, e.g. 5 or 0x1f");
    }
}

TEST_CASE("permutation: text is read, comments and white space aside", "[judge]")
{
    CHECK(read("1 0", 1) == Nodes{1, 0});
    CHECK(read("# from node 0 on\n3 2\t1 #and the last:\r\n\n0\n", 2) == Nodes{3, 2, 1, 0});
    CHECK(read("0#1 2", 0) == Nodes{0});
}

TEST_CASE("permutation: wrong text is refused with its line", "[judge][negative]")
{
    const auto error = [](std::string_view text) { return error_of([&] { read(text, 2); }); };
    CHECK(error("0 1\nx 2") == "line 2: 'x' is not a whole number");
    CHECK(error("0 1\n2 -3") == "line 2: '-3' is not a whole number");
    CHECK(error("0 1\n#\n2 3.0") == "line 3: '3.0' is not a whole number");
    CHECK(error("0 1 4 2") == "line 1: 4 is not a node of hypercube:2: nodes are 0 to 3");
    CHECK(error("0 1\n2\n1") == "line 3: node 1 is named twice, first in line 1");
    CHECK(error("0 1\n2 # 3\n") == "line 3: the permutation ends after 3 numbers: hypercube:2 has 4 nodes");
    CHECK(error("") == "line 1: the permutation ends after 0 numbers: hypercube:2 has 4 nodes");
    CHECK(error("0 1 2 3\n0") == "line 2: 0 is one number too many: hypercube:2 has 4 nodes");
}
