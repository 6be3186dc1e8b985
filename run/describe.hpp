#pragma once
// What a collective does, in words.

#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <string>

namespace dcube {

/// "every node sends a different block of 4 KiB to each of the 255 others".
std::string describe(const Problem& problem, const Topology& topology);

}  // namespace dcube
