// Forecasts.

#include <dcube/forecast.hpp>

#include "run/report.hpp"

#include <dcube/layout.hpp>
#include <dcube/run.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace dcube {

namespace {

// What a machine like the one asked for takes for small packets and for each byte of large ones, from two short runs.
struct Pace {
    double seconds_per_hop;
    double seconds_per_byte;
};

Pace calibrate(const MachineOptions& options)
{
    const auto seconds_per_hop = [&](unsigned dimension, std::size_t bytes) {
        MachineOptions all_ports = options;
        all_ports.ports = PortModel::all;
        all_ports.link = {};
        Machine machine(Topology::hypercube(dimension), all_ports);
        VerifiedRunOptions how;
        how.measure_memcpy = false;
        how.repeat = 3;
        const Report report = run_verified(machine, {Collective::all_to_all, bytes}, how);
        return report.counts.wall_seconds / static_cast<double>(report.counts.transmissions);
    };
    constexpr std::size_t small = 8;
    constexpr std::size_t large = 4096;
    const double per_small_hop = seconds_per_hop(8, small);
    const double per_large_hop = seconds_per_hop(6, large);
    return {per_small_hop, std::max(0.0, per_large_hop - per_small_hop) / static_cast<double>(large)};
}

}  // namespace

Forecast forecast(const Topology& topology, const MachineOptions& machine, const Problem& asked,
                  const std::string& algorithm)
{
    Problem problem = asked;
    problem.link = machine.link;
    const Algorithm& chosen = find_algorithm(topology, machine.ports, problem, algorithm);
    const Layout layout(problem, topology);

    Forecast forecast;
    forecast.report = blank_report(topology, machine.ports, problem);
    name_algorithm(forecast.report, chosen);
    forecast.cost = chosen.cost(topology, problem);
    forecast.report.counts.steps =
        static_cast<Step>(std::min<std::uint64_t>(forecast.cost.steps, std::numeric_limits<Step>::max()));
    forecast.report.counts.transmissions = forecast.cost.transmissions;
    forecast.memory_bytes = layout.input_bytes + layout.output_bytes + chosen.storage(topology, problem) +
                            machine_memory(topology, machine);
    if (chosen.link == LinkKind::unit) {
        const Pace pace = calibrate(machine);
        forecast.link_bytes = forecast.cost.transmissions * problem.bytes;
        forecast.report.counts.bytes = *forecast.link_bytes;
        forecast.seconds = static_cast<double>(forecast.cost.transmissions) * pace.seconds_per_hop +
                           static_cast<double>(*forecast.link_bytes) * pace.seconds_per_byte;
    }
    return forecast;
}

}  // namespace dcube
