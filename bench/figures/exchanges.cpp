// The figures that are measured in this process: medians of interleaved repetitions.

#include "base/memory.hpp"
#include "bench/figures/values.hpp"
#include "bench/prepared.hpp"
#include "bench/programs.hpp"
#include "inspect/measure/host.hpp"
#include "inspect/measure/measured_limits.hpp"
#include "inspect/measure/statistics.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
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
    auto words_one = all_to_all(cube, 8, {.threads = 1});
    auto slots = all_to_all(cube, 64, {.threads = 2});
    auto slots_one = all_to_all(cube, 64, {.threads = 1});
    auto spsc = all_to_all(cube, 64, {.threads = 2, .channel = ChannelKind::spsc});
    auto unchecked = all_to_all(cube, 64, {.threads = 2, .unchecked = true});
    const std::vector<double> seconds =
        medians(15, {[&] { words.run(); }, [&] { words_one.run(); }, [&] { slots.run(); }, [&] { slots_one.run(); },
                     [&] { spsc.run(); }, [&] { unchecked.run(); }});
    return {{"packets-8", hops(10) / seconds[0]},    {"packets-8-one", hops(10) / seconds[1]},
            {"packets-64", hops(10) / seconds[2]},   {"packets-64-one", hops(10) / seconds[3]},
            {"packets-spsc", hops(10) / seconds[4]}, {"rules", seconds[2] / seconds[5] - 1}};
}

// The seconds of an exchange on two threads, and on one.
std::vector<double> exchange_seconds(unsigned dimension, std::size_t bytes, int times)
{
    const Topology cube = Topology::hypercube(dimension);
    auto two = all_to_all(cube, bytes, {.threads = 2});
    auto one = all_to_all(cube, bytes, {.threads = 1});
    return medians(times, {[&] { two.run(); }, [&] { one.run(); }});
}

Values small_machines()
{
    const std::vector<double> tiny = exchange_seconds(4, 64, 2001);
    const std::vector<double> short_steps = exchange_seconds(7, 8, 1001);
    const std::vector<double> small = exchange_seconds(8, 64, 101);
    return {{"exchange-4", tiny[0]},
            {"exchange-4-one", tiny[1]},
            {"exchange-7", short_steps[0]},
            {"exchange-7-one", short_steps[1]},
            {"exchange-8", small[0]},
            {"exchange-8-one", small[1]},
            {"two-threads-7", short_steps[1] / short_steps[0]}};
}

Values two_threads()
{
    const std::vector<double> seconds = exchange_seconds(12, 8, 7);
    return {{"exchange-12", seconds[0]}, {"exchange-12-one", seconds[1]}, {"two-threads", seconds[1] / seconds[0]}};
}

Values handover()
{
    const std::vector<unsigned> processors = measure::allowed_processors();
    if (processors.size() < 2)
        return {};
    const measure::Handover two = measure::handovers(std::span(processors).first(2), {});
    const std::optional<double> seconds = two.seconds[0][1];
    return seconds ? Values{{"handover", *seconds}} : Values{};
}

Values torus()
{
    const Topology network = Topology::parse("torus:32x32");
    auto two = all_to_all(network, 64, {.threads = 2});
    auto one = all_to_all(network, 64, {.threads = 1});
    Counts counts;
    const std::vector<double> seconds = medians(5, {[&] { counts = two.run(); }, [&] { one.run(); }});
    const auto packets = static_cast<double>(counts.transmissions);
    return {{"torus", packets / seconds[0]}, {"torus-one", packets / seconds[1]}};
}

// All nodes send over all ports in every step, and receive. Seconds a hop.
double seconds_of_user_hop(unsigned threads)
{
    constexpr Step steps = 200;
    Machine machine(Topology::hypercube(10), {.threads = threads, .watch_lent_bytes = false});
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
    return seconds / static_cast<double>(counts.transmissions);
}

Values user_program()
{
    return {{"program-hop", seconds_of_user_hop(1)}, {"program-hop-two", seconds_of_user_hop(2)}};
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
    const std::vector<double> seconds = exchange_seconds(13, 8, 3);
    return {{"exchange-13", seconds[0]}, {"exchange-13-one", seconds[1]}};
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
                                              {false, handover},
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
