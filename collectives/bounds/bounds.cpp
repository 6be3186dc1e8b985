// Which bound is asked for which network. The switches over collectives stand in hypercube.cpp, any_network.cpp and
// time.cpp.

#include <dcube/bounds.hpp>

#include "collectives/bounds/any_network.hpp"
#include "collectives/bounds/hypercube.hpp"

namespace dcube {

Bound steps_bound(const Topology& topology, PortModel ports, const Problem& problem)
{
    require_root(topology, problem);
    if (topology.nodes() == 1)
        return {0, "one node has nothing to send"};
    return topology.is_hypercube() ? steps_on_hypercube(topology, ports, problem)
                                   : steps_on_any_network(topology, ports, problem);
}

Bound transmissions_bound(const Topology& topology, const Problem& problem)
{
    require_root(topology, problem);
    if (topology.nodes() == 1)
        return {0, "one node has nothing to send"};
    return transmissions_on_any_network(topology, problem);
}

}  // namespace dcube
