// The table of figures that README names: each measured here and now, beside its target. Medians of interleaved
// repetitions; what is compared runs in one process. `--large` adds the two that take 10 GB or a minute.

#include "bench/prepared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

using namespace dcube;

namespace {

double seconds_of(const std::function<void()>& work)
{
    const auto began = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

double median(std::vector<double> values)
{
    std::ranges::sort(values);
    return values[values.size() / 2];
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
        result.push_back(median(values));
    return result;
}

void row(const std::string& what, const std::string& measured, const std::string& target)
{
    fmt::print("{:<58} {:>14}  {}\n", what, measured, target);
    std::fflush(stdout);
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

std::string millions(double rate)
{
    return fmt::format("{:.1f}", rate / 1e6);
}

void hop_rates()
{
    const Topology cube = Topology::hypercube(10);
    auto words = all_to_all(cube, 8, {.threads = 2});
    auto slots = all_to_all(cube, 64, {.threads = 2});
    auto spsc = all_to_all(cube, 64, {.threads = 2, .channel = ChannelKind::spsc});
    auto unchecked = all_to_all(cube, 64, {.threads = 2, .unchecked = true});
    const std::vector<double> seconds =
        medians(15, {[&] { words.run(); }, [&] { slots.run(); }, [&] { spsc.run(); }, [&] { unchecked.run(); }});
    row("all-to-all d=10 8 B, 10^6 hops/s", millions(hops(10) / seconds[0]), ">= 250");
    row("all-to-all d=10 64 B, 10^6 hops/s", millions(hops(10) / seconds[1]), ">= 150");
    row("the same through spsc_queue, 10^6 hops/s", millions(hops(10) / seconds[2]), "");
    row("rules and counters cost there", fmt::format("{:.1f} %", (seconds[1] / seconds[3] - 1) * 100), "<= 10 %");
}

void scaling()
{
    const Topology cube = Topology::hypercube(12);
    auto one = all_to_all(cube, 8, {.threads = 1});
    auto two = all_to_all(cube, 8, {.threads = 2});
    const std::vector<double> seconds = medians(5, {[&] { one.run(); }, [&] { two.run(); }});
    row("two threads against one, d=12 8 B", fmt::format("{:.2f} x", seconds[0] / seconds[1]), ">= 1.85 x");
}

void small_machines()
{
    auto tiny = all_to_all(Topology::hypercube(4), 64, {.threads = 2});
    auto small = all_to_all(Topology::hypercube(8), 64, {.threads = 2});
    row("one exchange on a warm machine, d=4 64 B",
        fmt::format("{:.1f} us", medians(2001, {[&] { tiny.run(); }})[0] * 1e6), "<= 5 us");
    row("one exchange on a warm machine, d=8 64 B",
        fmt::format("{:.2f} ms", medians(101, {[&] { small.run(); }})[0] * 1e3), "<= 1.5 ms");
    const std::string command = fmt::format("'{}' run all-to-all --dim 10 --bytes 8 >/dev/null", DCUBE_PROGRAM);
    const auto start = [&command] {
        if (std::system(command.c_str()) != 0)
            throw std::runtime_error(command + " failed");
    };
    start();
    row("process start to verified result, d=10 8 B", fmt::format("{:.3f} s", medians(5, {start})[0]), "<= 0.08 s");
}

void networks()
{
    auto torus = all_to_all(Topology::parse("torus:32x32"), 64, {.threads = 2});
    Counts counts;
    const double seconds = medians(5, {[&] { counts = torus.run(); }})[0];
    row("all-to-all torus 32x32 64 B, 10^6 hops/s", millions(static_cast<double>(counts.transmissions) / seconds),
        ">= 120");
}

void large_packets()
{
    constexpr std::size_t bytes = 4096;
    {
        auto exchange = all_to_all(Topology::hypercube(10), bytes, {.threads = 2});
        const std::vector<double> seconds = medians(5, {[&] { exchange.run(); }, [&] { exchange.copy_everything(); }});
        const double link_rate = hops(10) * static_cast<double>(bytes) / seconds[0];
        const double copy_rate = static_cast<double>(exchange.copied_bytes()) / seconds[1];
        row("all-to-all d=10 4 KiB, GB/s over the links", fmt::format("{:.2f}", link_rate / 1e9), "");
        row("the same against memcpy of the same arrays", fmt::format("{:.2f}", link_rate / copy_rate), ">= 1.0");
    }
    constexpr double payload = 1024.0 * 1024 * bytes;
    row("peak memory there, times the payload of one direction",
        fmt::format("{:.3f}", (static_cast<double>(peak_memory()) - (64 << 20)) / payload), "<= 2.3 (+ 64 MiB)");
}

void whole_run(unsigned dimension, std::size_t bytes, const char* target)
{
    Machine machine(Topology::hypercube(dimension), {.threads = 2});
    Report report;
    const double seconds = seconds_of([&] { report = run_verified(machine, {Collective::all_to_all, bytes}); });
    row(fmt::format("all-to-all d={} {} B, filled, run, verified, digest", dimension, bytes),
        fmt::format("{:.1f} s", seconds), target);
    row("the run alone", fmt::format("{:.2f} s", report.counts.wall_seconds), "");
}

void large()
{
    auto exchange = all_to_all(Topology::hypercube(13), 8, {.threads = 2});
    row("all-to-all d=13 8 B, warm", fmt::format("{:.2f} s", medians(3, {[&] { exchange.run(); }})[0]), "<= 2.5 s");
}

}  // namespace

int main(int argc, char** argv)
{
    const bool everything = argc > 1 && std::string(argv[1]) == "--large";
    fmt::print("{} hardware threads; medians\n\n", available_threads());
    hop_rates();
    small_machines();
    scaling();
    networks();
    if (!everything)
        return 0;
    large_packets();
    large();
    whole_run(14, 8, "<= 12 s");
    whole_run(15, 4, "<= 75 s");
}
