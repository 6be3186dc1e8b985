#pragma once
// Routes between two nodes (Stout & Wagar 1990, section 3.1..3.3 of the sends), written into a table.

#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/routing.hpp"

namespace dcube::detail {

// O.C. SEND 3 over the dimensions `dims` from `source`: the string is cut in as many parts as there are ways, joined
// and cut anew at every node. One stage for every dimension, from `first` on.
void spread_over(RoutingTable& table, NodeId source, const std::vector<Port>& dims, const Fragments& string,
                 Step first);

// O.C. SEND 4: the string in groups, a stage apart.
void spread_groups(RoutingTable& table, NodeId source, const std::vector<Port>& dims, const Fragments& string,
                   std::size_t groups);

// X.O.C. SEND 2: the same through the parallel subcube behind dimension `detour`.
void spread_groups_behind(RoutingTable& table, NodeId source, Port detour, const std::vector<Port>& dims,
                          const Fragments& string, std::size_t groups);

}  // namespace dcube::detail
