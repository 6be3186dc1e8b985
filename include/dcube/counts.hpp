#pragma once
/// Counts: what the machine itself counts in a run.

#include <dcube/faults.hpp>
#include <dcube/graph.hpp>
#include <dcube/link.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] dcube {

/// A directed link and the packets it carried.
struct LinkUse {
    NodeId from = 0;
    Port port = 0;
    std::uint64_t packets = 0;
};

/// What nodes called a phase (Node::phase): the first and the last step that any of them spent in it; last is less than
/// first where none spent a whole step.
struct Phase {
    std::string name;
    Step first = 0;
    Step last = 0;

    friend bool operator==(const Phase&, const Phase&) = default;
};

/// What nodes counted themselves (Node::count), all together.
struct Counter {
    std::string name;
    std::uint64_t value = 0;

    friend bool operator==(const Counter&, const Counter&) = default;
};

/// All of it is the same for any number of threads but wall_seconds, and for any number of ranks but that and what
/// crosses between them. Every rank gets the same.
struct Counts {
    Step steps = 0;                          ///< ticks of the clock; what is received after the last one costs none
    std::uint64_t transmissions = 0;         ///< packets that crossed a link, or were lost on it
    std::uint64_t bytes = 0;                 ///< their bytes
    Time virtual_time = 0;                   ///< link-bound: when the last packet has arrived or would have, in ticks
    std::uint64_t lost = 0;                  ///< packets that were sent over links that had failed
    std::optional<LostPacket> first_lost{};  ///< of them, by step, then node, then port
    std::optional<LinkUse> busiest;          ///< none on a machine without links
    std::optional<LinkUse> idlest;
    std::size_t storage_bytes = 0;          ///< in-transit storage of all nodes (Node::allocate)
    std::size_t largest_storage_bytes = 0;  ///< of the node that took most
    std::vector<Phase> phases{};            ///< by first step
    std::vector<Counter> counters{};        ///< by name
    double wall_seconds = 0;                ///< of the slowest rank

    // Of machines that are spread over several ranks; 0 with one.
    std::uint64_t cross_rank_packets = 0;
    std::uint64_t cross_rank_bytes = 0;     ///< of those packets, without what goes with them
    std::uint64_t cross_rank_messages = 0;  ///< between ranks, empty ones included
    double communication_seconds = 0;       ///< packing, waiting, unpacking; of the rank that took most
    unsigned slowest_rank = 0;              ///< the rank that waited least for the others
};

}  // namespace dcube
