// Every entry of the catalogue, at a size where each takes a few milliseconds.

#include "bench/counters.hpp"
#include "bench/prepared.hpp"

#include <benchmark/benchmark.h>

#include <fmt/format.h>

using namespace dcube;

namespace {

constexpr unsigned dimension = 7;  // two-centre all-reduce is for few dimensions, 7 among them
constexpr std::size_t bytes = 64;

void collective(benchmark::State& state, const Algorithm& algorithm, unsigned threads)
{
    const Topology topology = Topology::hypercube(dimension);
    const bool vector = algorithm.collective == Collective::all_reduce;
    const Problem problem{algorithm.collective, bytes, vector ? topology.nodes() : 1U};
    if (const std::string obstacle = obstacle_of(algorithm, topology, algorithm.ports, problem); !obstacle.empty()) {
        state.SkipWithError(obstacle.c_str());
        return;
    }
    bench::Prepared prepared(topology, {.ports = algorithm.ports, .threads = threads}, problem,
                             std::string(algorithm.name));
    Counts counts;
    for (auto _ : state)
        counts = prepared.run();
    prepared.check();
    bench::count_hops(state, counts, bytes);
}

const bool registered = [] {
    for (const Algorithm& algorithm : catalogue())
        for (const unsigned threads : {1U, 2U})
            benchmark::RegisterBenchmark(
                fmt::format("{}/{}/dim:{}/bytes:{}/threads:{}", name(algorithm.collective), algorithm.name, dimension,
                            bytes, threads)
                    .c_str(),
                [&algorithm, threads](benchmark::State& state) { collective(state, algorithm, threads); })
                ->UseRealTime()
                ->Unit(benchmark::kMicrosecond);
    return true;
}();

}  // namespace
