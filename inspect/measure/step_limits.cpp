#include "inspect/measure/measured_limits.hpp"

#include <dcube/error.hpp>

#include <boost/lockfree/spsc_queue.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>

namespace dcube::measure {

namespace {

constexpr std::uint64_t steps_a_turn = 64;
constexpr NodeId nodes_a_thread = 16;  // fewer are not worth a thread

// Runs `turns` turns of steps in which every `distance`th node is awake, and returns their time: between the first and
// the last, so that the start and the end of the run do not count.
double run_steps(Machine& machine, NodeId distance, std::uint64_t turns, const TimeSource& clock)
{
    constexpr std::uint64_t most = std::uint64_t{1} << 30;
    const std::uint64_t wanted = turns * steps_a_turn;
    const auto steps = static_cast<Step>(std::min(most, wanted));
    double began = 0;
    double ended = 0;
    machine.run([&, steps](Node& me) -> Task {
        if (me.id() % distance != 0)
            co_return;
        co_await me.next_step();
        if (me.id() == 0)
            began = clock();
        for (Step step = 0; step < steps; ++step)
            co_await me.next_step();
        if (me.id() == 0)
            ended = clock();
    });
    return (ended - began) * static_cast<double>(wanted) / static_cast<double>(steps);
}

double step_seconds(Machine& machine, NodeId distance, const Effort& effort)
{
    return measured(effort, [&](std::uint64_t turns) { return run_steps(machine, distance, turns, effort.clock); })
               .median /
           steps_a_turn;
}

unsigned dimension_of(std::uint64_t nodes)
{
    return static_cast<unsigned>(std::bit_width(nodes) - 1);
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

double barrier_seconds(const MachineOptions& options, const Effort& effort)
{
    const std::uint64_t nodes = std::bit_ceil(std::uint64_t{nodes_a_thread} * std::max(1U, options.threads));
    Machine machine(Topology::hypercube(dimension_of(nodes)), options);
    if (machine.threads() < options.threads)
        throw InvalidArgument(fmt::format("{} threads cannot be measured: this process may use {}", options.threads,
                                          available_threads()));
    return step_seconds(machine, nodes_a_thread, effort);
}

std::vector<EmptyStep> empty_steps(std::span<const std::uint64_t> nodes, const MachineOptions& options,
                                   const Effort& effort)
{
    std::vector<EmptyStep> all;
    for (const std::uint64_t number : nodes) {
        Machine machine(Topology::hypercube(dimension_of(number)), options);
        all.push_back({number, step_seconds(machine, 1, effort)});
    }
    return all;
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
