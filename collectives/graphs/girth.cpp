// The shortest cycle. In a product of two graphs with links, two links of different factors lie in a cycle of four, and
// a triangle's links are all of one factor.

#include <dcube/connectivity.hpp>

#include "collectives/graphs/arcs.hpp"

#include <algorithm>
#include <vector>

namespace dcube {

namespace {

using detail::Arcs;

constexpr unsigned no_cycle = ~0U;

// The shortest cycle through nodes that are found breadth first from one node, as far as it can be shorter than
// `shortest` (Itai & Rodeh 1978): a link that does not lead on closes a cycle.
class CycleSearch {
public:
    explicit CycleSearch(const Arcs& arcs) : arcs_(arcs), hops_(arcs.nodes(), detail::unreachable), by_(arcs.nodes()) {}

    unsigned from(NodeId start, unsigned shortest)
    {
        reached_.assign(1, start);
        hops_[start] = 0;
        for (std::size_t next = 0; next < reached_.size() && 2 * hops_[reached_[next]] + 1 < shortest; ++next)
            shortest = visit(reached_[next], start, shortest);
        for (const NodeId node : reached_)
            hops_[node] = detail::unreachable;
        return shortest;
    }

private:
    unsigned visit(NodeId node, NodeId start, unsigned shortest)
    {
        detail::for_each_out(arcs_, node, [&](detail::ArcId arc) {
            const NodeId other = arcs_.to(arc);
            if (node != start && arc == arcs_.opposite(by_[node]))
                return;
            if (hops_[other] == detail::unreachable) {
                hops_[other] = hops_[node] + 1;
                by_[other] = arc;
                reached_.push_back(other);
            } else {
                shortest = std::min<unsigned>(shortest, hops_[node] + hops_[other] + 1);
            }
        });
        return shortest;
    }

    const Arcs& arcs_;
    std::vector<std::uint32_t> hops_;
    std::vector<detail::ArcId> by_;  // the arc over which a node was reached
    std::vector<NodeId> reached_;
};

unsigned girth_of_factor(const Graph& factor)
{
    const Arcs arcs(Topology::product({factor}));
    CycleSearch search(arcs);
    unsigned shortest = no_cycle;
    for (const NodeId node : arcs.members()) {
        shortest = search.from(node, shortest);
        if (shortest == 3 || factor.symmetric())
            break;
    }
    return shortest;
}

}  // namespace

std::optional<unsigned> girth(const Topology& topology)
{
    unsigned shortest = topology.dimension() > 1 ? 4 : no_cycle;
    for (unsigned i = 0; i < topology.dimension() && !topology.is_hypercube(); ++i)
        shortest = std::min(shortest, girth_of_factor(topology.factor(i)));
    return shortest == no_cycle ? std::nullopt : std::optional(shortest);
}

}  // namespace dcube
