// Which bound is asked for which network. The switches over collectives stand in hypercube.cpp, any_network.cpp,
// searches.cpp and time.cpp.

#include <dcube/bounds.hpp>

#include "collectives/bounds/any_network.hpp"
#include "collectives/bounds/argument.hpp"
#include "collectives/bounds/hypercube.hpp"
#include "collectives/bounds/members.hpp"
#include "collectives/bounds/searches.hpp"

namespace dcube {

Argument steps_argument(const Topology& topology, PortModel ports, const Problem& problem)
{
    require_root(topology, problem);
    if (topology.lacks_nodes())
        return named(steps_argument(topology.of_members(), ports, numbered(problem, topology)), topology);
    if (topology.nodes() == 1)
        return nothing_to_do("one node has nothing to send");
    return largest_with_search(topology, ports, problem,
                               topology.is_hypercube() ? steps_on_hypercube(topology, ports, problem)
                                                       : steps_on_any_network(topology, ports, problem));
}

Bound steps_bound(const Topology& topology, PortModel ports, const Problem& problem)
{
    Argument argument = steps_argument(topology, ports, problem);
    return {argument.value(), std::move(argument.reason)};
}

TimeBound time_bound(const Topology& topology, const Problem& problem)
{
    TimeArgument bound = time_argument(topology, problem);
    return {detail::to_rational(bound.value), std::move(bound.argument.reason)};
}

Bound transmissions_bound(const Topology& topology, const Problem& problem)
{
    require_root(topology, problem);
    if (topology.lacks_nodes())
        return transmissions_bound(topology.of_members(), numbered(problem, topology));
    if (topology.nodes() == 1)
        return {0, "one node has nothing to send"};
    return transmissions_on_any_network(topology, problem);
}

}  // namespace dcube
