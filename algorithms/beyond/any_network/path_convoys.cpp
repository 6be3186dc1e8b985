#include "algorithms/beyond/any_network/path_convoys.hpp"

#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/plan.hpp"
#include "base/sizes.hpp"

#include <algorithm>
#include <utility>

namespace dcube::detail {

namespace {

Schedule convoy_schedule(const ConvoyPlan& plan)
{
    Schedule schedule{Symmetry::none, static_cast<Step>(plan.steps), {}};
    schedule.hops.reserve(allocatable(plan.hops()));
    for (const Convoy& convoy : plan.convoys)
        for (std::uint32_t packet = 0; packet < convoy.packets; ++packet) {
            PacketName name = convoy.first_packet;
            name.copy += packet;
            Step step = convoy.first + packet * convoy.apart;
            for (const Leg& leg : convoy.path)
                schedule.hops.push_back({step++, leg.from, leg.port, name});
        }
    return schedule;
}

// A node on a path has the packet that comes and the one that goes.
std::uint64_t convoy_storage(const Problem& problem, const ConvoyPlan& plan)
{
    std::uint64_t bytes = plan_bytes(plan.hops());
    for (const Convoy& convoy : plan.convoys)
        bytes += std::uint64_t{2} * convoy.path.size() * problem.bytes;
    return bytes;
}

}  // namespace

Path path_of(const Arcs& arcs, const std::vector<ArcId>& path)
{
    Path legs;
    for (const ArcId arc : path)
        legs.push_back({arcs.from(arc), arcs.port(arc)});
    return legs;
}

Path backwards(const Topology& topology, const Path& path)
{
    Path back;
    for (const Leg& leg : path)
        back.push_back({topology.neighbour(leg.from, leg.port), topology.arrival_port(leg.from, leg.port)});
    std::ranges::reverse(back);
    return back;
}

Path shortest_path_between(const Topology& topology, NodeId from, NodeId to)
{
    Path path;
    std::vector<Port> towards;
    for (NodeId node = from; node != to; node = topology.neighbour(node, path.back().port)) {
        topology.ports_towards(node, to, towards);
        path.push_back({node, towards.front()});
    }
    return path;
}

std::vector<Path> cube_paths(NodeId from, NodeId to, unsigned d)
{
    std::vector<Port> differing;
    std::vector<Port> same;
    for (Port port = 0; port < d; ++port)
        (((from ^ to) >> port & 1) != 0 ? differing : same).push_back(port);
    std::vector<Path> paths;
    const auto add = [&](const std::vector<Port>& ports) {
        Path& path = paths.emplace_back();
        for (NodeId node = from; const Port port : ports) {
            path.push_back({node, port});
            node ^= NodeId{1} << port;
        }
    };
    std::vector<Port> ports = differing;
    for (std::size_t i = 0; i < differing.size(); ++i) {
        add(ports);
        std::ranges::rotate(ports, ports.begin() + 1);
    }
    for (const Port port : same) {
        std::vector<Port> around{port};
        around.insert(around.end(), differing.begin(), differing.end());
        around.push_back(port);
        add(around);
    }
    return paths;
}

std::uint64_t ConvoyPlan::hops() const
{
    std::uint64_t hops = 0;
    for (const Convoy& convoy : convoys)
        hops += std::uint64_t{convoy.packets} * convoy.path.size();
    return hops;
}

Ends ends_of(const Topology& topology, const Problem& problem)
{
    return {topology, problem.collective, problem.root, problem.peer, problem.packets};
}

Entry convoy_entry(Entry head, MakeConvoyPlan plan, std::function<Phases(const Problem&, const ConvoyPlan&)> phases)
{
    head.obstacle = [plan](const Topology& topology, const Problem& problem) {
        const auto packets = static_cast<double>(problem.packets);
        const bool many = packets > most_planned_hops;  // then no plan is made
        return too_many_hops(many ? packets : static_cast<double>(plan(topology, problem)->hops()));
    };
    head.cost = [plan](const Topology& topology, const Problem& problem) {
        const std::shared_ptr<const ConvoyPlan> made = plan(topology, problem);
        return Cost{made->steps, made->hops()};
    };
    head.storage = [plan](const Topology& topology, const Problem& problem) {
        return convoy_storage(problem, *plan(topology, problem));
    };
    head.phases = [plan, phases = std::move(phases)](const Topology& topology, const Problem& problem) {
        return phases(problem, *plan(topology, problem));
    };
    return plan_entry(std::move(head), [plan](const Topology& topology, const Problem& problem) {
        return convoy_schedule(*plan(topology, problem));
    });
}

}  // namespace dcube::detail
