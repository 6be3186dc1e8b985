// The engine: hops through either kind of channel, what rules and counters cost, and what a step costs.

#include "bench/all_to_all.hpp"
#include "bench/counters.hpp"
#include "bench/prepared.hpp"

#include <benchmark/benchmark.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

using namespace dcube;

namespace {

// The median rate in bytes a second at which the machine's threads copy the input to the output.
double memcpy_rate(bench::Prepared& prepared)
{
    constexpr int times = 5;
    std::vector<double> seconds;
    for (int time = 0; time < times; ++time) {
        const auto began = std::chrono::steady_clock::now();
        prepared.copy_everything();
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    }
    std::ranges::sort(seconds);
    return static_cast<double>(prepared.copied_bytes()) / seconds[times / 2];
}

void exchange(benchmark::State& state, ChannelKind channel, unsigned dimension, std::size_t bytes, unsigned threads)
{
    bench::Prepared all_to_all(Topology::hypercube(dimension), {.threads = threads, .channel = channel},
                               {Collective::all_to_all, bytes});
    Counts counts;
    double seconds = 0;
    for (auto _ : state) {
        counts = all_to_all.run();
        seconds += counts.wall_seconds;
    }
    all_to_all.check();
    bench::count_hops(state, counts, bytes);
    if (bytes >= 4096) {  // large blocks are bound by memory: link bytes/s over that of memcpy on the same arrays
        const double moved = static_cast<double>(counts.bytes) * static_cast<double>(state.iterations());
        state.counters["of_memcpy"] = moved / seconds / memcpy_rate(all_to_all);
    }
}

void copying(benchmark::State& state, unsigned dimension, std::size_t bytes, unsigned threads)
{
    bench::Prepared all_to_all(Topology::hypercube(dimension), {.threads = threads}, {Collective::all_to_all, bytes});
    for (auto _ : state)
        all_to_all.copy_everything();
    state.SetBytesProcessed(static_cast<std::int64_t>(all_to_all.copied_bytes()) * state.iterations());
}

void variant(benchmark::State& state, bench::Run (*make)(unsigned, std::size_t, unsigned), unsigned dimension,
             std::size_t bytes, unsigned threads)
{
    const bench::Run run = make(dimension, bytes, threads);
    for (auto _ : state)
        run();
    const std::uint64_t n = std::uint64_t{1} << dimension;
    Counts counts;
    counts.transmissions = n * n / 2 * dimension;
    counts.steps = static_cast<Step>(n / 2);
    bench::count_hops(state, counts, bytes);
}

// Programs that do nothing but end their steps.
void empty_steps(benchmark::State& state, unsigned dimension, unsigned threads)
{
    constexpr Step steps = 1000;
    Machine machine(Topology::hypercube(dimension), {.threads = threads});
    const auto program = [](Node& me) -> Task {
        for (Step step = 0; step < steps; ++step)
            co_await me.next_step();
    };
    for (auto _ : state)
        machine.run(program);
    using benchmark::Counter;
    const auto count = static_cast<double>(steps) * static_cast<double>(state.iterations());
    state.counters["time/step"] = Counter(count, Counter::kIsRate | Counter::kInvert);
}

template <class Function, class... Arguments>
void add(const std::string& name, Function function, Arguments... arguments)
{
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { function(state, arguments...); })
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
}

const bool registered = [] {
    struct Size {
        unsigned dimension;
        std::size_t bytes;
        unsigned threads;
    };
    for (const auto& [d, bytes, threads] : {Size{4, 64, 2}, Size{10, 8, 1}, Size{10, 8, 2}, Size{10, 64, 1},
                                            Size{10, 64, 2}, Size{12, 8, 1}, Size{12, 8, 2}, Size{10, 4096, 2}}) {
        const std::string size = fmt::format("dim:{}/bytes:{}/threads:{}", d, bytes, threads);
        for (const ChannelKind channel : {ChannelKind::slots, ChannelKind::spsc})
            add(fmt::format("engine/{}/{}", name(channel), size), exchange, channel, d, bytes, threads);
        if (d == 10 && threads == 2)
            add("engine/memcpy/" + size, copying, d, bytes, threads);
    }
    add("engine/checked/dim:10/bytes:64/threads:2", variant, bench::checked_all_to_all, 10U, std::size_t{64}, 2U);
    add("engine/unchecked/dim:10/bytes:64/threads:2", variant, bench::unchecked_all_to_all, 10U, std::size_t{64}, 2U);
    for (const unsigned d : {4U, 10U, 14U})
        for (const unsigned threads : {1U, 2U})
            add(fmt::format("engine/empty-steps/dim:{}/threads:{}", d, threads), empty_steps, d, threads);
    return true;
}();

}  // namespace
