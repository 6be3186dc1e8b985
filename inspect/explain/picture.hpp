#pragma once
// The parts of a proof that can be drawn: where packets have to pass, how far they have to go, or how much room there
// is for them.

#include "collectives/bounds/argument.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace dcube::explain {

/// Two sides of the network: the packets go from one to the other. The links between them are the proof's.
struct CutPicture {
    std::vector<bool> sending;  ///< whether a node is on the side that sends
};

/// A node, and the packets that leave it or arrive there.
struct PortsPicture {
    NodeId node;
    bool out;
};

/// A network that falls apart without a few nodes, which all packets from part to part have to pass.
struct PartsPicture {
    std::vector<int> part;  ///< of each node, from 0 on; -1: of those few
};

/// Two nodes, and how far they are apart.
struct DistancePicture {
    NodeId from;
    NodeId to;
    std::uint64_t rate = 0;  ///< the packets that may leave or arrive at the far node per step; 0: not counted
    bool outwards = false;   ///< `rate` counts packets that leave `from`, else those that arrive at `to`
    std::vector<std::uint64_t> paths{};  ///< the lengths of paths without a common link
};

/// The nodes that can have a packet, step after step; `reversed`: the nodes whose shares can be in a sum.
struct GrowthPicture {
    NodeId root;
    std::uint64_t first;  ///< the step in which the last packet leaves the root, or later
    bool reversed;
    std::vector<std::uint64_t> most;  ///< who can have it at most after 0, 1, .. steps more; empty: fewer than double
};

/// The amount to be done, and the amount that a step can do.
struct AmountPicture {
    std::uint64_t per_step;
    bool prices;                             ///< the amounts are prices, not packets
    std::vector<std::uint64_t> by_distance;  ///< hops of the messages 1, 2, .. links away; empty: all alike
};

/// The least time, piece by piece, in ns: a start-up and the bytes of one link; then, `more` times, a start-up and a
/// byte.
struct TimePicture {
    double start_up;
    double bytes;
    std::uint64_t more;
    double byte;
};

using Picture =
    std::variant<CutPicture, PortsPicture, PartsPicture, DistancePicture, GrowthPicture, AmountPicture, TimePicture>;

/// The picture; none where nothing has to move.
std::optional<Picture> picture_of(const Topology& topology, const Argument& argument, const Problem& problem);
std::optional<Picture> picture_of(const TimeArgument& bound, const Problem& problem);

/// "cut", "ports", ..
std::string_view kind_of(const Picture& picture);

}  // namespace dcube::explain
