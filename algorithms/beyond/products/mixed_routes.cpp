// mixed-routes: routes that take the factors in different orders, found by search.
// dcube's; goes beyond Dimakopoulos & Dimopoulos 1998, whose A2 takes about one and a half times the bound on meshes,
// as does every algorithm that takes the factors in one order for all packets. One port, any network.
//
// In every step a matching of largest weight decides which nodes send to which. The weight of a hop is
//   any + busy ((sender's load)^power + (receiver's load)^power) + balance gain + far distance + chance r
// with loads as shares of the busiest node's, the gain in balance of all loads, and r by chance. How much each of that
// counts (a WeightMix) is varied from attempt to attempt: every fourth one is at random, the others vary the best.
//
// Steps: found by search; ends with the first schedule that meets a lower bound, or what its busiest node has to send
// over shortest paths. Transmissions: the sum of all distances. Planning is bounded by work, and takes a second or two;
// its memory grows as nodes^3.

#include "algorithms/papers/dimakopoulos/exchanges.hpp"

#include "algorithms/families.hpp"
#include "algorithms/papers/dimakopoulos/entries.hpp"
#include "algorithms/papers/dimakopoulos/path_ports.hpp"
#include "collectives/graphs/assignment.hpp"

#include <dcube/bounds.hpp>
#include <dcube/topology.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <vector>

namespace dcube::detail {

namespace {

// The shortest paths between all pairs of nodes, and which nodes their packets will keep busy.

// Loads and weights are counted in integers, in 1024ths, so that they are the same on every machine.
using Amount = std::int64_t;
inline constexpr Amount weight_unit = 1024;

// The structure common to all shortest paths between pairs of nodes.
class ShortestPaths {
public:
    // Memory for a word for every three nodes.
    explicit ShortestPaths(const Topology& topology);

    [[nodiscard]] const Topology& topology() const { return topology_; }
    [[nodiscard]] std::size_t nodes() const { return nodes_; }
    [[nodiscard]] std::size_t index(NodeId from, NodeId target) const { return from * nodes_ + target; }
    // The ports that lead nearer to the target.
    [[nodiscard]] std::span<const Port> ports(NodeId from, NodeId target) const { return ports_.of(from, target); }
    // The number of times that each node will have to forward a packet on its path, on average, if at every node all
    // shortest paths are equally likely.
    [[nodiscard]] std::span<const std::int32_t> transit(NodeId from, NodeId target) const
    {
        return std::span(transit_).subspan(index(from, target) * nodes_, nodes_);
    }

private:
    void set_transit(NodeId from, NodeId target);

    const Topology& topology_;
    std::size_t nodes_;
    PathPorts ports_;
    std::vector<std::int32_t> transit_;
};

ShortestPaths::ShortestPaths(const Topology& topology)
    : topology_(topology), nodes_(topology.nodes()), ports_(topology), transit_(nodes_ * nodes_ * nodes_)
{
    std::vector<NodeId> by_distance(nodes_);
    for (NodeId target = 0; target < nodes_; ++target) {
        std::iota(by_distance.begin(), by_distance.end(), NodeId{0});
        std::ranges::stable_sort(by_distance, {}, [&](NodeId node) { return topology.distance(node, target); });
        for (const NodeId node : by_distance)
            set_transit(node, target);
    }
}

void ShortestPaths::set_transit(NodeId from, NodeId target)
{
    std::int32_t* const sum = &transit_[index(from, target) * nodes_];
    for (const Port port : ports(from, target)) {
        const NodeId to = topology_.neighbour(from, port);
        if (to != target)
            sum[to] += weight_unit;
        for (std::size_t node = 0; node < nodes_; ++node)
            sum[node] += transit(to, target)[node];
    }
    for (std::size_t node = 0; from != target && node < nodes_; ++node)
        sum[node] /= static_cast<std::int32_t>(ports(from, target).size());
}

// The parts of a hop's weight: for being a hop, for how busy its sender and receiver are (taken to a power), for how
// much better balanced the nodes' work becomes, for the path that is left, and for chance.
struct WeightMix {
    enum Count : std::uint8_t { any, busy, balance, far, chance, size };

    std::array<Amount, size> counts{};
    unsigned power = 1;
};

// It does well on most meshes.
constexpr WeightMix good_mix{{4 * weight_unit, 4 * weight_unit, 2 * weight_unit, weight_unit / 32, weight_unit / 16},
                             6};

class WeightMixes {
public:
    explicit WeightMixes(std::uint64_t seed) : random_(seed) {}

    WeightMix random()
    {
        WeightMix mix;
        mix.counts = {upto(10 * weight_unit), upto(10 * weight_unit), upto(4 * weight_unit),
                      upto(upto(4 * weight_unit)), upto(upto(3 * weight_unit))};
        mix.power = static_cast<unsigned>(1 + upto(11));
        return mix;
    }

    // A random one differs in one or two counts by up to half, and in the power by one at most.
    WeightMix varied(WeightMix mix)
    {
        for (int i = 0; i < 2; ++i) {
            Amount& count = mix.counts[random_() % WeightMix::size];
            count = std::min(100 * weight_unit, count * (weight_unit / 2 + upto(weight_unit)) / weight_unit);
        }
        mix.power = std::clamp(mix.power + static_cast<unsigned>(upto(2)) - 1U, 1U, 16U);
        return mix;
    }

    std::uint64_t seed() { return random_(); }

private:
    Amount upto(Amount most) { return static_cast<Amount>(random_() % (static_cast<std::uint64_t>(most) + 1)); }

    std::mt19937_64 random_;
};

class MixedRouting {
public:
    MixedRouting(const ShortestPaths& paths, const WeightMix& mix, std::uint64_t seed)
        : paths_(paths), topology_(paths.topology()), mix_(mix), random_(seed), waiting_(paths.nodes() * paths.nodes()),
          sends_(paths.nodes()), receives_(paths.nodes()), weights_(paths.nodes()), best_(paths.nodes() * paths.nodes())
    {
        for (NodeId origin = 0; origin < paths.nodes(); ++origin)
            for (NodeId target = 0; target < paths.nodes(); ++target)
                if (target != origin) {
                    waiting_[paths.index(origin, target)].push_back(origin);
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

    // Adds the rest of a packet's path to what is expected of the nodes, or takes it away.
    void expect(NodeId at, NodeId target, Amount times)
    {
        if (at == target)
            return;
        sends_[at] += times * weight_unit;
        receives_[target] += times * weight_unit;
        const std::span<const std::int32_t> transit = paths_.transit(at, target);
        for (std::size_t node = 0; node < transit.size(); ++node) {
            sends_[node] += times * transit[node];
            receives_[node] += times * transit[node];
        }
    }

    void weigh_all()
    {
        weights_ = PairWeights(paths_.nodes());
        busiest_ = std::max(std::ranges::max(sends_), std::ranges::max(receives_));
        for (NodeId node = 0; node < paths_.nodes(); ++node)
            for (NodeId target = 0; target < paths_.nodes(); ++target)
                if (!waiting_[paths_.index(node, target)].empty())
                    weigh_hops(node, target);
    }

    void weigh_hops(NodeId from, NodeId target)
    {
        for (const Port port : paths_.ports(from, target)) {
            const NodeId to = topology_.neighbour(from, port);
            const Amount weight = weight_of(from, to, target);
            if (weight > weights_.at(from, to)) {
                weights_.at(from, to) = weight;
                best_[paths_.index(from, to)] = {port, target};
            }
        }
    }

    Amount weight_of(NodeId from, NodeId to, NodeId target)
    {
        const auto& counts = mix_.counts;
        const auto chance = static_cast<Amount>(random_() % weight_unit);
        const Amount weight = counts[WeightMix::any] * weight_unit +
                              counts[WeightMix::busy] * (busyness(sends_[from]) + busyness(receives_[to])) +
                              counts[WeightMix::balance] * gain(from, to, target) +
                              counts[WeightMix::far] * weight_unit * topology_.distance(from, target) +
                              counts[WeightMix::chance] * chance;
        return std::max(weight, Amount{1});
    }

    [[nodiscard]] Amount busyness(Amount load) const
    {
        const Amount share = load * weight_unit / busiest_;
        Amount power = share;
        for (unsigned i = 1; i < mix_.power; ++i)
            power = power * share / weight_unit;
        return power;
    }

    // The gain in balance of the nodes' work.
    [[nodiscard]] Amount gain(NodeId from, NodeId to, NodeId target) const
    {
        const std::span<const std::int32_t> before = paths_.transit(from, target);
        const std::span<const std::int32_t> after = paths_.transit(to, target);
        Amount sum = to == target ? 0 : -weight_unit * (sends_[to] + receives_[to]);
        for (std::size_t node = 0; node < before.size(); ++node)
            sum += Amount{before[node] - after[node]} * (sends_[node] + receives_[node]);
        return sum / busiest_;
    }

    void make_step(const std::vector<std::size_t>& receivers)
    {
        ++schedule_.steps;
        const std::size_t first = schedule_.hops.size();
        for (NodeId node = 0; node < paths_.nodes(); ++node)
            if (weights_.at(node, receivers[node]) != 0)
                send(node, best_[paths_.index(node, static_cast<NodeId>(receivers[node]))]);
        for (std::size_t i = first; i < schedule_.hops.size(); ++i)
            receive(schedule_.hops[i]);
    }

    void send(NodeId from, const Candidate& hop)
    {
        std::vector<NodeId>& origins = waiting_[paths_.index(from, hop.target)];
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
            waiting_[paths_.index(to, hop.packet.target)].push_back(hop.packet.origin);
    }

    const ShortestPaths& paths_;
    const Topology& topology_;
    const WeightMix& mix_;
    std::mt19937_64 random_;
    std::vector<std::vector<NodeId>> waiting_;  // the origins of the packets, by node and target
    std::vector<Amount> sends_;                 // expected of every node from here on
    std::vector<Amount> receives_;
    Amount busiest_ = 0;
    PairWeights weights_;
    std::vector<Candidate> best_;  // by pair of neighbours, where the weight is not 0
    std::uint64_t left_ = 0;       // packets
    Schedule schedule_{Symmetry::none, 0, {}};
};

// No schedule over shortest paths takes fewer: the packets that every shortest path leads through a node, and its own.
std::uint64_t most_forced_sends(const ShortestPaths& paths)
{
    std::vector<std::uint64_t> sends(paths.nodes(), paths.nodes() - 1);
    for (NodeId origin = 0; origin < paths.nodes(); ++origin)
        for (NodeId target = 0; target < paths.nodes(); ++target) {
            if (target == origin)
                continue;
            const std::span<const std::int32_t> transit = paths.transit(origin, target);
            for (std::size_t node = 0; node < transit.size(); ++node)
                if (transit[node] == weight_unit)
                    ++sends[node];
        }
    return std::ranges::max(sends);
}

std::uint64_t attempts_for(const Topology& topology, unsigned effort)
{
    constexpr std::uint64_t most = 5000;
    const std::uint64_t nodes = topology.nodes();
    const std::uint64_t work = std::max<std::uint64_t>(topology.sum_of_statuses() * nodes * nodes, 1);
    return std::clamp<std::uint64_t>(effort * std::uint64_t{1'000'000} / work, 1, most);
}

}  // namespace

Schedule mixed_routes_by_search(const Topology& topology, std::uint64_t seed, unsigned effort)
{
    const std::uint64_t attempts = attempts_for(topology, effort);
    const ShortestPaths paths(topology);
    const std::uint64_t bound =
        std::max(steps_bound(topology, PortModel::one, {Collective::all_to_all}).value, most_forced_sends(paths));
    WeightMixes mixes(seed);
    WeightMix mix = good_mix;
    Schedule best = MixedRouting(paths, mix, mixes.seed()).run(std::numeric_limits<std::uint64_t>::max());
    for (std::uint64_t i = 1; i < attempts && best.steps > bound; ++i) {
        const WeightMix tried = i % 4 == 0 ? mixes.random() : mixes.varied(mix);
        Schedule next = MixedRouting(paths, tried, mixes.seed()).run(best.steps + std::uint64_t{1});
        if (next.steps <= best.steps) {
            best = std::move(next);
            mix = tried;
        }
    }
    return best;
}

Schedule mixed_routes(const Topology& topology)
{
    return mixed_routes_by_search(topology, mixed_routes_seed, mixed_routes_effort);
}

Entry mixed_routes_entry()
{
    return exchange_entry(
        {{.collective = Collective::all_to_all,
          .name = "mixed-routes",
          .ports = PortModel::one,
          .networks = Networks::products},
         {.paper = "beyond Dimakopoulos & Dimopoulos 1998",
          .origin = Origin::dcube,
          .summary = "routes that take the factors in different orders, found by search, and matched step by step",
          .idea = "One fixed order of the factors overloads the centre of a mesh. Here packets choose among shortest "
                  "paths so that loads are even, and each step is filled by a matching of senders with receivers "
                  "that serves first the nodes with most left to do. A search, bounded by work.",
          .formula = as_planned,
          .paper_note = "Dimakopoulos & Dimopoulos have no one-port algorithm that meets a bound on meshes: theirs "
                        "are at 1.5 times L1 on large ones.",
          .automatic = false}},
        found_by(
            "mixed-routes", PortModel::one, mixed_routes,
            {"senders to receivers", "In every step senders are matched to receivers so that busy nodes are served and "
                                     "their loads stay even, each packet on whichever shortest path suits."},
            [](const Topology& topology) -> std::string {
                return topology.symmetric() ? "factor-by-factor is optimal on Cayley graphs" : too_large(topology, 64);
            }));
}

}  // namespace dcube::detail
