#pragma once
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/schedule.hpp"
#include "algorithms/programs/stream.hpp"

#include <dcube/topology.hpp>

#include <cstdint>
#include <memory>

namespace dcube::detail {

// The m packets of the root's messages to all nodes (rooted), by farthest-first.
Schedule one_port_scatter(const Topology& topology, std::uint32_t packets);

// Every node's m packets to all (translated), by recursive doubling; and what is done when in it, or backwards in a
// reduce-scatter.
Schedule one_port_all_gather(const Topology& topology, std::uint32_t packets);
Phases one_port_all_gather_phases(const Topology& topology, std::uint64_t packets, Direction direction);

// One packet from every node to every other (translated), by dimension-exchange.
Schedule one_port_all_to_all(const Topology& topology);
// The same, one offset of source and target after the other.
Schedule offset_by_offset(const Topology& topology);

// The broadcast of m packets, at the node with this label, relative to the root (one_port_pipeline.cpp).
std::unique_ptr<Pipeline> one_port_pipeline(unsigned d, NodeId label, std::uint32_t packets);

}  // namespace dcube::detail
