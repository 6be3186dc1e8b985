#pragma once
// The counters that every benchmark of a collective has.

#include <dcube/report.hpp>

#include <benchmark/benchmark.h>

namespace bench {

inline void count_hops(benchmark::State& state, const dcube::Counts& counts, std::size_t bytes)
{
    using benchmark::Counter;
    const auto hops = static_cast<double>(counts.transmissions) * static_cast<double>(state.iterations());
    state.counters["hops/s"] = Counter(hops, Counter::kIsRate);
    state.counters["time/hop"] = Counter(hops, Counter::kIsRate | Counter::kInvert);
    state.counters["link_bytes/s"] = Counter(hops * static_cast<double>(bytes), Counter::kIsRate);
    state.counters["steps"] = counts.steps;
}

}  // namespace bench
