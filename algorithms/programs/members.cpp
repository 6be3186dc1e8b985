#include "algorithms/programs/members.hpp"

namespace dcube::detail {

Schedule renamed(Schedule schedule, const Topology& topology)
{
    if (!topology.lacks_nodes())
        return schedule;
    for (Hop& hop : schedule.hops) {
        hop.from = topology.member(hop.from);
        hop.packet.origin = topology.member(hop.packet.origin);
        hop.packet.target = topology.member(hop.packet.target);
    }
    return schedule;
}

Entry restricted_to_members(Entry entry)
{
    entry.obstacle = of_members(std::move(entry.obstacle));
    entry.time = of_members(std::move(entry.time));
    if (entry.run_time)
        entry.run_time = of_members(std::move(entry.run_time));
    if (entry.time_limit)
        entry.time_limit = of_members(std::move(entry.time_limit));
    if (entry.time_floor)
        entry.time_floor = of_members(std::move(entry.time_floor));
    entry.cost = of_members(std::move(entry.cost));
    entry.case_formula = of_members(std::move(entry.case_formula));
    entry.planning_work = of_members(std::move(entry.planning_work));
    entry.storage = of_members(std::move(entry.storage));
    if (entry.in_transit)
        entry.in_transit = of_members(std::move(entry.in_transit));
    entry.phases = of_members(std::move(entry.phases));
    return entry;
}

}  // namespace dcube::detail
