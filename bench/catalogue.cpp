// Every entry of the catalogue, at a size where each takes a few milliseconds.

#include "bench/benchmarks.hpp"
#include "bench/counters.hpp"
#include "bench/prepared.hpp"
#include "bench/suitable.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

using namespace dcube;

namespace {

using Names = std::vector<std::string>;

// An entry runs on the first network on which it can do something. Two-centre all-reduce needs 3 or 7 dimensions,
// submatrices need an even number, and entries with long searches run on at most 64 nodes.
Names networks_for(Networks networks, bench::Scale scale)
{
    switch (networks) {
    case Networks::hypercubes:
        return at(scale, Names{"hypercube:7", "hypercube:6"}, {"hypercube:3", "hypercube:4", "hypercube:5"});
    case Networks::products:
        return at(scale, Names{"mesh:8x16", "mesh:8x8", "ring:8*path:16", "ring:128", "path:64"},
                  {"mesh:2x3", "ring:5", "path:4"});
    case Networks::no_hypercubes:
        return at(scale, Names{"torus:8x16", "torus:8x8", "ring:128", "complete:64"},
                  {"torus:3x4", "ring:5", "complete:5"});
    case Networks::equal_factors: return at(scale, Names{"mesh:11x11", "mesh:8x8"}, {"mesh:3x3"});
    case Networks::rings_and_complete:
        return at(scale, Names{"ring:8*complete:16", "ring:8*complete:8"}, {"ring:4*complete:3"});
    case Networks::groups: return at(scale, Names{"star:5", "star:4"}, {"star:3"});
    }
    return {};
}

void run_entry(benchmark::State& state, const Algorithm& algorithm, const bench::Task& task, unsigned threads)
{
    MachineOptions options{.ports = algorithm.ports, .link = task.problem.link, .threads = threads};
    bench::Prepared prepared(task.topology, options, task.problem, std::string(algorithm.name));
    Counts counts;
    for (auto _ : state)
        counts = prepared.run();
    prepared.check();
    bench::count_hops(state, counts);
}

}  // namespace

void bench::add_catalogue(Scale scale)
{
    for (const Algorithm& algorithm : catalogue()) {
        const Task task = suitable_task(algorithm, networks_for(algorithm.networks, scale));
        for (const unsigned threads : {1U, 2U})
            add(
                scale,
                fmt::format("catalogue/{}/{}/{}/{}/threads:{}", name(algorithm.collective), algorithm.name,
                            name(algorithm.link), task.topology.name(), threads),
                [&algorithm, task, threads](benchmark::State& state) { run_entry(state, algorithm, task, threads); },
                benchmark::kMicrosecond);
    }
}
