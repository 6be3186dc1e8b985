#pragma once
// What this program can be spread over: the only thing that tells dcube and dcube-mpi apart.

#include "cli/launched.hpp"

#include <dcube/world.hpp>

#include <memory>

namespace dcube::cli {

/// The world of a process that was started with others; it does not return where another program takes its place.
/// Throws InvalidArgument where there is none. `argv` is the command line.
std::shared_ptr<World> world_of_program(const Launched& launched, char** argv, double rank_timeout);

}  // namespace dcube::cli
