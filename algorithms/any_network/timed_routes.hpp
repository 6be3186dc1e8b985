#pragma once
// Routes in time: which packet crosses which link in which step, for a given number of steps.

#include "algorithms/any_network/route_scheduling.hpp"

#include <optional>

namespace dcube::detail {

// A schedule of so many steps, if one is found in this many looks at arcs.
std::optional<ScheduledRoutes> timed_routes(const Arcs& arcs, PortModel ports, std::span<const Message> messages,
                                            Step steps, std::uint64_t most_looks);

}  // namespace dcube::detail
