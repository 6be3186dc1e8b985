// The same problem without dcube: what the machine's channels, rules and coroutines are measured against.

#include <benchmark/benchmark.h>

#include <oneapi/tbb/parallel_for.h>

#include <barrier>
#include <cstring>
#include <thread>
#include <vector>

namespace {

// Plain loops, dimension by dimension, two threads: in phase k every node copies half of its blocks to its neighbour's
// array. No channels, no steps, no rules.
void plain_exchange(benchmark::State& state)
{
    const unsigned d = static_cast<unsigned>(state.range(0));
    const auto bytes = static_cast<std::size_t>(state.range(1));
    const std::size_t n = std::size_t{1} << d;
    std::vector<std::byte> from(n * n * bytes);
    std::vector<std::byte> to(n * n * bytes);
    for (auto _ : state) {
        for (unsigned k = 0; k < d; ++k) {
            oneapi::tbb::parallel_for(std::size_t{0}, n, [&](std::size_t node) {
                for (std::size_t block = 0; block < n; ++block) {
                    const bool crosses = ((block ^ node) >> k & 1) != 0;
                    const std::size_t owner = crosses ? node ^ std::size_t{1} << k : node;
                    const std::size_t place = crosses ? block ^ std::size_t{1} << k : block;
                    std::memcpy(&to[(node * n + block) * bytes], &from[(owner * n + place) * bytes], bytes);
                }
            });
            std::swap(from, to);
        }
        benchmark::ClobberMemory();
    }
    const auto hops = static_cast<double>(n * n / 2 * d) * static_cast<double>(state.iterations());
    state.counters["hops/s"] = benchmark::Counter(hops, benchmark::Counter::kIsRate);
}
BENCHMARK(plain_exchange)->Args({10, 8})->Args({10, 64})->UseRealTime()->Unit(benchmark::kMillisecond);

// What a step would cost with std::barrier.
void standard_barrier(benchmark::State& state)
{
    constexpr int rounds = 1000;
    for (auto _ : state) {
        std::barrier barrier(2);
        std::thread other([&barrier] {
            for (int round = 0; round < rounds; ++round)
                barrier.arrive_and_wait();
        });
        for (int round = 0; round < rounds; ++round)
            barrier.arrive_and_wait();
        other.join();
    }
    const auto count = static_cast<double>(rounds) * static_cast<double>(state.iterations());
    state.counters["time/step"] = benchmark::Counter(count, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(standard_barrier)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
