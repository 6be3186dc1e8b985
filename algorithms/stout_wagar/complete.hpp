#pragma once
// Operations in which all nodes act alike and all links are always busy (Stout & Wagar 1990, section 5).

#include "algorithms/programs/routing.hpp"
#include "algorithms/stout_wagar/scatter.hpp"

#include <functional>
#include <span>

namespace dcube::detail {

// The all-gather: every message in d parts, part i through dimensions i, i + 1, .. cyclically. Message ids are origins;
// parts are whole units of `unit` bytes.
Routing gathering(const Topology& topology, const LengthOf& length_of, std::size_t unit);

// The exchange: part i of what `source` has for `target` (one fragment, perhaps empty) corrects address bits i, i + 1,
// .., cyclically in `dims`, which must hold all differences; `differences` are those with something to carry.
using PieceFor = std::function<Fragment(NodeId source, NodeId target)>;
Routing rotated_exchange(const Topology& topology, std::vector<Port> dims, std::vector<NodeId> differences,
                         PieceFor piece_for);
Routing rotated_exchange(const Topology& topology, PieceFor piece_for);

}  // namespace dcube::detail
