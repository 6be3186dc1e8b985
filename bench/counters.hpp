#pragma once
// Counters that benchmarks share.

#include <dcube/report.hpp>

#include <benchmark/benchmark.h>

namespace bench {

inline void count_hops(benchmark::State& state, const dcube::Counts& counts)
{
    using benchmark::Counter;
    const auto runs = static_cast<double>(state.iterations());
    const double hops = static_cast<double>(counts.transmissions) * runs;
    state.counters["hops/s"] = Counter(hops, Counter::kIsRate);
    state.counters["time/hop"] = Counter(hops, Counter::kIsRate | Counter::kInvert);
    state.counters["link_bytes/s"] = Counter(static_cast<double>(counts.bytes) * runs, Counter::kIsRate);
    state.counters["steps"] = counts.steps;
}

/// The time of a step, where every iteration has as many.
inline void count_steps(benchmark::State& state, dcube::Step steps)
{
    using benchmark::Counter;
    const auto count = static_cast<double>(steps) * static_cast<double>(state.iterations());
    state.counters["time/step"] = Counter(count, Counter::kIsRate | Counter::kInvert);
}

}  // namespace bench
