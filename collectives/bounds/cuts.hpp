#pragma once
// Cuts of a network in two parts: what crosses one has few links to do so.

#include <dcube/link.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <vector>

namespace dcube {

/// Networks of more nodes have too many cuts to try them all.
inline constexpr NodeId most_nodes_of_all_cuts = 20;

/// Two parts, and the links that lead from the one to the other.
struct TwoParts {
    std::vector<bool> inside;
    std::int64_t inner = 0;  ///< nodes inside
    std::int64_t outer = 0;
    std::int64_t links = 0;

    /// |V1| |V2| / c as a fraction that is not reduced.
    [[nodiscard]] Rational ratio() const { return links == 0 ? Rational{} : Rational{inner * outer, links}; }
};

/// That of the largest ratio of all cuts of the network, of at most most_nodes_of_all_cuts.
TwoParts best_of_all_cuts(const Topology& network);

/// That of the largest ratio; of graphs with many nodes, and no formula, the best that was found.
TwoParts best_cut(const Graph& graph);

}  // namespace dcube
