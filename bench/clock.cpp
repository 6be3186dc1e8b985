// What several threads cost: the barrier that ends a step, a cache line between two processors, packets that all go
// from one thread to another, and a machine that begins from nothing.

#include "bench/benchmarks.hpp"
#include "bench/counters.hpp"
#include "inspect/measure/measured_limits.hpp"

#include <dcube/dcube.hpp>

#include <benchmark/benchmark.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

using namespace dcube;

namespace {

constexpr NodeId nodes_a_worker = 16;  // a chunk has no fewer

Topology cube_for(unsigned workers)
{
    return Topology::hypercube(static_cast<unsigned>(std::bit_width(std::bit_ceil(nodes_a_worker * workers)) - 1));
}

// All threads come for every step, also where one would run it faster alone, and one node of each is awake.
void barrier(benchmark::State& state, unsigned workers)
{
    constexpr Step steps = 20'000;
    Machine machine(cube_for(workers), measure::with_all_threads({.threads = workers}));
    const auto program = [](Node& me) -> Task {
        if (me.id() % nodes_a_worker != 0)
            co_return;
        for (Step step = 0; step < steps; ++step)
            co_await me.next_step();
    };
    for (auto _ : state)
        machine.run(program);
    bench::count_steps(state, steps);
}

// Half of a round trip between the first and the last processor: the mean of the medians that limits would report.
void handover(benchmark::State& state)
{
    const std::vector<unsigned> processors = measure::allowed_processors();
    if (processors.size() < 2) {
        state.SkipWithError("there is one processor only");
        return;
    }
    double seconds = 0;
    for (auto _ : state)
        seconds += measure::handovers(std::array{processors.front(), processors.back()}, {.seconds = 0.01})
                       .seconds[0][1]
                       .value_or(0);
    state.counters["time/handover"] = benchmark::Counter(seconds, benchmark::Counter::kAvgIterations);
}

// In every step each node sends over its last ports, as many as the threads have levels: the nodes there are those of
// other threads, which have neighbouring nodes. With one thread it is one port, and nothing crosses.
Task over_last_ports(Node& me, unsigned ports, Step steps, std::size_t bytes, std::span<std::byte> memory)
{
    for (Step step = 0; step < steps; ++step) {
        for (Port port = me.ports() - ports; port < me.ports(); ++port)
            me.send(port, memory.first(bytes));
        co_await me.next_step();
        for (Port port = me.ports() - ports; port < me.ports(); ++port)
            me.receive(port, memory.subspan(bytes, bytes));
    }
}

struct Crossing {
    unsigned dimension;
    std::size_t bytes;
    unsigned workers;
};

void crossing(benchmark::State& state, const Crossing& size)
{
    constexpr Step steps = 100;
    const auto& [d, bytes, workers] = size;
    Machine machine(Topology::hypercube(d), measure::with_all_threads({.threads = workers, .watch_lent_bytes = false}));
    const unsigned ports = std::clamp(static_cast<unsigned>(std::bit_width(workers - 1)), 1U, d);
    std::vector<std::byte> memory(machine.topology().nodes() * 2 * bytes);
    const auto program = [&](Node& me) {
        return over_last_ports(me, ports, steps, bytes, std::span(memory).subspan(me.id() * 2 * bytes, 2 * bytes));
    };
    Counts counts;
    for (auto _ : state)
        counts = machine.run(program);
    bench::count_hops(state, counts);
    bench::count_steps(state, steps);
    state.counters["crossing/hop"] =
        static_cast<double>(machine.engine_counts().crossing_packets) / static_cast<double>(counts.transmissions);
}

// A machine is made, filled, run once and verified: what a program does that needs one result.
void cold(benchmark::State& state, const Crossing& size)
{
    Counts counts;
    for (auto _ : state) {
        Machine machine(Topology::hypercube(size.dimension), {.threads = size.workers});
        counts = run_verified(machine, {Collective::all_to_all, size.bytes}).counts;
    }
    bench::count_hops(state, counts);
}

}  // namespace

void bench::add_clock(Scale scale)
{
    using Sizes = std::vector<std::pair<unsigned, std::size_t>>;
    add(scale, "clock/handover", handover);
    for (const unsigned workers : worker_counts()) {
        add(scale, fmt::format("clock/barrier/workers:{}", workers),
            [=](benchmark::State& state) { barrier(state, workers); });
        for (const auto& [d, bytes] : at(scale, Sizes{{8, 8}, {10, 8}, {10, 64}}, {{5, 8}})) {
            const Crossing size{d, bytes, workers};
            add(scale, fmt::format("engine/crossing/dim:{}/bytes:{}/workers:{}", d, bytes, workers),
                [=](benchmark::State& state) { crossing(state, size); });
        }
        for (const unsigned d : at(scale, std::vector{4U, 8U, 10U}, {3U})) {
            const Crossing size{d, 64, workers};
            add(scale, fmt::format("engine/cold/dim:{}/bytes:64/workers:{}", d, workers),
                [=](benchmark::State& state) { cold(state, size); });
        }
    }
}
