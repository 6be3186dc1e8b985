// class-matching: in every step classes are matched to the generators that bring them nearer.
// dcube's; goes beyond Dimakopoulos & Dimopoulos 1998, who have no schedules on all ports for groups that do not
// commute. Any product of Cayley graphs.
//
// All nodes act alike, so only node 0's packets are followed. A packet for x that has come to y still has to make
// y^-1 x, an element of the group as well: the rest of its route. In every step a matching of packets to generators
// takes those with most hops left first; ties go to the hops that take load from the generators that still have most to
// carry, then to chance.
//
// Steps: found by search, the fewest of some attempts, of which little is proved. The search ends with the first that
// meets a lower bound, as on star:4, star:5, star:6, pancake:4, pancake:5 and cube-connected cycles. Transmissions: the
// sum of all distances. Planning is bounded by work (the status times the generators, and the packets looked at), and
// takes seconds at most for up to 1024 nodes; memory is a word for every node and generator.

#include "algorithms/papers/dimakopoulos/exchanges.hpp"

#include "algorithms/families.hpp"
#include "algorithms/papers/dimakopoulos/entries.hpp"
#include "base/planning.hpp"
#include "collectives/graphs/port_matching.hpp"

#include <dcube/bounds.hpp>
#include <dcube/topology.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

// The shortest routes of node 0's packets in a product of Cayley graphs.

// A hop over a generator (a port of node 0) that leaves a shorter route.
struct GeneratorHop {
    Port generator;
    NodeId left;  // the route from there
};

// The shortest routes of node 0's packets, by the element of the group that is still to be made: a hop over g turns x
// into g^-1 x.
class CayleyRoutes {
public:
    // Loads are counted in fractions of a hop, in integers so that they are the same on every machine.
    using Load = std::int64_t;

    explicit CayleyRoutes(const Topology& topology);

    [[nodiscard]] NodeId count() const { return static_cast<NodeId>(hops_.size()); }
    [[nodiscard]] Port generators() const { return generators_; }
    [[nodiscard]] unsigned hops(NodeId route) const { return hops_[route]; }
    [[nodiscard]] unsigned longest() const { return hops_[by_length_.back()]; }
    [[nodiscard]] std::span<const GeneratorHop> moves(NodeId route) const
    {
        return std::span(moves_).subspan(first_move_[route], first_move_[route + 1] - first_move_[route]);
    }
    [[nodiscard]] NodeId after(NodeId route, Port generator) const;
    // The number of times that a route uses each generator, on average, if at every node all moves are equally likely.
    [[nodiscard]] std::span<const Load> loads(NodeId route) const
    {
        return std::span(loads_).subspan(std::size_t{route} * generators_, generators_);
    }
    [[nodiscard]] std::span<const NodeId> by_length() const { return by_length_; }

    static constexpr Load hop = 1024;

private:
    void add_moves(const Topology& topology, NodeId route);
    void set_loads(NodeId route);

    Port generators_;
    std::vector<unsigned> hops_;
    std::vector<std::size_t> first_move_;
    std::vector<GeneratorHop> moves_;
    std::vector<Load> loads_;
    std::vector<NodeId> by_length_;
};

CayleyRoutes::CayleyRoutes(const Topology& topology)
    : generators_(topology.ports(0)), hops_(topology.nodes()), first_move_(topology.nodes() + 1),
      loads_(std::size_t{topology.nodes()} * generators_)
{
    for (NodeId route = 0; route < topology.nodes(); ++route)
        hops_[route] = topology.distance(0, route);
    for (NodeId route = 0; route < topology.nodes(); ++route)
        add_moves(topology, route);
    by_length_.resize(topology.nodes());
    std::iota(by_length_.begin(), by_length_.end(), NodeId{0});
    std::ranges::stable_sort(by_length_, {}, [this](NodeId route) { return hops_[route]; });
    for (const NodeId route : by_length_)
        set_loads(route);
}

NodeId CayleyRoutes::after(NodeId route, Port generator) const
{
    return std::ranges::find(moves(route), generator, &GeneratorHop::generator)->left;
}

void CayleyRoutes::add_moves(const Topology& topology, NodeId route)
{
    for (Port generator = 0; generator < generators_; ++generator) {
        const NodeId left = topology.untranslate(route, topology.neighbour(0, generator));
        if (hops_[left] < hops_[route])
            moves_.push_back({generator, left});
    }
    first_move_[route + 1] = moves_.size();
}

void CayleyRoutes::set_loads(NodeId route)
{
    if (route == 0)
        return;
    Load* const sum = &loads_[std::size_t{route} * generators_];
    for (const GeneratorHop& move : moves(route)) {
        sum[move.generator] += hop;
        for (Port generator = 0; generator < generators_; ++generator)
            sum[generator] += loads(move.left)[generator];
    }
    for (Port generator = 0; generator < generators_; ++generator)
        sum[generator] /= static_cast<Load>(moves(route).size());
}

// The least load of the busiest generator, however the shortest routes are chosen.
std::uint64_t least_load(const CayleyRoutes& routes)
{
    std::uint64_t most = 0;
    std::vector<unsigned> least(routes.count());
    for (Port generator = 0; generator < routes.generators(); ++generator) {
        std::uint64_t sum = 0;
        for (const NodeId route : routes.by_length().subspan(1)) {
            least[route] = std::numeric_limits<unsigned>::max();
            for (const GeneratorHop& move : routes.moves(route))
                least[route] = std::min(least[route], least[move.left] + (move.generator == generator ? 1U : 0U));
            sum += least[route];
        }
        most = std::max(most, sum);
    }
    return most;
}

using Load = CayleyRoutes::Load;

std::uint64_t lower_bound(const Topology& topology, const CayleyRoutes& routes)
{
    return std::max(least_load(routes), steps_bound(topology, PortModel::all, {Collective::all_to_all}).value);
}

// One attempt at a schedule.
class ClassMatching {
public:
    ClassMatching(const Topology& topology, const CayleyRoutes& routes, std::uint64_t seed)
        : topology_(topology), routes_(routes), random_(seed), waiting_(routes.longest() + 1),
          longest_(routes.longest()), load_(routes.generators())
    {
        for (NodeId route = 1; route < routes.count(); ++route) {
            waiting_[routes.hops(route)].push_back({route, 0});
            expect(route, 1);
        }
    }

    [[nodiscard]] std::uint64_t looks() const { return looks_; }

    // The schedule, or that much of it that takes `most` steps.
    Schedule run(std::uint64_t most)
    {
        for (NodeId left = routes_.count() - 1; left != 0 && schedule_.steps < most;) {
            planning("class matching", 0);
            match();
            left -= make_hops();
        }
        return std::move(schedule_);
    }

private:
    struct Packet {
        NodeId route;  // the rest of it
        NodeId at;     // as seen from the packet's origin
    };

    static constexpr std::size_t most_compared = 8;  // packets of equal length at a time

    // The gain in balance of the loads.
    [[nodiscard]] Load gain(NodeId route, const GeneratorHop& move) const
    {
        const std::span<const Load> before = routes_.loads(route);
        const std::span<const Load> after = routes_.loads(move.left);
        Load sum = -CayleyRoutes::hop * load_[move.generator];
        for (Port generator = 0; generator < routes_.generators(); ++generator)
            sum += (before[generator] - after[generator]) * load_[generator];
        return sum;
    }

    [[nodiscard]] Load best_gain(const Packet& packet) const
    {
        Load best = std::numeric_limits<Load>::min();
        for (const GeneratorHop& move : routes_.moves(packet.route))
            best = std::max(best, gain(packet.route, move));
        return best;
    }

    // Brings a few packets to the front, the best of them first. The others keep whatever order they have.
    void shuffle(std::vector<Packet>& packets)
    {
        const std::size_t front = std::min(most_compared, packets.size());
        sample_.clear();
        for (std::size_t i = 0; i < front; ++i) {
            std::swap(packets[i], packets[i + random_() % (packets.size() - i)]);
            sample_.emplace_back(best_gain(packets[i]), packets[i]);
        }
        sort_by_gain(sample_);
        for (std::size_t i = 0; i < front; ++i)
            packets[i] = sample_[i].second;
    }

    void match()
    {
        matching_.reset(routes_.generators());
        chosen_.clear();
        while (longest_ != 0 && waiting_[longest_].empty())
            --longest_;
        for (unsigned length = longest_; length != 0 && !matching_.full(); --length) {
            looks_ += waiting_[length].size();
            shuffle(waiting_[length]);
            std::erase_if(waiting_[length], [this](const Packet& packet) { return choose(packet); });
        }
    }

    bool choose(const Packet& packet)
    {
        if (matching_.full() || is_refused(packet) || !matching_.add(best_generators(packet.route)))
            return false;
        chosen_.push_back(packet);
        return true;
    }

    // Known before the generators are compared, which takes longer.
    [[nodiscard]] bool is_refused(const Packet& packet) const
    {
        return std::ranges::all_of(routes_.moves(packet.route),
                                   [this](const GeneratorHop& move) { return matching_.closed(move.generator); });
    }

    const std::vector<Port>& best_generators(NodeId route)
    {
        gains_.clear();
        for (const GeneratorHop& move : routes_.moves(route))
            gains_.emplace_back(gain(route, move), move.generator);
        sort_by_gain(gains_);
        generators_.clear();
        for (const auto& [better, generator] : gains_)
            generators_.push_back(generator);
        return generators_;
    }

    // Largest first, equal ones as they are. There are few.
    template <class Value>
    static void sort_by_gain(std::vector<std::pair<Load, Value>>& gains)
    {
        for (auto next = gains.begin(); next != gains.end(); ++next) {
            const auto place =
                std::ranges::find_if(gains.begin(), next, [&](const auto& gain) { return gain.first < next->first; });
            std::rotate(place, next, next + 1);
        }
    }

    // Returns how many packets have arrived.
    NodeId make_hops()
    {
        ++schedule_.steps;
        NodeId arrived = 0;
        for (std::size_t i = 0; i < chosen_.size(); ++i) {
            const auto [route, at] = chosen_[i];
            const Port generator = matching_.port_of(i);
            schedule_.hops.push_back({schedule_.steps, 0, generator, {topology_.untranslate(0, at), route, 0}});
            const NodeId left = routes_.after(route, generator);
            expect(left, 1);
            expect(route, -1);
            if (left == 0)
                ++arrived;
            else
                waiting_[routes_.hops(left)].push_back({left, topology_.neighbour(at, generator)});
        }
        return arrived;
    }

    // Adds a route to what is expected of the generators, or takes it away.
    void expect(NodeId route, Load times)
    {
        for (Port generator = 0; generator < routes_.generators(); ++generator)
            load_[generator] += times * routes_.loads(route)[generator];
    }

    const Topology& topology_;
    const CayleyRoutes& routes_;
    std::mt19937_64 random_;
    std::vector<std::vector<Packet>> waiting_;  // by hops left
    std::uint64_t looks_ = 0;                   // at packets, so far
    unsigned longest_;                          // no packet has more hops left
    std::vector<Load> load_;                    // by generator, expected from here on
    PortMatching matching_;
    std::vector<Packet> chosen_;                   // in this step, as matched
    std::vector<std::pair<Load, Packet>> sample_;  // with their best gains
    std::vector<std::pair<Load, Port>> gains_;     // the gains of the packet in question
    std::vector<Port> generators_;                 // those it may use, best first
    Schedule schedule_{Symmetry::translated, 0, {}};
};

}  // namespace

Schedule class_matching(const Topology& topology)
{
    constexpr std::uint64_t effort = 12'000'000;  // hops times generators
    constexpr std::uint64_t most_looks = std::uint64_t{1} << 29;
    const CayleyRoutes routes(topology);
    const std::uint64_t bound = lower_bound(topology, routes);
    const std::uint64_t hops = std::max<std::uint64_t>(topology.status(0), 1);
    const std::uint64_t attempts =
        std::min<std::uint64_t>(1000, effort / (hops * std::max<Port>(routes.generators(), 1)) + 1);
    std::uint64_t looks = 0;
    const auto attempt = [&](std::uint64_t seed, std::uint64_t most) {
        ClassMatching matching(topology, routes, seed);
        Schedule schedule = matching.run(most);
        looks += matching.looks();
        return schedule;
    };
    Schedule best = attempt(0, std::numeric_limits<std::uint64_t>::max());
    for (std::uint64_t seed = 1; seed < attempts && looks < most_looks && best.steps > bound; ++seed) {
        Schedule next = attempt(seed, best.steps);
        if (next.steps < best.steps)
            best = std::move(next);
    }
    return best;
}

Entry class_matching_entry()
{
    return exchange_entry(
        {{.collective = Collective::all_to_all,
          .name = "class-matching",
          .ports = PortModel::all,
          .networks = Networks::groups},
         {.paper = "beyond Dimakopoulos & Dimopoulos 1998",
          .origin = Origin::dcube,
          .summary = "in every step classes are matched to the links that bring them nearer",
          .idea = "On products of Cayley graphs schedule one node: in every step classes are matched to the "
                  "generators that bring them nearer, those with most hops left first. A search, compared with the "
                  "bounds; nothing is promised.",
          .formula = as_planned,
          .paper_note =
              "Dimakopoulos & Dimopoulos treat Cayley graphs with one port. With all ports they leave them open."}},
        found_by("class-matching", PortModel::all, class_matching,
                 {"blocks to ports", "In every step each port gets a block that it brings nearer, those with most hops "
                                     "left first; all nodes do the same, seen from themselves."},
                 [](const Topology& topology) -> std::string {
                     if (contains(Networks::rings_and_complete, topology))
                         return "edge-colouring is optimal on rings and complete graphs";
                     return too_large(topology, 1024);
                 }));
}

}  // namespace dcube::detail
