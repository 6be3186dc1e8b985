#pragma once
// Packets whose routes are fixed, dealt out to steps.

#include "algorithms/beyond/any_network/move_plan.hpp"
#include "algorithms/beyond/any_network/priced_routes.hpp"
#include "collectives/graphs/arcs.hpp"

#include <dcube/link.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <optional>
#include <span>

namespace dcube::detail {

// List scheduling: the shortest of some tries, which end at `bound` steps.
MovePlan schedule_routes(const Arcs& arcs, PortModel ports, std::span<const Route> routes, std::uint64_t bound);

struct ScheduledRoutes {
    Routes routes{};
    MovePlan schedule{};
};

// Routes in time (timed_routes.cpp): a schedule of `steps` steps, if one is found in this many looks at arcs.
std::optional<ScheduledRoutes> timed_routes(const Arcs& arcs, PortModel ports, std::span<const Message> messages,
                                            Step steps, std::uint64_t most_looks);

enum class FirstRoutes : std::uint8_t { cheapest, shortest };

// Routes and their schedule. Where the schedule takes longer than the largest load, routes with fewer detours are tried
// as well. Ends at `bound` steps. Shortest routes are found fastest, and of many messages they suffice mostly.
ScheduledRoutes schedule_messages(const Arcs& arcs, PortModel ports, std::span<const Message> messages,
                                  std::uint64_t bound, FirstRoutes first = FirstRoutes::cheapest);

// The approximate number of elementary operations for this many packets, with this many hops in all.
std::uint64_t schedule_messages_work(NodeId nodes, std::uint64_t arcs, std::uint64_t packets, std::uint64_t hops,
                                     FirstRoutes first = FirstRoutes::cheapest);

}  // namespace dcube::detail
