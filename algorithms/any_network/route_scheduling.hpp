#pragma once
// Packets whose routes are fixed, dealt out to steps.

#include "algorithms/any_network/priced_routes.hpp"
#include "graphs/arcs.hpp"

#include <dcube/ports.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace dcube::detail {

struct RouteMove {
    Step step;  // 1, 2, ...
    ArcId arc;
    std::uint32_t packet;  // whose route it is
};

struct RouteSchedule {
    Step steps = 0;
    std::vector<RouteMove> moves{};  // by step
};

// List scheduling: the shortest of some tries, which end at `bound` steps.
RouteSchedule schedule_routes(const Arcs& arcs, PortModel ports, std::span<const Route> routes, std::uint64_t bound);

struct ScheduledRoutes {
    Routes routes{};
    RouteSchedule schedule{};
};

// Routes and their schedule. Where the schedule takes longer than the largest load, routes with fewer detours are tried
// as well. Ends at `bound` steps.
ScheduledRoutes schedule_messages(const Arcs& arcs, PortModel ports, std::span<const Message> messages,
                                  std::uint64_t bound);

// The elementary operations, about, that this takes for so many packets, with so many hops in all.
std::uint64_t schedule_messages_work(NodeId nodes, std::uint64_t arcs, std::uint64_t packets, std::uint64_t hops);

}  // namespace dcube::detail
