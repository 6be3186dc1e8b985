#pragma once
#include <dcube/layout.hpp>
#include <dcube/node.hpp>

namespace dcube::detail {

// Copies what a node holds already to where the collective wants it: its own message, its own block.
void copy_own_block(const Node& me, const Problem& problem, NodeData data);
// The same where the layout is known, as that of uneven messages must be.
void copy_own_block(const Node& me, const Problem& problem, const Layout& layout, NodeData data);

}  // namespace dcube::detail
