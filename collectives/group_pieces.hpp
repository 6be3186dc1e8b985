#pragma once
// Pieces of groups' messages (Problem::within): traces name nodes, and the problem of a group names ranks.

#include <dcube/group.hpp>
#include <dcube/trace.hpp>

#include <optional>

namespace dcube {

/// The piece with nodes in place of the ranks of this group.
Piece with_nodes(const Piece& piece, const Group& groups, NodeId number);

/// The piece with ranks in place of nodes; none if one of them is not in this group.
std::optional<Piece> with_ranks(const Piece& piece, const Group& groups, NodeId number);

}  // namespace dcube
