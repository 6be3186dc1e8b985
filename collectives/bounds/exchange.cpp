#include <dcube/bounds.hpp>

#include "base/exact.hpp"

#include <dcube/distances.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <random>
#include <utility>

namespace dcube {

namespace {

using detail::Exact;
using detail::to_rational;

constexpr NodeId most_nodes_of_all_cuts = 20;

Exact exact(const Rational& value)
{
    return detail::exact(value);
}

std::uint64_t rounded_up(const Exact& value)
{
    return detail::ceiling(value).convert_to<std::uint64_t>();
}

/// Splits of a graph, one node changing sides at a time.
class Split {
public:
    explicit Split(const Topology& graph) : graph_(graph), inside_(graph.nodes()), growth_(graph.nodes())
    {
        for (NodeId node = 0; node < graph.nodes(); ++node)
            growth_[node] = graph.ports(node);
    }

    void flip(NodeId node)
    {
        cut_ += growth_[node];
        growth_[node] = -growth_[node];
        size_ += inside_[node] ? -1 : 1;
        inside_[node] = !inside_[node];
        for (Port port = 0; port < graph_.ports(node); ++port) {
            const NodeId other = graph_.neighbour(node, port);
            growth_[other] += inside_[other] == inside_[node] ? 2 : -2;
        }
    }

    /// |V1| |V2| / c as a fraction that is not reduced.
    [[nodiscard]] Rational ratio() const
    {
        const std::int64_t n = graph_.nodes();
        return cut_ == 0 ? Rational{} : Rational{size_ * (n - size_), cut_};
    }

    /// Of the nodes that have not moved, on the larger side or, if there are none, on the other.
    [[nodiscard]] NodeId cheapest_move(const std::vector<bool>& moved) const
    {
        const bool from = 2 * size_ > std::int64_t{graph_.nodes()};
        std::pair<bool, std::int64_t> least{true, std::numeric_limits<std::int64_t>::max()};
        NodeId best = 0;
        for (NodeId node = 0; node < graph_.nodes(); ++node)
            if (const std::pair here{inside_[node] != from, growth_[node]}; !moved[node] && here < least) {
                least = here;
                best = node;
            }
        return best;
    }

private:
    const Topology& graph_;
    std::vector<bool> inside_;
    std::vector<std::int64_t> growth_;  // of the cut, if the node changes sides
    std::int64_t size_ = 0;
    std::int64_t cut_ = 0;
};

/// Every split: in Gray code order each differs from the one before by one node. The last node stays outside.
Rational largest_of_all_cuts(const Topology& graph)
{
    Split split(graph);
    Rational largest{};
    for (std::uint32_t code = 1; code < std::uint32_t{1} << (graph.nodes() - 1); ++code) {
        split.flip(static_cast<NodeId>(std::countr_zero(code)));
        largest = std::max(largest, split.ratio());
    }
    return largest;
}

/// Moves every node once to the other side, from the larger side the one that leaves the smallest cut, and goes back to
/// the best split on the way; as long as that helps (Fiduccia and Mattheyses).
void improve(Split& split, NodeId nodes)
{
    for (bool improved = true; improved;) {
        const Rational before = split.ratio();
        Rational best = before;
        std::vector<bool> moved(nodes);
        std::vector<NodeId> moves;
        std::size_t moves_to_best = 0;
        while (moves.size() < nodes) {
            moves.push_back(split.cheapest_move(moved));
            moved[moves.back()] = true;
            split.flip(moves.back());
            if (split.ratio() > best) {
                best = split.ratio();
                moves_to_best = moves.size();
            }
        }
        for (; moves.size() > moves_to_best; moves.pop_back())
            split.flip(moves.back());
        improved = best > before;
    }
}

/// The best split that a search reaches from the halves of some orders of the nodes: by id, by distance, and shuffled.
Rational largest_of_some_cuts(const Topology& graph)
{
    constexpr NodeId most_nodes_improved = 1024;
    constexpr unsigned shuffles = 12;
    const NodeId n = graph.nodes();
    std::mt19937 random(n);
    std::vector<NodeId> order(n);
    std::iota(order.begin(), order.end(), NodeId{0});
    Rational largest{};
    for (unsigned i = 0; i < 2 + shuffles; ++i) {
        Split split(graph);
        for (NodeId node = 0; node < n / 2; ++node) {
            split.flip(order[node]);
            largest = std::max(largest, split.ratio());
        }
        if (n <= most_nodes_improved)
            improve(split, n);
        largest = std::max(largest, split.ratio());
        if (i == 0)
            std::ranges::stable_sort(order, {}, [&](NodeId node) { return graph.distance(0, node); });
        for (NodeId node = n - 1; i > 0 && node > 0; --node)  // the same everywhere, which std::shuffle is not
            std::swap(order[node], order[random() % (node + 1)]);
    }
    return largest;
}

/// A largest matching of senders to receivers (Hopcroft and Karp).
class Matching {
public:
    explicit Matching(const Topology& topology)
        : topology_(topology), receiver_(topology.nodes(), none), sender_(topology.nodes(), none)
    {
    }

    std::uint64_t size()
    {
        std::uint64_t matched = 0;
        for (std::uint64_t more = 1; more != 0; matched += more) {
            number_levels();
            more = 0;
            for (NodeId node = 0; node < topology_.nodes(); ++node)
                more += receiver_[node] == none && extend(node) ? 1 : 0;
        }
        return matched;
    }

private:
    static constexpr NodeId none = std::numeric_limits<NodeId>::max();

    void number_levels()
    {
        level_.assign(topology_.nodes(), none);
        std::queue<NodeId> reached;
        for (NodeId node = 0; node < topology_.nodes(); ++node)
            if (receiver_[node] == none) {
                level_[node] = 0;
                reached.push(node);
            }
        for (; !reached.empty(); reached.pop()) {
            const NodeId node = reached.front();
            for (Port port = 0; port < topology_.ports(node); ++port) {
                const NodeId next = sender_[topology_.neighbour(node, port)];
                if (next != none && level_[next] == none) {
                    level_[next] = level_[node] + 1;
                    reached.push(next);
                }
            }
        }
    }

    bool extend(NodeId node)
    {
        for (Port port = 0; port < topology_.ports(node); ++port) {
            const NodeId to = topology_.neighbour(node, port);
            const NodeId next = sender_[to];
            if (next == none || (level_[next] == level_[node] + 1 && extend(next))) {
                receiver_[node] = to;
                sender_[to] = node;
                return true;
            }
        }
        level_[node] = none;
        return false;
    }

    const Topology& topology_;
    std::vector<NodeId> receiver_;  // of every sender
    std::vector<NodeId> sender_;    // of every receiver
    std::vector<NodeId> level_;     // of every sender
};

/// In a factor with a node for every node to send to, the product has one too.
bool has_perfect_matching(const Topology& topology)
{
    if (topology.symmetric())
        return true;
    for (unsigned i = 0; i < topology.dimension(); ++i) {
        const Topology factor = Topology::product({topology.factor(i)});
        if (factor.symmetric() || Matching(factor).size() == factor.nodes())
            return true;
    }
    return false;
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

class Bounds {
public:
    explicit Bounds(const Topology& topology) : topology_(topology), n_(topology.nodes()) {}

    std::vector<ExchangeBound> one_port()
    {
        add("L1", sum_of_distances() / n_, "the sum of all distances, N moves a step");
        const std::uint64_t moves = simultaneous_moves(topology_);
        add("L2", sum_of_distances() / moves,
            moves == n_ ? "the sum of all distances; all nodes can send and receive at once"
                        : fmt::format("the sum of all distances; at most {} packets can move at once", moves));
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

    void add_diameter() { add("L7", topology_.diameter(), "the longest way"); }

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

template <class Fits>
bool all_factors(const Topology& topology, const Fits& fits)
{
    for (unsigned i = 0; i < topology.dimension(); ++i)
        if (!fits(topology.factor(i)))
            return false;
    return true;
}

bool is_one_of(const Graph& factor, Graph::Kind kind)
{
    return factor.kind() == kind || factor.nodes() == 2;
}

/// N / (N - 1) times the sum of what each factor adds.
template <class Share>
Rational sum_over_factors(const Topology& topology, const Share& share)
{
    Exact sum = 0;
    for (unsigned i = 0; i < topology.dimension(); ++i)
        sum += share(Exact(topology.factor(i).nodes()));
    return to_rational(sum * topology.nodes() / (topology.nodes() - 1));
}

ClosedForm torus_formula(const Topology& topology)
{
    const NodeId k = topology.factor(0).nodes();
    if (k > 2 && all_factors(topology, [k](const Graph& factor) { return factor.nodes() == k; })) {
        const Exact others = Exact(topology.nodes()) / k;
        return {"d k^(d-1) floor(k^2/4) / (k^d - 1)",
                to_rational(topology.dimension() * others * (std::uint64_t{k} * k / 4) / (topology.nodes() - 1))};
    }
    return {"N/(N-1) sum of n_i/4 (even n_i), (n_i^2-1)/(4 n_i) (odd n_i)",
            sum_over_factors(topology, [](const Exact& n) {
                const bool even = denominator(n / 2) == 1;
                return even ? n / 4 : (n * n - 1) / (4 * n);
            })};
}

}  // namespace

std::vector<ExchangeBound> exchange_bounds(const Topology& topology, PortModel ports)
{
    if (topology.nodes() == 1)
        return {};
    return ports == PortModel::one ? Bounds(topology).one_port() : Bounds(topology).all_ports();
}

std::uint64_t simultaneous_moves(const Topology& topology)
{
    return has_perfect_matching(topology) ? topology.nodes() : Matching(topology).size();
}

Rational cut_ratio(const Graph& graph)
{
    const std::int64_t n = graph.nodes();
    switch (graph.kind()) {
    case Graph::Kind::complete: return {1, 1};
    case Graph::Kind::path: return {n * n / 4, 1};
    case Graph::Kind::ring: return n % 2 == 0 ? Rational{n * n, 8} : Rational{n * n - 1, 8};
    case Graph::Kind::group:
    case Graph::Kind::list: break;
    }
    const Topology topology = Topology::product({graph});
    return n <= most_nodes_of_all_cuts ? largest_of_all_cuts(topology) : largest_of_some_cuts(topology);
}

Rational average_status(const Topology& topology)
{
    return to_rational(Exact(topology.sum_of_statuses()) / topology.nodes());
}

Rational average_distance(const Topology& topology)
{
    if (topology.nodes() == 1)
        return {};
    return to_rational(Exact(topology.sum_of_statuses()) / topology.nodes() / (topology.nodes() - 1));
}

std::optional<ClosedForm> average_distance_formula(const Topology& topology)
{
    using Kind = Graph::Kind;
    if (topology.nodes() == 1)
        return std::nullopt;
    if (topology.is_hypercube())
        return ClosedForm{"d 2^(d-1) / (2^d - 1)",
                          to_rational(Exact(topology.dimension()) * (topology.nodes() / 2) / (topology.nodes() - 1))};
    if (all_factors(topology, [](const Graph& factor) { return factor.kind() == Kind::complete; }))
        return ClosedForm{"N/(N-1) sum of (1 - 1/n_i)",
                          sum_over_factors(topology, [](const Exact& n) { return 1 - 1 / n; })};
    if (all_factors(topology, [](const Graph& factor) { return is_one_of(factor, Kind::ring); }))
        return torus_formula(topology);
    if (all_factors(topology, [](const Graph& factor) { return is_one_of(factor, Kind::path); }))
        return ClosedForm{"N/(N-1) sum of (n_i - 1/n_i)/3",
                          sum_over_factors(topology, [](const Exact& n) { return (n - 1 / n) / 3; })};
    return std::nullopt;
}

}  // namespace dcube
