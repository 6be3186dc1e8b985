#pragma once
// Schedules: who sends which packet over which port in which step, as the papers' tables say it.
//
// A schedule tells the hops of one node or of one root; symmetry gives the rest (Bertsekas et al. 1991, section 1):
// - translated: the hops are node 0's; if node 0 sends packet (origin, target), node i sends their images under the
//   translation that takes 0 to i. A schedule may alternate: nodes that are even in a digit have other hops than those
//   that are odd there;
// - rooted: the hops of all nodes for root 0; for root r every node is relabelled;
// - none: the hops of all nodes, as they are.

#include <dcube/topology.hpp>

#include <cstdint>
#include <vector>

namespace dcube::detail {

// Which packet: copy 0..m-1 of the message from origin to target. Where all nodes get it, target says nothing; a
// partial sum is named by its target, the node that the block belongs to.
struct PacketName {
    NodeId origin;
    NodeId target;
    std::uint32_t copy;

    friend bool operator==(const PacketName&, const PacketName&) = default;
};

// What becomes of a packet when it arrives: it is kept as it is, or it is a partial sum and is added to the receiver's.
enum class Arrival : std::uint8_t { kept, added };

struct Hop {
    Step step;  // 1, 2, ...
    // In a translated schedule the kind of node (0 if it does not alternate), and names are as seen from node 0.
    NodeId from;
    Port port;
    PacketName packet;
    Arrival arrival = Arrival::kept;
};

enum class Symmetry : std::uint8_t { translated, rooted, none };

struct Schedule {
    Symmetry symmetry;
    Step steps;
    std::vector<Hop> hops;
    std::vector<unsigned> alternating{};  // digits: bit i of a node's kind tells whether digit alternating[i] is odd
};

// Time reversal: the same hops backwards, in opposite order. Scatter becomes gather; with sums that are added on
// arrival broadcast becomes reduce, and all-gather reduce-scatter. Counts stay.
Schedule reversed(const Topology& topology, const Schedule& schedule, Arrival arrival);

// The kind of a node in a translated schedule, and the least node of a kind.
NodeId kind_of(const Topology& topology, const std::vector<unsigned>& alternating, NodeId node);
NodeId least_of_kind(const Topology& topology, const std::vector<unsigned>& alternating, NodeId kind);

// The hop that this hop of a translated schedule is for a node of its kind.
Hop translated(const Topology& topology, const Hop& hop, NodeId node);

// With its hops in the order of their steps.
Schedule in_order(Schedule schedule);

// `first`, then `second`.
Schedule followed_by(Schedule first, const Schedule& second);

}  // namespace dcube::detail
