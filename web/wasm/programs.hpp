#pragma once
// Programs of one's own in JavaScript: Surroundings::interpreter of a lab in a page.

#include "web/lab/own_program.hpp"

namespace dcube::wasm {

/// The page has made the programs already; their sources only tell them apart.
lab::Interpreter& programs();

}  // namespace dcube::wasm
