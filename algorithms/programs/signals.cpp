#include "algorithms/programs/signals.hpp"

#include "algorithms/programs/walked_time.hpp"
#include "base/exact.hpp"
#include "base/sizes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace dcube::detail {

namespace {

// What one node does with a signal. In a step it receives before it sends.
struct SignalAct {
    enum class Kind : std::uint8_t { receive, send };

    Step step;
    Kind kind;
    Port port;
};

using SignalActs = std::vector<std::vector<SignalAct>>;  // by node

SignalActs acts_of(const SignalPlan& plan, const Topology& topology)
{
    SignalActs acts(topology.nodes());
    for (const Signal& one : plan.signals) {
        acts[one.from].push_back({one.step, SignalAct::Kind::send, one.port});
        acts[topology.neighbour(one.from, one.port)].push_back(
            {one.step + 1, SignalAct::Kind::receive, topology.arrival_port(one.from, one.port)});
    }
    for (std::vector<SignalAct>& of_node : acts)
        std::ranges::stable_sort(of_node, {}, [](const SignalAct& act) { return std::pair(act.step, act.kind); });
    return acts;
}

Task run_signals(Node& me, const std::vector<SignalAct>& acts)
{
    const Step before = me.step() - 1;
    for (const SignalAct& act : acts) {
        co_await me.until(before + act.step);
        if (act.kind == SignalAct::Kind::send)
            me.send(act.port, std::span<const std::byte>());
        else
            me.receive(act.port, std::span<std::byte>());
    }
}

// When each node has received its latest signal, and each link is free, in times of one signal.
class SignalClock {
public:
    SignalClock(const Topology& topology, const LinkModel& link)
        : topology_(topology), heard_(topology.nodes()), free_(allocatable(topology.directed_links())),
          ports_(link, topology.nodes())
    {
    }

    void send(const Signal& one)
    {
        const NodeId to = topology_.neighbour(one.from, one.port);
        std::uint64_t& link = free_[as_size(topology_.link(one.from, one.port))];
        link = std::max({link, heard_[one.from], ports_.free_from(one.from, to)}) + 1;
        ports_.hold(one.from, to, link);
        arriving_.emplace_back(to, link);
        last_ = std::max(last_, link);
    }

    void end_step()
    {
        for (const auto& [node, time] : arriving_)
            heard_[node] = std::max(heard_[node], time);
        arriving_.clear();
    }

    [[nodiscard]] std::uint64_t last() const { return last_; }

private:
    const Topology& topology_;
    std::vector<std::uint64_t> heard_;
    std::vector<std::uint64_t> free_;
    WalkedPorts ports_;
    std::vector<std::pair<NodeId, std::uint64_t>> arriving_{};
    std::uint64_t last_ = 0;
};

std::uint64_t signal_times(const SignalPlan& plan, const Topology& topology, const LinkModel& link)
{
    if (link.clock == LinkClock::lockstep)
        return plan.steps;
    SignalClock times(topology, link);
    Step step = 0;
    for (const Signal& one : plan.signals) {
        if (one.step != std::exchange(step, one.step))
            times.end_step();
        times.send(one);
    }
    return times.last();
}

}  // namespace

CollectiveProgram program_of(const SignalPlan& plan, const Topology& topology)
{
    const auto acts = std::make_shared<const SignalActs>(acts_of(plan, topology));
    return [acts](Node& me, NodeData) { return run_signals(me, (*acts)[me.id()]); };
}

Rational time_of(const SignalPlan& plan, const Topology& topology, const LinkModel& link)
{
    return to_rational(exact(link.beta) * signal_times(plan, topology, link));
}

}  // namespace dcube::detail
