// What the table of figures measures in its own process: medians of interleaved repetitions.

#include "base/memory.hpp"
#include "bench/figures/values.hpp"
#include "bench/prepared.hpp"
#include "bench/programs.hpp"
#include "measure/statistics.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace figures {

using namespace dcube;

namespace {

double seconds_of(const std::function<void()>& work)
{
    const auto began = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

// Medians of the works' times, each run in turn.
std::vector<double> medians(int times, const std::vector<std::function<void()>>& works)
{
    std::vector<std::vector<double>> seconds(works.size());
    for (int time = 0; time < times; ++time)
        for (std::size_t work = 0; work < works.size(); ++work)
            seconds[work].push_back(seconds_of(works[work]));
    std::vector<double> result;
    for (const std::vector<double>& values : seconds)
        result.push_back(measure::median(values));
    return result;
}

bench::Prepared all_to_all(const Topology& topology, std::size_t bytes, const MachineOptions& options)
{
    return bench::Prepared(topology, options, {Collective::all_to_all, bytes});
}

double hops(unsigned dimension)
{
    const double n = static_cast<double>(std::uint64_t{1} << dimension);
    return n * n / 2 * dimension;
}

Values hop_rates()
{
    const Topology cube = Topology::hypercube(10);
    auto words = all_to_all(cube, 8, {.threads = 2});
    auto slots = all_to_all(cube, 64, {.threads = 2});
    auto spsc = all_to_all(cube, 64, {.threads = 2, .channel = ChannelKind::spsc});
    auto unchecked = all_to_all(cube, 64, {.threads = 2, .unchecked = true});
    const std::vector<double> seconds =
        medians(15, {[&] { words.run(); }, [&] { slots.run(); }, [&] { spsc.run(); }, [&] { unchecked.run(); }});
    return {{"packets-8", hops(10) / seconds[0]},
            {"packets-64", hops(10) / seconds[1]},
            {"packets-spsc", hops(10) / seconds[2]},
            {"rules", seconds[1] / seconds[3] - 1}};
}

Values small_machines()
{
    auto tiny = all_to_all(Topology::hypercube(4), 64, {.threads = 2});
    auto small = all_to_all(Topology::hypercube(8), 64, {.threads = 2});
    return {{"exchange-4", medians(2001, {[&] { tiny.run(); }})[0]},
            {"exchange-8", medians(101, {[&] { small.run(); }})[0]}};
}

Values two_threads()
{
    const Topology cube = Topology::hypercube(12);
    auto one = all_to_all(cube, 8, {.threads = 1});
    auto two = all_to_all(cube, 8, {.threads = 2});
    const std::vector<double> seconds = medians(5, {[&] { one.run(); }, [&] { two.run(); }});
    return {{"two-threads", seconds[0] / seconds[1]}};
}

Values torus()
{
    auto exchange = all_to_all(Topology::parse("torus:32x32"), 64, {.threads = 2});
    Counts counts;
    const double seconds = medians(5, {[&] { counts = exchange.run(); }})[0];
    return {{"torus", static_cast<double>(counts.transmissions) / seconds}};
}

// All nodes send over all ports in every step, and receive.
Values user_program()
{
    constexpr Step steps = 200;
    Machine machine(Topology::hypercube(10), {.threads = 1, .watch_lent_bytes = false});
    std::vector<std::uint64_t> memory(std::size_t{2} * machine.topology().nodes());
    Counts counts;
    const double seconds =
        medians(9, {[&] {
                    counts = machine.run([&](Node& me) {
                        return bench::with_all_neighbours(
                            me, steps, sizeof(std::uint64_t),
                            std::as_writable_bytes(std::span(memory).subspan(std::size_t{2} * me.id(), 2)));
                    });
                }})[0];
    return {{"program-hop", seconds / static_cast<double>(counts.transmissions)}};
}

Values large_packets()
{
    constexpr std::size_t bytes = 4096;
    Values values;
    {
        auto exchange = all_to_all(Topology::hypercube(10), bytes, {.threads = 2});
        const std::vector<double> seconds = medians(5, {[&] { exchange.run(); }, [&] { exchange.copy_everything(); }});
        const double link_rate = hops(10) * static_cast<double>(bytes) / seconds[0];
        const double copy_rate = static_cast<double>(exchange.copied_bytes()) / seconds[1];
        values["link-rate"] = link_rate;
        values["against-memcpy"] = link_rate / copy_rate;
    }
    constexpr double payload = 1024.0 * 1024 * bytes;
    values["peak-memory"] = (static_cast<double>(peak_memory()) - (64 << 20)) / payload;
    return values;
}

Values warm_13()
{
    auto exchange = all_to_all(Topology::hypercube(13), 8, {.threads = 2});
    return {{"exchange-13", medians(3, {[&] { exchange.run(); }})[0]}};
}

double whole_run(unsigned dimension, std::size_t bytes)
{
    Machine machine(Topology::hypercube(dimension), {.threads = 2});
    return seconds_of([&] { run_verified(machine, {Collective::all_to_all, bytes}); });
}

}  // namespace

const std::vector<Measurement>& measurements()
{
    // The peak of memory is the process's: nothing larger may come before it.
    static const std::vector<Measurement> all{{false, hop_rates},
                                              {false, small_machines},
                                              {false, two_threads},
                                              {false, torus},
                                              {false, user_program},
                                              {true, large_packets},
                                              {true, warm_13},
                                              {true,
                                               [] {
                                                   return Values{{"whole-14", whole_run(14, 8)}};
                                               }},
                                              {true, [] {
                                                   return Values{{"whole-15", whole_run(15, 4)}};
                                               }}};
    return all;
}

}  // namespace figures
