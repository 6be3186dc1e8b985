// Algorithms for link-bound machines: real time, not virtual. The plain loops that move the same bytes are
// peers/plain-exchange, and peers/memcpy.

#include "bench/benchmarks.hpp"
#include "bench/prepared.hpp"

#include <fmt/format.h>

#include <string>

namespace {

using namespace dcube;

struct Size {
    unsigned dimension;
    std::size_t bytes;
    std::int64_t beta_ns;
};

void run(benchmark::State& state, Collective collective, const std::string& algorithm, const Size& size)
{
    const LinkModel model{LinkKind::link_bound, {1, 1}, {size.beta_ns, 1}, LinkClock::data_driven};
    const Topology topology = Topology::hypercube(size.dimension);
    Problem problem{.collective = collective, .bytes = size.bytes};
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

void add_run(bench::Scale scale, Collective collective, const std::string& algorithm, const Size& size)
{
    bench::add(scale,
               fmt::format("link-bound/{}/{}/dim:{}/bytes:{}/beta:{}", name(collective), algorithm, size.dimension,
                           size.bytes, size.beta_ns),
               [=](benchmark::State& state) { run(state, collective, algorithm, size); });
}

}  // namespace

void bench::add_link_bound(Scale scale)
{
    const auto d = at(scale, 10U, 4U);
    add_run(scale, Collective::all_to_all, "rotated", {d, 64, 1000});
    add_run(scale, Collective::all_to_all, "rotated", {d, 4096, 1000});
    const auto most = at(scale, 12U, 5U);
    const auto megabyte = at(scale, std::size_t{1} << 20, std::size_t{1} << 12);
    add_run(scale, Collective::broadcast, "pipelined-pruned", {most, 16 << 10, 1000});
    add_run(scale, Collective::broadcast, "pipelined-pruned", {most, megabyte, 1000});
    // Packets as large as those of 64 MiB with beta = 1000.
    add_run(scale, Collective::broadcast, "pipelined-pruned", {most, megabyte, 100000});
}
