#pragma once
// All benchmarks of dcube_gbench: a function a file, which bench/main.cpp calls.

#include <benchmark/benchmark.h>

#include <functional>
#include <string>

namespace bench {

/// `small`: sizes that take milliseconds, each run once; for a test that every benchmark still works.
enum class Scale : unsigned char { full, small };

void add_catalogue(Scale scale);
void add_engine(Scale scale);
void add_link_bound(Scale scale);
void add_planning(Scale scale);
void add_peers(Scale scale);
void add_products(Scale scale);

/// Registers a benchmark, which is timed by the wall clock. It reports that something is wrong by an exception.
void add(Scale scale, const std::string& name, std::function<void(benchmark::State&)> work,
         benchmark::TimeUnit unit = benchmark::kMillisecond);

/// The size for this scale.
template <class T>
T at(Scale scale, T full, T small)
{
    return scale == Scale::full ? full : small;
}

}  // namespace bench
