#pragma once
// The packets of a scan as a list: every one is a sum of consecutive nodes.

#include <dcube/catalogue.hpp>
#include <dcube/graph.hpp>
#include <dcube/link.hpp>

#include <cstddef>
#include <vector>

namespace dcube::detail {

struct ScanMove {
    Step step;
    NodeId from;
    Port port;
    std::size_t block;
    NodeId first;  // of the nodes in the sum
    NodeId last;
};

// All packets of a scan of this many blocks on topology.of_members(), by step.
using MakeScanMoves = std::vector<ScanMove> (*)(const Topology& topology, std::size_t blocks);

// The entry, which cuts messages in the best number of blocks where links take time.
Entry cutting_scan(Entry entry, MakeScanMoves moves);

}  // namespace dcube::detail
