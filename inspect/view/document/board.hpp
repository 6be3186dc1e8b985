#pragma once
// The document of a board, on which a person schedules a collective by hand: what is asked, the bounds, and a film in
// which nothing has happened yet.

#include "inspect/view/film/film.hpp"

#include <dcube/judge.hpp>

#include <string>
#include <string_view>

namespace dcube::view {

constexpr NodeId most_board_nodes = 64;

/// Throws InvalidArgument for what no board can show: other collectives than those that move or add up whole packets
/// in steps, links that take time, and more nodes or packets than a person can schedule.
void require_board(const TraceQuestion& question);

/// A film in which nothing has been sent, and messages have a part for each packet.
Film empty_film(const TraceQuestion& question);

/// "Your turn: broadcast on a 3-cube"
std::string board_title(const Film& film);

/// `command` is how the document was made. Throws what require_board() does.
std::string board_document(const TraceQuestion& question, std::string_view command);

}  // namespace dcube::view
