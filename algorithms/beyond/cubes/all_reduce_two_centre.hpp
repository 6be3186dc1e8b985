#pragma once
// All-reduce of N blocks with two centres a block, for dimensions with (N-1) mod d = 1 (2 and all odd primes among
// them).

#include <dcube/layout.hpp>
#include <dcube/node.hpp>
#include <dcube/task.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace dcube::detail {

// In stage s the block spreads from node x over port k.
struct CentreLink {
    Step s;
    NodeId x;
    Port k;
};

// How block 0 spreads from its centres 0 and 1: d links in each of the stages 1..q-1, q = ceil((N-1)/d), ordered by
// stage.
using SpreadTable = std::vector<CentreLink>;

// Found by a seeded search; the same on every machine. Needs (N-1) mod d = 1.
SpreadTable spread_table(unsigned d);

std::string two_centre_obstacle(const Topology& topology, const Problem& problem);

// Its phases, as the nodes and the catalogue call them.
inline constexpr std::string_view to_centres = "sums to the centres";
inline constexpr std::string_view between_centres = "between the centres";
inline constexpr std::string_view from_centres = "sums to all";

Task two_centre(Node& me, const SpreadTable& table, const Problem& problem, NodeData data);

}  // namespace dcube::detail
