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

Algorithm restricted_to_members(Algorithm algorithm)
{
    algorithm.obstacle = of_members(std::move(algorithm.obstacle));
    algorithm.time = of_members(std::move(algorithm.time));
    if (algorithm.run_time)
        algorithm.run_time = of_members(std::move(algorithm.run_time));
    if (algorithm.time_limit)
        algorithm.time_limit = of_members(std::move(algorithm.time_limit));
    if (algorithm.time_floor)
        algorithm.time_floor = of_members(std::move(algorithm.time_floor));
    algorithm.cost = of_members(std::move(algorithm.cost));
    algorithm.case_formula = of_members(std::move(algorithm.case_formula));
    algorithm.planning_work = of_members(std::move(algorithm.planning_work));
    algorithm.storage = of_members(std::move(algorithm.storage));
    if (algorithm.in_transit)
        algorithm.in_transit = of_members(std::move(algorithm.in_transit));
    algorithm.phases = of_members(std::move(algorithm.phases));
    return algorithm;
}

}  // namespace dcube::detail
