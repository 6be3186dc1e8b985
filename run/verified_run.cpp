// Verified runs.

#include <dcube/run.hpp>

#include "base/memory.hpp"
#include "base/planning.hpp"
#include "collectives/example.hpp"
#include "judge/heard.hpp"
#include "judge/result_check.hpp"
#include "run/heard_in_run.hpp"
#include "run/ranks.hpp"
#include "run/report.hpp"
#include "run/working_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

namespace dcube {

namespace {

// The time of a run, and the part of it that was spent waiting for other ranks.
struct Took {
    double wall_seconds = 0;
    double communication_seconds = 0;
};

// Both times are taken from the same run, so that shares are of the same total.
void take_median(Counts& counts, std::vector<Took> all)
{
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::ranges::nth_element(all, middle, {}, &Took::wall_seconds);
    counts.wall_seconds = middle->wall_seconds;
    counts.communication_seconds = middle->communication_seconds;
}

Took took(const Counts& counts)
{
    return {counts.wall_seconds, counts.communication_seconds};
}

// Repeats the run once, and then as often as fits into the time; not at all if the first run took too long. All ranks
// agree on the number.
template <class Run>
std::vector<Took> warm_runs(World& world, const Took& first, const VerifiedRunOptions& how, const Run& run)
{
    constexpr double most = 1000;
    const auto longest = [&](double seconds) {
        return 1e-9 * static_cast<double>(largest_of_ranks(world, static_cast<std::uint64_t>(1e9 * seconds)));
    };
    std::vector<Took> all;
    if (how.warm_seconds <= 0 || longest(first.wall_seconds) > how.longest_cold_seconds)
        return all;
    using Clock = std::chrono::steady_clock;
    const Clock::time_point began = Clock::now();
    all.push_back(took(run()));
    const std::chrono::duration<double> passed = Clock::now() - began;  // a digest and a report are made, too
    const double fitting = std::min(most, how.warm_seconds / longest(passed.count()));
    for (double left = fitting - 1; left >= 1; --left)
        all.push_back(took(run()));
    return all;
}

// Calls `work` for every node, until a stop is asked for. A listener to planning in this thread is called meanwhile,
// without a stage: Python looks for signals then.
void for_each_node(Machine& machine, const std::function<void(NodeId)>& work)
{
    if (machine.world().ranks() > 1)  // which must not part
        return machine.for_each_node(work);
    std::atomic<bool> stopped = false;
    machine.for_each_node([&](NodeId node) {
        if (stopped.load(std::memory_order_relaxed))
            return;
        try {
            detail::planning({}, 0);
        } catch (...) {
            stopped.store(true, std::memory_order_relaxed);
            throw;
        }
        work(node);
    });
}

constexpr std::byte stale{0xA5};

// Gives every node's output a first touch, so that the run does not pay for the pages, and bytes that no run leaves
// there.
void poison(Machine& machine, const Layout& layout, std::span<std::byte> output)
{
    for_each_node(machine, [&](NodeId node) {
        const auto [offset, bytes] = layout.output(node);
        std::ranges::fill(output.subspan(offset, bytes), stale);
    });
}

// The nodes' initial data: made from a seed, or given. In place it stands in the output array, and is put there anew
// before every run.
class Data {
public:
    Data(Machine& machine, const Problem& problem, const Layout& whole, const VerifiedRunOptions& how)
        : machine_(machine), problem_(problem), layout_(whole.of(machine.own_nodes())),
          apart_(Layout(out_of_place(problem), machine.topology())), own_apart_(apart_.of(machine.own_nodes())),
          how_(how)
    {
    }

    // Throws InvalidArgument for an input of a wrong size.
    void make()
    {
        World& world = machine_.world();
        if (given())
            given_ = agreed(world, [&] { return own_input(apart_, own_apart_, how_.input); });
        made_ = agreed(world, [&] { return Memory(given() || problem_.in_place ? 0 : layout_.input_bytes); });
        result_ = agreed(world, [&] { return Memory(layout_.output_bytes); });
        if (!given() && !problem_.in_place)
            fill(made_.bytes());
        poison(machine_, layout_, result_.bytes());
        begin();
    }

    // Called before a run.
    void begin()
    {
        if (problem_.in_place)
            fill(result_.bytes());
    }

    // Whether a node's output is as it was before the run.
    [[nodiscard]] bool is_untouched(NodeId node) const
    {
        const auto [offset, bytes] = layout_.output(node);
        std::vector<std::byte> before(bytes, stale);
        if (problem_.in_place)
            fill(node, before);
        return std::ranges::equal(before, output().subspan(offset, bytes));
    }

    [[nodiscard]] std::size_t bytes() const
    {
        return given() || problem_.in_place ? layout_.output_bytes : layout_.bytes();
    }
    [[nodiscard]] std::span<const std::byte> input() const
    {
        return problem_.in_place ? result_.bytes() : given() ? given_ : made_.bytes();
    }
    [[nodiscard]] std::span<std::byte> output() const { return result_.bytes(); }
    [[nodiscard]] const Layout& layout() const { return layout_; }
    [[nodiscard]] const Layout& layout_apart() const { return own_apart_; }

private:
    [[nodiscard]] bool given() const { return !how_.input.empty(); }

    void fill(std::span<std::byte> input)
    {
        for_each_node(machine_, [&](NodeId node) {
            const auto [offset, bytes] = layout_.input(node);
            if (bytes == 0)
                return;
            fill(node, input.subspan(offset, bytes));
        });
    }

    void fill(NodeId node, std::span<std::byte> own) const
    {
        if (given())
            std::ranges::copy(given_.subspan(own_apart_.input(node).offset, own.size()), own.begin());
        else
            fill_input(problem_, machine_.topology(), layout_, how_.seed, node, own);
    }

    Machine& machine_;
    const Problem& problem_;
    Layout layout_;     // of this rank's nodes
    Layout apart_;      // of an input that is given
    Layout own_apart_;  // this rank's part of that
    const VerifiedRunOptions& how_;
    std::span<const std::byte> given_;
    Memory made_;
    Memory result_;
};

// Hands out the final data of this rank's nodes, laid out as if they were not in place, where they may lie in parts.
// Places of missing nodes' messages are cleared.
void hand_out(const Problem& problem, Machine& machine, const VerifiedRunOptions& how, const Data& data)
{
    const NodeRange nodes = machine.own_nodes();
    for (NodeId node = nodes.first; node < nodes.first + nodes.size(); ++node) {
        const auto [offset, bytes] = data.layout().output(node);
        clear_unused(problem, machine.topology(), node, data.output().subspan(offset, bytes));
    }
    const Layout& apart = data.layout_apart();
    if (apart.output_bytes == data.output().size()) {
        how.output(data.output());
        return;
    }
    std::vector<std::byte> all(apart.output_bytes);
    for (NodeId node = nodes.first; node < nodes.first + nodes.size(); ++node) {
        const auto [offset, bytes] = data.layout().output(node);
        std::ranges::copy(data.output().subspan(offset, bytes),
                          std::span(all).subspan(apart.output(node).offset).begin());
    }
    how.output(all);
}

// Whether all nodes have the same bits. Throws VerificationError if they do not, though the algorithm promises it. The
// promise holds for operations that give a op b and b op a the same bits, which the caller's own may not do.
bool have_same_bits(Machine& machine, const Algorithm& algorithm, const Problem& problem, const Layout& layout,
                    std::span<const std::byte> output, const std::function<bool(NodeId)>& checked)
{
    const std::optional<Difference> other = first_difference(machine, layout, output, checked);
    if (other && algorithm.same_bits && !problem.own_operation)
        throw VerificationError(fmt::format("node {}: the {} of all nodes' messages has other bits than at node {}: by "
                                            "{} all nodes should have the same",
                                            other->node, operation_name(problem), other->first, algorithm.name));
    return !other;
}

// Checks what the nodes of all ranks hold, but for those that failed during the run.
void check(Machine& machine, const Algorithm& algorithm, Report& report, const Data& data,
           const VerifiedRunOptions& how)
{
    const Problem& problem = report.problem;
    const Layout& layout = data.layout();
    const std::span<const std::byte> output = data.output();
    World& world = machine.world();
    const Checker checker =
        agreed(world, [&] { return Checker(out_of_place(problem), machine.topology(), how.seed, how.input); });
    const NodeRange nodes = machine.own_nodes();
    std::vector<std::uint64_t> checked(nodes.size());  // a place of its own for every node
    const auto is_checked = [&](NodeId node) {
        return machine.topology().is_member(node) && !has_failed(report.failing, node, report.counts.steps);
    };
    for_each_node(machine, [&](NodeId node) {
        const auto [offset, bytes] = layout.output(node);
        if (bytes == 0 || !is_checked(node))
            return;
        if (is_left_alone(problem, machine.topology(), node) && !data.is_untouched(node))
            throw VerificationError(fmt::format("node {}: its output has changed, and no node comes before it", node));
        checked[node - nodes.first] = checker.check(node, output.subspan(offset, bytes));
    });
    report.blocks_verified = sum_of_ranks(world, std::accumulate(checked.begin(), checked.end(), std::uint64_t{0}));
    report.comparison = checker.comparison();
    if (problem.collective != Collective::all_reduce)
        return;
    report.same_bits = true;
    const auto groups = groups_of(problem, machine.topology());
    const NodeId sums = report.comparison == Comparison::bytes ? 0 : groups ? groups->count() : 1;
    for (NodeId number = 0; number < sums; ++number) {
        const auto counts = [&](NodeId node) {
            return is_checked(node) && (!groups || groups->number(node) == number);
        };
        report.same_bits = have_same_bits(machine, algorithm, problem, layout, output, counts) && *report.same_bits;
    }
}

// On rank 0, which tells the others.
void check_barrier(Machine& machine, const HeardInRun& heard, Report& report)
{
    World& world = machine.world();
    const std::uint64_t checked =
        agreed(world, [&] { return world.rank() == 0 ? heard.check(report.failing, report.counts.steps) : 0; });
    report.blocks_verified = sum_of_ranks(world, checked);
}

// The same, but the error for a wrong result also says what was lost.
void check_all(Machine& machine, const Algorithm& algorithm, Report& report, const Data& data,
               const VerifiedRunOptions& how, const HeardInRun* heard)
{
    try {
        if (heard != nullptr)
            check_barrier(machine, *heard, report);
        else
            check(machine, algorithm, report, data, how);
    } catch (const VerificationError& error) {
        const std::optional<LostPacket>& first = report.counts.first_lost;
        if (!first)
            throw;
        VerificationError explained(
            fmt::format("{}; {} lost, the first in step {} from node {} to node {}: {}", error.what(),
                        report.counts.lost == 1 ? "1 packet was" : fmt::format("{} packets were", report.counts.lost),
                        first->step, first->from, first->to, describe(first->cause)));
        explained.node = error.node;
        explained.origin = error.origin;
        throw explained;
    }
}

void require_same_data(World& world, const VerifiedRunOptions& how)
{
    if (world.ranks() > 1)
        require_same(world, "the data",
                     fmt::format("{} {} {} {} {} {}", how.seed, how.repeat, how.warm_seconds, how.longest_cold_seconds,
                                 how.input.size(), how.output != nullptr));
}

}  // namespace

Report run_verified(Machine& machine, const Problem& asked, const VerifiedRunOptions& how, const CallOptions& options)
{
    return with_chosen(machine, asked, options,
                       [&](const Entry& entry) { return run_verified(machine, entry, asked, how, options.run); });
}

Report run_verified(Machine& machine, const Algorithm& algorithm, const Problem& problem, const VerifiedRunOptions& how,
                    const RunOptions& options)
{
    return run_verified(machine, own_entry(algorithm), problem, how, options);
}

Report run_verified(Machine& machine, const Entry& entry, const Problem& asked, const VerifiedRunOptions& how,
                    const RunOptions& options)
{
    const detail::PlanningScope planning(options.stop);
    const Stopwatch before;
    World& world = machine.world();
    const Topology& topology = machine.topology();
    const Problem problem = on_links_of(machine, asked);
    require_same_run(machine, problem, entry, options);
    require_same_data(world, how);
    const Layout whole = agreed(world, [&] {
        require_suitable(entry, topology, machine.ports(), problem);
        return Layout(problem, topology);
    });
    Data data(machine, problem, whole, how);
    const double of_heard =
        is_barrier(problem.collective) ? Heard::bytes(topology, static_cast<double>(topology.directed_links())) : 0;
    machine.require_memory(own_working_memory(machine, entry, problem) + data.bytes() +
                           static_cast<std::uint64_t>(of_heard));
    double planned = before.seconds();
    data.make();

    RunOptions seeded = options;
    seeded.seed = how.seed;
    std::optional<HeardInRun> heard;
    if (is_barrier(problem.collective))
        heard.emplace(machine, problem, options.trace);
    Report report;
    std::vector<Took> times;
    for (std::size_t time = 0; time < std::max<std::size_t>(1, how.repeat); ++time) {
        if (time > 0)
            data.begin();
        if (heard)
            seeded.trace = heard->trace();
        report = run(machine, entry, problem, data.input(), data.output(), seeded);
        if (time == 0)
            planned += report.planning_seconds;
        times.push_back(took(report.counts));
    }
    report.planning_seconds = planned;
    report.repeat = times.size();
    check_all(machine, entry, report, data, how, heard ? &*heard : nullptr);
    report.verified = true;
    if (how.input.empty())
        report.seed = how.seed;
    if (how.output)
        together(world, [&] { hand_out(problem, machine, how, data); });
    if (times.size() == 1 && options.failing.empty()) {
        seeded.trace = {};
        seeded.on_step = {};
        std::vector<Took> warm = warm_runs(world, times.front(), how, [&] {
            data.begin();
            return run(machine, entry, problem, data.input(), data.output(), seeded).counts;
        });
        report.warm_runs = warm.size();
        if (!warm.empty())
            times = std::move(warm);
    }
    take_median(report.counts, std::move(times));
    report.peak_memory_bytes = largest_of_ranks(world, peak_memory());
    return report;
}

}  // namespace dcube
