#pragma once
/// Counts: what the machine itself counts in a run.

#include <dcube/graph.hpp>
#include <dcube/link.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace dcube {

/// A directed link and the packets it carried.
struct LinkUse {
    NodeId from = 0;
    Port port = 0;
    std::uint64_t packets = 0;
};

/// All of it but wall_seconds is the same for any number of threads.
struct Counts {
    Step steps = 0;                   ///< ticks of the clock; what is received after the last one costs none
    std::uint64_t transmissions = 0;  ///< packets that crossed a link
    std::uint64_t bytes = 0;          ///< bytes that crossed a link
    Time virtual_time = 0;            ///< link-bound: when the last packet has arrived, in ticks
    std::optional<LinkUse> busiest;   ///< none on a machine without links
    std::optional<LinkUse> idlest;
    std::size_t storage_bytes = 0;          ///< in-transit storage of all nodes (Node::allocate)
    std::size_t largest_storage_bytes = 0;  ///< of the node that took most
    double wall_seconds = 0;
};

}  // namespace dcube
