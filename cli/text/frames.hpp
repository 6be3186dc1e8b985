#pragma once
// A film as text: one frame a step, with the packets on each port of each node.

#include "cli/text/colour.hpp"
#include "inspect/view/film/film.hpp"

namespace dcube::cli {

/// Prints a frame for each step and one for the end, which says what was achieved, with empty lines between them. Lines
/// are as long as the terminal is wide; of many nodes, those that send most are shown.
void print_frames(const view::Film& film, Colour colour);

}  // namespace dcube::cli
