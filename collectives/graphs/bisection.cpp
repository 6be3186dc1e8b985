// Bisections of few links: formulas of families; for small networks a search; else halves that are found, and a bound.

#include <dcube/connectivity.hpp>

#include "base/planning.hpp"
#include "collectives/graphs/arcs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace dcube {

namespace {

using detail::ArcId;
using detail::Arcs;

std::vector<Graph> factors_largest_first(const Topology& topology)
{
    std::vector<Graph> all;
    for (unsigned i = 0; i < topology.dimension(); ++i)
        all.push_back(topology.factor(i));
    std::ranges::stable_sort(all, std::greater<>(), &Graph::nodes);
    return all;
}

// ---- Formulas ----

bool are_all(const std::vector<Graph>& factors, Graph::Kind kind)
{
    return std::ranges::all_of(factors, [&](const Graph& factor) {
        return factor.kind() == kind || (kind == Graph::Kind::path && factor.nodes() == 2);
    });
}

// A product of paths of k_1 >= .. >= k_d nodes: the sum over i = 1..e of k_(i+1) .. k_d, where k_e is the first even
// one, or e = d (Azizoglu & Egecioglu 2004). Twice as many of rings (the same 2003).
std::uint64_t array_bisection(const std::vector<Graph>& factors)
{
    std::uint64_t after = 1;
    for (const Graph& factor : factors)
        after *= factor.nodes();
    std::uint64_t sum = 0;
    for (const Graph& factor : factors) {
        after /= factor.nodes();
        sum += after;
        if (factor.nodes() % 2 == 0)
            break;
    }
    return sum;
}

std::optional<std::uint64_t> bisection_formula(const std::vector<Graph>& factors)
{
    if (factors.empty())
        return 0;
    const std::uint64_t n = factors.front().nodes();
    if (factors.size() == 1 && factors.front().kind() == Graph::Kind::complete)
        return n / 2 * (n - n / 2);
    if (are_all(factors, Graph::Kind::path))  // hypercubes too
        return array_bisection(factors);
    if (are_all(factors, Graph::Kind::ring))
        return 2 * array_bisection(factors);
    return std::nullopt;
}

// ---- A lower bound ----

// Shortest routes from one node to all others, which every packet takes in equal shares (Brandes 2001): what each arc
// carries of them.
class EvenRoutes {
public:
    explicit EvenRoutes(const Arcs& arcs) : arcs_(arcs), routes_(arcs.nodes()), passing_(arcs.nodes()) {}

    template <class Carry>
    void from(NodeId start, const Carry& carry)
    {
        const std::vector<std::uint32_t> hops = detail::hops_from(arcs_, start);
        std::vector<NodeId> order(arcs_.members().begin(), arcs_.members().end());
        std::ranges::stable_sort(order, {}, [&](NodeId node) { return hops[node]; });
        std::ranges::fill(routes_, 0);
        std::ranges::fill(passing_, 0);
        routes_[start] = 1;
        const auto leads_on = [&](ArcId arc) { return hops[arcs_.to(arc)] == hops[arcs_.from(arc)] + 1; };
        for (const NodeId node : order)
            detail::for_each_out(arcs_, node, [&](ArcId arc) {
                if (leads_on(arc))
                    routes_[arcs_.to(arc)] += routes_[node];
            });
        for (auto node = order.rbegin(); node != order.rend(); ++node)
            detail::for_each_out(arcs_, *node, [&](ArcId arc) {
                if (!leads_on(arc))
                    return;
                const NodeId next = arcs_.to(arc);
                const double share = routes_[*node] / routes_[next] * (1 + passing_[next]);
                passing_[*node] += share;
                carry(arc, share);
            });
    }

private:
    const Arcs& arcs_;
    std::vector<double> routes_;   // to a node
    std::vector<double> passing_;  // packets
};

// The packets that the busiest arc of a factor carries in a total exchange along shortest routes; none if that takes
// long to find.
std::optional<double> busiest_arc(const Graph& factor)
{
    constexpr double most_looks_at_arcs = 4e8;
    const Arcs arcs(Topology::product({factor}));
    EvenRoutes routes(arcs);
    if (factor.symmetric()) {  // a generator's arcs carry alike: all that node 0's packets load on them, shifted
        std::vector<double> loads(arcs.degree(0));
        routes.from(0, [&](ArcId arc, double share) { loads[arcs.port(arc)] += share; });
        return *std::ranges::max_element(loads);
    }
    if (static_cast<double>(arcs.nodes()) * arcs.size() > most_looks_at_arcs)
        return std::nullopt;
    std::vector<double> loads(arcs.size());
    for (const NodeId node : arcs.members())
        routes.from(node, [&](ArcId arc, double share) { loads[arc] += share; });
    return *std::ranges::max_element(loads);
}

std::uint64_t pairs_apart(std::uint64_t nodes)
{
    return nodes / 2 * (nodes - nodes / 2);
}

// A packet for each pair of nodes, its way corrected factor by factor: those that cross a bisection in one direction,
// over what the busiest arc can carry. One link where that is not known.
std::uint64_t bisection_bound(const Topology& topology, const std::vector<Graph>& factors)
{
    constexpr double rounding = 1 + 1e-9;
    double busiest = 0;
    for (const Graph& factor : factors) {
        const std::optional<double> load = busiest_arc(factor);
        if (!load)
            return 1;
        busiest = std::max(busiest, *load * topology.nodes() / factor.nodes());
    }
    return static_cast<std::uint64_t>(
        std::ceil(static_cast<double>(pairs_apart(topology.nodes())) / (busiest * rounding)));
}

// ---- Halves that are found ----

// The links that leave the first nodes of a product in the order of their digits, the first factor's the most
// significant.
std::uint64_t links_of_prefix(std::span<const Graph> factors, std::uint64_t first)
{
    if (factors.empty() || first == 0)
        return 0;
    std::uint64_t rest = 1;
    for (const Graph& factor : factors.subspan(1))
        rest *= factor.nodes();
    const Graph& factor = factors.front();
    const auto whole =
        static_cast<NodeId>(first / rest);  // values of the digit with all their nodes; the next has some
    const std::uint64_t some = first % rest;
    const auto taken = [&](NodeId digit) { return digit < whole ? rest : digit == whole ? some : 0; };
    std::uint64_t links = links_of_prefix(factors.subspan(1), some);
    for (NodeId digit = 0; digit <= std::min(whole, factor.nodes() - 1); ++digit)
        for (Port port = 0; port < factor.ports(digit); ++port)
            if (const NodeId other = factor.neighbour(digit, port); other > digit)
                links += taken(digit) - taken(other);
    return links;
}

// The best prefix, with each factor tried as the first.
std::uint64_t best_prefix(const Topology& topology, const std::vector<Graph>& factors)
{
    std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
    for (auto first = factors.begin(); first != factors.end(); ++first) {
        std::vector<Graph> order{*first};
        order.insert(order.end(), factors.begin(), first);
        order.insert(order.end(), first + 1, factors.end());
        fewest = std::min(fewest, links_of_prefix(order, topology.nodes() / 2));
    }
    return fewest;
}

// Two halves between which pairs of nodes are exchanged while that saves links (Kernighan & Lin 1970, without their
// look ahead).
class Halves {
public:
    explicit Halves(const Arcs& arcs) : arcs_(arcs), first_(arcs.nodes()), gain_(arcs.nodes()) {}

    // Improves the split whose first half is the first half of this order.
    std::uint64_t improved(const std::vector<NodeId>& order)
    {
        first_.assign(arcs_.nodes(), false);
        for (std::size_t i = 0; i < order.size() / 2; ++i)
            first_[order[i]] = true;
        std::uint64_t links = 0;
        for (const NodeId node : arcs_.members()) {
            gain_[node] = 0;
            detail::for_each_out(arcs_, node,
                                 [&](ArcId arc) { gain_[node] += first_[arcs_.to(arc)] == first_[node] ? -1 : 1; });
            links += first_[node] ? crossing(node) : 0;
        }
        for (std::int64_t saved = exchange_best(); saved > 0; saved = exchange_best())
            links -= static_cast<std::uint64_t>(saved);
        return links;
    }

private:
    [[nodiscard]] std::uint64_t crossing(NodeId node) const
    {
        return static_cast<std::uint64_t>((std::int64_t{arcs_.degree(node)} + gain_[node]) / 2);
    }

    // The node of a half that gains most by leaving it.
    [[nodiscard]] NodeId best_of(bool half) const
    {
        const NodeId* best = nullptr;
        for (const NodeId& node : arcs_.members())
            if (first_[node] == half && (best == nullptr || gain_[node] > gain_[*best]))
                best = &node;
        return *best;
    }

    std::int64_t exchange_best()
    {
        const NodeId a = best_of(true);
        const std::int64_t saved_by_a = gain_[a];
        move(a);
        const NodeId b = best_of(false) == a ? best_but(a) : best_of(false);
        const std::int64_t saved = saved_by_a + gain_[b];
        if (saved <= 0)
            move(a);
        else
            move(b);
        return saved;
    }

    [[nodiscard]] NodeId best_but(NodeId moved) const
    {
        const NodeId* best = nullptr;
        for (const NodeId& node : arcs_.members())
            if (!first_[node] && node != moved && (best == nullptr || gain_[node] > gain_[*best]))
                best = &node;
        return *best;
    }

    void move(NodeId node)
    {
        first_[node] = !first_[node];
        gain_[node] = -gain_[node];
        detail::for_each_out(arcs_, node, [&](ArcId arc) {
            const NodeId other = arcs_.to(arc);
            gain_[other] += first_[other] == first_[node] ? -2 : 2;
        });
    }

    const Arcs& arcs_;
    std::vector<bool> first_;
    std::vector<std::int64_t> gain_;  // links that a node's move to the other half saves
};

std::vector<NodeId> breadth_first_order(const Arcs& arcs, NodeId start)
{
    const std::vector<std::uint32_t> hops = detail::hops_from(arcs, start);
    std::vector<NodeId> order(arcs.members().begin(), arcs.members().end());
    std::ranges::stable_sort(order, {}, [&](NodeId node) { return hops[node]; });
    return order;
}

std::uint64_t best_halves(const Arcs& arcs)
{
    constexpr std::size_t most_starts = 16;
    Halves halves(arcs);
    std::uint64_t fewest = halves.improved({arcs.members().begin(), arcs.members().end()});
    for (std::size_t i = 0; i < std::min(most_starts, arcs.members().size()); ++i)
        fewest = std::min(fewest, halves.improved(breadth_first_order(arcs, arcs.members()[i])));
    return fewest;
}

// ---- All halves of a small network ----

// Node after node goes to one of the halves; a node that is left will cost as many links as it has to the half where it
// has fewer of them.
class AllHalves {
public:
    AllHalves(const Arcs& arcs, BisectionWidth known)
        : arcs_(arcs), order_(breadth_first_order(arcs, arcs.members().front())), links_(arcs.nodes()), known_(known)
    {
    }

    // The width, or where that took too long what was known.
    BisectionWidth search()
    {
        if (order_.size() % 2 == 0) {  // the halves are alike
            put(order_.front(), 0, 1);
            place(1, 0);
        } else {
            place(0, 0);
        }
        return left_ == 0 ? BisectionWidth{known_.least, known_.most} : BisectionWidth{known_.most, known_.most};
    }

private:
    void place(std::size_t next, std::uint64_t cut)
    {
        if (left_ == 0 || known_.exact() || cut + still_to_come(next) >= known_.most)
            return;
        if (--left_ % 65536 == 0)
            detail::planning("bisection", 0);
        if (next == order_.size()) {
            known_.most = cut;
            return;
        }
        const NodeId node = order_[next];
        for (const std::size_t half : {std::size_t{0}, std::size_t{1}})
            if (in_half_[half] < (order_.size() + half) / 2) {
                put(node, half, 1);
                place(next + 1, cut + links_[node][1 - half]);
                put(node, half, -1);
            }
    }

    [[nodiscard]] std::uint64_t still_to_come(std::size_t next) const
    {
        std::uint64_t sum = 0;
        for (; next < order_.size(); ++next)
            sum += std::min(links_[order_[next]][0], links_[order_[next]][1]);
        return sum;
    }

    void put(NodeId node, std::size_t half, int by)
    {
        in_half_[half] += static_cast<std::size_t>(by);
        detail::for_each_out(arcs_, node,
                             [&](ArcId arc) { links_[arcs_.to(arc)][half] += static_cast<std::uint64_t>(by); });
    }

    const Arcs& arcs_;
    std::vector<NodeId> order_;
    std::vector<std::array<std::uint64_t, 2>> links_;  // by node: its links to the nodes of each half
    std::array<std::size_t, 2> in_half_{};
    BisectionWidth known_;
    std::uint64_t left_ = 8'000'000;  // nodes to place; every network of 24 nodes takes fewer
};

}  // namespace

BisectionWidth bisection_width(const Topology& topology)
{
    constexpr NodeId most_exchanged = 4096;
    constexpr NodeId most_searched = 64;
    const Topology& members = topology.of_members();
    const Recognition* const known_as = members.recognised();
    const Topology& network = known_as ? known_as->network : members;
    const std::vector<Graph> factors = factors_largest_first(network);
    if (const std::optional<std::uint64_t> width = bisection_formula(factors))
        return {*width, *width};
    BisectionWidth known{bisection_bound(network, factors), best_prefix(network, factors)};
    if (known.exact() || network.nodes() > most_exchanged)
        return known;
    const Arcs arcs(network);
    known.most = std::min(known.most, best_halves(arcs));
    return known.exact() || network.nodes() > most_searched ? known : AllHalves(arcs, known).search();
}

}  // namespace dcube
