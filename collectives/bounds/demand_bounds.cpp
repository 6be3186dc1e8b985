// Point-to-point and matrix collectives. A packet of a matrix is as large as it needs to be.

#include "base/arithmetic.hpp"
#include "collectives/bounds/demand.hpp"
#include "collectives/bounds/largest.hpp"

namespace dcube {

using detail::ceil_div;

Bound steps_by_demand(const Topology& topology, PortModel ports, const Problem& problem)
{
    const Demand demand(problem, topology);
    if (demand.distance() == 0)
        return {0, "nothing has to move"};
    if (is_matrix(problem.collective))
        return {demand.distance(), "the longest distance of any element"};
    const std::uint64_t n = topology.nodes();
    const std::uint64_t m = problem.packets;
    const std::uint64_t after = demand.distance() - 1;
    if (ports == PortModel::one)
        return largest({{m + after, "a message's packets leave one by one, and the "
                                    "last one has the longest distance "
                                    "to go"},
                        {ceil_div(m * demand.hops(), n), "the sum of all distances, N sends a step"}});
    return largest(
        {{ceil_div(m, topology.max_ports()) + after,
          "a message's packets leave by the ports of its node, and the last ones "
          "have the longest distance to go"},
         {ceil_div(m * demand.crossing(), n / 2), "the packets that cross one dimension in one direction have N/2 "
                                                  "links"},
         {ceil_div(m * demand.hops(), topology.directed_links()), "the sum of all distances, over all links"}});
}

Bound transmissions_by_demand(const Topology& topology, const Problem& problem)
{
    const Demand demand(problem, topology);
    if (demand.distance() == 0)
        return {0, "nothing has to move"};
    if (is_matrix(problem.collective))
        return largest({{demand.receivers(), "every node that lacks elements receives a packet"},
                        {demand.distance(), "the longest distance of any element"}});
    return {problem.packets * demand.hops(), "the sum of the distances"};
}

}  // namespace dcube
