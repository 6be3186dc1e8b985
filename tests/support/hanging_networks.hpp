#pragma once
// Networks that hang together by few nodes, drawn from fixed seeds: where with one port those few decide everything.

#include <dcube/topology.hpp>

#include <string_view>
#include <vector>

namespace dcube::test {

/// "spider-40", "caterpillar-36", "tree-19", "tree-29", "tree-100", "deep-61" (a tree), "hubs-22", "hubs-33",
/// "hubs-58", "hubs-96" (1 to 4 hubs), "bridge-8+11", "bridge-20+20" (complete graphs), "lollipop-26", "clusters-4x6",
/// "clusters-9x7", "clusters-12x9", "ring-of-clusters-5x5".
extern const std::vector<std::string_view> hanging_networks;

Topology hanging_network(std::string_view name);

}  // namespace dcube::test
