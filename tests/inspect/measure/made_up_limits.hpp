#pragma once
// Made-up limits, in round numbers.

#include "inspect/measure/limits.hpp"

namespace dcube::test {

/// 1 and 2 threads. Blocks of 8 and 128 bytes: 1 and 4 GB/s in 1 KiB, a quarter of that in 16 KiB; copies: 10 GB/s in
/// 1 KiB, 2.5 in 16 KiB. A barrier takes 1 us. Two threads do everything twice as fast, but for the barrier's 2 us.
/// Lines from the other core take 80 ns one by one, 10 side by side, 8 with prefetching, 5 at best.
inline measure::Limits made_up_limits()
{
    measure::Limits limits;
    limits.date = "2026-01-31T12:00:00Z";
    limits.fingerprint = "0123456789abcdef";
    limits.pin = "none";
    for (const unsigned threads : {1U, 2U}) {
        const auto rate = [&](double gigabytes) { return gigabytes * 1e9 * threads; };
        limits.threads.push_back({threads,
                                  {{1024, rate(10), rate(11)}, {16384, rate(2.5), rate(3)}},
                                  {{8, 1024, rate(1), rate(1)},
                                   {128, 1024, rate(4), rate(4)},
                                   {8, 16384, rate(0.25), rate(0.3)},
                                   {128, 16384, rate(1), rate(1.25)}},
                                  1e-6 * threads,
                                  {{64, 1e-6}, {1024, 1e-5}},
                                  {},
                                  1e-6 * threads});
    }
    limits.threads[1].empty_steps[0].all_threads_seconds = 2e-6;
    limits.threads[1].empty_steps[1].all_threads_seconds = 8e-6;
    limits.threads[1].learned = {{0, 2e-6}, {3e-6, 2.5e-6}};
    limits.channel = {5e-9, 9e-8};
    limits.handover = {{0, 3}, {{std::nullopt, 8e-8}, {8e-8, std::nullopt}}};
    const measure::LineRates lines{8e-8, 1e8, 1.25e8, 2e8};
    limits.lines = {{0, 3}, {{std::nullopt, lines}, {lines, std::nullopt}}, {{"same socket", 1, lines}}};
    limits.pages = {4096, "madvise", "transparent huge pages"};
    return limits;
}

}  // namespace dcube::test
