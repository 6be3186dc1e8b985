#include "algorithms/dimakopoulos/mixed_routes.hpp"

#include "algorithms/search/assignment.hpp"

#include <dcube/bounds.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <vector>

namespace dcube::detail {

namespace {

// Loads and weights are counted in integers, in fractions of one, so that they are the same on every machine.
using Amount = std::int64_t;
constexpr Amount one = 1024;

// What the shortest ways between all pairs of nodes have in common.
class Ways {
public:
    explicit Ways(const Topology& topology)
        : topology_(topology), nodes_(topology.nodes()), next_(nodes_ * nodes_), transit_(nodes_ * nodes_ * nodes_)
    {
        std::vector<NodeId> by_distance(nodes_);
        for (NodeId target = 0; target < nodes_; ++target) {
            std::iota(by_distance.begin(), by_distance.end(), NodeId{0});
            std::ranges::stable_sort(by_distance, {}, [&](NodeId node) { return topology.distance(node, target); });
            for (const NodeId node : by_distance)
                add_way(node, target);
        }
    }

    [[nodiscard]] const Topology& topology() const { return topology_; }
    [[nodiscard]] std::size_t nodes() const { return nodes_; }
    [[nodiscard]] std::size_t index(NodeId from, NodeId target) const { return from * nodes_ + target; }
    // The ports that lead nearer to the target.
    [[nodiscard]] const std::vector<Port>& ports(NodeId from, NodeId target) const
    {
        return next_[index(from, target)];
    }
    // How often a packet on its way will have to be forwarded by each node, if at every node all shortest ways are
    // equally likely.
    [[nodiscard]] std::span<const std::int32_t> transit(NodeId from, NodeId target) const
    {
        return std::span(transit_).subspan(index(from, target) * nodes_, nodes_);
    }

private:
    void add_way(NodeId from, NodeId target)
    {
        for (Port port = 0; port < topology_.ports(from); ++port)
            if (topology_.distance(topology_.neighbour(from, port), target) < topology_.distance(from, target))
                next_[index(from, target)].push_back(port);
        std::int32_t* const sum = &transit_[index(from, target) * nodes_];
        for (const Port port : ports(from, target)) {
            const NodeId to = topology_.neighbour(from, port);
            if (to != target)
                sum[to] += one;
            for (std::size_t node = 0; node < nodes_; ++node)
                sum[node] += transit(to, target)[node];
        }
        for (std::size_t node = 0; from != target && node < nodes_; ++node)
            sum[node] /= static_cast<std::int32_t>(ports(from, target).size());
    }

    const Topology& topology_;
    std::size_t nodes_;
    std::vector<std::vector<Port>> next_;
    std::vector<std::int32_t> transit_;
};

// What a hop's weight is made of: so much for being one, for how busy its sender and receiver are (taken to a power),
// for how much better balanced the nodes' work becomes, for the way that is left, and for chance.
struct Taste {
    enum Part : std::uint8_t { any, busy, balance, far, chance, parts };

    std::array<Amount, parts> counts{};
    unsigned power = 1;
};

// It does well on most meshes.
constexpr Taste good_taste{{4 * one, 4 * one, 2 * one, one / 32, one / 16}, 6};

class Tastes {
public:
    explicit Tastes(std::uint64_t seed) : random_(seed) {}

    Taste random()
    {
        Taste taste;
        taste.counts = {upto(10 * one), upto(10 * one), upto(4 * one), upto(upto(4 * one)), upto(upto(3 * one))};
        taste.power = static_cast<unsigned>(1 + upto(11));
        return taste;
    }

    // A random one differs in one or two counts by up to half, and in the power by one at most.
    Taste like(Taste taste)
    {
        for (int i = 0; i < 2; ++i) {
            Amount& count = taste.counts[random_() % Taste::parts];
            count = std::min(100 * one, count * (one / 2 + upto(one)) / one);
        }
        taste.power = std::clamp(taste.power + static_cast<unsigned>(upto(2)) - 1U, 1U, 16U);
        return taste;
    }

    std::uint64_t seed() { return random_(); }

private:
    Amount upto(Amount most) { return static_cast<Amount>(random_() % (static_cast<std::uint64_t>(most) + 1)); }

    std::mt19937_64 random_;
};

class Attempt {
public:
    Attempt(const Ways& ways, const Taste& taste, std::uint64_t seed)
        : ways_(ways), topology_(ways.topology()), taste_(taste), random_(seed), waiting_(ways.nodes() * ways.nodes()),
          sends_(ways.nodes()), receives_(ways.nodes()), weights_(ways.nodes()), best_(ways.nodes() * ways.nodes())
    {
        for (NodeId origin = 0; origin < ways.nodes(); ++origin)
            for (NodeId target = 0; target < ways.nodes(); ++target)
                if (target != origin) {
                    waiting_[ways.index(origin, target)].push_back(origin);
                    expect(origin, target, 1);
                    ++left_;
                }
    }

    // The schedule, or that much of it that takes `most` steps.
    Schedule run(std::uint64_t most)
    {
        while (left_ != 0 && schedule_.steps < most) {
            weigh_all();
            make_step(heaviest_matching(weights_));
        }
        return std::move(schedule_);
    }

private:
    struct Candidate {
        Port port;
        NodeId target;
    };

    // Adds the rest of a packet's way to what is expected of the nodes, or takes it away.
    void expect(NodeId at, NodeId target, Amount times)
    {
        if (at == target)
            return;
        sends_[at] += times * one;
        receives_[target] += times * one;
        const std::span<const std::int32_t> transit = ways_.transit(at, target);
        for (std::size_t node = 0; node < transit.size(); ++node) {
            sends_[node] += times * transit[node];
            receives_[node] += times * transit[node];
        }
    }

    void weigh_all()
    {
        weights_ = PairWeights(ways_.nodes());
        busiest_ = std::max(std::ranges::max(sends_), std::ranges::max(receives_));
        for (NodeId node = 0; node < ways_.nodes(); ++node)
            for (NodeId target = 0; target < ways_.nodes(); ++target)
                if (!waiting_[ways_.index(node, target)].empty())
                    weigh_hops(node, target);
    }

    void weigh_hops(NodeId from, NodeId target)
    {
        for (const Port port : ways_.ports(from, target)) {
            const NodeId to = topology_.neighbour(from, port);
            const Amount weight = weight_of(from, to, target);
            if (weight > weights_.at(from, to)) {
                weights_.at(from, to) = weight;
                best_[ways_.index(from, to)] = {port, target};
            }
        }
    }

    Amount weight_of(NodeId from, NodeId to, NodeId target)
    {
        const auto& counts = taste_.counts;
        const auto chance = static_cast<Amount>(random_() % one);
        const Amount weight =
            counts[Taste::any] * one + counts[Taste::busy] * (busyness(sends_[from]) + busyness(receives_[to])) +
            counts[Taste::balance] * gain(from, to, target) +
            counts[Taste::far] * one * topology_.distance(from, target) + counts[Taste::chance] * chance;
        return std::max(weight, Amount{1});
    }

    [[nodiscard]] Amount busyness(Amount load) const
    {
        const Amount share = load * one / busiest_;
        Amount power = share;
        for (unsigned i = 1; i < taste_.power; ++i)
            power = power * share / one;
        return power;
    }

    // How much better balanced the nodes' work becomes.
    [[nodiscard]] Amount gain(NodeId from, NodeId to, NodeId target) const
    {
        const std::span<const std::int32_t> before = ways_.transit(from, target);
        const std::span<const std::int32_t> after = ways_.transit(to, target);
        Amount sum = to == target ? 0 : -one * (sends_[to] + receives_[to]);
        for (std::size_t node = 0; node < before.size(); ++node)
            sum += Amount{before[node] - after[node]} * (sends_[node] + receives_[node]);
        return sum / busiest_;
    }

    void make_step(const std::vector<std::size_t>& receivers)
    {
        ++schedule_.steps;
        const std::size_t first = schedule_.hops.size();
        for (NodeId node = 0; node < ways_.nodes(); ++node)
            if (weights_.at(node, receivers[node]) != 0)
                send(node, best_[ways_.index(node, static_cast<NodeId>(receivers[node]))]);
        for (std::size_t i = first; i < schedule_.hops.size(); ++i)
            receive(schedule_.hops[i]);
    }

    void send(NodeId from, const Candidate& hop)
    {
        std::vector<NodeId>& origins = waiting_[ways_.index(from, hop.target)];
        schedule_.hops.push_back({schedule_.steps, from, hop.port, {origins.back(), hop.target, 0}});
        origins.pop_back();
        expect(from, hop.target, -1);
    }

    void receive(const Hop& hop)
    {
        const NodeId to = topology_.neighbour(hop.from, hop.port);
        expect(to, hop.packet.target, 1);
        if (to == hop.packet.target)
            --left_;
        else
            waiting_[ways_.index(to, hop.packet.target)].push_back(hop.packet.origin);
    }

    const Ways& ways_;
    const Topology& topology_;
    const Taste& taste_;
    std::mt19937_64 random_;
    std::vector<std::vector<NodeId>> waiting_;  // the origins of the packets, by node and target
    std::vector<Amount> sends_;                 // expected of every node from here on
    std::vector<Amount> receives_;
    Amount busiest_ = 0;
    PairWeights weights_;
    std::vector<Candidate> best_;  // of every pair of neighbours, where the weight is not 0
    std::uint64_t left_ = 0;       // packets
    Schedule schedule_{Symmetry::none, 0, {}};
};

std::uint64_t attempts_for(const Topology& topology, unsigned effort)
{
    constexpr std::uint64_t most = 5000;
    const std::uint64_t nodes = topology.nodes();
    const std::uint64_t work = std::max<std::uint64_t>(topology.sum_of_statuses() * nodes * nodes, 1);
    return std::clamp<std::uint64_t>(effort * std::uint64_t{1'000'000} / work, 1, most);
}

}  // namespace

// Every fourth attempt is at random, the others vary the best one.
Schedule mixed_routes(const Topology& topology, std::uint64_t seed, unsigned effort)
{
    const std::uint64_t bound = steps_bound(topology, PortModel::one, {Collective::all_to_all}).value;
    const std::uint64_t attempts = attempts_for(topology, effort);
    const Ways ways(topology);
    Tastes tastes(seed);
    Taste taste = good_taste;
    Schedule best = Attempt(ways, taste, tastes.seed()).run(std::numeric_limits<std::uint64_t>::max());
    for (std::uint64_t i = 1; i < attempts && best.steps > bound; ++i) {
        const Taste tried = i % 4 == 0 ? tastes.random() : tastes.like(taste);
        Schedule next = Attempt(ways, tried, tastes.seed()).run(best.steps + std::uint64_t{1});
        if (next.steps <= best.steps) {
            best = std::move(next);
            taste = tried;
        }
    }
    return best;
}

}  // namespace dcube::detail
