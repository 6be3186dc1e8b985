// Total exchange on products: planning, and running what was planned.

#include "algorithms/papers/dimakopoulos/exchanges.hpp"
#include "bench/benchmarks.hpp"
#include "bench/counters.hpp"
#include "bench/prepared.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace {

using namespace dcube;

// Unit operations are what is coloured: one node's hops.
void colour(benchmark::State& state, const std::string& network)
{
    const Topology topology = Topology::parse(network);
    for (auto _ : state)
        benchmark::DoNotOptimize(detail::edge_colouring(topology));
    state.counters["operations"] = static_cast<double>(topology.status(0));
    state.counters["s/operation"] =
        benchmark::Counter(static_cast<double>(topology.status(0)),
                           benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

// The whole of it: the schedule, and the plan that nodes walk.
void prepare(benchmark::State& state, const std::string& network)
{
    const Topology topology = Topology::parse(network);
    const Problem problem{Collective::all_to_all, 64};
    const Entry& algorithm = find_algorithm(topology, PortModel::all, problem);
    for (auto _ : state)
        benchmark::DoNotOptimize(algorithm.prepare(topology, problem));
}

void exchange(benchmark::State& state, const std::string& network, const std::string& algorithm, unsigned threads)
{
    constexpr std::size_t bytes = 64;
    const Topology topology = Topology::parse(network);
    bench::Prepared prepared(topology, {.threads = threads}, {Collective::all_to_all, bytes}, algorithm);
    Counts counts;
    for (auto _ : state)
        counts = prepared.run();
    prepared.check();
    bench::count_hops(state, counts);
}

using Names = std::vector<std::string>;

}  // namespace

void bench::add_products(Scale scale)
{
    for (const std::string& network :
         at(scale,
            Names{"torus:8x8", "torus:16x16", "torus:32x32", "torus:64x64", "torus:128x128", "kary:4^3", "kary:4^4",
                  "kary:4^5", "kary:4^6", "ghc:8x8x8", "ghc:16x16x16"},
            {"torus:4x4", "kary:4^3", "ghc:3x3x3"}))
        add(scale, "products/colouring/" + network, [=](benchmark::State& state) { colour(state, network); });
    for (const std::string& network :
         at(scale, Names{"torus:16x16", "torus:32x32", "torus:31x32", "kary:4^5", "mesh:16x16"},
            {"torus:3x4", "mesh:4x4"}))
        add(scale, "products/plan/" + network, [=](benchmark::State& state) { prepare(state, network); });
    const std::string cube = at(scale, "hypercube:10", "hypercube:4");
    for (const auto& [network, algorithm] :
         {std::pair<std::string, std::string>{at(scale, "torus:32x32", "torus:4x4"), "edge-colouring"},
          {at(scale, "mesh:16x16", "mesh:4x4"), "digit-rounds"},
          {cube, "optimal"},
          {cube, "edge-colouring"}})
        for (const unsigned threads : worker_counts())
            add(scale, fmt::format("products/all-to-all/{}/{}/workers:{}", network, algorithm, threads),
                [=](benchmark::State& state) { exchange(state, network, algorithm, threads); });
}
