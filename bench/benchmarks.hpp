#pragma once
// All benchmarks of dcube_gbench: a function a file, which bench/main.cpp calls.

#include <benchmark/benchmark.h>

#include <functional>
#include <string>
#include <vector>

namespace bench {

/// `small`: sizes that take milliseconds, each run once; for a test that every benchmark still works.
enum class Scale : unsigned char { full, small };

void add_catalogue(Scale scale);
void add_clock(Scale scale);
void add_engine(Scale scale);
void add_link_bound(Scale scale);
void add_planning(Scale scale);
void add_peers(Scale scale);
void add_products(Scale scale);

/// The numbers of threads that benchmarks have: 1, 2, 4, ... and all that this process may use; always 2, too, which
/// the documents' claims compare with 1. In names they are "workers:2", because Google Benchmark adds a "threads:2" of
/// its own, which means something else.
const std::vector<unsigned>& worker_counts();

/// Registers a benchmark. It is timed by the wall clock, and the column of the CPU is the time of all threads of the
/// process. It reports that something is wrong by an exception.
void add(Scale scale, const std::string& name, std::function<void(benchmark::State&)> work,
         benchmark::TimeUnit unit = benchmark::kMillisecond);

/// The size for this scale.
template <class T>
T at(Scale scale, T full, T small)
{
    return scale == Scale::full ? full : small;
}

}  // namespace bench
