#include "inspect/measure/measured_limits.hpp"

#include "emu/workers.hpp"

#include <dcube/error.hpp>

#include <boost/lockfree/spsc_queue.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <functional>
#include <memory>

namespace dcube::measure {

namespace {

constexpr std::uint64_t steps_a_turn = 64;
constexpr NodeId nodes_a_thread = 16;  // fewer are not worth a thread

// The threads that a machine is lent anyway, for every step, and whether they are there.
class AllThreads final : public detail::Workers {
public:
    explicit AllThreads(unsigned threads) : lender_(detail::borrow_workers(threads)) {}

    [[nodiscard]] unsigned most() const override { return lender_->most(); }
    [[nodiscard]] bool always() const override { return true; }
    [[nodiscard]] bool are_there() const
    {
        return most() == 1 || there_.load(std::memory_order_relaxed) >= asked_for_.load(std::memory_order_relaxed);
    }

    void begin(unsigned count, const std::function<void()>& work) override
    {
        asked_for_ = count;
        work_ = [this, &work] {
            there_.fetch_add(1, std::memory_order_relaxed);
            work();
        };
        lender_->begin(count, work_);
    }
    void end() override
    {
        lender_->end();
        asked_for_ = ~0U;
        there_ = 0;
    }

private:
    std::shared_ptr<Workers> lender_;
    std::function<void()> work_;
    std::atomic<unsigned> asked_for_ = ~0U;  // besides the caller
    std::atomic<unsigned> there_ = 0;
};

// Runs `turns` turns of steps in which every `distance`th node is awake, and returns their time: between the first for
// which all threads have come, or the middle one, and the last, so that the start and the end of the run do not count.
double run_steps(Machine& machine, const AllThreads* all, NodeId distance, std::uint64_t turns, const TimeSource& clock)
{
    constexpr std::uint64_t most = std::uint64_t{1} << 30;
    const std::uint64_t wanted = turns * steps_a_turn;
    const auto steps = static_cast<Step>(std::min(most, wanted));
    double began = 0;
    double ended = 0;
    Step timed = 0;
    machine.run([&, steps](Node& me) -> Task {
        if (me.id() % distance != 0)
            co_return;
        co_await me.next_step();
        for (Step left = steps; left > 0; --left) {
            if (me.id() == 0 && timed == 0 && (all == nullptr || all->are_there() || left <= steps / 2)) {
                timed = left;
                began = clock();
            }
            co_await me.next_step();
        }
        if (me.id() == 0)
            ended = clock();
    });
    return (ended - began) * static_cast<double>(wanted) / static_cast<double>(timed);
}

Seconds step_seconds(NodeId nodes, const MachineOptions& options, NodeId distance, const Effort& effort)
{
    Machine machine(Topology::hypercube(static_cast<unsigned>(std::bit_width(nodes) - 1)), options);
    const auto* const all = dynamic_cast<const AllThreads*>(options.workers.get());
    const Seconds turn =
        measured(effort, [&](std::uint64_t turns) { return run_steps(machine, all, distance, turns, effort.clock); });
    return {turn.median / steps_a_turn, turn.best / steps_a_turn};
}

struct ChannelPacket {
    std::array<std::uint64_t, 4> words{};
};
using ChannelQueue = boost::lockfree::spsc_queue<ChannelPacket, boost::lockfree::capacity<64>>;

constexpr std::uint64_t packets_a_turn = 256;

double on_one_thread(Team& team, ChannelQueue& queue, std::uint64_t turns)
{
    return team.run([&](unsigned thread) {
        if (thread != 0)
            return;
        ChannelPacket packet;
        for (std::uint64_t i = 0; i < turns * packets_a_turn; ++i) {
            queue.push(packet);
            use(&packet);
            queue.pop(packet);
        }
    });
}

double between_two(Team& team, ChannelQueue& queue, std::uint64_t turns)
{
    return team.run([&](unsigned thread) {
        ChannelPacket packet;
        for (std::uint64_t i = 0; thread < 2 && i < turns * packets_a_turn; ++i) {
            for (unsigned looks = 0; !(thread == 0 ? queue.push(packet) : queue.pop(packet)); ++looks)
                wait_briefly(looks);
            use(&packet);
        }
    });
}

}  // namespace

MachineOptions with_all_threads(const MachineOptions& options)
{
    MachineOptions all = options;
    all.workers = std::make_shared<AllThreads>(std::max(1U, options.threads));
    return all;
}

Seconds barrier_seconds(const MachineOptions& options, const Effort& effort)
{
    const MachineOptions all = with_all_threads(options);
    if (all.workers->most() < options.threads)
        throw InvalidArgument(fmt::format("{} threads cannot be measured: this process may use {}", options.threads,
                                          available_threads()));
    const std::uint64_t nodes = std::bit_ceil(std::uint64_t{nodes_a_thread} * std::max(1U, options.threads));
    return step_seconds(static_cast<NodeId>(nodes), all, nodes_a_thread, effort);
}

std::vector<EmptyStep> empty_steps(std::span<const std::uint64_t> nodes, const MachineOptions& options,
                                   const Effort& effort)
{
    std::vector<EmptyStep> steps;
    for (const std::uint64_t number : nodes) {
        const auto id = static_cast<NodeId>(number);
        EmptyStep& step = steps.emplace_back(EmptyStep{number, step_seconds(id, options, 1, effort).median});
        if (options.threads > 1)
            step.all_threads_seconds = step_seconds(id, with_all_threads(options), 1, effort).median;
    }
    return steps;
}

ChannelLimits channel_limits(Team& team, const Effort& effort)
{
    const auto queue = std::make_unique<ChannelQueue>();
    ChannelLimits limits;
    limits.one_thread_seconds =
        measured(effort, [&](std::uint64_t turns) { return on_one_thread(team, *queue, turns); }).median /
        packets_a_turn;
    if (team.threads() > 1)
        limits.two_threads_seconds =
            measured(effort, [&](std::uint64_t turns) { return between_two(team, *queue, turns); }).median /
            packets_a_turn;
    return limits;
}

}  // namespace dcube::measure
