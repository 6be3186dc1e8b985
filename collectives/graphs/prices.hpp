#pragma once
// Lower bounds by prices: messages must pay for every hop that they make, and a step can pay no more than all prices
// together. With the best prices the bound is what routing can achieve if packets may be cut into parts.

#include "collectives/graphs/arcs.hpp"

#include <dcube/link.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace dcube::detail {

struct Message {
    NodeId from;
    NodeId to;
    std::uint64_t packets;
};

struct PriceBound {
    double value;                // steps, not rounded; 1e-9 of it is taken off for rounding
    std::vector<double> prices;  // by arc (all ports); by sending, then by receiving node (one port)
};

// Prices are multiplied by what was carried: in every round all packets take their cheapest paths, and what is used
// most gets dearer. The best round's prices are kept; any prices give a bound. Rounds: 0 takes as many as suit the
// network.
PriceBound priced_bound(const Arcs& arcs, PortModel ports, std::span<const Message> messages, unsigned rounds = 0);

// The load of the busiest link (or node) if messages are routed in parts, found in a few rounds: no prices give a bound
// above it. Infinity if the prices themselves are found in not many more rounds.
double load_in_parts(const Arcs& arcs, PortModel ports, std::span<const Message> messages);

// The approximate number of elementary operations on such a network if `sources` nodes have messages.
std::uint64_t priced_bound_work(NodeId nodes, std::uint64_t arcs, std::uint64_t sources, unsigned rounds = 0);

}  // namespace dcube::detail
