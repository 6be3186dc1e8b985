// Random numbers, the same everywhere.

#include "tests/support/catch.hpp"

#include <dcube/machine.hpp>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <vector>

using namespace dcube;

namespace {

std::vector<std::uint64_t> first_of_all_nodes(std::uint64_t seed, unsigned threads)
{
    Machine machine(Topology::hypercube(5), {.threads = threads});
    std::vector<std::uint64_t> first(32);
    RunOptions options;
    options.seed = seed;
    machine.run(
        [&](Node& me) -> Task {
            Random random = me.random();
            first[me.id()] = random();
            co_return;
        },
        options);
    return first;
}

}  // namespace

TEST_CASE("a node's random numbers depend on the run's seed and the node, and on nothing else", "[emu]")
{
    const std::vector<std::uint64_t> one = first_of_all_nodes(1, 1);
    CHECK(first_of_all_nodes(1, 4) == one);
    CHECK(std::set(one.begin(), one.end()).size() == one.size());
    const std::vector<std::uint64_t> other = first_of_all_nodes(2, 1);
    for (std::size_t node = 0; node < one.size(); ++node)
        CHECK(one[node] != other[node]);
    CHECK(one[3] == Random(1, 3)());
}

TEST_CASE("random numbers below a bound are all there, and about equally often", "[emu]")
{
    Random random(7);
    std::array<int, 6> often{};
    constexpr int throws = 60'000;
    for (int i = 0; i < throws; ++i)
        ++often.at(random.below(6));
    for (const int count : often)
        CHECK(std::abs(count - throws / 6) < 500);  // five standard deviations
    double sum = 0;
    for (int i = 0; i < throws; ++i) {
        const double number = random.uniform();
        REQUIRE((number >= 0 && number < 1));
        sum += number;
    }
    CHECK(sum / throws == Approx(0.5).margin(0.006));
}

TEST_CASE("the standard library's algorithms take the generator", "[emu]")
{
    static_assert(std::uniform_random_bit_generator<Random>);
    std::vector<int> cards{1, 2, 3, 4, 5, 6, 7, 8};
    std::shuffle(cards.begin(), cards.end(), Random(3));
    CHECK(std::set(cards.begin(), cards.end()).size() == 8);
}
