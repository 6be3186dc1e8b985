#pragma once
// The lower bound in a document: its arithmetic, what binds, and how near the film comes.

#include "inspect/view/document/network.hpp"
#include "inspect/view/film/film.hpp"

namespace dcube::view {

/// null where nothing has to be done, and where times are not shown.
Json bound_json(const Film& film);

/// The numbers of the directed links that bind (see LinkNumbers); none where all do, or no bound is shown.
std::vector<std::uint32_t> binding_links(const Film& film);

}  // namespace dcube::view
