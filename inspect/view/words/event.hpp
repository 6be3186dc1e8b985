#pragma once
// The event in which a film ends, for somebody who sees in the film when and where it is.

#include "inspect/view/film/film.hpp"

#include <string>

namespace dcube::view {

/// "All 8 nodes wait for their neighbours over port 0: nobody can go on.", "Node 2's message never arrived at node 0."
/// Empty where there is nothing better than what the machine or the judge says.
std::string event_sentence(const Film& film);

}  // namespace dcube::view
