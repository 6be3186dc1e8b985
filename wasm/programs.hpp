#pragma once
// Programs of one's own in JavaScript: Surroundings::own_algorithm of a lab in a page.

#include "lab/own_program.hpp"

#include <memory>

namespace dcube::wasm {

/// The page has made the program already; its source is not looked at.
std::shared_ptr<const Algorithm> own_algorithm(const lab::OwnProgram& program, const lab::Question& question);

}  // namespace dcube::wasm
