#include "algorithms/dimakopoulos/product_exchange.hpp"

#include "algorithms/dimakopoulos/edge_colouring.hpp"
#include "algorithms/dimakopoulos/factor_exchange.hpp"
#include "algorithms/dimakopoulos/rounds.hpp"

#include <algorithm>
#include <numeric>

namespace dcube::detail {

namespace {

using Indices = std::vector<unsigned>;
using SharedSchedule = std::shared_ptr<const Schedule>;

Indices indices(unsigned first, unsigned last)
{
    Indices all(last - first);
    std::iota(all.begin(), all.end(), first);
    return all;
}

// The product of some of the factors.
Topology product_of(const Topology& whole, const Indices& factors)
{
    std::vector<Graph> graphs;
    for (const unsigned i : factors)
        graphs.push_back(whole.factor(i));
    return Topology::product(std::move(graphs));
}

SharedSchedule shared(Schedule&& schedule)
{
    return std::make_shared<const Schedule>(std::move(schedule));
}

Part factor_part(const Topology& whole, unsigned i, PortModel ports)
{
    return {whole, {i}, factor_exchange(whole.factor(i), ports)};
}

// The part that is made of all these factors, by an algorithm for products.
Part product_part(const Topology& whole, const Indices& factors, Schedule (*exchange)(const Topology&))
{
    return {whole, factors, shared(exchange(product_of(whole, factors)))};
}

std::uint64_t longest_factor_exchange(const Topology& topology, PortModel ports)
{
    std::uint64_t steps = 0;
    for (unsigned i = 0; i < topology.dimension(); ++i)
        steps = std::max(steps, factor_exchange_steps(topology.factor(i), ports));
    return steps;
}

// Two parts, each with its rounds back to back.
struct BackToBack {
    BackToBack(const Part& first, const Part& second)
        : nodes{first.topology.nodes(), second.topology.nodes()}, steps{first.exchange->steps, second.exchange->steps}
    {
    }

    // The last round of the second part that does not begin after the first part's round q: a class that moves in the
    // second part in a later round has time to do so after it. Never decreases with q.
    [[nodiscard]] NodeId home(NodeId q) const
    {
        const std::uint64_t round = steps[0] * q / steps[1];
        return static_cast<NodeId>(std::min<std::uint64_t>(round, nodes[0] - 1));
    }

    // The second part's round of class (a, b), b != 0.
    [[nodiscard]] NodeId second_round(NodeId a, NodeId b) const { return (home(b) + a) % nodes[0]; }

    // The first part's round of class (a, b), a != 0. For b = 1 .. `wrapped` the second part's round is later, and the
    // first part's must be over before: it is brought forward by one. Class (a, 0), which moves here only, fills the
    // gap.
    [[nodiscard]] NodeId first_round(NodeId a, NodeId b) const
    {
        NodeId later = 0;
        while (later + 1 < nodes[1] && home(later + 1) + a < nodes[0])
            ++later;
        if (b == 0)
            return later;
        return b <= later ? b - 1 : b;
    }

    NodeId nodes[2];
    std::uint64_t steps[2];
};

Schedule interleave(const Topology& whole, const Part& first, const Part& second)
{
    const BackToBack plan(first, second);
    const std::vector<Part> parts{first, second};
    const Rounds rounds{
        std::max(plan.nodes[1] * plan.steps[0], plan.nodes[0] * plan.steps[1]),
        [&](std::size_t part, NodeId round) { return round * plan.steps[part]; },
        [&](std::size_t part, std::span<const NodeId> offsets) {
            return part == 0 ? plan.first_round(offsets[0], offsets[1]) : plan.second_round(offsets[0], offsets[1]);
        },
    };
    return exchange_in_rounds(whole, parts, rounds);
}

// Folds: the product of the first parts is one part, and the last one the other.
Schedule interleave_all(const Topology& whole, const std::vector<Part>& parts)
{
    if (parts.size() == 1)
        return *parts.front().exchange;
    if (parts.size() == 2)
        return interleave(whole, parts[0], parts[1]);
    Indices factors;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i)
        factors.insert(factors.end(), parts[i].factors.begin(), parts[i].factors.end());
    const Topology product = product_of(whole, factors);
    std::vector<Part> inside;
    unsigned first = 0;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        const unsigned last = first + static_cast<unsigned>(parts[i].factors.size());
        inside.emplace_back(product, indices(first, last), parts[i].exchange);
        first = last;
    }
    return interleave(whole, {whole, factors, shared(interleave_all(product, inside))}, parts.back());
}

// The rings and complete graphs, and the others.
std::pair<Indices, Indices> ring_like_factors(const Topology& topology)
{
    std::pair<Indices, Indices> found;
    for (unsigned i = 0; i < topology.dimension(); ++i)
        (is_ring_or_complete(topology.factor(i)) ? found.first : found.second).push_back(i);
    return found;
}

// A digit number of the class in a factor: the other offsets, those before the factor added to their successors. Two
// classes with the same offset in the factor have different numbers, and one class different ones in its factors.
NodeId digit_round(std::size_t part, std::span<const NodeId> offsets, NodeId n)
{
    NodeId number = 0;
    for (std::size_t p = 0; p + 1 < offsets.size(); ++p)
        number = number * n + (p >= part ? offsets[p + 1] : (offsets[p] + offsets[p + 1]) % n);
    return number;
}

}  // namespace

bool is_ring_or_complete(const Graph& graph)
{
    return graph.kind() == Graph::Kind::ring || graph.kind() == Graph::Kind::complete;
}

Schedule carried_exchange(const Topology& topology)
{
    if (topology.dimension() < 2)
        return factor_by_factor_exchange(topology);
    const Part first = factor_part(topology, 0, PortModel::one);
    const Topology rest = product_of(topology, indices(1, topology.dimension()));
    const auto node_of = [&](NodeId i, NodeId j) { return i * rest.nodes() + j; };
    Schedule schedule{Symmetry::none, 0, {}};

    // All nodes (i, from) carry a packet for (target, to) to (i, to), side by side.
    const auto carry = [&](NodeId from, NodeId to, NodeId target) {
        for (NodeId at = from; at != to;) {
            Port port = 0;  // the last factors' ports come first, so a copy's ports are the whole's
            while (rest.distance(rest.neighbour(at, port), to) >= rest.distance(at, to))
                ++port;
            ++schedule.steps;
            for (NodeId i = 0; i < first.topology.nodes(); ++i)
                schedule.hops.push_back(
                    {schedule.steps, node_of(i, at), port, {node_of(i, from), node_of(target, to), 0}});
            at = rest.neighbour(at, port);
        }
    };
    for (NodeId from = 0; from < rest.nodes(); ++from)
        for (NodeId to = 0; to < rest.nodes(); ++to)
            for (NodeId target = 0; from != to && target < first.topology.nodes(); ++target)
                carry(from, to, target);

    const auto exchange = [&](NodeId from, const Hop& hop) {
        for (NodeId j = 0; j < rest.nodes(); ++j)
            schedule.hops.push_back({schedule.steps + hop.step,
                                     node_of(hop.from, j),
                                     rest.ports(j) + hop.port,
                                     {node_of(hop.packet.origin, from), node_of(hop.packet.target, j), 0}});
    };
    for (NodeId from = 0; from < rest.nodes(); ++from, schedule.steps += first.exchange->steps)
        for (const Hop& hop : first.exchange->hops) {
            if (first.exchange->symmetry == Symmetry::none)
                exchange(from, hop);
            else
                for (NodeId node = 0; node < first.topology.nodes(); ++node)
                    exchange(from, translated(first.topology, hop, node));
        }
    return schedule;
}

std::uint64_t carried_exchange_steps(const Topology& topology)
{
    if (topology.dimension() < 2)
        return factor_by_factor_exchange_steps(topology);
    const Topology rest = product_of(topology, indices(1, topology.dimension()));
    const std::uint64_t n = topology.factor(0).nodes();
    return n * rest.sum_of_statuses() + rest.nodes() * factor_exchange_steps(topology.factor(0), PortModel::one);
}

Schedule factor_by_factor_exchange(const Topology& topology)
{
    const unsigned factors = topology.dimension();
    if (factors == 0)
        return {Symmetry::translated, 0, {}};
    if (factors == 1)
        return *factor_exchange(topology.factor(0), PortModel::one);
    const std::vector<Part> parts{factor_part(topology, 0, PortModel::one),
                                  product_part(topology, indices(1, factors), factor_by_factor_exchange)};
    const std::uint64_t n = parts[0].topology.nodes();
    const std::uint64_t steps[] = {parts[0].exchange->steps, parts[1].exchange->steps};
    const std::uint64_t first_begins = n * steps[1];
    // A class moves in the last factors first, in the round of its first offset, then in the first factor.
    const Rounds rounds{
        first_begins + parts[1].topology.nodes() * steps[0],
        [&](std::size_t part, NodeId round) { return (part == 0 ? first_begins : 0) + round * steps[part]; },
        [](std::size_t part, std::span<const NodeId> offsets) { return offsets[1 - part]; },
    };
    return exchange_in_rounds(topology, parts, rounds);
}

std::uint64_t factor_by_factor_exchange_steps(const Topology& topology)
{
    std::uint64_t steps = 0;
    for (unsigned i = 0; i < topology.dimension(); ++i) {
        const Graph& factor = topology.factor(i);
        steps += topology.nodes() / factor.nodes() * factor_exchange_steps(factor, PortModel::one);
    }
    return steps;
}

Schedule homogeneous_exchange(const Topology& topology)
{
    const unsigned factors = topology.dimension();
    if (factors == 1)
        return *factor_exchange(topology.factor(0), PortModel::all);
    const std::vector<Part> parts{product_part(topology, indices(0, factors / 2), homogeneous_exchange),
                                  product_part(topology, indices(factors / 2, factors), homogeneous_exchange)};
    const NodeId n = parts[0].topology.nodes();
    const std::uint64_t steps = std::max(parts[0].exchange->steps, parts[1].exchange->steps);
    // In round r of the second part its offset e goes with the r-th next offset of the first part: every node of the
    // first part's copies then has one packet for each other node, for the next round. Those that move in one part only
    // come last and first.
    const Rounds rounds{
        n * steps,
        [&](std::size_t, NodeId round) { return round * steps; },
        [n](std::size_t part, std::span<const NodeId> offsets) {
            const NodeId turn = (offsets[0] + (n - 1) - offsets[1]) % (n - 1);
            if (offsets[1 - part] == 0)
                return part == 0 ? 0 : n - 1;
            return part == 0 ? turn + 1 : turn;
        },
    };
    return exchange_in_rounds(topology, parts, rounds);
}

Schedule digit_rounds_exchange(const Topology& topology)
{
    std::vector<Part> parts;
    for (unsigned i = 0; i < topology.dimension(); ++i)
        parts.push_back(factor_part(topology, i, PortModel::all));
    if (parts.empty())
        return {Symmetry::translated, 0, {}};
    const NodeId n = topology.factor(0).nodes();
    const std::uint64_t steps = longest_factor_exchange(topology, PortModel::all);
    const Rounds rounds{
        topology.nodes() / n * steps,
        [&](std::size_t, NodeId round) { return round * steps; },
        [n](std::size_t part, std::span<const NodeId> offsets) { return digit_round(part, offsets, n); },
    };
    return exchange_in_rounds(topology, parts, rounds);
}

std::uint64_t equal_factors_exchange_steps(const Topology& topology)
{
    if (topology.dimension() == 0)
        return 0;
    return topology.nodes() / topology.factor(0).nodes() * longest_factor_exchange(topology, PortModel::all);
}

Schedule interleaved_exchange(const Topology& topology)
{
    std::vector<Part> parts;
    for (unsigned i = 0; i < topology.dimension(); ++i)
        parts.push_back(factor_part(topology, i, PortModel::all));
    if (parts.empty())
        return {Symmetry::translated, 0, {}};
    return interleave_all(topology, parts);
}

std::uint64_t interleaved_exchange_steps(const Topology& topology)
{
    std::uint64_t steps = 0;
    for (unsigned i = 0; i < topology.dimension(); ++i) {
        const Graph& factor = topology.factor(i);
        steps = std::max(steps, topology.nodes() / factor.nodes() * factor_exchange_steps(factor, PortModel::all));
    }
    return steps;
}

Schedule grouped_exchange(const Topology& topology)
{
    const auto [ring_like, others] = ring_like_factors(topology);
    std::vector<Part> parts{product_part(topology, ring_like, abelian_exchange)};
    for (const unsigned i : others)
        parts.push_back(factor_part(topology, i, PortModel::all));
    return interleave_all(topology, parts);
}

std::uint64_t grouped_exchange_steps(const Topology& topology)
{
    const auto [ring_like, others] = ring_like_factors(topology);
    const Topology group = product_of(topology, ring_like);
    std::uint64_t steps = topology.nodes() / group.nodes() * abelian_exchange_steps(group);
    for (const unsigned i : others) {
        const Graph& factor = topology.factor(i);
        steps = std::max(steps, topology.nodes() / factor.nodes() * factor_exchange_steps(factor, PortModel::all));
    }
    return steps;
}

}  // namespace dcube::detail
