#pragma once
// The round of an exchange in rounds in which a packet moves, derived from its hops.

#include "algorithms/programs/schedule.hpp"

namespace dcube::test {

/// The round, from 0 on, in which the packet from node 0 to the target changes that digit.
inline NodeId round_of(const Schedule& schedule, const Topology& topology, unsigned digit, unsigned steps_a_round,
                       NodeId target)
{
    for (const Hop& hop : schedule.hops)
        if (hop.packet.origin == 0 && hop.packet.target == target &&
            topology.digit(hop.from, digit) != topology.digit(topology.neighbour(hop.from, hop.port), digit))
            return (hop.step - 1) / steps_a_round;
    return ~NodeId{0};
}

}  // namespace dcube::test
