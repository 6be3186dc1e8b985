#pragma once
// Transports: packets on networks whose nodes or links differ, and the order in which links carry them.

#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/routing.hpp"
#include "collectives/graphs/arcs.hpp"
#include "collectives/graphs/link_ticks.hpp"

#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

namespace dcube::detail {

// A network's arcs, and how long packets hold them.
class TimedArcs {
public:
    TimedArcs(const Topology& topology, const LinkModel& link);

    [[nodiscard]] const Topology& topology() const { return topology_; }
    [[nodiscard]] const Arcs& arcs() const { return arcs_; }
    // Throws InvalidArgument if it does not fit.
    [[nodiscard]] Time duration(ArcId arc, std::size_t bytes) const;

private:
    Topology topology_;
    Arcs arcs_;
    std::vector<LinkTicks> links_;
};

// Throws InvalidArgument if the sum does not fit.
Time later(Time time, Time duration);

// One packet on its way from a node to another, over switches only.
struct Transport {
    Fragments fragments;
    std::vector<ArcId> arcs;
    std::vector<std::uint32_t> after{};  // the transports that bring it to its first node: earlier ones of the list
};

// The order in which every link carries its packets.
struct Timetable {
    Time finish = 0;
    Step stages = 0;
    std::vector<std::vector<Step>> stage;  // by transport and arc
};

// No link is idle while a packet waits for it; of several the one that is most urgent goes first, then the first of the
// list. In the times of a run on the data-driven clock, which takes as long, also backwards: then all arcs between the
// same two moments swap their ends.
Timetable timetable(const TimedArcs& arcs, std::span<const Transport> transports, std::span<const Time> urgency);

// The time from the beginning of each transport on until everything that waits for it has arrived: the urgency that
// keeps long chains moving.
std::vector<Time> times_to_go(const TimedArcs& arcs, std::span<const Transport> transports);

// Transports with their order, as a routing.
struct TransportPlan {
    std::vector<Transport> transports;
    Timetable table;
};
Routing routing_of(const TimedArcs& arcs, const TransportPlan& plan, Direction direction, Arrival arrival);

// A reduction, which is the plan backwards, and then the plan itself.
Routing backwards_and_forwards(const TimedArcs& arcs, const TransportPlan& plan);

}  // namespace dcube::detail
