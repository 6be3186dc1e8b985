#include "algorithms/dimakopoulos/cayley_routes.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace dcube::detail {

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
    return std::ranges::find(moves(route), generator, &Move::generator)->left;
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
    for (const Move& move : moves(route)) {
        sum[move.generator] += hop;
        for (Port generator = 0; generator < generators_; ++generator)
            sum[generator] += loads(move.left)[generator];
    }
    for (Port generator = 0; generator < generators_; ++generator)
        sum[generator] /= static_cast<Load>(moves(route).size());
}

std::uint64_t least_load(const CayleyRoutes& routes)
{
    std::uint64_t most = 0;
    std::vector<unsigned> least(routes.count());
    for (Port generator = 0; generator < routes.generators(); ++generator) {
        std::uint64_t sum = 0;
        for (const NodeId route : routes.by_length().subspan(1)) {
            least[route] = std::numeric_limits<unsigned>::max();
            for (const Move& move : routes.moves(route))
                least[route] = std::min(least[route], least[move.left] + (move.generator == generator ? 1U : 0U));
            sum += least[route];
        }
        most = std::max(most, sum);
    }
    return most;
}

}  // namespace dcube::detail
