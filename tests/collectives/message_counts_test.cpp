// Counts of uneven messages: by laws, and from text.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include <dcube/message_counts.hpp>
#include <dcube/problem.hpp>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

using namespace dcube;
using test_support::error_of;

namespace {

using Numbers = std::vector<std::uint32_t>;

const Topology four_cube = Topology::hypercube(4);

Numbers pairs_by(std::string_view law, const Topology& topology = four_cube, std::uint64_t seed = 1)
{
    return counts_by_law(law, Collective::all_to_all, topology, seed);
}

std::uint64_t sum(const Numbers& numbers)
{
    return std::reduce(numbers.begin(), numbers.end(), std::uint64_t{0});
}

std::string complaint(std::string_view law, Collective collective = Collective::all_to_all)
{
    return error_of([&] { counts_by_law(law, collective, four_cube); });
}

}  // namespace

TEST_CASE("counts: every law gives a node nothing for itself, and is valid", "[counts]")
{
    for (const char* const network : {"hypercube:3", "torus:3x3", "ring:5", "hypercube:3 without 5"}) {
        const Topology topology = Topology::parse(network);
        for (const char* const law : {"zipf:1", "zipf:1/2:3", "sparse:1/8:2", "poisson:2", "block:2", "hot:0:9"})
            for (std::uint64_t seed = 0; seed < 4; ++seed) {
                CAPTURE(network, law, seed);
                Problem problem{Collective::all_to_all};
                problem.counts = pairs_by(law, topology, seed);
                CHECK_NOTHROW(validate(problem, topology));
                for (std::size_t node = 0; node < topology.nodes(); ++node)
                    CHECK(problem.counts[node * topology.nodes() + node] == 0);
            }
    }
}

TEST_CASE("counts: by zipf every node sends as many, and the popular get most", "[counts]")
{
    const Numbers counts = pairs_by("zipf:1:2");
    std::vector<std::uint64_t> got(16);
    for (std::size_t origin = 0; origin < 16; ++origin) {
        CHECK(std::reduce(&counts[origin * 16], &counts[origin * 16] + 16, std::uint64_t{0}) == 30);
        for (std::size_t target = 0; target < 16; ++target)
            got[target] += counts[origin * 16 + target];
    }
    std::ranges::sort(got);
    CHECK(got.back() > 100);  // about 480 / 3.4
    CHECK(got.front() < 20);
}

TEST_CASE("counts: the means of laws are as given", "[counts]")
{
    const Topology cube = Topology::hypercube(6);
    const double messages = 64.0 * 63;
    CHECK(static_cast<double>(sum(pairs_by("poisson:5", cube))) == Approx(5 * messages).epsilon(0.02));
    CHECK(static_cast<double>(sum(pairs_by("sparse:1/8:2", cube))) == Approx(2 * messages).epsilon(0.1));
    const Numbers sparse = pairs_by("sparse:0.125:2", cube);
    const auto none = static_cast<double>(std::ranges::count(sparse, 0U)) - 64;
    CHECK(none == Approx(messages * 7 / 8).epsilon(0.05));
    CHECK(sum(pairs_by("block:4:3", cube)) == 16U * 12 * 3);
}

TEST_CASE("counts: a law and a seed always give the same, another seed others", "[counts]")
{
    for (const char* const law : {"zipf:1:2", "sparse:1/4", "poisson:2"}) {
        CHECK(pairs_by(law) == pairs_by(law));
        CHECK(pairs_by(law) != pairs_by(law, four_cube, 2));
    }
}

TEST_CASE("counts: one number for each node where a node has one message", "[counts]")
{
    for (const Collective collective :
         {Collective::scatter, Collective::gather, Collective::all_gather, Collective::reduce_scatter}) {
        CHECK(counts_by_law("poisson:3", collective, four_cube).size() == 16);
        CHECK(sum(counts_by_law("zipf:1:2", collective, four_cube)) == 32);
    }
}

TEST_CASE("counts: laws that are none, and parameters out of range, are refused", "[counts][negative]")
{
    CHECK(complaint("zip:1") == "'zip:1' is not a law of counts: expected zipf:S[:MEAN], sparse:P[:MEAN], "
                                "poisson:MEAN, block:K[:MEAN], hot:NODE:MEAN, @FILE or numbers");
    CHECK(complaint("poisson").starts_with("'poisson' is not a law of counts: expected zipf"));
    CHECK(complaint("experts.txt") == "'experts.txt' is not a law of counts: a file is written as @experts.txt");
    CHECK(complaint("sparse:2") == "P of 'sparse:2' is out of range: more than 0 and at most 1 is allowed");
    CHECK(complaint("block:0") == "K of 'block:0' is not possible: 1 to 16 are allowed");
    CHECK(complaint("hot:16:2") == "the node of 'hot:16:2' is not possible: 0 to 15 are allowed");
    CHECK(complaint("block:4", Collective::gather).starts_with("block is for all-to-all"));
    CHECK(complaint("zipf:") ==
          "S of 'zipf:' is not a number such as 2, 1/3 or 0.5: more than 0 and at most 10 is allowed");
    CHECK(complaint("poisson:x").starts_with("the mean of 'poisson:x' is not a number such as 2, 1/3 or 0.5"));
}

TEST_CASE("counts: laws of more packets than can be drawn are refused", "[counts][negative]")
{
    const auto on_large = [](std::string_view law, Collective collective) {
        return error_of([&] { counts_by_law(law, collective, Topology::hypercube(10), 1); });
    };
    const std::string too_many = " has too many packets: at most 1 000 000 000 in all are allowed";
    for (const std::string law : {"poisson:1000000", "zipf:1:1000000", "sparse:1/2:1000000", "hot:3:1000000"})
        CHECK(on_large(law, Collective::all_to_all) == "'" + law + "'" + too_many);
    CHECK(complaint("sparse:1e-9:1000", Collective::gather) == "'sparse:1e-9:1000'" + too_many);
    CHECK(on_large("hot:3:1000000", Collective::scatter).empty());
}

TEST_CASE("counts: laws for more pairs of nodes than memory has numbers for are refused", "[counts][negative]")
{
    const auto on_largest = [](Collective collective) {
        return error_of([&] { counts_by_law("poisson:1/100", collective, Topology::hypercube(20), 1); });
    };
    CHECK(on_largest(Collective::all_to_all) ==
          "a law of counts for all-to-all is for up to 16 384 nodes, and there are 1 048 576");
    CHECK(on_largest(Collective::scatter).empty());
}

TEST_CASE("counts: text has one number for each message", "[counts]")
{
    const Topology ring = Topology::parse("ring:3");
    CHECK(parse_counts("0,1,2\n3,0,4  # from node 1\n5 6 0\n", Collective::all_to_all, ring) ==
          Numbers{0, 1, 2, 3, 0, 4, 5, 6, 0});
    CHECK(parse_counts("7 0 9", Collective::gather, ring) == Numbers{7, 0, 9});
    const auto why = [&](std::string_view text) {
        return error_of([&] { parse_counts(text, Collective::gather, ring); });
    };
    CHECK(why("1 2") == "line 1: the counts end after 2 numbers: gather of ring:3 needs 3");
    CHECK(why("1 2\n3 4") == "line 2: 4 is one number too many: gather of ring:3 needs 3");
    CHECK(why("1 -2 3") == "line 1: '-2' is not a whole number from 0 to 4294967295");
}
