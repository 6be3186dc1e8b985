#include "measure/measured_limits.hpp"

#include "measure/handover.hpp"
#include "measure/host.hpp"
#include "measure/host_document.hpp"
#include "measure/memory_limits.hpp"
#include "measure/pages.hpp"
#include "measure/step_limits.hpp"

#include <dcube/memory.hpp>

#include <algorithm>
#include <utility>

namespace dcube::measure {

namespace {

MemorySizes planned_sizes(const LimitsPlan& plan, const Host& host, unsigned threads)
{
    MemorySizes sizes = memory_sizes(host, threads, plan.most_bytes);
    if (!plan.blocks.empty())
        sizes.blocks = plan.blocks;
    return sizes;
}

ThreadLimits limits_of_threads(const LimitsPlan& plan, const Host& host, unsigned threads)
{
    const MemorySizes sizes = planned_sizes(plan, host, threads);
    ThreadLimits limits;
    limits.threads = threads;
    {
        Team team(threads, plan.pin_to, plan.effort.clock);
        limits.copies = copy_rates(team, sizes.copies, plan.effort);
        limits.blocks = block_rates(team, sizes.working_sets, sizes.blocks, plan.effort);
    }
    MachineOptions machine = plan.machine;
    machine.threads = threads;
    limits.barrier_seconds = barrier_seconds(machine, plan.effort);
    limits.empty_steps = empty_steps(plan.nodes, machine, plan.effort);
    return limits;
}

// A millisecond for each pair of processors, or less where there are very many.
Effort effort_for_pairs(const LimitsPlan& plan)
{
    constexpr double of_a_pair = 1e-3;
    constexpr double of_all = 4;
    const auto processors = static_cast<double>(plan.handover_processors.size());
    const double pairs = std::max(1.0, processors * processors / 2);
    Effort effort = plan.effort;
    effort.seconds = std::min({effort.seconds, of_a_pair, of_all / pairs});
    return effort;
}

}  // namespace

LimitsPlan usual_plan(const Host& host, std::vector<unsigned> threads, bool quick)
{
    LimitsPlan plan;
    plan.threads = std::move(threads);
    plan.machine.watch_lent_bytes = false;
    plan.handover_processors = allowed_processors();
    const std::uint64_t allowed = available_memory() / 4;  // working sets, and the orders of their blocks
    plan.quick = quick;
    if (!quick) {
        plan.most_bytes = allowed;
        return plan;
    }
    constexpr std::uint64_t unknown = std::uint64_t{64} << 20;
    plan.most_bytes = std::min(allowed, 2 * host.last_cache_bytes().value_or(unknown));
    plan.blocks = {8, 64, 512, 4096};
    plan.nodes = {1U << 6U, 1U << 10U};
    plan.effort.seconds = 0.003;
    plan.effort.batches = 3;
    return plan;
}

std::size_t figures(const LimitsPlan& plan, const Host& host)
{
    std::size_t all = 1 + (plan.threads.back() > 1 ? 1 : 0);  // a channel
    for (const unsigned threads : plan.threads) {
        const MemorySizes sizes = planned_sizes(plan, host, threads);
        all += sizes.copies.size() + sizes.working_sets.size() * sizes.blocks.size() + 1 + plan.nodes.size();
    }
    const std::size_t processors = plan.handover_processors.size();
    return all + processors * (processors - std::min<std::size_t>(1, processors)) / 2;
}

Limits measured_limits(const LimitsPlan& plan, const Host& host)
{
    Limits limits;
    limits.date = now_text();
    limits.fingerprint = host.fingerprint;
    limits.pin = plan.pin;
    limits.quick = plan.quick;
    constexpr std::uint64_t looked_at = std::uint64_t{64} << 20;
    limits.pages = pages_in_use(host, std::min(looked_at, plan.most_bytes));
    for (const unsigned threads : plan.threads)
        limits.threads.push_back(limits_of_threads(plan, host, threads));
    Team two(std::min(2U, plan.threads.back()), plan.pin_to, plan.effort.clock);
    limits.channel = channel_limits(two, plan.effort);
    limits.handover = handovers(plan.handover_processors, effort_for_pairs(plan));
    return limits;
}

}  // namespace dcube::measure
