#include "inspect/measure/measured_limits.hpp"

#include "base/memory.hpp"
#include "base/numbers.hpp"
#include "inspect/measure/host.hpp"
#include "inspect/measure/host_document.hpp"
#include "inspect/measure/host_files.hpp"
#include "inspect/measure/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace dcube::measure {

namespace {

constexpr std::uint64_t most_turns = std::uint64_t{1} << 32;

// The number of turns that last about as long as they should; a clock that has not moved shows only that more are
// needed.
std::uint64_t more_turns(std::uint64_t turns, double took, double wanted)
{
    constexpr double most_growth = 16;  // a first look is easily ten times too long
    const double growth = took > 0 ? std::clamp(1.1 * wanted / took, 2.0, most_growth) : most_growth;
    return std::min(most_turns, static_cast<std::uint64_t>(std::ceil(static_cast<double>(turns) * growth)));
}

}  // namespace

Seconds measured(const Effort& effort, const std::function<double(std::uint64_t turns)>& batch)
{
    effort.before_each();
    const auto looked_batch = [&](std::uint64_t turns) {
        effort.look();
        return batch(turns);
    };
    const unsigned batches = std::max(1U, effort.batches);
    const double wanted = effort.seconds / batches;
    looked_batch(1);  // pages, caches, branches
    std::uint64_t turns = 1;
    for (double took = looked_batch(turns); took < wanted && turns < most_turns; took = looked_batch(turns))
        turns = more_turns(turns, took, wanted);
    std::vector<double> each;
    for (unsigned i = 0; i < batches; ++i)
        each.push_back(looked_batch(turns) / static_cast<double>(turns));
    return {median(each), std::ranges::min(each)};
}

namespace {

// The memory of this process in huge pages, in bytes.
std::optional<std::uint64_t> bytes_in_huge_pages()
{
    const auto kib = value_in("/proc/self/smaps_rollup", "AnonHugePages");  // "2048 kB"
    const auto number = kib ? bytes_in(*kib) : std::nullopt;
    return number ? std::optional(*number << 10) : std::nullopt;
}

std::string used_text(std::uint64_t page, std::uint64_t bytes, const std::optional<std::uint64_t>& huge)
{
    if (!huge)
        return "unknown: not reported by the system";
    if (*huge == 0)
        return fmt::format("pages of {}", size_text(page));
    if (*huge >= bytes)
        return "transparent huge pages";
    return fmt::format("transparent huge pages for {} of {}, pages of {} for the rest", size_text(*huge),
                       size_text(bytes), size_text(page));
}

}  // namespace

Pages pages_in_use(const Host& host, std::uint64_t bytes)
{
    const auto before = bytes_in_huge_pages();
    const Memory memory(bytes);
    std::memset(memory.bytes().data(), 1, memory.bytes().size());
    use(memory.bytes().data());
    const auto after = bytes_in_huge_pages();
    std::optional<std::uint64_t> huge;
    if (before && after)
        huge = *after - std::min(*before, *after);
    return {host.page_bytes, host.huge_pages, used_text(host.page_bytes, bytes, huge)};
}

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
    const Seconds barrier = barrier_seconds(machine, plan.effort);
    limits.barrier_seconds = barrier.median;
    limits.best_barrier_seconds = barrier.best;
    limits.empty_steps = empty_steps(plan.nodes, machine, plan.effort);
    limits.learned = learned_step_seconds(threads);
    return limits;
}

// Ten milliseconds for a figure of each pair of processors, or less where there are many.
Effort effort_for_pairs(const LimitsPlan& plan)
{
    constexpr double of_a_pair = 10e-3;
    constexpr double of_all = 0.5;
    const auto processors = static_cast<double>(plan.handover_processors.size());
    const double pairs = std::max(1.0, processors * processors / 2);
    Effort effort = plan.effort;
    effort.seconds = std::min({effort.seconds, of_a_pair, of_all / pairs});
    return effort;
}

std::vector<unsigned> doubled_up_to(unsigned most)
{
    std::vector<unsigned> numbers;
    for (unsigned threads = 1; threads < most; threads *= 2)
        numbers.push_back(threads);
    numbers.push_back(most);
    return numbers;
}

}  // namespace

LimitsPlan usual_plan(const Host& host, std::vector<unsigned> threads, bool quick, const Pinning& pinning)
{
    LimitsPlan plan;
    plan.threads = threads.empty() ? doubled_up_to(available_threads()) : std::move(threads);
    plan.pin = name(pinning);
    plan.pin_to = pinned_processors(pinning);
    plan.machine.pinning = pinning;
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
        all += sizes.copies.size() + sizes.working_sets.size() * sizes.blocks.size() + 1;
        all += plan.nodes.size() * (threads > 1 ? 2 : 1);
    }
    constexpr std::size_t of_a_pair = 4;  // a handover, and three ways to read lines
    const std::size_t processors = plan.handover_processors.size();
    return all + of_a_pair * (processors * (processors - std::min<std::size_t>(1, processors)) / 2);
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
    limits.lines = line_rates(plan.handover_processors, host, effort_for_pairs(plan));
    return limits;
}

Limits limits_of_host(const LimitsPlan& plan, const Host& host)
{
    const OthersWatch others;
    const QuotaWatch quota;
    Limits limits = measured_limits(plan, host);
    limits.warnings = warnings(host, plan.threads.back());
    if (std::string warning = warning_of_others(others.processors()); !warning.empty())
        limits.warnings.push_back(std::move(warning));
    if (std::string warning = quota.warning(); !warning.empty())
        limits.warnings.push_back(std::move(warning));
    return limits;
}

}  // namespace dcube::measure
