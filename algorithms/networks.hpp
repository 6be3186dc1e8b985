#pragma once
// The kinds of networks, for algorithms and the catalogue.

#include <dcube/catalogue.hpp>
#include <dcube/graph.hpp>

namespace dcube::detail {

// Graphs whose products have an exchange that is optimal (dimakopoulos/edge_colouring.cpp).
inline bool is_ring_or_complete(const Graph& graph)
{
    return graph.kind() == Graph::Kind::ring || graph.kind() == Graph::Kind::complete;
}

// contains() for the network as it stands, not for what it is recognised as.
bool is_one_of(Networks networks, const Topology& topology);

}  // namespace dcube::detail
