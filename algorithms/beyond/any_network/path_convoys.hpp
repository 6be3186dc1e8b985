#pragma once
// Packets that follow one another on paths from one node to another: what the point-to-point collectives' plans are.

#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/schedule.hpp"
#include "collectives/graphs/arcs.hpp"

#include <dcube/catalogue.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace dcube::detail {

struct Leg {
    NodeId from;
    Port port;

    friend bool operator==(const Leg&, const Leg&) = default;
};
using Path = std::vector<Leg>;

Path path_of(const Arcs& arcs, const std::vector<ArcId>& path);
// The same links the other way.
Path backwards(const Topology& topology, const Path& path);
// The first shortest path.
Path shortest_path_between(const Topology& topology, NodeId from, NodeId to);
// d paths of a d-cube that share no node but their ends: over the ports in which these differ, rotated, and longer ones
// that begin and end over another port.
std::vector<Path> cube_paths(NodeId from, NodeId to, unsigned d);

// Packets on a path: the first leaves in step `first`, the others `apart` steps apart. Their copies are numbered from
// first_packet's on.
struct Convoy {
    PacketName first_packet;
    Path path;
    std::uint32_t packets;
    Step first = 1;
    Step apart = 1;
};

struct ConvoyPlan {
    std::uint64_t steps = 0;
    std::vector<Convoy> convoys{};

    [[nodiscard]] std::uint64_t hops() const;
};
using MakeConvoyPlan = std::function<std::shared_ptr<const ConvoyPlan>(const Topology&, const Problem&)>;

// The inputs on which plans of send and exchange depend.
struct Ends {
    Topology topology;
    Collective collective;
    NodeId from;
    NodeId to;
    std::size_t packets;

    friend bool operator==(const Ends&, const Ends&) = default;
};
Ends ends_of(const Topology& topology, const Problem& problem);

// Adds program, cost, storage and obstacle (too many hops) to the head. The plan is asked for often: it must be kept.
Entry convoy_entry(Entry head, MakeConvoyPlan plan, std::function<Phases(const Problem&, const ConvoyPlan&)> phases);

}  // namespace dcube::detail
