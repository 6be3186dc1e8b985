#include "algorithms/beyond/any_network/signal_plans.hpp"

#include "base/planning.hpp"
#include "collectives/graphs/arcs.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

// Sets of nodes, one for each node: those of which it has heard.
class HeardSets {
public:
    explicit HeardSets(NodeId nodes)
        : nodes_(nodes), words_((nodes + std::size_t{63}) / 64), bits_(words_ * nodes), missing_(nodes, nodes - 1),
          lacking_(nodes == 1 ? 0 : nodes)
    {
        for (NodeId node = 0; node < nodes; ++node)
            row(node)[node / 64] |= std::uint64_t{1} << node % 64;
    }

    // How many nodes `to` lacks of which `from` had heard in `before`.
    [[nodiscard]] NodeId gain(const HeardSets& before, NodeId from, NodeId to) const
    {
        if (missing_[to] == 0)
            return 0;
        int count = 0;
        for (std::size_t word = 0; word < words_; ++word)
            count += std::popcount(before.row(from)[word] & ~row(to)[word]);
        return static_cast<NodeId>(count);
    }

    // `to` hears of all of which `from` had heard in `before`; `gained` is gain() of them.
    void hear(const HeardSets& before, NodeId from, NodeId to, NodeId gained)
    {
        for (std::size_t word = 0; word < words_; ++word)
            row(to)[word] |= before.row(from)[word];
        missing_[to] -= gained;
        lacking_ -= missing_[to] == 0 ? 1 : 0;
    }

    [[nodiscard]] bool complete() const { return lacking_ == 0; }
    [[nodiscard]] double share_complete() const { return 1 - static_cast<double>(lacking_) / nodes_; }

private:
    [[nodiscard]] std::uint64_t* row(NodeId node) { return bits_.data() + node * words_; }
    [[nodiscard]] const std::uint64_t* row(NodeId node) const { return bits_.data() + node * words_; }

    NodeId nodes_;
    std::size_t words_;
    std::vector<std::uint64_t> bits_;
    std::vector<NodeId> missing_;  // by node, of how many it has not heard
    NodeId lacking_;               // nodes that have not heard of all
};

enum class Pairing : std::uint8_t { none, pairs_first };

// Makes a plan step by step.
class SignalPlanner {
public:
    explicit SignalPlanner(const Topology& topology) : arcs_(topology), heard_(topology.nodes()), before_(heard_) {}

    // In every step, all signals that bring something.
    SignalPlan on_all_ports()
    {
        while (begin_step())
            for (ArcId arc = 0; arc < arcs_.size(); ++arc)
                send(arc);
        return std::move(plan_);
    }

    // In every step, signals of which no two have the same sender or receiver, those that bring most first.
    SignalPlan on_one_port(Pairing pairing)
    {
        while (begin_step()) {
            sends_.assign(arcs_.nodes(), false);
            receives_.assign(arcs_.nodes(), false);
            if (pairing == Pairing::pairs_first)
                send_in_pairs();
            for (const auto& [gain, arc] : by_gain([&](ArcId one) { return gain_of(one); }))
                if (is_free(arc))
                    send_alone(arc);
        }
        return std::move(plan_);
    }

private:
    struct GainOfArc {
        NodeId gain;
        ArcId arc;
    };

    // Whether there is something to do in another step.
    bool begin_step()
    {
        planning("barrier: who hears of whom", heard_.share_complete());
        if (heard_.complete())
            return false;
        ++plan_.steps;
        before_ = heard_;
        return true;
    }

    [[nodiscard]] NodeId gain_of(ArcId arc) const { return heard_.gain(before_, arcs_.from(arc), arcs_.to(arc)); }

    // What both ends of a link would learn.
    [[nodiscard]] NodeId gain_of_both(ArcId arc) const { return gain_of(arc) + gain_of(arcs_.opposite(arc)); }

    template <class Gain>
    [[nodiscard]] std::vector<GainOfArc> by_gain(const Gain& gain) const
    {
        std::vector<GainOfArc> all;
        for (ArcId arc = 0; arc < arcs_.size(); ++arc)
            if (const NodeId most = gain(arc); most > 0)
                all.push_back({most, arc});
        std::ranges::stable_sort(all, std::greater{}, &GainOfArc::gain);
        return all;
    }

    void send_in_pairs()
    {
        std::vector<bool> paired(arcs_.nodes());
        for (const auto& [gain, arc] : by_gain([&](ArcId one) { return gain_of_both(one); })) {
            if (paired[arcs_.from(arc)] || paired[arcs_.to(arc)])
                continue;
            paired[arcs_.from(arc)] = paired[arcs_.to(arc)] = true;
            send_alone(arc);
            send_alone(arcs_.opposite(arc));
        }
    }

    [[nodiscard]] bool is_free(ArcId arc) const { return !sends_[arcs_.from(arc)] && !receives_[arcs_.to(arc)]; }

    void send_alone(ArcId arc)
    {
        if (!send(arc))
            return;
        sends_[arcs_.from(arc)] = true;
        receives_[arcs_.to(arc)] = true;
    }

    // True if it brings something, beside what is sent in this step already.
    bool send(ArcId arc)
    {
        const NodeId gained = gain_of(arc);
        if (gained == 0)
            return false;
        heard_.hear(before_, arcs_.from(arc), arcs_.to(arc), gained);
        plan_.signals.push_back({plan_.steps, arcs_.from(arc), arcs_.port(arc)});
        return true;
    }

    Arcs arcs_;
    HeardSets heard_;
    HeardSets before_;  // as the step began
    SignalPlan plan_{};
    std::vector<bool> sends_{};
    std::vector<bool> receives_{};
};

}  // namespace

SignalPlan disseminated_signals(const Topology& topology, PortModel ports)
{
    if (ports == PortModel::all)
        return SignalPlanner(topology).on_all_ports();
    SignalPlan pairs = SignalPlanner(topology).on_one_port(Pairing::pairs_first);
    SignalPlan alone = SignalPlanner(topology).on_one_port(Pairing::none);
    const auto cost = [](const SignalPlan& plan) { return std::tuple(plan.steps, plan.signals.size()); };
    return cost(alone) < cost(pairs) ? alone : pairs;
}

}  // namespace dcube::detail
