// Every limit is measured once, with as little as can be: shapes, units and axes, and never a rate.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/host_tree.hpp"

#include "inspect/measure/host.hpp"
#include "inspect/measure/measured_limits.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

using namespace dcube::measure;
using namespace dcube::test;

namespace {

// A clock that moves on by a millisecond whenever it is asked.
TimeSource made_up_clock()
{
    return [ticks = std::make_shared<std::atomic<int>>(0)] { return ++*ticks * 1e-3; };
}

Effort least_effort()
{
    Effort effort;
    effort.seconds = 1e-9;
    effort.batches = 2;
    effort.clock = made_up_clock();
    return effort;
}

bool is_rate(double value)
{
    return std::isfinite(value) && value > 0;
}

Host made_up_host(const Files& files)
{
    const HostTree tree(files);
    return this_host({tree.root(), std::chrono::milliseconds(0)});
}

}  // namespace

TEST_CASE("teams: every thread works once a round, and rounds are timed from the first start to the last end",
          "[measure][limits]")
{
    for (const unsigned threads : {1U, 2U, 5U}) {
        Team team(threads, {}, made_up_clock());
        CHECK(team.threads() == threads);
        std::vector<int> times(threads);
        for (int round = 1; round <= 20; ++round) {
            const double seconds = team.run([&](unsigned thread) { ++times[thread]; });
            CHECK(times == std::vector<int>(threads, round));
            CHECK(seconds > 0);
            CHECK(seconds < 2e-3 * threads);
        }
    }
}

TEST_CASE("teams: a thread's failure is rethrown, and the team goes on", "[measure][limits]")
{
    Team team(3, {});
    const auto fail = [](unsigned thread) {
        if (thread > 0)
            throw std::runtime_error(thread == 1 ? "first" : "second");
    };
    CHECK_THROWS_WITH(team.run(fail), "first");
    std::atomic<int> worked = 0;
    team.run([&](unsigned thread) { worked += thread == 2 ? 1 : 0; });
    CHECK(worked == 1);
}

TEST_CASE("teams: a processor that there is not is no error", "[measure][limits]")
{
    const std::vector<unsigned> nowhere{1023, 5000};
    Team team(2, nowhere);
    std::atomic<int> worked = 0;
    team.run([&](unsigned) { ++worked; });
    CHECK(worked == 2);
}

TEST_CASE("effort: batches get turns until they last long enough, and the median and the best are of one turn",
          "[measure][limits]")
{
    Effort effort;
    effort.seconds = 5;
    effort.batches = 5;
    int announced = 0;
    effort.before_each = [&] { ++announced; };
    std::uint64_t most = 0;
    int batches = 0;
    const Seconds seconds = measured(effort, [&](std::uint64_t turns) {
        most = std::max(most, turns);
        ++batches;
        return static_cast<double>(turns) * (batches % 2 == 0 ? 0.01 : 0.02);  // every other batch is slower
    });
    CHECK(announced == 1);
    CHECK(static_cast<double>(most) * 0.02 >= 1);
    CHECK(most < 1000);
    CHECK(seconds.best == Approx(0.01));
    CHECK((seconds.median == Approx(0.01) || seconds.median == Approx(0.02)));
    CHECK(measured({.seconds = 0, .batches = 4}, [n = 0](std::uint64_t) mutable { return ++n; }).median ==
          Approx(4.5));  // 1 and 2 to get started, then 3, 4, 5, 6
}

TEST_CASE("limits: the sizes to be measured ascend, from 8 KiB a thread to far beyond the last cache",
          "[measure][limits]")
{
    const Host host = made_up_host(two_sockets());
    for (const unsigned threads : {1U, 2U, 3U, 64U}) {
        CAPTURE(threads);
        const MemorySizes sizes = memory_sizes(host, threads, std::uint64_t{1} << 40U);
        CHECK(std::ranges::is_sorted(sizes.copies, std::ranges::less_equal()));
        CHECK(sizes.copies.front() == (std::uint64_t{8} << 10U) * threads);
        CHECK(sizes.copies.back() >= 4 * *host.last_cache_bytes());
        REQUIRE(sizes.working_sets.size() == 3);
        CHECK(sizes.working_sets[0] <= *host.core_cache_bytes() * threads);
        CHECK(sizes.working_sets[1] <= *host.last_cache_bytes());
        CHECK(sizes.working_sets[2] >= 4 * *host.last_cache_bytes());
        CHECK(sizes.blocks.front() == 8);
        CHECK(sizes.blocks.back() == 4096);
    }
    const MemorySizes little = memory_sizes(host, 2, 1U << 20U);
    CHECK(little.copies.back() == 1U << 20U);
    CHECK(little.working_sets.back() <= 1U << 20U);
    const MemorySizes unknown = memory_sizes(made_up_host(bare_arm()), 1, std::uint64_t{1} << 30U);
    CHECK(unknown.copies.back() == 128U << 20U);
}

TEST_CASE("limits: copies and scattered blocks have a rate for each size", "[measure][limits]")
{
    for (const unsigned threads : {1U, 2U}) {
        Team team(threads, {}, made_up_clock());
        const std::vector<std::uint64_t> sets{16U << 10U, 1U << 20U};
        const auto copies = copy_rates(team, sets, least_effort());
        REQUIRE(copies.size() == 2);
        for (std::size_t i = 0; i < copies.size(); ++i) {
            CHECK(copies[i].working_set_bytes == sets[i]);
            CHECK(is_rate(copies[i].bytes_per_second));
            CHECK(copies[i].best_bytes_per_second >= copies[i].bytes_per_second);
        }
        const std::vector<std::uint64_t> sizes{8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096};
        const auto blocks = block_rates(team, sets, sizes, least_effort());
        REQUIRE(blocks.size() == sets.size() * sizes.size());
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            CHECK(blocks[i].working_set_bytes == sets[i / sizes.size()]);
            CHECK(blocks[i].block_bytes == sizes[i % sizes.size()]);
            CHECK(is_rate(blocks[i].bytes_per_second));
            CHECK(blocks[i].seconds_per_block(threads) ==
                  Approx(static_cast<double>(blocks[i].block_bytes) * threads / blocks[i].bytes_per_second));
        }
    }
    Team team(1, {});
    const std::vector<std::uint64_t> set{1U << 20U};
    const std::vector<std::uint64_t> odd{24};
    CHECK_THROWS_WITH(block_rates(team, set, odd, least_effort()), Catch::Contains("blocks of 24 bytes"));
    CHECK(copy_rates(team, {}, least_effort()).empty());
}

TEST_CASE("limits: a barrier, empty steps and channels take a time", "[measure][limits]")
{
    dcube::MachineOptions machine;
    machine.threads = 1;
    const Seconds barrier = barrier_seconds(machine, least_effort());
    CHECK(is_rate(barrier.best));
    CHECK(barrier.median >= barrier.best);
    const std::vector<std::uint64_t> nodes{64, 1024};
    const auto steps = empty_steps(nodes, machine, least_effort());
    REQUIRE(steps.size() == 2);
    CHECK(steps[1].nodes == 1024);
    CHECK(is_rate(steps[0].seconds));
    CHECK_FALSE(steps[0].all_threads_seconds);
    machine.threads = 1000;
    CHECK_THROWS_WITH(barrier_seconds(machine, least_effort()), Catch::Contains("1000 threads cannot be measured"));

    Team one(1, {}, made_up_clock());
    CHECK(is_rate(channel_limits(one, least_effort()).one_thread_seconds));
    CHECK_FALSE(channel_limits(one, least_effort()).two_threads_seconds);
    Team two(2, {}, made_up_clock());
    CHECK(is_rate(channel_limits(two, least_effort()).two_threads_seconds.value()));
}

namespace {

// The steps of a machine of two threads, a node of each awake, that were run by two threads, and all of its steps.
std::pair<int, int> steps_by_two(const dcube::MachineOptions& options, int steps)
{
    dcube::Machine machine(dcube::Topology::hypercube(5), options);
    if (machine.threads() < 2)
        return {};
    std::vector<std::array<std::thread::id, 2>> ran(static_cast<std::size_t>(steps));
    machine.run([&](dcube::Node& me) -> dcube::Task {
        if (me.id() % 16 != 0)
            co_return;
        for (auto& step : ran) {
            step[me.id() / 16] = std::this_thread::get_id();
            co_await me.next_step();
        }
    });
    return {static_cast<int>(std::ranges::count_if(ran, [](const auto& step) { return step[0] != step[1]; })), steps};
}

}  // namespace

// A thread that waits for another's work gets a line from it, and the other one gets a line to go on: two handovers.
TEST_CASE("limits: in the steps of the barrier each thread runs its own node, so it takes two handovers at least",
          "[measure][limits]")
{
    if (dcube::available_threads() < 2)
        return;
    dcube::MachineOptions machine;
    machine.threads = 2;
    CHECK(steps_by_two(machine, 1000).first == 0);  // they are not worth two threads' while
    int by_two = 0;
    for (int tries = 0; by_two == 0 && tries < 1000; ++tries)  // a thread that is lent may come late
        by_two = steps_by_two(with_all_threads(machine), 10'000).first;
    CHECK(by_two > 0);

    CHECK(is_rate(barrier_seconds(machine, least_effort()).best));
    const std::vector<std::uint64_t> nodes{64};
    CHECK(is_rate(empty_steps(nodes, machine, least_effort())[0].all_threads_seconds.value()));
}

TEST_CASE("limits: lines from another processor have rates for each pair, and for each level", "[measure][limits]")
{
    const std::vector<unsigned> allowed = allowed_processors();
    const std::vector<unsigned> processors{allowed.front(), allowed.back()};  // also with one processor
    const Host host = made_up_host(two_sockets());
    const Lines lines = line_rates(processors, host, least_effort());
    CHECK(lines.processors == processors);
    REQUIRE(lines.rates.size() == 2);
    CHECK_FALSE(lines.rates[0][0]);
    CHECK_FALSE(lines.rates[1][1]);
    for (const auto& rates : {lines.rates[0][1], lines.rates[1][0]}) {
        REQUIRE(rates);
        CHECK(is_rate(rates->line_seconds));
        CHECK(is_rate(rates->lines_per_second));
        CHECK(is_rate(rates->prefetched_lines_per_second));
        CHECK(rates->best_lines_per_second >= std::max(rates->lines_per_second, rates->prefetched_lines_per_second));
    }
    REQUIRE(lines.levels.size() == 1);
    CHECK(lines.levels[0].pairs == 1);
    CHECK(line_rates({}, host, least_effort()).levels.empty());
}

TEST_CASE("limits: the levels of lines have the median of their pairs, and the best", "[measure][limits]")
{
    Lines lines{{0, 32, 1, 16}};
    lines.rates.assign(4, std::vector<std::optional<LineRates>>(4));
    const auto set = [&](std::size_t a, std::size_t b, double rate) {
        lines.rates[a][b] = lines.rates[b][a] = LineRates{1 / rate, rate, 2 * rate, 3 * rate};
    };
    set(0, 1, 100);
    set(0, 2, 50);
    set(1, 2, 70);
    set(0, 3, 9);
    set(1, 3, 10);
    set(2, 3, 11);
    const auto levels = line_levels(lines, made_up_host(two_sockets()));
    REQUIRE(levels.size() == 3);
    CHECK(levels[0].level == "same core");
    CHECK(levels[1].level == "same last cache");
    CHECK(levels[1].pairs == 2);
    CHECK(levels[1].rates.lines_per_second == Approx(60));
    CHECK(levels[1].rates.best_lines_per_second == Approx(210));
    CHECK(levels[2].level == "other socket");
    CHECK(levels[2].pairs == 3);
    CHECK(levels[2].rates.prefetched_lines_per_second == Approx(20));
    CHECK(levels[2].rates.line_seconds == Approx(0.1));
}

TEST_CASE("limits: handovers make a symmetric matrix without a diagonal", "[measure][limits]")
{
    const std::vector<unsigned> allowed = allowed_processors();
    REQUIRE_FALSE(allowed.empty());
    const std::vector<unsigned> processors{allowed.front(), allowed.back(),
                                           allowed.front()};  // also with one processor
    const Handover matrix = handovers(processors, least_effort());
    CHECK(matrix.processors == processors);
    REQUIRE(matrix.seconds.size() == 3);
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < 3; ++b) {
            CHECK(matrix.seconds[a][b].has_value() == (a != b));
            CHECK(matrix.seconds[a][b] == matrix.seconds[b][a]);
        }
    CHECK(handovers({}, least_effort()).seconds.empty());
}

TEST_CASE("limits: the size of memory pages and the kind in use are known", "[measure][limits]")
{
    const Pages pages = pages_in_use(this_host({"/", std::chrono::milliseconds(0)}), 4U << 20U);
    CHECK(pages.page_bytes >= 4096);
    CHECK_FALSE(pages.used.empty());
}

TEST_CASE("limits: a plan's figures are all measured, as many as were announced", "[measure][limits]")
{
    const Host host = made_up_host(two_sockets());
    LimitsPlan plan;
    plan.threads = {1};
    plan.most_bytes = 64U << 10U;
    plan.blocks = {8, 4096};
    plan.nodes = {64};
    plan.handover_processors = {allowed_processors().front(), allowed_processors().front()};
    plan.effort = least_effort();
    std::size_t count = 0;
    plan.effort.before_each = [&] { ++count; };
    const Limits limits = measured_limits(plan, host);
    CHECK(count == figures(plan, host));
    CHECK(limits.fingerprint == host.fingerprint);
    CHECK(limits.pin == "none");
    REQUIRE(limits.threads.size() == 1);
    CHECK(limits.threads[0].copies.size() == 4);  // 8, 16, 32 and 64 KiB
    CHECK(limits.threads[0].blocks.size() == 2);
    CHECK(limits.threads[0].empty_steps.size() == 1);
    CHECK(limits.threads[0].learned.empty());  // one thread has no choice
    CHECK(limits.handover.processors.size() == 2);
    CHECK(limits.lines.processors.size() == 2);
    CHECK(limits.threads[0].best_barrier_seconds > 0);

    plan.effort.before_each = [] { throw std::runtime_error("enough"); };
    CHECK_THROWS_WITH(measured_limits(plan, host), "enough");
}

TEST_CASE("limits: the quick plan measures less than the usual one", "[measure][limits]")
{
    const Host host = made_up_host(two_sockets());
    const LimitsPlan usual = usual_plan(host, {1, 2}, false);
    const LimitsPlan quick = usual_plan(host, {1, 2}, true);
    CHECK(figures(quick, host) < figures(usual, host));
    CHECK(quick.effort.seconds < usual.effort.seconds);
    CHECK(quick.most_bytes <= usual.most_bytes);
}
