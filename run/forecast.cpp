// Forecasts.

#include <dcube/run.hpp>

#include "base/threads.hpp"
#include "run/report.hpp"
#include "run/working_memory.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

namespace dcube {

namespace {

constexpr std::size_t the_process = std::size_t{8} << 20;  // the program itself, before it holds any data

// The pace of a machine like the requested one: seconds for a small packet, for each byte of a large one, and for
// visiting a node in a step in which it does nothing. Measured by three short runs.
struct Pace {
    double seconds_per_hop;
    double seconds_per_byte;
    double seconds_per_visit;

    [[nodiscard]] double seconds(const Cost& cost, std::uint64_t link_bytes, NodeId nodes) const
    {
        return static_cast<double>(cost.transmissions) * seconds_per_hop +
               static_cast<double>(link_bytes) * seconds_per_byte +
               static_cast<double>(cost.steps) * nodes * seconds_per_visit;
    }
};

// Runs on a hypercube that has at least one node per rank.
Counts short_run(const MachineOptions& options, unsigned dimension, const Problem& problem)
{
    MachineOptions all_ports = options;
    all_ports.ports = PortModel::all;
    all_ports.link = {};
    const unsigned ranks = options.world ? options.world->ranks() : 1;
    Machine machine(Topology::hypercube(std::max(dimension, static_cast<unsigned>(std::bit_width(ranks - 1)))),
                    all_ports);
    VerifiedRunOptions how;
    how.repeat = 3;
    return run_verified(machine, problem, how).counts;
}

Pace calibrate(const MachineOptions& options)
{
    constexpr std::size_t small = 8;
    constexpr std::size_t large = 4096;
    const auto seconds_per_hop = [&](unsigned dimension, std::size_t bytes) {
        const Counts counts = short_run(options, dimension, {Collective::all_to_all, bytes});
        return counts.wall_seconds / static_cast<double>(counts.transmissions);
    };
    const double per_small_hop = seconds_per_hop(8, small);
    const double per_large_hop = seconds_per_hop(6, large);
    constexpr unsigned many = 12;  // in a scatter most nodes have nothing to do
    const Counts scatter = short_run(options, many, {Collective::scatter, small});
    const double hops = per_small_hop * static_cast<double>(scatter.transmissions);
    const double visits = static_cast<double>(scatter.steps) * (1U << many);
    return {per_small_hop, std::max(0.0, per_large_hop - per_small_hop) / static_cast<double>(large),
            std::max(0.0, scatter.wall_seconds - hops) / visits};
}

// The same, measured once in the life of the program for machines of one rank that differ in their ports, links and
// networks only.
Pace pace_of(const MachineOptions& options)
{
    if (options.world || options.workers)
        return calibrate(options);
    static detail::Mutex mutex;
    static std::map<std::tuple<unsigned, Pinning, ChannelKind, std::size_t, std::optional<bool>, bool, std::size_t>,
                    Pace>
        known;
    const std::tuple key(options.threads, options.pinning, options.channel, options.channel_capacity,
                         options.watch_lent_bytes, options.unchecked, options.memory_limit);
    {
        const std::lock_guard lock(mutex);
        if (const auto found = known.find(key); found != known.end())
            return found->second;
    }
    const Pace pace = calibrate(options);
    const std::lock_guard lock(mutex);
    return known.try_emplace(key, pace).first->second;
}

}  // namespace

Forecast forecast(const Topology& topology, const MachineOptions& machine, const Problem& asked,
                  const std::string& algorithm)
{
    Problem problem = asked;
    problem.link = topology.links(machine.link, machine.ports);
    const std::shared_ptr<World> world = machine.world ? machine.world : world_alone();
    const Entry* found = nullptr;
    Forecast forecast;
    together(*world, [&] {
        found = &find_algorithm(topology, machine.ports, problem, algorithm);
        forecast.report = blank_report(topology, machine.ports, problem);
        name_algorithm(forecast.report, *found);
        forecast.cost = found->cost(topology, problem);
        forecast.memory_bytes = memory_of_a_rank(*found, topology, machine, problem) + the_process;
    });
    forecast.report.counts.steps =
        static_cast<Step>(std::min<std::uint64_t>(forecast.cost.steps, std::numeric_limits<Step>::max()));
    forecast.report.counts.transmissions = forecast.cost.transmissions;
    forecast.report.ranks = world->ranks();
    forecast.link_bytes = predicted_link_bytes(*found, topology, problem);
    if (forecast.link_bytes) {
        const Pace pace = pace_of(machine);
        forecast.report.counts.bytes = *forecast.link_bytes;
        forecast.seconds = pace.seconds(forecast.cost, *forecast.link_bytes, topology.nodes());
    }
    return forecast;
}

}  // namespace dcube
