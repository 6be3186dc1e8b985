#pragma once
// What stands in the cells of a frame's table.

#include "view/film/film.hpp"
#include "view/film/holdings.hpp"

#include <span>
#include <string>
#include <vector>

namespace dcube::cli {

/// Whose bytes they are: "2>1", from node 2 to node 1; with parts "2>1.0"; of a broadcast the part, of an all-gather
/// the origin; of a sum who is in it, "{0-3}", and for which node, "5:{0-3}".
std::string packet_text(const view::Film& film, const view::Row& row);

/// What a node has of what it needs, and what it keeps for others.
struct HeldTexts {
    std::string has;
    std::string keeps;
};
/// Of each of these nodes, which are in ascending order.
std::vector<HeldTexts> held_texts(const view::Film& film, const view::Holdings& holdings,
                                  std::span<const NodeId> nodes);

}  // namespace dcube::cli
