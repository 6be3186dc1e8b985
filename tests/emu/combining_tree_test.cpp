// The combining tree: the last part to be finished has the sum of all, step after step.

#include "base/threads.hpp"
#include "emu/combining_tree.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

using namespace dcube::detail;

TEST_CASE("combining tree: whatever the order, only the last part gets the sum", "[emu]")
{
    std::mt19937 random(1);
    for (const std::size_t parts : {1U, 2U, 4U, 5U, 16U, 17U, 63U, 64U, 65U, 300U}) {
        CAPTURE(parts);
        CombiningTree tree(parts);
        std::vector<std::size_t> order(parts);
        std::iota(order.begin(), order.end(), std::size_t{0});
        for (std::uint32_t step = 1; step <= 20; ++step) {
            std::ranges::shuffle(order, random);
            Summary sum;
            for (std::size_t i = 0; i < parts; ++i) {
                const Summary part{.longest = random() % (dcube::Time{1} << 60),
                                   .next = static_cast<dcube::Step>(step + 7 + random() % 5),
                                   .work_ns = static_cast<std::uint16_t>(random() % (step * step)),
                                   .sent = random() % parts == 0,
                                   .left = random() % parts == 0,
                                   .able = random() % parts == 0,
                                   .has_events = random() % parts == 0};
                sum.add(part);
                const auto total = tree.finish(order[i], part);
                REQUIRE(total.has_value() == (i + 1 == parts));
                if (total)
                    REQUIRE(*total == sum);
            }
        }
    }
}

TEST_CASE("combining tree: it has a level for every factor of four", "[emu]")
{
    CHECK(CombiningTree(1).levels() == 1);
    CHECK(CombiningTree(4).levels() == 1);
    CHECK(CombiningTree(5).levels() == 2);
    CHECK(CombiningTree(16).levels() == 2);
    CHECK(CombiningTree(17).levels() == 3);
    CHECK(CombiningTree(256).levels() == 4);
}

// The thread that has the sum may read plain memory that a part's thread wrote (the thread sanitizer looks).
TEST_CASE("combining tree: exactly one of many threads gets the sum, and sees what all did", "[emu]")
{
    constexpr std::size_t parts = 8;
    for (int round = 0; round < 50; ++round) {
        CombiningTree tree(parts);
        std::vector<std::uint16_t> written(parts, 0);
        std::atomic<int> closers{0};
        std::uint32_t seen = 0;
        {
            std::vector<JoiningThread> threads;
            for (std::size_t part = 0; part < parts; ++part)
                threads.emplace_back([&, part] {
                    written[part] = static_cast<std::uint16_t>(part + 1);
                    if (const auto sum = tree.finish(part, {.work_ns = written[part]})) {
                        ++closers;
                        seen = std::accumulate(written.begin(), written.end(), 0U) == sum->work_ns ? sum->work_ns : 0;
                    }
                });
        }
        CHECK(closers == 1);
        CHECK(seen == parts * (parts + 1) / 2);
    }
}

TEST_CASE("summaries: work that does not fit counts as the most that does, and nothing sums to nothing", "[emu]")
{
    Summary sum{.work_ns = 60'000U};
    sum.add({.longest = 7, .next = 3, .work_ns = 6'000U});
    CHECK(sum.work_ns == 65'535U);
    sum.add({.longest = 5, .next = 9, .work_ns = 1, .has_events = true});
    CHECK(sum.work_ns == 65'535U);
    CHECK(sum.longest == 7);
    CHECK(sum.next == 3);
    CHECK(sum.has_events);
    Summary nothing;
    nothing.add({});
    CHECK(nothing == Summary());
    CHECK(nothing.next == Summary::never);
}
