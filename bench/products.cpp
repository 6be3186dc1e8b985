// Total exchange on products: planning, and running what was planned.

#include "algorithms/dimakopoulos/edge_colouring.hpp"
#include "bench/counters.hpp"
#include "bench/prepared.hpp"

#include <benchmark/benchmark.h>

#include <fmt/format.h>

#include <string>

namespace {

using namespace dcube;

constexpr const char* planned[] = {"torus:8x8",     "torus:16x16", "torus:32x32", "torus:64x64",
                                   "torus:128x128", "kary:4^3",    "kary:4^4",    "kary:4^5",
                                   "kary:4^6",      "ghc:8x8x8",   "ghc:16x16x16"};

// Unit operations are what is coloured: one node's hops.
void plan(benchmark::State& state, const char* network)
{
    const Topology topology = Topology::parse(network);
    for (auto _ : state)
        benchmark::DoNotOptimize(detail::abelian_exchange(topology));
    state.counters["operations"] = static_cast<double>(topology.status(0));
    state.counters["s/operation"] =
        benchmark::Counter(static_cast<double>(topology.status(0)),
                           benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

// The whole of it: the schedule, and the plan that nodes walk.
void prepare(benchmark::State& state, const char* network)
{
    const Topology topology = Topology::parse(network);
    const Problem problem{Collective::all_to_all, 64};
    const Algorithm& algorithm = find_algorithm(topology, PortModel::all, problem);
    for (auto _ : state)
        benchmark::DoNotOptimize(algorithm.prepare(topology, problem));
}

void exchange(benchmark::State& state, const char* network, const char* algorithm, unsigned threads)
{
    constexpr std::size_t bytes = 64;
    const Topology topology = Topology::parse(network);
    bench::Prepared prepared(topology, {.threads = threads}, {Collective::all_to_all, bytes}, algorithm);
    Counts counts;
    for (auto _ : state)
        counts = prepared.run();
    prepared.check();
    bench::count_hops(state, counts, bytes);
}

const bool registered = [] {
    for (const char* const network : planned)
        benchmark::RegisterBenchmark(fmt::format("products/colouring/{}", network).c_str(),
                                     [network](benchmark::State& state) { plan(state, network); })
            ->Unit(benchmark::kMillisecond);
    for (const char* const network : {"torus:16x16", "torus:32x32", "torus:31x32", "kary:4^5", "mesh:16x16"})
        benchmark::RegisterBenchmark(fmt::format("products/plan/{}", network).c_str(), [network](
                                                                                           benchmark::State& state) {
            prepare(state, network);
        })->Unit(benchmark::kMillisecond);
    for (const auto& [network, algorithm] : {std::pair{"torus:32x32", "edge-colouring"},
                                             {"mesh:16x16", "digit-rounds"},
                                             {"hypercube:10", "optimal"},
                                             {"hypercube:10", "edge-colouring"}})
        for (const unsigned threads : {1U, 2U})
            benchmark::RegisterBenchmark(
                fmt::format("products/all-to-all/{}/{}/threads:{}", network, algorithm, threads).c_str(),
                [=](benchmark::State& state) { exchange(state, network, algorithm, threads); })
                ->UseRealTime()
                ->Unit(benchmark::kMillisecond);
    return true;
}();

}  // namespace
