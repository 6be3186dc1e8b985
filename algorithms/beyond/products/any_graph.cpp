// Total exchange in any graph, hop by hop; dcube's, goes beyond Dimakopoulos & Dimopoulos 1998.
//
// Phase h moves every packet over the h-th hop of a shortest path, chosen so that the load of links (with one port: of
// receivers) is even. A phase takes as many steps as the busiest link, or on one port the busiest sender or receiver,
// has packets: on one port its hops are the edges of a bipartite multigraph of senders and receivers, and colouring the
// edges deals them out to that many steps (collectives/graphs/edge_colouring.hpp). Nothing is proved of the sum of the
// phases; it is the status where all phases are balanced (15 for the Petersen graph).
//
// On all ports of graphs with few hops farthest_first is tried as well, and the shorter schedule taken.
//
// Transmissions: the sum of all distances. Counting the steps takes time as the sum of all distances, and 8 bytes
// per pair of nodes; the schedule takes memory as the sum of all distances.

#include "algorithms/papers/dimakopoulos/exchanges.hpp"
#include "algorithms/papers/dimakopoulos/factor_schedules.hpp"
#include "base/planning.hpp"
#include "collectives/graphs/edge_colouring.hpp"

#include <dcube/topology.hpp>

#include <algorithm>
#include <optional>
#include <vector>

namespace dcube::detail {

namespace {

class HopByHop {
public:
    HopByHop(const Graph& graph, PortModel ports) : graph_(graph), ports_(ports)
    {
        for (NodeId node = 0; node < graph.nodes(); ++node)
            first_link_.push_back(first_link_.back() + graph.ports(node));
        travelling_.reserve(std::size_t{graph.nodes()} * (graph.nodes() - 1));
        for (NodeId origin = 0; origin < graph.nodes(); ++origin)
            for (NodeId target = 0; target < graph.nodes(); ++target)
                if (origin != target)
                    travelling_.push_back({narrow(origin), narrow(origin), narrow(target)});
    }

    std::uint64_t steps()
    {
        std::uint64_t steps = 0;
        while (!travelling_.empty()) {
            choose_hops();
            steps += busiest();
            move();
        }
        return steps;
    }

    Schedule schedule()
    {
        Schedule schedule{Symmetry::none, 0, {}};
        while (!travelling_.empty()) {
            choose_hops();
            const std::vector<std::uint32_t> steps = steps_of_hops();
            for (std::size_t i = 0; i < hops_.size(); ++i) {
                const Packet& packet = travelling_[i];
                schedule.hops.push_back(
                    {schedule.steps + steps[i] + 1, packet.at, hops_[i], {packet.origin, packet.target, 0}});
            }
            schedule.steps += *std::ranges::max_element(steps) + 1;
            move();
        }
        return schedule;
    }

private:
    static constexpr std::size_t packets_between_signs = 4096;

    // There are many packets, so they are kept small.
    using Small = std::uint16_t;
    static_assert(Graph::max_nodes <= Small{0xFFFF} && Graph::max_ports <= Small{0xFFFF});
    static Small narrow(std::uint32_t number) { return static_cast<Small>(number); }

    struct Packet {
        Small at;
        Small origin;
        Small target;
    };

    [[nodiscard]] std::size_t link(NodeId node, Port port) const { return first_link_[node] + port; }

    // The port of every packet's next hop: of those that lead nearer the one whose link, or with one port whose
    // receiver, has least to do so far.
    void choose_hops()
    {
        hops_.clear();
        load_.assign(ports_ == PortModel::one ? graph_.nodes() : graph_.directed_links(), 0);
        for (const Packet& packet : travelling_) {
            if (hops_.size() % packets_between_signs == 0)
                planning("hop by hop", 0);
            std::uint32_t* least = nullptr;
            Port chosen = 0;
            graph_.for_each_port_towards(packet.at, packet.target, [&](Port port) {
                const std::size_t user =
                    ports_ == PortModel::one ? graph_.neighbour(packet.at, port) : link(packet.at, port);
                if (least == nullptr || load_[user] < *least) {
                    least = &load_[user];
                    chosen = port;
                }
            });
            ++*least;
            hops_.push_back(narrow(chosen));
        }
    }

    // The steps that the phase takes.
    [[nodiscard]] std::uint64_t busiest() const
    {
        std::uint32_t most = std::ranges::max(load_);
        if (ports_ == PortModel::all)
            return most;
        std::vector<std::uint32_t> sends(graph_.nodes());
        for (const Packet& packet : travelling_)
            most = std::max(most, ++sends[packet.at]);
        return most;
    }

    // The step, from 0 on, in which each packet makes its hop.
    [[nodiscard]] std::vector<std::uint32_t> steps_of_hops() const
    {
        if (ports_ == PortModel::one) {
            std::vector<ColouredEdge> edges;
            for (std::size_t i = 0; i < hops_.size(); ++i)
                edges.push_back({travelling_[i].at, graph_.neighbour(travelling_[i].at, hops_[i])});
            return colour_edges(edges, largest_degree(edges));
        }
        std::vector<std::uint32_t> used(graph_.directed_links());
        std::vector<std::uint32_t> steps;
        for (std::size_t i = 0; i < hops_.size(); ++i)
            steps.push_back(used[link(travelling_[i].at, hops_[i])]++);
        return steps;
    }

    void move()
    {
        for (std::size_t i = 0; i < hops_.size(); ++i)
            travelling_[i].at = narrow(graph_.neighbour(travelling_[i].at, hops_[i]));
        std::erase_if(travelling_, [](const Packet& packet) { return packet.at == packet.target; });
    }

    const Graph& graph_;
    PortModel ports_;
    std::vector<std::size_t> first_link_{0};  // by node, and the end
    std::vector<Packet> travelling_;
    std::vector<Small> hops_;          // a port for each of them
    std::vector<std::uint32_t> load_;  // by link, or receiver
};

// farthest_first's schedule if it is tried, can be found within bounds, and is shorter than `steps`.
std::optional<Schedule> shorter_by_search(const Topology& topology, std::uint64_t steps)
{
    constexpr std::uint64_t most_hops = 1'000'000;
    constexpr std::uint64_t hops_of_all_tries = 400'000;
    constexpr std::uint64_t most_looks = std::uint64_t{1} << 28;  // some seconds
    const std::uint64_t hops = topology.sum_of_statuses();
    if (hops > most_hops)
        return std::nullopt;
    const std::uint64_t tries = std::clamp<std::uint64_t>(hops_of_all_tries / hops, 1, 8);
    std::optional<Schedule> found = farthest_first_within(topology, static_cast<unsigned>(tries), most_looks);
    return found && found->steps < steps ? std::move(found) : std::nullopt;
}

}  // namespace

Schedule any_graph_exchange(const Graph& graph, PortModel ports)
{
    Schedule by_phases = HopByHop(graph, ports).schedule();
    if (ports == PortModel::one)
        return by_phases;
    return shorter_by_search(Topology::product({graph}), by_phases.steps).value_or(std::move(by_phases));
}

std::uint64_t any_graph_steps(const Graph& graph, PortModel ports)
{
    const std::uint64_t by_phases = HopByHop(graph, ports).steps();
    if (ports == PortModel::one)
        return by_phases;
    const std::optional<Schedule> found = shorter_by_search(Topology::product({graph}), by_phases);
    return found ? found->steps : by_phases;
}

}  // namespace dcube::detail
