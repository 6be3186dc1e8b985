#pragma once
// Whether packets can be brought home in a number of steps at all: every schedule is tried, on tiny networks.

#include <dcube/link.hpp>
#include <dcube/topology.hpp>

#include <vector>

namespace dcube::test {

/// `count` packets from one node to another.
struct Delivery {
    NodeId from;
    NodeId to;
    unsigned count = 1;
};

/// Whether any algorithm can do it in the unit-time model. A packet that is copied does not come sooner than the copy
/// that arrives, so each packet is in one place.
bool can_be_done(const Topology& topology, PortModel ports, const std::vector<Delivery>& deliveries, unsigned steps);

/// One packet for each ordered pair of nodes.
std::vector<Delivery> total_exchange(const Topology& topology);

}  // namespace dcube::test
