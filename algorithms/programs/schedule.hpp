#pragma once
// Operations of programs and searches on schedules, beyond those that <dcube/schedule.hpp> offers to everyone.

#include <dcube/schedule.hpp>
#include <dcube/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dcube::detail {

// The kind of a node in a translated schedule, and the least node of a kind.
NodeId kind_of(const Topology& topology, const std::vector<unsigned>& alternating, NodeId node);
NodeId least_of_kind(const Topology& topology, const std::vector<unsigned>& alternating, NodeId kind);

// The hop that this hop of a translated schedule is for a node of its kind.
Hop translated(const Topology& topology, const Hop& hop, NodeId node);

// The receiver's name for the packet of a translated schedule's hop: as seen from itself.
PacketName name_at_receiver(const Topology& topology, const Hop& hop);

// A packet at a node; in a translated schedule at a node of a kind, and named as seen from it.
struct PacketAt {
    NodeId node;
    PacketName packet;

    friend bool operator==(const PacketAt&, const PacketAt&) = default;
};
struct PacketAtHash {
    std::size_t operator()(const PacketAt& at) const
    {
        std::uint64_t key = (std::uint64_t{at.packet.origin} << 32 | at.packet.target) ^
                            (std::uint64_t{at.node} << 32 | at.packet.copy) * 0x9e3779b97f4a7c15U;
        key *= 0x9e3779b97f4a7c15U;
        return static_cast<std::size_t>(key ^ key >> 29);
    }
};

// The schedule as it is, or reversed for a collective that is one backwards: gather, reduce and reduce-scatter.
Schedule in_direction_of(Collective collective, const Topology& topology, Schedule forwards);

// The schedule with its hops in the order of their steps.
Schedule in_order(Schedule schedule);

}  // namespace dcube::detail
