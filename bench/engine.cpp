// The engine: hops through either kind of channel, what rules and counters cost, and what a step costs.

#include "bench/benchmarks.hpp"
#include "bench/counters.hpp"
#include "bench/prepared.hpp"
#include "bench/programs.hpp"

#include <benchmark/benchmark.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

using namespace dcube;

namespace {

// The median rate in bytes per second at which the machine's threads copy the input to the output.
double memcpy_rate(bench::Prepared& prepared)
{
    constexpr int times = 5;
    std::vector<double> seconds;
    for (int time = 0; time < times; ++time) {
        const auto began = std::chrono::steady_clock::now();
        prepared.copy_everything();
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    }
    std::ranges::sort(seconds);
    return static_cast<double>(prepared.copied_bytes()) / seconds[times / 2];
}

void exchange(benchmark::State& state, ChannelKind channel, unsigned dimension, std::size_t bytes, unsigned threads)
{
    bench::Prepared all_to_all(Topology::hypercube(dimension), {.threads = threads, .channel = channel},
                               {Collective::all_to_all, bytes});
    Counts counts;
    double seconds = 0;
    for (auto _ : state) {
        counts = all_to_all.run();
        seconds += counts.wall_seconds;
    }
    all_to_all.check();
    bench::count_hops(state, counts);
    if (bytes >= 4096) {  // large blocks are bound by memory: link bytes/s over that of memcpy on the same arrays
        const double moved = static_cast<double>(counts.bytes) * static_cast<double>(state.iterations());
        state.counters["of_memcpy"] = moved / seconds / memcpy_rate(all_to_all);
    }
}

void copying(benchmark::State& state, unsigned dimension, std::size_t bytes, unsigned threads)
{
    bench::Prepared all_to_all(Topology::hypercube(dimension), {.threads = threads}, {Collective::all_to_all, bytes});
    for (auto _ : state)
        all_to_all.copy_everything();
    state.SetBytesProcessed(static_cast<std::int64_t>(all_to_all.copied_bytes()) * state.iterations());
}

// A total exchange on a machine without rules and counts.
void unchecked(benchmark::State& state, unsigned dimension, std::size_t bytes, unsigned threads)
{
    bench::Prepared all_to_all(Topology::hypercube(dimension), {.threads = threads, .unchecked = true},
                               {Collective::all_to_all, bytes});
    for (auto _ : state)
        all_to_all.run();
    const std::uint64_t n = std::uint64_t{1} << dimension;
    Counts counts;
    counts.transmissions = n * n / 2 * dimension;
    counts.bytes = counts.transmissions * bytes;
    counts.steps = static_cast<Step>(n / 2);
    bench::count_hops(state, counts);
}

// Programs that do nothing but end their steps.
void empty_steps(benchmark::State& state, unsigned dimension, unsigned threads)
{
    constexpr Step steps = 1000;
    Machine machine(Topology::hypercube(dimension), {.threads = threads});
    const auto program = [](Node& me) -> Task {
        for (Step step = 0; step < steps; ++step)
            co_await me.next_step();
    };
    for (auto _ : state)
        machine.run(program);
    bench::count_steps(state, steps);
}

void neighbours(benchmark::State& state, const char* network, std::size_t bytes, unsigned threads)
{
    constexpr Step steps = 100;
    Machine machine(Topology::parse(network), {.threads = threads, .watch_lent_bytes = false});
    std::vector<std::byte> memory(machine.topology().nodes() * 2 * bytes);
    const auto program = [&](Node& me) {
        return bench::with_all_neighbours(me, steps, bytes, std::span(memory).subspan(me.id() * 2 * bytes, 2 * bytes));
    };
    Counts counts;
    for (auto _ : state)
        counts = machine.run(program);
    bench::count_hops(state, counts);
}

// Broadcasts one after the other by doubling, in which nodes wait for what comes, or sleep until it is there.
enum class Waits : std::uint8_t { for_arrival, until };

Task doubling(Node& me, unsigned d, unsigned broadcasts, Waits waits, std::uint64_t& value)
{
    const unsigned first = me.id() == 0 ? 0 : static_cast<unsigned>(std::bit_width(me.id()));
    for (unsigned number = 0; number < broadcasts; ++number) {
        if (first != 0) {
            if (waits == Waits::for_arrival)
                co_await me.arrival(first - 1);
            else
                co_await me.until(number * d + first + 1);
            me.receive(first - 1, value);
        }
        for (Port port = first; port < d; ++port) {
            me.send(port, value);
            co_await me.next_step();
        }
    }
}

void broadcasts(benchmark::State& state, Waits waits, unsigned d, unsigned threads)
{
    constexpr unsigned number = 100;
    Machine machine(Topology::hypercube(d), {.threads = threads, .watch_lent_bytes = false});
    std::vector<std::uint64_t> values(machine.topology().nodes());
    Counts counts;
    for (auto _ : state)
        counts = machine.run([&](Node& me) { return doubling(me, d, number, waits, values[me.id()]); });
    bench::count_hops(state, counts);
}

struct Size {
    unsigned dimension;
    std::size_t bytes;
    unsigned threads;
};

std::string name_of(const Size& size)
{
    return fmt::format("dim:{}/bytes:{}/workers:{}", size.dimension, size.bytes, size.threads);
}

void add_exchanges(bench::Scale scale, const Size& size)
{
    const auto& [d, bytes, threads] = size;
    for (const ChannelKind channel : {ChannelKind::slots, ChannelKind::spsc})
        bench::add(scale, fmt::format("engine/{}/{}", name(channel), name_of(size)),
                   [=](benchmark::State& state) { exchange(state, channel, d, bytes, threads); });
}

}  // namespace

void bench::add_engine(Scale scale)
{
    using Sizes = std::vector<std::pair<unsigned, std::size_t>>;
    const unsigned all = worker_counts().back();
    for (const unsigned threads : worker_counts())
        for (const auto& [dimension, bytes] : at(scale, Sizes{{4, 64}, {10, 8}, {10, 64}, {12, 8}}, {{4, 64}, {5, 8}}))
            add_exchanges(scale, {dimension, bytes, threads});
    const auto [large, page] = at(scale, Sizes{{10, 4096}}, {{3, 4096}}).front();
    add_exchanges(scale, {large, page, all});

    const auto d = at(scale, 10U, 4U);
    for (const std::size_t bytes : {8U, 64U, 4096U})
        add(scale, "engine/memcpy/" + name_of({d, bytes, all}),
            [=](benchmark::State& state) { copying(state, d, bytes, all); });
    add(scale, "engine/unchecked/" + name_of({d, 64, all}),
        [=](benchmark::State& state) { unchecked(state, d, 64, all); });
    for (const unsigned threads : worker_counts()) {
        for (const auto& [network, bytes] :
             at(scale, std::vector<std::pair<const char*, std::size_t>>{{"hypercube:10", 8}, {"torus:32x32", 64}},
                {{"hypercube:3", 8}}))
            add(scale, fmt::format("engine/program/{}/bytes:{}/workers:{}", network, bytes, threads),
                [=](benchmark::State& state) { neighbours(state, network, bytes, threads); });
        for (const auto& [waits, how] : {std::pair{Waits::until, "until"}, {Waits::for_arrival, "arrival"}})
            add(scale, fmt::format("engine/broadcasts/{}/dim:{}/workers:{}", how, d, threads),
                [=](benchmark::State& state) { broadcasts(state, waits, d, threads); });
    }
    for (const unsigned dimension : at(scale, std::vector{4U, 10U, 14U}, {2U}))
        for (const unsigned threads : worker_counts())
            add(scale, fmt::format("engine/empty-steps/dim:{}/workers:{}", dimension, threads),
                [=](benchmark::State& state) { empty_steps(state, dimension, threads); });
}
