#include "tests/support/exhaustive_spread.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <set>
#include <utility>

namespace dcube::test {

namespace {

using Held = std::vector<std::uint16_t>;

// All states one step later. No node loses a packet, so only packets that are new to their receiver are sent.
class NextStates {
public:
    NextStates(const Topology& topology, PortModel ports, unsigned packets)
        : topology_(topology), ports_(ports), packets_(packets)
    {
    }

    std::set<Held> after(const std::set<Held>& states)
    {
        next_.clear();
        for (const Held& state : states) {
            now_ = state;
            then_ = state;
            received_.assign(state.size(), false);
            choose(0, 0);
        }
        keep_largest();
        return std::move(next_);
    }

private:
    void choose(NodeId node, Port port)
    {
        if (node == topology_.nodes()) {
            next_.insert(then_);
            return;
        }
        if (port == topology_.ports(node))
            return choose(node + 1, 0);
        choose(node, port + 1);
        const NodeId to = topology_.neighbour(node, port);
        if (ports_ == PortModel::one && received_[to])
            return;
        for (unsigned packet = 0; packet < packets_; ++packet) {
            const auto bit = static_cast<std::uint16_t>(1U << packet);
            if ((now_[node] & bit) == 0 || (then_[to] & bit) != 0)
                continue;
            then_[to] |= bit;
            received_[to] = true;
            ports_ == PortModel::one ? choose(node + 1, 0) : choose(node, port + 1);
            then_[to] &= static_cast<std::uint16_t>(~bit);
            received_[to] = false;
        }
    }

    // A state in which no node has more than in another is no better.
    void keep_largest()
    {
        const auto within = [](const Held& a, const Held& b) {
            for (std::size_t i = 0; i < a.size(); ++i)
                if ((a[i] & ~b[i]) != 0)
                    return false;
            return true;
        };
        std::vector<Held> largest;
        std::vector<Held> all(next_.begin(), next_.end());
        const auto size = [](const Held& held) {
            int bits = 0;
            for (const std::uint16_t one : held)
                bits += std::popcount(one);
            return -bits;
        };
        std::ranges::stable_sort(all, {}, size);
        for (const Held& one : all)
            if (std::ranges::none_of(largest, [&](const Held& other) { return within(one, other); }))
                largest.push_back(one);
        next_ = {largest.begin(), largest.end()};
    }

    const Topology& topology_;
    PortModel ports_;
    unsigned packets_;
    Held now_{};
    Held then_{};
    std::vector<bool> received_{};
    std::set<Held> next_{};
};

}  // namespace

unsigned least_steps_to_spread(const Topology& topology, PortModel ports, std::vector<std::uint16_t> held,
                               unsigned packets)
{
    const Held complete(topology.nodes(), static_cast<std::uint16_t>((1U << packets) - 1));
    NextStates next(topology, ports, packets);
    std::set<Held> states{held};
    unsigned steps = 0;
    for (; !states.contains(complete); ++steps)
        states = next.after(states);
    return steps;
}

}  // namespace dcube::test
