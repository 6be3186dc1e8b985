#include "algorithms/dimakopoulos/class_matching.hpp"

#include "algorithms/search/port_matching.hpp"

#include <dcube/bounds.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

// A hop over a generator (a port of node 0) that leaves a shorter way.
struct Move {
    Port generator;
    NodeId left;  // the way from there
};

// The shortest ways of node 0's packets. A packet that is meant for x and has come to y still has the way y^-1 x to go,
// so what is left of its way is an element of the group as well, and one hop over g turns x into g^-1 x.
class Ways {
public:
    // Loads are counted in fractions of a hop, in integers so that they are the same on every machine.
    using Load = std::int64_t;

    explicit Ways(const Topology& topology)
        : generators_(topology.ports(0)), hops_(topology.nodes()), first_move_(topology.nodes() + 1),
          loads_(std::size_t{topology.nodes()} * generators_)
    {
        for (NodeId way = 0; way < topology.nodes(); ++way)
            hops_[way] = topology.distance(0, way);
        for (NodeId way = 0; way < topology.nodes(); ++way)
            add_moves(topology, way);
        by_length_.resize(topology.nodes());
        std::iota(by_length_.begin(), by_length_.end(), NodeId{0});
        std::ranges::stable_sort(by_length_, {}, [this](NodeId way) { return hops_[way]; });
        for (const NodeId way : by_length_)
            set_loads(way);
    }

    [[nodiscard]] NodeId count() const { return static_cast<NodeId>(hops_.size()); }
    [[nodiscard]] Port generators() const { return generators_; }
    [[nodiscard]] unsigned hops(NodeId way) const { return hops_[way]; }
    [[nodiscard]] unsigned longest() const { return hops_[by_length_.back()]; }
    [[nodiscard]] std::span<const Move> moves(NodeId way) const
    {
        return std::span(moves_).subspan(first_move_[way], first_move_[way + 1] - first_move_[way]);
    }
    [[nodiscard]] NodeId after(NodeId way, Port generator) const
    {
        return std::ranges::find(moves(way), generator, &Move::generator)->left;
    }
    // How often a way uses each generator, if at every node all moves are equally likely.
    [[nodiscard]] std::span<const Load> loads(NodeId way) const
    {
        return std::span(loads_).subspan(std::size_t{way} * generators_, generators_);
    }
    [[nodiscard]] std::span<const NodeId> by_length() const { return by_length_; }

    static constexpr Load hop = 1024;

private:
    void add_moves(const Topology& topology, NodeId way)
    {
        for (Port generator = 0; generator < generators_; ++generator) {
            const NodeId left = topology.untranslate(way, topology.neighbour(0, generator));
            if (hops_[left] < hops_[way])
                moves_.push_back({generator, left});
        }
        first_move_[way + 1] = moves_.size();
    }

    void set_loads(NodeId way)
    {
        if (way == 0)
            return;
        Load* const sum = &loads_[std::size_t{way} * generators_];
        for (const Move& move : moves(way)) {
            sum[move.generator] += hop;
            for (Port generator = 0; generator < generators_; ++generator)
                sum[generator] += loads(move.left)[generator];
        }
        for (Port generator = 0; generator < generators_; ++generator)
            sum[generator] /= static_cast<Load>(moves(way).size());
    }

    Port generators_;
    std::vector<unsigned> hops_;
    std::vector<std::size_t> first_move_;
    std::vector<Move> moves_;
    std::vector<Load> loads_;
    std::vector<NodeId> by_length_;
};

using Load = Ways::Load;

// What the busiest generator must carry, however the shortest ways are chosen.
std::uint64_t least_load(const Ways& ways)
{
    std::uint64_t most = 0;
    std::vector<unsigned> least(ways.count());
    for (Port generator = 0; generator < ways.generators(); ++generator) {
        std::uint64_t sum = 0;
        for (const NodeId way : ways.by_length().subspan(1)) {
            least[way] = std::numeric_limits<unsigned>::max();
            for (const Move& move : ways.moves(way))
                least[way] = std::min(least[way], least[move.left] + (move.generator == generator ? 1U : 0U));
            sum += least[way];
        }
        most = std::max(most, sum);
    }
    return most;
}

std::uint64_t lower_bound(const Topology& topology, const Ways& ways)
{
    return std::max(least_load(ways), steps_bound(topology, PortModel::all, {Collective::all_to_all}).value);
}

// One attempt at a schedule. In every step the packets are matched to generators, those with most hops left first; ties
// go to hops that take load from the busiest generators, then to chance.
class Attempt {
public:
    Attempt(const Topology& topology, const Ways& ways, std::uint64_t seed)
        : topology_(topology), ways_(ways), random_(seed), waiting_(ways.longest() + 1), load_(ways.generators())
    {
        for (NodeId way = 1; way < ways.count(); ++way) {
            waiting_[ways.hops(way)].push_back({way, 0});
            expect(way, 1);
        }
    }

    // The schedule, or that much of it that takes `most` steps.
    Schedule run(std::uint64_t most)
    {
        for (NodeId left = ways_.count() - 1; left != 0 && schedule_.steps < most;) {
            match();
            left -= make_hops();
        }
        return std::move(schedule_);
    }

private:
    struct Packet {
        NodeId way;  // what is left of it
        NodeId at;   // as seen from the packet's origin
    };

    static constexpr std::size_t sample = 8;  // packets of equal length that are compared at a time

    // How much better balanced the loads become.
    [[nodiscard]] Load gain(NodeId way, const Move& move) const
    {
        const std::span<const Load> before = ways_.loads(way);
        const std::span<const Load> after = ways_.loads(move.left);
        Load sum = -Ways::hop * load_[move.generator];
        for (Port generator = 0; generator < ways_.generators(); ++generator)
            sum += (before[generator] - after[generator]) * load_[generator];
        return sum;
    }

    [[nodiscard]] Load best_gain(const Packet& packet) const
    {
        Load best = std::numeric_limits<Load>::min();
        for (const Move& move : ways_.moves(packet.way))
            best = std::max(best, gain(packet.way, move));
        return best;
    }

    // Brings a few packets to the front, the best of them first. The others keep whatever order they have.
    void shuffle(std::vector<Packet>& packets)
    {
        const std::size_t front = std::min(sample, packets.size());
        std::vector<std::pair<Load, Packet>> order;
        for (std::size_t i = 0; i < front; ++i) {
            std::swap(packets[i], packets[i + random_() % (packets.size() - i)]);
            order.emplace_back(best_gain(packets[i]), packets[i]);
        }
        std::ranges::stable_sort(order, std::greater{}, [](const auto& entry) { return entry.first; });
        for (std::size_t i = 0; i < front; ++i)
            packets[i] = order[i].second;
    }

    void match()
    {
        matching_.reset(ways_.generators());
        chosen_.clear();
        for (unsigned length = ways_.longest(); length != 0 && !matching_.full(); --length) {
            shuffle(waiting_[length]);
            std::erase_if(waiting_[length], [this](const Packet& packet) { return choose(packet); });
        }
    }

    bool choose(const Packet& packet)
    {
        if (matching_.full() || !matching_.add(best_generators(packet.way)))
            return false;
        chosen_.push_back(packet);
        return true;
    }

    const std::vector<Port>& best_generators(NodeId way)
    {
        std::vector<std::pair<Load, Port>> order;
        for (const Move& move : ways_.moves(way))
            order.emplace_back(gain(way, move), move.generator);
        std::ranges::stable_sort(order, std::greater{}, [](const auto& entry) { return entry.first; });
        generators_.clear();
        for (const auto& [better, generator] : order)
            generators_.push_back(generator);
        return generators_;
    }

    // Returns how many packets have arrived.
    NodeId make_hops()
    {
        ++schedule_.steps;
        NodeId arrived = 0;
        for (std::size_t i = 0; i < chosen_.size(); ++i) {
            const auto [way, at] = chosen_[i];
            const Port generator = matching_.port_of(i);
            schedule_.hops.push_back({schedule_.steps, 0, generator, {topology_.untranslate(0, at), way, 0}});
            const NodeId left = ways_.after(way, generator);
            expect(left, 1);
            expect(way, -1);
            if (left == 0)
                ++arrived;
            else
                waiting_[ways_.hops(left)].push_back({left, topology_.neighbour(at, generator)});
        }
        return arrived;
    }

    // Adds a way to what is expected of the generators, or takes it away.
    void expect(NodeId way, Load times)
    {
        for (Port generator = 0; generator < ways_.generators(); ++generator)
            load_[generator] += times * ways_.loads(way)[generator];
    }

    const Topology& topology_;
    const Ways& ways_;
    std::mt19937_64 random_;
    std::vector<std::vector<Packet>> waiting_;  // by hops left
    std::vector<Load> load_;                    // of every generator, expected from here on
    PortMatching matching_;
    std::vector<Packet> chosen_;    // in this step, as matched
    std::vector<Port> generators_;  // that the packet in question may use
    Schedule schedule_{Symmetry::translated, 0, {}};
};

}  // namespace

Schedule cayley_exchange(const Topology& topology)
{
    constexpr std::uint64_t effort = 12'000'000;  // hops times generators
    const Ways ways(topology);
    const std::uint64_t bound = lower_bound(topology, ways);
    const std::uint64_t hops = std::max<std::uint64_t>(topology.status(0), 1);
    const std::uint64_t attempts =
        std::min<std::uint64_t>(1000, effort / (hops * std::max<Port>(ways.generators(), 1)) + 1);
    Schedule best = Attempt(topology, ways, 0).run(std::numeric_limits<std::uint64_t>::max());
    for (std::uint64_t seed = 1; seed < attempts && best.steps > bound; ++seed) {
        Schedule next = Attempt(topology, ways, seed).run(best.steps);
        if (next.steps < best.steps)
            best = std::move(next);
    }
    return best;
}

}  // namespace dcube::detail
