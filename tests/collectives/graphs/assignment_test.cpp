// Matchings of largest weight.

#include "collectives/graphs/assignment.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <vector>

using namespace dcube::detail;

namespace {

PairWeights::Weight weight_of(const PairWeights& weights, const std::vector<std::size_t>& rights)
{
    PairWeights::Weight sum = 0;
    for (std::size_t left = 0; left < rights.size(); ++left)
        sum += weights.at(left, rights[left]);
    return sum;
}

}  // namespace

TEST_CASE("the heaviest matching is the heaviest of all", "[search]")
{
    std::mt19937 random(3);
    for (std::size_t nodes = 1; nodes <= 6; ++nodes)
        for (int repeat = 0; repeat < 20; ++repeat) {
            PairWeights weights(nodes);
            for (std::size_t left = 0; left < nodes; ++left)
                for (std::size_t right = 0; right < nodes; ++right)
                    weights.at(left, right) = random() % 3 == 0 ? 0 : random() % 50;
            std::vector<std::size_t> rights(nodes);
            std::iota(rights.begin(), rights.end(), std::size_t{0});
            PairWeights::Weight most = 0;
            do {
                most = std::max(most, weight_of(weights, rights));
            } while (std::ranges::next_permutation(rights).found);
            const std::vector<std::size_t> found = heaviest_matching(weights);
            CHECK(std::ranges::is_permutation(found, rights));
            CHECK(weight_of(weights, found) == most);
        }
}
