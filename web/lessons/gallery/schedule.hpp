#pragma once
/// The schedule of a lesson's figure as a table, for readers without scripts: the page draws the same from its film.

#include "web/lessons/gallery/lesson.hpp"

#include <string>

namespace dcube::gallery {

/// The table that a view's @table, @rows and @names ask for, of the trace that `dcube run` writes: what node 0 sends,
/// or where all nodes send, what every node does, seen from itself. On hypercubes and tori, of blocks in one packet.
std::string schedule_table(const View& view, const std::string& trace);

}  // namespace dcube::gallery
