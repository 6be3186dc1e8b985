#pragma once
/// @file
/// How well a network is connected: bisection width, connectivity and girth, as textbooks tabulate them. Links are
/// counted once here, not in both directions, and nodes that are missing do not count.

#include <dcube/topology.hpp>

#include <cstdint>
#include <optional>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup network
/// @{

/// The limits of a network's bisection width: it lies between these, and is known if they are equal.
struct BisectionWidth {
    std::uint64_t least;  ///< no bisection has fewer links
    std::uint64_t most;   ///< a bisection that was found has as many

    /// True if there is nothing between them.
    [[nodiscard]] bool exact() const { return least == most; }
};

/// The fewest links whose removal parts the nodes into two halves, of which one may have a node more; 0 if there is one
/// node only. Exact for hypercubes, complete graphs, products of rings and products of paths (Azizoglu & Egecioglu
/// 2003, 2004), for any network of at most 24 nodes or so, which a search decides, and wherever the bounds meet: the
/// routes of a total exchange that must cross, and halves that were found.
BisectionWidth bisection_width(const Topology& topology);

/// The fewest links whose removal disconnects the network; 0 if there is one node only. None where finding it takes
/// long, on dense graphs of many hundred nodes. (A product's follows from its factors': Xu & Yang 2006.)
std::optional<std::uint64_t> edge_connectivity(const Topology& topology);

/// The fewest nodes whose removal disconnects the network or leaves one node. None where finding it takes long. (A
/// product's follows from its factors': Spacapan 2008.)
std::optional<std::uint64_t> node_connectivity(const Topology& topology);

/// The length of a shortest cycle; none if there is no cycle.
std::optional<unsigned> girth(const Topology& topology);

/// @}

}  // namespace dcube
#pragma GCC visibility pop
