#include <dcube/bounds.hpp>

#include "base/exact.hpp"
#include "collectives/bounds/cuts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dcube {

namespace {

using detail::Exact;
using detail::to_rational;

Exact exact(const Rational& value)
{
    return detail::exact(value);
}

std::uint64_t rounded_up(const Exact& value)
{
    return detail::ceiling(value).convert_to<std::uint64_t>();
}

bool has_unique_routes(const Topology& topology)
{
    return topology.directed_links() == 2 * (std::uint64_t{topology.nodes()} - 1);
}

/// In a tree: what every node sends itself, and what goes through it from one of its branches to another.
std::uint64_t busiest_of_tree(const Topology& tree)
{
    const std::uint64_t n = tree.nodes();
    std::vector<NodeId> farthest_first(n);
    std::iota(farthest_first.begin(), farthest_first.end(), NodeId{0});
    std::ranges::sort(farthest_first, std::greater{}, [&](NodeId node) { return tree.distance(0, node); });
    std::vector<std::uint64_t> size(n, 1);     // of each node with all that lies behind it, seen from node 0
    std::vector<std::uint64_t> squares(n, 0);  // of the sizes of the branches behind it
    std::uint64_t most = 0;
    for (const NodeId node : farthest_first) {
        const std::uint64_t rest = n - size[node];
        const std::uint64_t through = (n - 1) * (n - 1) - squares[node] - rest * rest;
        most = std::max(most, n - 1 + through);
        for (Port port = 0; port < tree.ports(node); ++port)
            if (const NodeId nearer = tree.neighbour(node, port); tree.distance(0, nearer) < tree.distance(0, node)) {
                size[nearer] += size[node];
                squares[nearer] += size[node] * size[node];
            }
    }
    return most;
}

class ExchangeBounds {
public:
    explicit ExchangeBounds(const Topology& topology) : topology_(topology), n_(topology.nodes()) {}

    std::vector<ExchangeBound> one_port()
    {
        add("L1", sum_of_distances() / n_, "the sum of all distances, N moves a step");
        const std::uint64_t moves = simultaneous_moves(topology_);
        add("L2", sum_of_distances() / moves,
            moves == n_ ? "the sum of all distances; all nodes can send and receive at once"
                        : fmt::format("the sum of all distances; at most {} packets can "
                                      "move at once",
                                      moves));
        if (has_unique_routes(topology_))
            add("L3", busiest_of_tree(topology_), "what the busiest node of a tree sends, one packet a step");
        add_diameter();
        return std::move(bounds_);
    }

    std::vector<ExchangeBound> all_ports()
    {
        if (topology_.nodes() <= most_nodes_of_all_cuts)
            add("L4", exact(largest_of_all_cuts(topology_)), "the packets that cross a cut, over its links");
        add_factors_cuts();
        add_links();
        add_diameter();
        return std::move(bounds_);
    }

private:
    [[nodiscard]] Exact sum_of_distances() const { return Exact(topology_.sum_of_statuses()); }

    void add(std::string_view name, const Exact& value, std::string reason)
    {
        bounds_.push_back({name, to_rational(value), rounded_up(value), std::move(reason)});
    }

    void add_diameter() { add("L7", topology_.diameter(), "the diameter"); }

    [[nodiscard]] std::string named(unsigned i) const
    {
        return topology_.is_hypercube() ? "a dimension"
                                        : fmt::format("factor {}, {}", i + 1, topology_.factor(i).name());
    }

    void add_factors_cuts()
    {
        Exact largest = 0;
        unsigned of = 0;
        for (unsigned i = 0; i < (topology_.is_hypercube() ? 1 : topology_.dimension()); ++i) {
            const Graph& factor = topology_.factor(i);
            const Exact here = exact(cut_ratio(factor)) * (n_ / factor.nodes());
            if (here > largest) {
                largest = here;
                of = i;
            }
        }
        add("L5", largest, fmt::format("the packets that cross a cut of all copies of {}, over its links", named(of)));
    }

    void add_links()
    {
        Exact largest = sum_of_distances() / topology_.directed_links();
        std::string reason = "the sum of all distances, over all links";
        for (unsigned i = 0; i < (topology_.is_hypercube() ? 1 : topology_.dimension()); ++i) {
            const Graph& factor = topology_.factor(i);
            const std::uint64_t copies = n_ / factor.nodes();
            std::uint64_t statuses = 0;
            for (NodeId node = 0; node < factor.nodes(); ++node)
                statuses += factor.status(node);
            const Exact here = Exact(copies * statuses) / factor.directed_links();
            if (here > largest) {
                largest = here;
                reason = fmt::format("the sum of the distances along {}, over its links", named(i));
            }
        }
        add("L6", largest, std::move(reason));
    }

    const Topology& topology_;
    std::uint64_t n_;
    std::vector<ExchangeBound> bounds_;
};

}  // namespace

std::vector<ExchangeBound> exchange_bounds(const Topology& topology, PortModel ports)
{
    if (topology.nodes() == 1)
        return {};
    return ports == PortModel::one ? ExchangeBounds(topology).one_port() : ExchangeBounds(topology).all_ports();
}

}  // namespace dcube
