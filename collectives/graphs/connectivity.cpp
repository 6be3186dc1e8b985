// Connectivity by largest flows (Menger 1927), factor by factor.

#include <dcube/connectivity.hpp>

#include "base/planning.hpp"
#include "collectives/graphs/arcs.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace dcube {

namespace {

using detail::ArcId;
using detail::Arcs;

// About as many looks at arcs take a second or two.
constexpr double most_looks = 1e9;

// The number of paths from one place to another, each arc and each place's two halves passed by one of them.
class PathFlow {
public:
    explicit PathFlow(std::size_t places) : arcs_of_(places), reached_by_(places) {}

    void add(std::size_t from, std::size_t to)
    {
        arcs_of_[from].push_back(arcs_.size());
        arcs_.push_back({to, true, true});
        arcs_of_[to].push_back(arcs_.size());
        arcs_.push_back({from, false, false});
    }

    // The number of paths, at most `enough`.
    std::uint64_t paths(std::size_t from, std::size_t to, std::uint64_t enough)
    {
        for (Arc& arc : arcs_)
            arc.open = arc.given;
        std::uint64_t found = 0;
        while (found < enough && augment(from, to))
            ++found;
        return found;
    }

private:
    struct Arc {
        std::size_t to;
        bool open;
        bool given;  // else it is there for taking a path back
    };
    static constexpr std::size_t not_reached = ~std::size_t{0};

    bool augment(std::size_t from, std::size_t to)
    {
        std::ranges::fill(reached_by_, not_reached);
        queue_.assign(1, from);
        for (std::size_t next = 0; next < queue_.size() && reached_by_[to] == not_reached; ++next)
            for (const std::size_t arc : arcs_of_[queue_[next]])
                if (const std::size_t there = arcs_[arc].to;
                    arcs_[arc].open && there != from && reached_by_[there] == not_reached) {
                    reached_by_[there] = arc;
                    queue_.push_back(there);
                }
        if (reached_by_[to] == not_reached)
            return false;
        for (std::size_t place = to; place != from; place = arcs_[reached_by_[place] ^ 1].to) {
            arcs_[reached_by_[place]].open = false;
            arcs_[reached_by_[place] ^ 1].open = true;
        }
        return true;
    }

    std::vector<std::vector<std::size_t>> arcs_of_;
    std::vector<Arc> arcs_;  // each beside its opposite
    std::vector<std::size_t> reached_by_;
    std::vector<std::size_t> queue_;
};

struct PathEnds {
    NodeId from;
    NodeId to;
};

NodeId node_of_least_degree(const Arcs& arcs)
{
    return *std::ranges::min_element(arcs.members(), {}, [&](NodeId node) { return arcs.degree(node); });
}

bool are_neighbours(const Arcs& arcs, NodeId a, NodeId b)
{
    bool linked = false;
    detail::for_each_out(arcs, a, [&](ArcId arc) { linked = linked || arcs.to(arc) == b; });
    return linked;
}

// The fewest paths between any of these ends, at most `least`; none where they take long to find.
std::optional<std::uint64_t> fewest_paths(const std::vector<PathEnds>& all, const Arcs& arcs, std::uint64_t least,
                                          const std::function<std::uint64_t(PathEnds, std::uint64_t)>& paths)
{
    if (least <= 1)  // the network is connected
        return least;
    if (static_cast<double>(all.size()) * static_cast<double>(least + 1) * arcs.size() > most_looks)
        return std::nullopt;
    for (std::size_t i = 0; i < all.size() && least > 1; ++i) {
        detail::planning("connectivity", static_cast<double>(i) / static_cast<double>(all.size()));
        least = std::min(least, paths(all[i], least));
    }
    return least;
}

std::optional<std::uint64_t> links_that_disconnect(const Arcs& arcs)
{
    PathFlow flow(arcs.nodes());
    for (ArcId arc = 0; arc < arcs.size(); ++arc)
        flow.add(arcs.from(arc), arcs.to(arc));
    std::vector<PathEnds> ends;
    for (const NodeId node : arcs.members().subspan(1))
        ends.push_back({arcs.members().front(), node});
    return fewest_paths(ends, arcs, arcs.degree(node_of_least_degree(arcs)),
                        [&](PathEnds one, std::uint64_t enough) { return flow.paths(one.from, one.to, enough); });
}

// Some fewest nodes part a node of least degree from one that is no neighbour; or, if it is itself one of them, two of
// its neighbours (Esfahanian & Hakimi 1984).
std::vector<PathEnds> ends_that_nodes_part(const Arcs& arcs)
{
    const NodeId centre = node_of_least_degree(arcs);
    std::vector<PathEnds> all;
    std::vector<NodeId> neighbours;
    detail::for_each_out(arcs, centre, [&](ArcId arc) { neighbours.push_back(arcs.to(arc)); });
    for (const NodeId node : arcs.members())
        if (node != centre && std::ranges::find(neighbours, node) == neighbours.end())
            all.push_back({centre, node});
    for (std::size_t i = 0; i < neighbours.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (!are_neighbours(arcs, neighbours[i], neighbours[j]))
                all.push_back({neighbours[i], neighbours[j]});
    return all;
}

std::optional<std::uint64_t> nodes_that_disconnect(const Arcs& arcs)
{
    // A node is entered at 2 n and left at 2 n + 1.
    PathFlow flow(2 * std::size_t{arcs.nodes()});
    for (const NodeId node : arcs.members())
        flow.add(2 * std::size_t{node}, 2 * std::size_t{node} + 1);
    for (ArcId arc = 0; arc < arcs.size(); ++arc)
        flow.add(2 * std::size_t{arcs.from(arc)} + 1, 2 * std::size_t{arcs.to(arc)});
    return fewest_paths(ends_that_nodes_part(arcs), arcs, arcs.degree(node_of_least_degree(arcs)),
                        [&](PathEnds one, std::uint64_t enough) {
                            return flow.paths(2 * std::size_t{one.from} + 1, 2 * std::size_t{one.to}, enough);
                        });
}

// The connectivity of a graph with links.
struct Connected {
    std::uint64_t nodes;
    std::uint64_t degree;
    std::uint64_t connectivity;
};

// Both kinds of connectivity of a product of two follow from the factors' in the same way.
Connected product_of(const Connected& a, const Connected& b)
{
    return {a.nodes * b.nodes, a.degree + b.degree,
            std::min({a.connectivity * b.nodes, b.connectivity * a.nodes, a.degree + b.degree})};
}

using OfFactor = std::optional<std::uint64_t> (*)(const Graph& factor, const Arcs& arcs);

std::optional<std::uint64_t> connectivity(const Topology& topology, OfFactor of_factor)
{
    const Topology& network = topology.of_members();
    std::optional<Connected> all;
    for (unsigned i = 0; i < network.dimension(); ++i) {
        const Graph& factor = network.factor(i);
        const Arcs arcs(Topology::product({factor}));
        const std::optional<std::uint64_t> value = of_factor(factor, arcs);
        if (!value)
            return std::nullopt;
        const Connected one{factor.nodes(), arcs.degree(node_of_least_degree(arcs)), *value};
        all = all ? product_of(*all, one) : one;
    }
    return all ? all->connectivity : 0;
}

bool is_known(const Graph& factor)
{
    return factor.kind() == Graph::Kind::ring || factor.kind() == Graph::Kind::complete;
}

}  // namespace

std::optional<std::uint64_t> edge_connectivity(const Topology& topology)
{
    return connectivity(topology, [](const Graph& factor, const Arcs& arcs) {
        return factor.symmetric() ? std::optional<std::uint64_t>(arcs.degree(0))  // Mader 1971
                                  : links_that_disconnect(arcs);
    });
}

std::optional<std::uint64_t> node_connectivity(const Topology& topology)
{
    return connectivity(topology, [](const Graph& factor, const Arcs& arcs) {
        return is_known(factor) ? std::optional<std::uint64_t>(arcs.degree(0)) : nodes_that_disconnect(arcs);
    });
}

}  // namespace dcube
