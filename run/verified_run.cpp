// Verified runs and forecasts.

#include <dcube/run.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>
#include <vector>

namespace dcube {

namespace {

double seconds_since(std::chrono::steady_clock::time_point began)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

// Copies input to output with all of the machine's threads, a stretch a node; at most 256 MiB at a time, so that it
// takes no longer than a look, and another part of large data each time, so that no cache flatters it. The median of a
// few times.
double memcpy_rate(Machine& machine, std::span<const std::byte> input, std::span<std::byte> output)
{
    constexpr std::size_t most = std::size_t{256} << 20;
    constexpr std::size_t times = 5;
    const std::size_t share = std::min(input.size(), output.size()) / machine.topology().nodes();
    const std::size_t stretch = std::min(share, most / machine.topology().nodes());
    if (stretch == 0)
        return 0;
    std::vector<double> seconds;
    for (std::size_t time = 0; time < times; ++time) {
        const std::size_t within = time * stretch % (share - stretch + 1);
        const auto began = std::chrono::steady_clock::now();
        machine.for_each_node([&](NodeId node) {
            const std::size_t at = node * share + within;
            std::memcpy(output.data() + at, input.data() + at, stretch);
        });
        seconds.push_back(seconds_since(began));
    }
    return static_cast<double>(stretch * machine.topology().nodes()) / median(seconds);
}

// Gives every node's output a first touch, so that the run does not pay for the pages, and bytes that no run leaves
// there.
void poison(Machine& machine, const Layout& layout, std::span<std::byte> output)
{
    constexpr int stale = 0xA5;
    machine.for_each_node([&](NodeId node) {
        const auto [offset, bytes] = layout.output(node);
        if (bytes != 0)
            std::memset(output.data() + offset, stale, bytes);
    });
}

void fill(Machine& machine, const Problem& problem, const Layout& layout, std::uint64_t seed,
          std::span<std::byte> input)
{
    machine.for_each_node([&](NodeId node) {
        const auto [offset, bytes] = layout.input(node);
        if (bytes != 0)
            fill_input(problem, machine.topology(), seed, node, input.subspan(offset, bytes));
    });
}

std::uint64_t check(Machine& machine, const Problem& problem, const Layout& layout, const Trial& trial,
                    std::span<const std::byte> output)
{
    const Checker checker(problem, machine.topology(), trial.seed, trial.input);
    std::vector<std::uint64_t> checked(machine.topology().nodes());  // a place of its own for every node
    machine.for_each_node([&](NodeId node) {
        const auto [offset, bytes] = layout.output(node);
        if (bytes != 0)
            checked[node] = checker.check(node, output.subspan(offset, bytes));
    });
    return std::accumulate(checked.begin(), checked.end(), std::uint64_t{0});
}

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
        Trial trial;
        trial.measure_memcpy = false;
        trial.repeat = 3;
        const Report report = run_verified(machine, {Collective::all_to_all, bytes}, trial);
        return report.counts.wall_seconds / static_cast<double>(report.counts.transmissions);
    };
    constexpr std::size_t small = 8;
    constexpr std::size_t large = 4096;
    const double per_small_hop = seconds_per_hop(8, small);
    const double per_large_hop = seconds_per_hop(6, large);
    return {per_small_hop, std::max(0.0, per_large_hop - per_small_hop) / static_cast<double>(large)};
}

}  // namespace

Report run_verified(Machine& machine, const Problem& asked, const Trial& trial, const CallOptions& options)
{
    const Topology& topology = machine.topology();
    const Problem problem = on_links_of(machine, asked);
    const Algorithm& algorithm = find_algorithm(topology, machine.ports(), problem, options.algorithm);
    const Layout layout(problem, topology);
    const bool given = !trial.input.empty();
    machine.require_memory((given ? 0 : layout.input_bytes) + layout.output_bytes +
                           algorithm.storage(topology, problem));

    const Memory made(given ? 0 : layout.input_bytes);
    const Memory result(layout.output_bytes);
    if (!given)
        fill(machine, problem, layout, trial.seed, made.bytes());
    poison(machine, layout, result.bytes());
    const std::span<const std::byte> input = given ? trial.input : made.bytes();

    Report report;
    std::vector<double> seconds;
    for (std::size_t time = 0; time < std::max<std::size_t>(1, trial.repeat); ++time) {
        report = run(machine, problem, input, result.bytes(), options);
        seconds.push_back(report.counts.wall_seconds);
    }
    report.counts.wall_seconds = median(std::move(seconds));
    report.blocks_verified = check(machine, problem, layout, trial, result.bytes());
    report.verified = true;
    if (!given)
        report.seed = trial.seed;
    if (trial.output)
        trial.output(result.bytes());
    report.peak_memory_bytes = peak_memory();
    if (trial.measure_memcpy)
        report.memcpy_bytes_per_second = memcpy_rate(machine, input, result.bytes());
    return report;
}

Forecast forecast(const Topology& topology, const MachineOptions& machine, const Problem& asked,
                  const std::string& algorithm)
{
    Problem problem = asked;
    problem.link = machine.link;
    const Algorithm& chosen = find_algorithm(topology, machine.ports, problem, algorithm);
    const Layout layout(problem, topology);
    const Cost cost = chosen.cost(topology, problem);
    const std::uint64_t link_bytes = cost.transmissions * problem.bytes;
    const Pace pace = calibrate(machine);
    return {
        .algorithm = &chosen,
        .cost = cost,
        .steps_bound = steps_bound(topology, machine.ports, problem),
        .transmissions_bound = transmissions_bound(topology, machine.ports, problem),
        .link_bytes = link_bytes,
        .memory_bytes = layout.input_bytes + layout.output_bytes + chosen.storage(topology, problem) +
                        machine_memory(topology, machine),
        .seconds = static_cast<double>(cost.transmissions) * pace.seconds_per_hop +
                   static_cast<double>(link_bytes) * pace.seconds_per_byte,
        .time = problem.link.bound() ? chosen.time(topology, problem) : std::nullopt,
    };
}

}  // namespace dcube
