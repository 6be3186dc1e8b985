// Algorithms for link-bound machines: real time, not virtual. The plain loops that move the same bytes are
// peers/plain-exchange, and peers/memcpy.

#include "bench/prepared.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace dcube;

void run(benchmark::State& state, Collective collective, const char* algorithm, std::int64_t beta)
{
    const LinkModel model{LinkKind::link_bound, {1, 1}, {beta, 1}, LinkClock::data_driven};
    const Topology topology = Topology::hypercube(static_cast<unsigned>(state.range(0)));
    Problem problem{.collective = collective, .bytes = static_cast<std::size_t>(state.range(1))};
    problem.link = model;
    MachineOptions options;
    options.threads = 2;
    options.link = model;
    bench::Prepared prepared(topology, options, problem, algorithm);
    Counts counts;
    for (auto _ : state) {
        counts = prepared.run();
        benchmark::ClobberMemory();
    }
    const auto bytes = static_cast<double>(counts.bytes) * static_cast<double>(state.iterations());
    state.counters["link_bytes/s"] = benchmark::Counter(bytes, benchmark::Counter::kIsRate);
    state.counters["steps"] = counts.steps;
}

void coalesced_exchange(benchmark::State& state)
{
    run(state, Collective::all_to_all, "rotated", 1000);
}
BENCHMARK(coalesced_exchange)
    ->Name("link-bound/all-to-all/rotated")
    ->ArgNames({"dim", "bytes"})
    ->Args({10, 64})
    ->Args({10, 4096})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

void pipelined_broadcast(benchmark::State& state)
{
    run(state, Collective::broadcast, "pipelined-pruned", state.range(2));
}
BENCHMARK(pipelined_broadcast)
    ->Name("link-bound/broadcast/pipelined-pruned")
    ->ArgNames({"dim", "bytes", "beta"})
    ->Args({12, 16 << 10, 1000})
    ->Args({12, 1 << 20, 1000})
    ->Args({12, 1 << 20, 100000})  // packets as large as those of 64 MiB with beta = 1000
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
