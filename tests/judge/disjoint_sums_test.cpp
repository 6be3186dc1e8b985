// The sums that can be made of those that a node holds: against all choices of them, tried one by one.

#include "tests/support/catch.hpp"
#include "tests/support/random_draw.hpp"

#include "judge/held_sums.hpp"

#include <vector>

using namespace dcube;
using Answer = Partition::Answer;

namespace {

struct Masked {  // a sum of the nodes whose bits are set
    unsigned nodes;
    Time since;
};

HeldSum held(const Masked& sum)
{
    std::vector<NodeId> ids;
    for (NodeId node = 0; node < 32; ++node)
        if ((sum.nodes >> node & 1U) != 0)
            ids.push_back(node);
    return {std::make_shared<const Contributors>(Contributors::of(ids)), 1, sum.since};
}

bool some_choice_makes(unsigned wanted, const std::vector<Masked>& sums, Time now)
{
    for (unsigned choice = 1; choice < 1U << sums.size(); ++choice) {
        unsigned nodes = 0;
        bool good = true;
        for (std::size_t i = 0; i < sums.size(); ++i)
            if ((choice >> i & 1U) != 0) {
                good = good && (nodes & sums[i].nodes) == 0 && sums[i].since <= now;
                nodes |= sums[i].nodes;
            }
        if (good && nodes == wanted)
            return true;
    }
    return false;
}

}  // namespace

TEST_CASE("a sum can be made if some choice of disjoint ones makes it", "[judge][sums]")
{
    test_support::Draw draw(11);
    unsigned possible = 0;
    for (int round = 0; round < 3000; ++round) {
        const std::size_t nodes = 3 + draw.below(6);
        std::vector<Masked> sums;
        for (std::size_t i = 1 + draw.below(9); i > 0; --i)
            sums.push_back({1U + static_cast<unsigned>(draw.below((1U << nodes) - 1)), draw.below(3)});
        std::vector<HeldSum> all;
        for (const Masked& sum : sums)
            all.push_back(held(sum));
        const unsigned wanted =
            draw.chance(40) ? (1U << nodes) - 1 : 1U + static_cast<unsigned>(draw.below((1U << nodes) - 1));
        const Time now = draw.below(3);
        const MadeSum made = make_sum(*held({wanted, 0}).nodes, all, now);
        CAPTURE(round, wanted, now);
        const bool expected = some_choice_makes(wanted, sums, now);
        REQUIRE(made.answer == (expected ? Answer::found : Answer::none));
        REQUIRE((!expected || made.since <= now));
        possible += expected ? 1 : 0;
    }
    CHECK(possible > 500);
    CHECK(possible < 2500);
}

TEST_CASE("many sums that do not overlap are no search, and an empty choice makes nothing", "[judge][sums]")
{
    std::vector<HeldSum> all;
    for (NodeId node = 0; node < 200'000; ++node)
        all.push_back({std::make_shared<const Contributors>(node), 1, node});
    const MadeSum made = make_sum(Contributors({{0, 199'999}}), all, 200'000);
    CHECK(made.possible());
    CHECK(made.since == 199'999);
    CHECK(make_sum(Contributors(7), {}, 0).answer == Answer::none);
}

TEST_CASE("a search that is too long is given up, and says so", "[judge][sums]")
{
    // Pairs (0,1), (1,2), ... (0,2), (1,3), ...: of an odd number of nodes no choice of pairs is all.
    std::vector<HeldSum> pairs;
    for (NodeId node = 0; node < 61; ++node)
        for (const NodeId apart : {1U, 2U, 3U})
            if (node + apart < 61)
                pairs.push_back(
                    {std::make_shared<const Contributors>(Contributors::of(std::vector<NodeId>{node, node + apart}))});
    CHECK(make_sum(Contributors({{0, 60}}), pairs, 0).answer == Answer::unknown);
    CHECK(make_sum(Contributors({{0, 59}}), pairs, 0).answer == Answer::found);
}
