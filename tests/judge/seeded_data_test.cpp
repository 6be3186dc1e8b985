// Data from a seed: every word identifies its origin, and sums are exact.

#include "judge/result_check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/data.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

using namespace dcube;
using test_support::Bytes;
using test_support::bytes_of;
using test_support::filled;

TEST_CASE("check: words differ by seed, origin, target and offset", "[judge]")
{
    const Problem problem{.collective = Collective::all_to_all, .bytes = 32};
    std::set<std::uint64_t> words;
    std::size_t count = 0;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const Bytes input = filled(problem, Topology::hypercube(5), seed);
        for (std::size_t i = 0; i < input.size(); i += 8, ++count) {
            std::uint64_t word = 0;
            std::memcpy(&word, input.data() + i, 8);
            words.insert(word);
        }
    }
    CHECK(words.size() == count);
}

TEST_CASE("check: seeded floats are small integers whose sums are exact in any order", "[judge]")
{
    const Problem problem{.collective = Collective::all_reduce, .bytes = 4000, .type = ElementType::float32};
    const Topology topology = Topology::hypercube(10);
    const Bytes input = filled(problem, topology, 3);
    std::set<float> values;
    std::vector<double> sum(1000);
    std::vector<float> backwards(1000);
    for (std::size_t i = 0; i < input.size() / 4; ++i) {
        float x = 0;
        std::memcpy(&x, input.data() + i * 4, 4);
        values.insert(x);
        sum[i % 1000] += static_cast<double>(x);
        std::memcpy(&x, input.data() + input.size() - 4 - i * 4, 4);
        backwards[999 - i % 1000] += x;
    }
    CHECK(*values.begin() == -64);
    CHECK(*values.rbegin() == 63);
    CHECK(values.size() == 128);
    for (std::size_t i = 0; i < 1000; ++i)
        CHECK(static_cast<double>(backwards[i]) == sum[i]);
    CHECK(Checker(problem, topology, 3).check(5, bytes_of(backwards)) == 1);
}
