#pragma once
// The document that a page plays: a film, or two side by side, with all texts and drawings about them, as JSON.

#include "inspect/view/film/film.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace dcube::view {

constexpr NodeId most_nodes = 65'536;  // the most that a page can count

/// Whether columns are compressed.
enum class Packing : std::uint8_t { deflated, plain };

/// Throws InvalidArgument for networks of more nodes than a page can count.
void require_showable(const Topology& topology);

/// `command` is how the document was made. There are one or two films, of one collective and one kind of links. Throws
/// InvalidArgument as require_showable() does, and for times that a page cannot tell apart.
std::string document(std::span<const Film> films, std::string_view command, Packing packing = Packing::deflated);

}  // namespace dcube::view
