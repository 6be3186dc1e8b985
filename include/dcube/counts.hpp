#pragma once
/// @file
/// Counts: what the machine itself counts in a run.

#include <dcube/faults.hpp>
#include <dcube/graph.hpp>
#include <dcube/link.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup program
/// @{

/// A directed link and the packets it carried.
struct LinkUse {
    NodeId from = 0;            ///< the sender
    Port port = 0;              ///< the sender's port
    std::uint64_t packets = 0;  ///< packets that crossed it in the run
};

/// A phase that programs have named (Node::phase): the first and the last step that any of them spent in it; last is
/// less than first where none spent a whole step.
struct Phase {
    std::string name;  ///< the name passed to Node::phase
    Step first = 0;    ///< the first step that a node spent in it
    Step last = 0;     ///< the last one

    friend bool operator==(const Phase&, const Phase&) = default;
};

/// A counter of the nodes' programs (Node::count), over all nodes.
struct Counter {
    std::string name;         ///< the name passed to Node::count
    std::uint64_t value = 0;  ///< the sum over all nodes

    friend bool operator==(const Counter&, const Counter&) = default;
};

/// The machine's counts of a run. All of them except wall_seconds are the same for any number of threads, and all
/// except that and the traffic between ranks are the same for any number of ranks. Every rank gets the same counts.
struct Counts {
    Step steps = 0;                          ///< ticks of the clock; what is received after the last one costs none
    std::uint64_t transmissions = 0;         ///< packets that crossed a link, or were lost on it
    std::uint64_t bytes = 0;                 ///< their bytes
    Time virtual_time = 0;                   ///< link-bound: when the last packet has arrived or would have, in ticks
    std::uint64_t lost = 0;                  ///< packets that were sent over links that had failed
    std::optional<LostPacket> first_lost{};  ///< the first of them, by step, then node, then port
    std::optional<LinkUse> busiest;          ///< the link with the most packets; none on a machine without links
    std::optional<LinkUse> idlest;           ///< the link with the fewest packets
    std::size_t storage_bytes = 0;           ///< in-transit storage of all nodes (Node::allocate)
    std::size_t largest_storage_bytes = 0;   ///< the most of any node
    std::vector<Phase> phases{};             ///< by first step
    std::vector<Counter> counters{};         ///< by name
    double wall_seconds = 0;                 ///< the slowest rank's

    std::uint64_t cross_rank_packets = 0;   ///< on links between nodes of different ranks
    std::uint64_t cross_rank_bytes = 0;     ///< the bytes of those packets alone, without what is sent along with them
    std::uint64_t cross_rank_messages = 0;  ///< between ranks, empty ones included
    double communication_seconds = 0;       ///< packing, waiting, unpacking; of the rank that took most
    unsigned slowest_rank = 0;              ///< the rank that waited least for the others
};

/// @}

}  // namespace dcube
#pragma GCC visibility pop
