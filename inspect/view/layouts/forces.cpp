// Any single graph: nodes as far apart as their distance says, as nearly as a plane allows.
//
// Stress majorisation (Gansner, Koren, North 2004): sum over pairs of (|p_a - p_b| - d_ab)^2 / d_ab^2 falls with every
// round in which each node goes where the others, one by one, would have it. Only sums, products and square roots are
// taken, and every place is rounded, so that all machines find the same places.

#include "inspect/view/layouts/shapes.hpp"

#include <dcube/random.hpp>

namespace dcube::view {

namespace {

constexpr unsigned beginnings = 12;
constexpr unsigned rounds = 150;
constexpr std::size_t most_links = 256;  // more are a tangle however they lie
constexpr double grain = 1024;           // places are multiples of 1 / grain

double on_grain(double value)
{
    return std::round(value * grain) / grain;
}

std::vector<Point> random_places(NodeId nodes, std::uint64_t seed)
{
    Random random(20221991, seed);
    const double side = std::sqrt(static_cast<double>(nodes));
    std::vector<Point> places(nodes);
    for (Point& place : places) {
        place.x = on_grain(random.uniform() * side);
        place.y = on_grain(random.uniform() * side);
    }
    return places;
}

Point wanted(const Topology& topology, const std::vector<Point>& places, NodeId node)
{
    Point sum;
    double weights = 0;
    for (NodeId other = 0; other < places.size(); ++other) {
        if (other == node)
            continue;
        const double distance = topology.distance(node, other);
        const double weight = 1 / (distance * distance);
        const Point apart = places[node] - places[other];
        const double now = length(apart);
        const Point place = now > 0 ? places[other] + apart * (distance / now) : places[other] + Point{distance, 0};
        sum = sum + place * weight;
        weights += weight;
    }
    return {on_grain(sum.x / weights), on_grain(sum.y / weights)};
}

std::vector<Point> settled(const Topology& topology, std::uint64_t seed)
{
    std::vector<Point> places = random_places(topology.nodes(), seed);
    for (unsigned round = 0; round < rounds; ++round) {
        bool moved = false;
        for (NodeId node = 0; node < places.size(); ++node) {
            const Point place = wanted(topology, places, node);
            moved = moved || place != places[node];
            places[node] = place;
        }
        if (!moved)
            break;
    }
    return places;
}

}  // namespace

std::vector<Layout> force_layouts(const Network& network)
{
    if (network.topology.dimension() > 1 || network.links.size() > most_links)
        return {};
    struct Candidate {
        std::uint64_t seed;
        unsigned turn;
    };
    std::vector<Candidate> candidates;
    // A network that is drawn on demand only is not worth a long search.
    const unsigned seeds = network.topology.nodes() > most_drawn_unasked ? beginnings / 4 : beginnings;
    for (std::uint64_t seed = 0; seed < seeds; ++seed)
        for (unsigned turn = 0; turn < 12; ++turn)
            candidates.push_back({seed, turn});
    std::vector<Point> places;
    Variant shape = best_shape(network, candidates, [&](const Candidate& candidate) {
        if (candidate.turn == 0)
            places = settled(network.topology, candidate.seed);
        Variant one{.stretch = 1.3, .nodes = places};
        for (Point& node : one.nodes)
            node = turned(node, pi / 12 * candidate.turn);
        return one;
    });
    return {{"forces", {std::move(shape)}}};
}

}  // namespace dcube::view
