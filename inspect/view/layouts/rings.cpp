// Cayley graphs as rings on a circle: what the first generators join is a ring, and all such rings are alike.

#include "inspect/view/layouts/shapes.hpp"

namespace dcube::view {

namespace {

using Ring = std::vector<NodeId>;

// Along port 0 until it comes back; if that is after two nodes, along ports 0 and 1 in turn.
Ring ring_from(const Graph& graph, NodeId start)
{
    const bool turns = graph.neighbour(graph.neighbour(start, 0), 0) == start;
    Ring ring;
    NodeId node = start;
    do {
        ring.push_back(node);
        node = graph.neighbour(node, turns ? static_cast<Port>(ring.size() + 1) % 2 : 0);
    } while (node != start);
    return ring;
}

std::vector<Ring> rings_of(const Graph& graph)
{
    std::vector<Ring> rings;
    std::vector<bool> seen(graph.nodes(), false);
    for (NodeId node = 0; node < graph.nodes(); ++node)
        if (!seen[node]) {
            rings.push_back(ring_from(graph, node));
            for (const NodeId on_it : rings.back())
                seen[on_it] = true;
        }
    return rings;
}

// Centres of the rings: corners of a cube if rings meet as those do (cube-connected cycles), else a circle.
std::vector<Point> centres(const Network& network, const std::vector<Ring>& rings)
{
    std::vector<std::size_t> ring_at(network.topology.nodes());
    for (std::size_t i = 0; i < rings.size(); ++i)
        for (const NodeId node : rings[i])
            ring_at[node] = i;
    const bool cube = std::ranges::all_of(network.links, [&](const UndirectedLink& link) {
        return std::popcount(ring_at[link.from] ^ ring_at[link.to]) <= 1;
    });
    const bool is_power = std::has_single_bit(rings.size());
    if (!cube || !is_power || rings.size() > 16)
        return circle(rings.size());
    const Network corners(Topology::hypercube(static_cast<unsigned>(std::countr_zero(rings.size()))));
    return cube_layouts(corners, std::nullopt).back().variants[0].nodes;
}

// All rings in place, each turned and read in the direction that suits its links to others.
class Placement {
public:
    // Rings side by side have no two nodes at one height if they are tilted.
    Placement(const Network& network, const std::vector<Ring>& rings, double share, double tilt)
        : network_(network), rings_(rings), centres_(centres(network, rings)), places_(circle(rings[0].size())),
          turns_(rings.size(), 0), shape_{.stretch = 1.3, .nodes = std::vector<Point>(network.topology.nodes())}
    {
        const double nearest = least_distance(centres_);
        const double radius = length(places_[0]);
        for (Point& place : places_)
            place = turned(place * (share * nearest / radius), tilt);
        for (std::size_t ring = 0; ring < rings_.size(); ++ring)
            put(ring, 0);
    }

    // First makes links short, then keeps them off nodes.
    Variant settled()
    {
        const auto shortness = [&] {
            double sum = 0;
            for (const UndirectedLink& link : network_.links)
                sum += length(shape_.nodes[link.from] - shape_.nodes[link.to]);
            return 1 / sum;
        };
        const auto seen = [&] { return readability(finished(shape_), network_); };
        for (unsigned round = 0; round < 4; ++round)
            turn_all(shortness);
        for (unsigned round = 0; round < 4 && rings_.size() <= few; ++round)
            turn_all(seen);
        return shape_;
    }

private:
    static constexpr std::size_t few = 8;  // rings, for which that is quick

    void put(std::size_t ring, std::size_t turn)
    {
        turns_[ring] = turn;
        const std::size_t size = places_.size();
        for (std::size_t i = 0; i < size; ++i) {
            const std::size_t place = turn % 2 == 0 ? i : size - 1 - i;
            shape_.nodes[rings_[ring][i]] = centres_[ring] + places_[(place + turn / 2) % size];
        }
    }

    template <class Goodness>
    void turn_all(const Goodness& goodness)
    {
        for (std::size_t ring = 0; ring < rings_.size(); ++ring) {
            std::size_t best = turns_[ring];
            double most = goodness();
            for (std::size_t turn = 0; turn < 2 * places_.size(); ++turn) {
                put(ring, turn);
                if (const double now = goodness(); now > most * (1 + 1e-6)) {
                    most = now;
                    best = turn;
                }
            }
            put(ring, best);
        }
    }

    const Network& network_;
    const std::vector<Ring>& rings_;
    std::vector<Point> centres_;
    std::vector<Point> places_;       // of one ring, about its centre
    std::vector<std::size_t> turns_;  // by ring: twice how far, and 1 if it is read backwards
    Variant shape_;
};

}  // namespace

std::vector<Layout> ring_layouts(const Network& network)
{
    const Topology& topology = network.topology;
    if (topology.dimension() != 1 || topology.factor(0).kind() != Graph::Kind::group ||
        topology.nodes() > most_drawn_unasked)
        return {};
    const std::vector<Ring> rings = rings_of(topology.factor(0));
    if (rings.size() == 1 || rings[0].size() == 2)
        return {};
    std::vector<std::pair<double, double>> candidates;
    for (const double share : {.25, .29, .33, .37})
        for (const double tilt : {.1, .3, .5})
            candidates.emplace_back(share, tilt);
    return {{"rings", {best_shape(network, candidates, [&](const auto& candidate) {
                 return Placement(network, rings, candidate.first, candidate.second).settled();
             })}}};
}

}  // namespace dcube::view
