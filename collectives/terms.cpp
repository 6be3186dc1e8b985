#include "collectives/terms.hpp"

namespace dcube {

Contributors terms_of(Collective collective, const Topology& topology, NodeId node)
{
    Contributors terms = Contributors::all(topology);
    if (!is_scan(collective))
        return terms;
    const NodeId end = node + (traits(collective).terms == Terms::up_to ? 1 : 0);
    if (end < topology.nodes())
        terms.remove(Contributors({{end, topology.nodes() - 1}}));
    return terms;
}

}  // namespace dcube
