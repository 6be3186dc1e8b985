// A collective as a call, on the caller's data.

#include "base/exact.hpp"
#include "base/memory.hpp"
#include "base/planning.hpp"
#include "collectives/group_pieces.hpp"
#include "run/ranks.hpp"
#include "run/report.hpp"
#include "run/working_memory.hpp"

#include <dcube/layout.hpp>
#include <dcube/matrix.hpp>
#include <dcube/run.hpp>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace dcube {

namespace {

// A matrix' elements: those of one target are one message, in the order in which they lie.
std::vector<Label> matrix_labels(const Problem& problem, const Topology& topology, std::span<const std::byte> own,
                                 NodeId node)
{
    const MatrixMove move(problem, topology);
    const std::size_t element = size_of(problem.type);
    std::vector<std::uint64_t> next(topology.nodes());  // offset in the message to each target
    std::vector<Label> labels;
    for (std::size_t index = 0; index * element < own.size(); ++index) {
        const NodeId target = move.target({node, index}).node;
        labels.push_back({own.subspan(index * element, element), {node, target, next[target], element}});
        next[target] += element;
    }
    return labels;
}

// The target of the one message that a node holds; none where all nodes get it.
std::optional<NodeId> target_of(const Problem& problem, NodeId node)
{
    switch (traits(problem.collective).target) {
    case Who::root: return problem.root;
    case Who::peer: return problem.peer;
    case Who::partner:
        if (has_permutation(problem.collective))
            return problem.permutation[node];
        return node == problem.root ? problem.peer : problem.root;
    case Who::nobody:
    case Who::ends:
    case Who::all: break;
    }
    return std::nullopt;
}

// The labels of a node's input, which say in traces whose bytes they are. `number` is the node's on this network, which
// is its group's where groups do it.
std::vector<Label> labels_of(const Problem& problem, const Topology& topology, const Layout& layout, NodeId node,
                             NodeId number, std::span<const std::byte> own)
{
    if (own.empty())
        return {};
    if (is_matrix(problem.collective))
        return matrix_labels(problem, topology, own, node);
    std::optional<NodeId> origin = number;
    std::shared_ptr<const Contributors> sum_of;
    if (is_reduction(problem.collective)) {
        origin.reset();
        sum_of = std::make_shared<const Contributors>(number);
    }
    if (traits(problem.collective).before.share == Share::message)
        return {{own, {origin, target_of(problem, number), 0, own.size(), sum_of}}};
    std::vector<Label> labels;
    for (NodeId target = 0; target < topology.nodes(); ++target)
        if (const auto [at, length] = layout.from_input(node, target); length != 0)
            labels.push_back({own.subspan(at, length), {origin, target, 0, length, sum_of}});
    return labels;
}

// The same of all nodes' `input`. Groups' nodes have names of their own in them.
std::vector<Label> input_labels(const Problem& problem, const Layout& layout, const Topology& topology,
                                std::span<const std::byte> input, NodeId node)
{
    const auto [offset, bytes] = layout.input(node);
    const std::span<const std::byte> own = input.subspan(offset, bytes);
    const auto groups = groups_of(problem, topology);
    if (!groups)
        return labels_of(problem, topology, layout, node, node, own);
    std::vector<Label> labels = labels_of(problem, groups->network(), layout, node, groups->rank(node), own);
    for (Label& label : labels)
        label.piece = with_nodes(label.piece, *groups, groups->number(node));
    return labels;
}

void check_sizes(const Problem& problem, const Layout& layout, std::span<const std::byte> input,
                 std::span<std::byte> output)
{
    if (input.size() != layout.input_bytes || output.size() != layout.output_bytes)
        throw InvalidArgument(
            fmt::format("an input of {} and an output of {} bytes are given, where {} and {} are needed", input.size(),
                        output.size(), layout.input_bytes, layout.output_bytes));
    if (problem.in_place && input.data() != output.data())
        throw InvalidArgument("input and output are two arrays: in place they must be one");
    if (!problem.in_place && overlap({input, output}))
        throw InvalidArgument("input and output overlap: they must be apart, or the same array for a run in place");
}

bool is_same(std::span<const std::byte> a, std::span<const std::byte> b)
{
    return a.data() == b.data() && a.size() == b.size();
}

// A caller that gives one array for both wants it in place. (A rank without data of its own gives none: it sets
// `in_place` itself.)
Problem in_place_if_same(Problem problem, std::span<const std::byte> input, std::span<std::byte> output)
{
    problem.in_place =
        problem.in_place || (is_in_place_possible(problem.collective) && !output.empty() && is_same(input, output));
    return problem;
}

// The time in UTC, in the form of ISO 8601.
std::string now()
{
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

Report describe(const Machine& machine, const Problem& problem, const Entry& entry)
{
    Report report = blank_report(machine.topology(), machine.ports(), problem);
    name_algorithm(report, entry);
    report.threads = machine.threads();
    report.ranks = machine.world().ranks();
    report.hosts = machine.world().hosts();
    report.pin = name(machine.pinning());
    report.channel = name(machine.channel());
    report.channel_capacity = machine.channel_capacity();
    report.redundant = entry.redundant;
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
    const Problem problem = in_place_if_same(asked, input, output);
    return with_chosen(machine, problem, options,
                       [&](const Entry& entry) { return run(machine, entry, problem, input, output, options.run); });
}

Report run(Machine& machine, const Algorithm& algorithm, const Problem& problem, std::span<const std::byte> input,
           std::span<std::byte> output, const RunOptions& options)
{
    return run(machine, own_entry(algorithm), problem, input, output, options);
}

Report run(Machine& machine, const Entry& entry, const Problem& asked, std::span<const std::byte> input,
           std::span<std::byte> output, const RunOptions& options)
{
    const detail::PlanningScope planning(options.stop);
    const Stopwatch planned;
    const Topology& topology = machine.topology();
    const Problem problem = in_place_if_same(on_links_of(machine, asked), input, output);
    require_same_run(machine, problem, entry, options);
    World& world = machine.world();
    const Layout layout = agreed(world, [&] {
        require_suitable(entry, topology, machine.ports(), problem);
        const Layout own = Layout(problem, topology).of(machine.own_nodes());
        check_sizes(problem, own, input, output);
        return own;
    });
    machine.require_memory(own_working_memory(machine, entry, problem));

    const auto program = agreed(world, [&] { return program_of(entry, topology, problem); });
    RunOptions run_options = options;
    if (run_options.trace && !run_options.labels)
        run_options.labels = [&](NodeId node) { return input_labels(problem, layout, topology, input, node); };
    Report report = agreed(world, [&] { return describe(machine, problem, entry); });
    report.failing = options.failing;
    report.planning_seconds = planned.seconds();
    report.counts =
        machine.run([&](Node& me) { return program(me, node_data(layout, input, output, me.id())); }, run_options);
    if (report.link.bound())
        report.virtual_time_ns =
            detail::to_rational(detail::Exact(report.counts.virtual_time) / report.link.ticks_per_ns());
    report.date = now();
    report.peak_memory_bytes = largest_of_ranks(world, peak_memory());
    report.result_digest = result_digest(machine, problem, layout, output);
    return report;
}

namespace {

// The number of packets in messages of which `messages` take `size` bytes together.
std::size_t packets_in(std::size_t size, std::size_t messages, std::size_t bytes)
{
    if (size == 0)
        return 0;
    if (bytes == 0 || messages == 0 || size % messages != 0 || size / messages % bytes != 0)
        throw InvalidArgument(
            fmt::format("{} bytes are not {} messages of whole packets of {} bytes", size, messages, bytes));
    return size / messages / bytes;
}

// The same where every node has `messages` messages; `size` bytes are those of this rank's nodes.
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

// The same where a node's part is one message, but if the array is used in place, one for every node.
std::size_t packets_in_parts(Machine& machine, std::span<const std::byte> parts, std::span<const std::byte> whole,
                             std::size_t bytes)
{
    return packets_in_each(machine, parts.size(), is_same(parts, whole) ? machine.topology().nodes() : 1, bytes);
}

Problem own_reduction(Collective collective, std::size_t bytes, const OwnOperation& operation, NodeId root = 0)
{
    Problem problem{.collective = collective, .bytes = bytes, .root = root};
    problem.own_operation = operation;
    return problem;
}

// Every node has one message.
Report run_on_messages(Machine& machine, Problem problem, std::span<const std::byte> messages,
                       std::span<std::byte> output, const CallOptions& options)
{
    problem.packets = packets_in_each(machine, messages.size(), 1, problem.bytes);
    return run(machine, problem, messages, output, options);
}

Report run_reduce_scatter(Machine& machine, Problem problem, std::span<const std::byte> messages,
                          std::span<std::byte> sums, const CallOptions& options)
{
    problem.packets = packets_in_parts(machine, sums, messages, problem.bytes);
    return run(machine, problem, messages, sums, options);
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
    return run_on_messages(machine, {Collective::reduce, bytes, 1, root, operation, type}, messages, sum, options);
}

Report reduce(Machine& machine, std::span<const std::byte> messages, std::span<std::byte> sum, NodeId root,
              std::size_t bytes, const OwnOperation& operation, const CallOptions& options)
{
    return run_on_messages(machine, own_reduction(Collective::reduce, bytes, operation, root), messages, sum, options);
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
    return run_on_messages(machine, {Collective::gather, bytes, 1, root}, parts, messages, options);
}

Report all_gather(Machine& machine, std::span<const std::byte> parts, std::span<std::byte> gathered, std::size_t bytes,
                  const CallOptions& options)
{
    const std::size_t packets = packets_in_parts(machine, parts, gathered, bytes);
    return run(machine, {Collective::all_gather, bytes, packets}, parts, gathered, options);
}

Report reduce_scatter(Machine& machine, std::span<const std::byte> messages, std::span<std::byte> sums,
                      std::size_t bytes, Operation operation, ElementType type, const CallOptions& options)
{
    return run_reduce_scatter(machine, {Collective::reduce_scatter, bytes, 1, 0, operation, type}, messages, sums,
                              options);
}

Report reduce_scatter(Machine& machine, std::span<const std::byte> messages, std::span<std::byte> sums,
                      std::size_t bytes, const OwnOperation& operation, const CallOptions& options)
{
    return run_reduce_scatter(machine, own_reduction(Collective::reduce_scatter, bytes, operation), messages, sums,
                              options);
}

Report all_reduce(Machine& machine, std::span<const std::byte> vectors, std::span<std::byte> sums, std::size_t bytes,
                  Operation operation, ElementType type, const CallOptions& options)
{
    return run_on_messages(machine, {Collective::all_reduce, bytes, 1, 0, operation, type}, vectors, sums, options);
}

Report all_reduce(Machine& machine, std::span<const std::byte> vectors, std::span<std::byte> sums, std::size_t bytes,
                  const OwnOperation& operation, const CallOptions& options)
{
    return run_on_messages(machine, own_reduction(Collective::all_reduce, bytes, operation), vectors, sums, options);
}

Report scan(Machine& machine, std::span<const std::byte> vectors, std::span<std::byte> sums, std::size_t bytes,
            Operation operation, ElementType type, const CallOptions& options)
{
    return run_on_messages(machine, {Collective::scan, bytes, 1, 0, operation, type}, vectors, sums, options);
}

Report scan(Machine& machine, std::span<const std::byte> vectors, std::span<std::byte> sums, std::size_t bytes,
            const OwnOperation& operation, const CallOptions& options)
{
    return run_on_messages(machine, own_reduction(Collective::scan, bytes, operation), vectors, sums, options);
}

Report exscan(Machine& machine, std::span<const std::byte> vectors, std::span<std::byte> sums, std::size_t bytes,
              Operation operation, ElementType type, const CallOptions& options)
{
    return run_on_messages(machine, {Collective::exscan, bytes, 1, 0, operation, type}, vectors, sums, options);
}

Report exscan(Machine& machine, std::span<const std::byte> vectors, std::span<std::byte> sums, std::size_t bytes,
              const OwnOperation& operation, const CallOptions& options)
{
    return run_on_messages(machine, own_reduction(Collective::exscan, bytes, operation), vectors, sums, options);
}

Report all_to_all(Machine& machine, std::span<const std::byte> send, std::span<std::byte> receive, std::size_t bytes,
                  const CallOptions& options)
{
    const std::size_t packets = packets_in_each(machine, send.size(), machine.topology().nodes(), bytes);
    return run(machine, {Collective::all_to_all, bytes, packets}, send, receive, options);
}

Report scatter_v(Machine& machine, std::span<const std::byte> messages, std::span<std::byte> parts,
                 std::vector<std::uint32_t> counts, NodeId root, std::size_t bytes, const CallOptions& options)
{
    return run(machine, {.collective = Collective::scatter, .bytes = bytes, .root = root, .counts = std::move(counts)},
               messages, parts, options);
}

Report gather_v(Machine& machine, std::span<const std::byte> parts, std::span<std::byte> messages,
                std::vector<std::uint32_t> counts, NodeId root, std::size_t bytes, const CallOptions& options)
{
    return run(machine, {.collective = Collective::gather, .bytes = bytes, .root = root, .counts = std::move(counts)},
               parts, messages, options);
}

Report all_gather_v(Machine& machine, std::span<const std::byte> parts, std::span<std::byte> gathered,
                    std::vector<std::uint32_t> counts, std::size_t bytes, const CallOptions& options)
{
    return run(machine, {.collective = Collective::all_gather, .bytes = bytes, .counts = std::move(counts)}, parts,
               gathered, options);
}

Report reduce_scatter_v(Machine& machine, std::span<const std::byte> messages, std::span<std::byte> sums,
                        std::vector<std::uint32_t> counts, std::size_t bytes, Operation operation, ElementType type,
                        const CallOptions& options)
{
    return run(machine,
               {.collective = Collective::reduce_scatter,
                .bytes = bytes,
                .operation = operation,
                .type = type,
                .counts = std::move(counts)},
               messages, sums, options);
}

Report reduce_scatter_v(Machine& machine, std::span<const std::byte> messages, std::span<std::byte> sums,
                        std::vector<std::uint32_t> counts, std::size_t bytes, const OwnOperation& operation,
                        const CallOptions& options)
{
    Problem problem = own_reduction(Collective::reduce_scatter, bytes, operation);
    problem.counts = std::move(counts);
    return run(machine, problem, messages, sums, options);
}

Report all_to_all_v(Machine& machine, std::span<const std::byte> send, std::span<std::byte> receive,
                    std::vector<std::uint32_t> counts, std::size_t bytes, const CallOptions& options)
{
    return run(machine, {.collective = Collective::all_to_all, .bytes = bytes, .counts = std::move(counts)}, send,
               receive, options);
}

Report barrier(Machine& machine, const CallOptions& options)
{
    return run(machine, Problem{Collective::barrier}, {}, {}, options);
}

}  // namespace dcube
