// A collective as a call, on the caller's data.

#include <dcube/layout.hpp>
#include <dcube/run.hpp>

#include "base/exact.hpp"
#include "base/planning.hpp"
#include "run/labels.hpp"
#include "run/ranks.hpp"
#include "run/report.hpp"
#include "run/working_memory.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <functional>

namespace dcube {

namespace {

void check_sizes(const Layout& layout, std::span<const std::byte> input, std::span<std::byte> output)
{
    if (input.size() != layout.input_bytes || output.size() != layout.output_bytes)
        throw InvalidArgument(
            fmt::format("an input of {} and an output of {} bytes are given, where {} and {} are needed", input.size(),
                        output.size(), layout.input_bytes, layout.output_bytes));
    const std::less<const std::byte*> before;
    if (before(input.data(), output.data() + output.size()) && before(output.data(), input.data() + input.size()))
        throw InvalidArgument("input and output overlap: they must be apart");
}

// In UTC, as ISO 8601 has it.
std::string now()
{
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

Report describe(const Machine& machine, const Problem& problem, const Algorithm& algorithm)
{
    Report report = blank_report(machine.topology(), machine.ports(), problem);
    name_algorithm(report, algorithm);
    report.threads = machine.threads();
    report.ranks = machine.world().ranks();
    report.hosts = machine.world().hosts();
    report.pin = name(machine.pinning());
    report.channel = name(machine.channel());
    report.channel_capacity = machine.channel_capacity();
    report.redundant = algorithm.redundant;
    return report;
}

}  // namespace

Problem on_links_of(const Machine& machine, Problem problem)
{
    problem.link = machine.link();
    return problem;
}

Report run(Machine& machine, const Problem& asked, std::span<const std::byte> input, std::span<std::byte> output,
           const CallOptions& options)
{
    const detail::PlanningScope planning(options.run.stop);
    const Stopwatch choosing;
    const Algorithm* algorithm = nullptr;
    together(machine.world(), [&] {
        algorithm =
            &find_algorithm(machine.topology(), machine.ports(), on_links_of(machine, asked), options.algorithm);
    });
    const double chosen = choosing.seconds();
    Report report = run(machine, *algorithm, asked, input, output, options.run);
    report.planning_seconds += chosen;
    return report;
}

Report run(Machine& machine, const Algorithm& algorithm, const Problem& asked, std::span<const std::byte> input,
           std::span<std::byte> output, const RunOptions& options)
{
    const detail::PlanningScope planning(options.stop);
    const Stopwatch planned;
    const Topology& topology = machine.topology();
    const Problem problem = on_links_of(machine, asked);
    require_same_run(machine, problem, algorithm, options);
    World& world = machine.world();
    const Layout layout = agreed(world, [&] {
        require_suitable(algorithm, topology, machine.ports(), problem);
        const Layout own = Layout(problem, topology).of(machine.own_nodes());
        check_sizes(own, input, output);
        return own;
    });
    machine.require_memory(own_working_memory(machine, algorithm, problem));

    const auto program = agreed(world, [&] { return algorithm.prepare(topology, problem); });
    RunOptions run_options = options;
    if (run_options.trace && !run_options.labels)
        run_options.labels = [&](NodeId node) { return input_labels(problem, layout, topology, input, node); };
    Report report = agreed(world, [&] { return describe(machine, problem, algorithm); });
    report.failing = options.failing;
    report.planning_seconds = planned.seconds();
    report.counts =
        machine.run([&](Node& me) { return program(me, node_data(layout, input, output, me.id())); }, run_options);
    if (report.link.bound())
        report.virtual_time_ns =
            detail::to_rational(detail::Exact(report.counts.virtual_time) / report.link.ticks_per_ns());
    report.date = now();
    report.peak_memory_bytes = largest_of_ranks(world, peak_memory());
    report.result_digest = result_digest(machine, layout, output);
    return report;
}

namespace {

// The number of packets in messages of which `messages` take `size` bytes together.
std::size_t packets_in(std::size_t size, std::size_t messages, std::size_t bytes)
{
    if (bytes == 0 || messages == 0 || size == 0 || size % messages != 0 || size / messages % bytes != 0)
        throw InvalidArgument(
            fmt::format("{} bytes are not {} messages of whole packets of {} bytes", size, messages, bytes));
    return size / messages / bytes;
}

// The same where every node has so many messages of which this rank's nodes have `size` bytes.
std::size_t packets_in_each(Machine& machine, std::size_t size, std::size_t messages, std::size_t bytes)
{
    return agreed(machine.world(), [&] { return packets_in(size, machine.own_nodes().size() * messages, bytes); });
}

// The same where the root has all messages, of `size` bytes, and every node one: only one rank has the root.
std::size_t packets_at_root(Machine& machine, std::size_t size, std::size_t messages, std::size_t size_of_each,
                            std::size_t bytes)
{
    return machine.world().ranks() == 1 ? packets_in(size, messages, bytes)
                                        : packets_in_each(machine, size_of_each, 1, bytes);
}

Problem own_reduction(Collective collective, std::size_t bytes, const OwnOperation& operation)
{
    Problem problem{.collective = collective, .bytes = bytes};
    problem.own_operation = operation;
    return problem;
}

}  // namespace

Report broadcast(Machine& machine, std::span<const std::byte> message, std::span<std::byte> copies, NodeId root,
                 std::size_t bytes, const CallOptions& options)
{
    const std::size_t packets = packets_at_root(machine, message.size(), 1, copies.size(), bytes);
    return run(machine, {Collective::broadcast, bytes, packets, root}, message, copies, options);
}

Report reduce(Machine& machine, std::span<const std::byte> messages, std::span<std::byte> sum, NodeId root,
              std::size_t bytes, Operation operation, ElementType type, const CallOptions& options)
{
    const std::size_t packets = packets_in_each(machine, messages.size(), 1, bytes);
    return run(machine, {Collective::reduce, bytes, packets, root, operation, type}, messages, sum, options);
}

Report reduce(Machine& machine, std::span<const std::byte> messages, std::span<std::byte> sum, NodeId root,
              std::size_t bytes, const OwnOperation& operation, const CallOptions& options)
{
    Problem problem = own_reduction(Collective::reduce, bytes, operation);
    problem.packets = packets_in_each(machine, messages.size(), 1, bytes);
    problem.root = root;
    return run(machine, problem, messages, sum, options);
}

Report scatter(Machine& machine, std::span<const std::byte> messages, std::span<std::byte> parts, NodeId root,
               std::size_t bytes, const CallOptions& options)
{
    const std::size_t packets =
        packets_at_root(machine, messages.size(), machine.topology().nodes(), parts.size(), bytes);
    return run(machine, {Collective::scatter, bytes, packets, root}, messages, parts, options);
}

Report gather(Machine& machine, std::span<const std::byte> parts, std::span<std::byte> messages, NodeId root,
              std::size_t bytes, const CallOptions& options)
{
    const std::size_t packets = packets_in_each(machine, parts.size(), 1, bytes);
    return run(machine, {Collective::gather, bytes, packets, root}, parts, messages, options);
}

Report all_gather(Machine& machine, std::span<const std::byte> parts, std::span<std::byte> gathered, std::size_t bytes,
                  const CallOptions& options)
{
    const std::size_t packets = packets_in_each(machine, parts.size(), 1, bytes);
    return run(machine, {Collective::all_gather, bytes, packets}, parts, gathered, options);
}

Report reduce_scatter(Machine& machine, std::span<const std::byte> messages, std::span<std::byte> sums,
                      std::size_t bytes, Operation operation, ElementType type, const CallOptions& options)
{
    const std::size_t packets = packets_in_each(machine, sums.size(), 1, bytes);
    return run(machine, {Collective::reduce_scatter, bytes, packets, 0, operation, type}, messages, sums, options);
}

Report reduce_scatter(Machine& machine, std::span<const std::byte> messages, std::span<std::byte> sums,
                      std::size_t bytes, const OwnOperation& operation, const CallOptions& options)
{
    Problem problem = own_reduction(Collective::reduce_scatter, bytes, operation);
    problem.packets = packets_in_each(machine, sums.size(), 1, bytes);
    return run(machine, problem, messages, sums, options);
}

Report all_reduce(Machine& machine, std::span<const std::byte> vectors, std::span<std::byte> sums, std::size_t bytes,
                  Operation operation, ElementType type, const CallOptions& options)
{
    const std::size_t packets = packets_in_each(machine, vectors.size(), 1, bytes);
    return run(machine, {Collective::all_reduce, bytes, packets, 0, operation, type}, vectors, sums, options);
}

Report all_reduce(Machine& machine, std::span<const std::byte> vectors, std::span<std::byte> sums, std::size_t bytes,
                  const OwnOperation& operation, const CallOptions& options)
{
    Problem problem = own_reduction(Collective::all_reduce, bytes, operation);
    problem.packets = packets_in_each(machine, vectors.size(), 1, bytes);
    return run(machine, problem, vectors, sums, options);
}

Report all_to_all(Machine& machine, std::span<const std::byte> send, std::span<std::byte> receive, std::size_t bytes,
                  const CallOptions& options)
{
    const std::size_t nodes = machine.topology().nodes();
    const std::size_t packets = packets_in_each(machine, send.size(), nodes, bytes);
    return run(machine, {Collective::all_to_all, bytes, packets}, send, receive, options);
}

}  // namespace dcube
