#include "algorithms/dimakopoulos/factor_exchange.hpp"

#include "algorithms/dimakopoulos/class_matching.hpp"
#include "algorithms/dimakopoulos/farthest_first.hpp"
#include "algorithms/search/edge_colouring.hpp"

#include "base/memo.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

using Kind = Graph::Kind;

// The ports of a shortest way from node 0.
std::vector<Port> word_to(const Graph& graph, NodeId target)
{
    std::vector<Port> word;
    for (NodeId at = 0; at != target;) {
        Port port = 0;
        while (graph.distance(graph.neighbour(at, port), target) >= graph.distance(at, target))
            ++port;
        word.push_back(port);
        at = graph.neighbour(at, port);
    }
    return word;
}

// One relative target after the other: in every step all nodes use the same generator, so each sends one packet and
// receives one.
Schedule cayley_one_port(const Graph& graph)
{
    Schedule schedule{Symmetry::translated, 0, {}};
    for (NodeId target = 1; target < graph.nodes(); ++target) {
        NodeId at = 0;  // where the packets are that node 0 has sent
        for (const Port port : word_to(graph, target)) {
            const NodeId back = graph.inverse(at);
            schedule.hops.push_back({++schedule.steps, 0, port, {back, graph.times(back, target), 0}});
            at = graph.neighbour(at, port);
        }
    }
    return schedule;
}

// Packets that go one way along a line or ring of nodes; on each link the one first that has the most hops left, then
// the one that has come farthest.
class OneWay {
public:
    struct Packet {
        NodeId left;  // hops
        NodeId made;
        NodeId origin;
        NodeId target;
    };

    explicit OneWay(const Graph& graph) : graph_(graph), waiting_(graph.nodes()) {}

    void add(NodeId origin, NodeId target, NodeId hops) { waiting_[origin].push_back({hops, 0, origin, target}); }

    // Everything moves over `port(node)`, from step `first` on; returns the step after the last. Calls
    // emit(step, node, port, packet).
    template <class PortOf, class Emit>
    Step run(Step first, const PortOf& port, const Emit& emit)
    {
        for (Step step = first;; ++step) {
            std::vector<std::pair<NodeId, Packet>> arriving;
            for (NodeId node = 0; node < graph_.nodes(); ++node) {
                std::vector<Packet>& here = waiting_[node];
                if (here.empty())
                    continue;
                const auto next = std::ranges::max_element(
                    here, {}, [](const Packet& packet) { return std::pair(packet.left, packet.made); });
                emit(Hop{step, node, port(node), {next->origin, next->target, 0}});
                if (next->left > 1)
                    arriving.emplace_back(graph_.neighbour(node, port(node)),
                                          Packet{next->left - 1, next->made + 1, next->origin, next->target});
                *next = here.back();
                here.pop_back();
            }
            for (const auto& [node, packet] : arriving)
                waiting_[node].push_back(packet);
            if (std::ranges::all_of(waiting_, [](const auto& here) { return here.empty(); }))
                return step + 1;
        }
    }

private:
    const Graph& graph_;
    std::vector<std::vector<Packet>> waiting_;
};

// All packets of a path that go up (to larger ids), or down, but for those that `done` names.
template <class Done>
Step path_one_way(const Graph& graph, bool up, Step first, const Done& done, std::vector<Hop>& hops)
{
    OneWay way(graph);
    for (NodeId a = 0; a < graph.nodes(); ++a)
        for (NodeId b = a + 1; b < graph.nodes(); ++b)
            if (!done(a, b))
                way.add(up ? a : b, up ? b : a, b - a);
    const auto port = [&](NodeId node) { return up ? graph.ports(node) - 1 : 0; };
    return way.run(first, port, [&](const Hop& hop) { hops.push_back(hop); });
}

// One way, then the other: every node sends to one side and receives from the other. With an even number of nodes every
// second pair of neighbours exchanges first, which saves a step.
Schedule path_one_port(const Graph& graph)
{
    Schedule schedule{Symmetry::none, 0, {}};
    const NodeId n = graph.nodes();
    const auto exchanged = [n](NodeId a, NodeId b) { return n % 2 == 0 && b == a + 1 && a % 2 == (n / 2 - 1) % 2; };
    Step next = 1;
    for (NodeId node = 0; node + 1 < n; ++node)
        if (exchanged(node, node + 1)) {
            schedule.hops.push_back({1, node, graph.ports(node) - 1, {node, node + 1, 0}});
            schedule.hops.push_back({1, node + 1, 0, {node + 1, node, 0}});
            next = 2;
        }
    next = path_one_way(graph, true, next, exchanged, schedule.hops);
    schedule.steps = path_one_way(graph, false, next, exchanged, schedule.hops) - 1;
    return schedule;
}

Schedule path_all_ports(const Graph& graph)
{
    Schedule schedule{Symmetry::none, 0, {}};
    const auto none = [](NodeId, NodeId) { return false; };
    for (const bool up : {true, false})
        schedule.steps = path_one_way(graph, up, 1, none, schedule.hops) - 1;
    return schedule;
}

Schedule complete_all_ports(const Graph& graph)
{
    Schedule schedule{Symmetry::translated, 1, {}};
    for (Port port = 0; port + 1 < graph.nodes(); ++port)
        schedule.hops.push_back({1, 0, port, {0, port + 1, 0}});
    return schedule;
}

// Both ways at once, offset by offset.
Schedule odd_ring_all_ports(const Graph& graph)
{
    Schedule schedule{Symmetry::translated, 0, {}};
    const NodeId n = graph.nodes();
    for (NodeId offset = 1; offset <= n / 2; ++offset)
        for (NodeId made = 0; made < offset; ++made) {
            ++schedule.steps;
            const NodeId left = offset - made;
            schedule.hops.push_back({schedule.steps, 0, 0, {(n - made) % n, left, 0}});
            schedule.hops.push_back({schedule.steps, 0, 1, {made, n - left, 0}});
        }
    return schedule;
}

// Packets for the opposite node go up from even nodes and down from odd ones.
Schedule even_ring_all_ports(const Graph& graph)
{
    Schedule schedule{Symmetry::translated, 0, {}, {0}};
    const NodeId n = graph.nodes();
    for (const bool up : {true, false}) {
        OneWay way(graph);
        for (NodeId origin = 0; origin < n; ++origin)
            for (NodeId hops = 1; hops <= n / 2; ++hops)
                if (hops < n / 2 || up == (origin % 2 == 0))
                    way.add(origin, (origin + (up ? hops : n - hops)) % n, hops);
        const Port port = up ? 0 : 1;
        const auto keep = [&](Hop hop) {
            if (hop.from > 1)
                return;
            hop.packet.origin = (hop.packet.origin + n - hop.from) % n;
            hop.packet.target = (hop.packet.target + n - hop.from) % n;
            schedule.hops.push_back(hop);
        };
        schedule.steps = std::max(schedule.steps, way.run(
                                                      1, [port](NodeId) { return port; }, keep) -
                                                      1);
    }
    return schedule;
}

// Hop by hop: phase h moves every packet over the h-th hop of its way.
class HopPhases {
public:
    HopPhases(const Graph& graph, PortModel ports) : graph_(graph), ports_(ports)
    {
        for (NodeId origin = 0; origin < graph.nodes(); ++origin)
            for (NodeId target = 0; target < graph.nodes(); ++target)
                if (origin != target)
                    travelling_.push_back({origin, origin, target});
    }

    Schedule schedule()
    {
        Schedule schedule{Symmetry::none, 0, {}};
        while (!travelling_.empty()) {
            const std::vector<Port> ways = choose_ways();
            const std::vector<std::uint32_t> steps = deal_out(ways);
            for (std::size_t i = 0; i < ways.size(); ++i) {
                const Packet& packet = travelling_[i];
                schedule.hops.push_back(
                    {schedule.steps + steps[i] + 1, packet.at, ways[i], {packet.origin, packet.target, 0}});
            }
            schedule.steps += *std::ranges::max_element(steps) + 1;
            move(ways);
        }
        return schedule;
    }

private:
    struct Packet {
        NodeId at;
        NodeId origin;
        NodeId target;
    };

    // Of the ports that lead nearer the one whose link, or with one port whose receiver, has least to do so far.
    std::vector<Port> choose_ways()
    {
        std::vector<std::vector<std::uint32_t>> load(graph_.nodes());
        for (NodeId node = 0; node < graph_.nodes(); ++node)
            load[node].resize(ports_ == PortModel::one ? 1 : graph_.ports(node));
        std::vector<Port> ways;
        for (const Packet& packet : travelling_) {
            std::uint32_t* least = nullptr;
            Port way = 0;
            for (Port port = 0; port < graph_.ports(packet.at); ++port) {
                const NodeId next = graph_.neighbour(packet.at, port);
                if (graph_.distance(next, packet.target) >= graph_.distance(packet.at, packet.target))
                    continue;
                std::uint32_t& here = ports_ == PortModel::one ? load[next][0] : load[packet.at][port];
                if (least == nullptr || here < *least) {
                    least = &here;
                    way = port;
                }
            }
            ++*least;
            ways.push_back(way);
        }
        return ways;
    }

    // The step, from 0 on, in which each packet makes its hop.
    [[nodiscard]] std::vector<std::uint32_t> deal_out(const std::vector<Port>& ways) const
    {
        if (ports_ == PortModel::one) {
            std::vector<ColouredEdge> edges;
            for (std::size_t i = 0; i < ways.size(); ++i)
                edges.push_back({travelling_[i].at, graph_.neighbour(travelling_[i].at, ways[i])});
            return colour_edges(edges, largest_degree(edges));
        }
        std::vector<std::vector<std::uint32_t>> used(graph_.nodes());
        std::vector<std::uint32_t> steps;
        for (std::size_t i = 0; i < ways.size(); ++i) {
            std::vector<std::uint32_t>& links = used[travelling_[i].at];
            links.resize(graph_.ports(travelling_[i].at));
            steps.push_back(links[ways[i]]++);
        }
        return steps;
    }

    void move(const std::vector<Port>& ways)
    {
        for (std::size_t i = 0; i < ways.size(); ++i)
            travelling_[i].at = graph_.neighbour(travelling_[i].at, ways[i]);
        std::erase_if(travelling_, [](const Packet& packet) { return packet.at == packet.target; });
    }

    const Graph& graph_;
    PortModel ports_;
    std::vector<Packet> travelling_;
};

Schedule searched_all_ports(const Graph& graph)
{
    // A try takes some microseconds a hop.
    constexpr std::size_t most_hops = 1'000'000;
    constexpr std::size_t hops_of_all_tries = 400'000;
    Schedule by_phases = HopPhases(graph, PortModel::all).schedule();
    if (by_phases.hops.size() > most_hops)
        return by_phases;
    const std::size_t tries = std::clamp<std::size_t>(hops_of_all_tries / by_phases.hops.size(), 1, 8);
    Schedule greedy = greedy_exchange(Topology::product({graph}), static_cast<unsigned>(tries));
    return greedy.steps < by_phases.steps ? greedy : by_phases;
}

Schedule make(const Graph& graph, PortModel ports)
{
    if (ports == PortModel::one) {
        if (graph.kind() == Kind::path)
            return path_one_port(graph);
        return graph.symmetric() ? cayley_one_port(graph) : HopPhases(graph, ports).schedule();
    }
    switch (graph.kind()) {
    case Kind::ring: return graph.nodes() % 2 == 0 ? even_ring_all_ports(graph) : odd_ring_all_ports(graph);
    case Kind::path: return path_all_ports(graph);
    case Kind::complete: return complete_all_ports(graph);
    case Kind::group: return cayley_exchange(Topology::product({graph}));
    case Kind::list: break;
    }
    return searched_all_ports(graph);
}

}  // namespace

std::uint64_t factor_exchange_steps(const Graph& graph, PortModel ports)
{
    const std::uint64_t n = graph.nodes();
    const bool one = ports == PortModel::one;
    switch (graph.kind()) {
    case Kind::complete: return one ? n - 1 : 1;
    case Kind::ring: return one ? n * n / 4 : (n * n + 7 * (1 - n % 2)) / 8;
    case Kind::path: return one ? (n * n - 1) / 2 : n * n / 4;
    case Kind::group:
        if (one)
            return graph.status(0);
        break;
    case Kind::list: break;
    }
    return factor_exchange(graph, ports)->steps;
}

std::shared_ptr<const Schedule> factor_exchange(const Graph& graph, PortModel ports)
{
    static Memo<std::pair<Graph, PortModel>, Schedule> kept(32);
    return kept.get({graph, ports}, [&] { return in_order(make(graph, ports)); });
}

}  // namespace dcube::detail
