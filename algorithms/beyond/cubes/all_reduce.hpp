#pragma once
#include "algorithms/programs/schedule.hpp"

#include <dcube/layout.hpp>
#include <dcube/node.hpp>
#include <dcube/problem.hpp>
#include <dcube/task.hpp>
#include <dcube/topology.hpp>

#include <cstdint>

namespace dcube::detail {

// The program of every node that exchanges whole blocks, dimension by dimension, `lanes` blocks at a time.
Task all_reduce_exchange(Node& me, Port lanes, const Problem& problem, NodeData data);

// A reduce-scatter and an all-gather of shares of blocks_per_share() blocks. Blocks that the last share lacks are not
// sent.
Schedule reduce_scatter_all_gather(const Topology& topology, const Problem& problem, PortModel ports);
std::uint64_t blocks_per_share(const Topology& topology, const Problem& problem);

}  // namespace dcube::detail
