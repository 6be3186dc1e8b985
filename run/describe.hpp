#pragma once
// Words for collectives and for the check of their results.

#include <dcube/problem.hpp>
#include <dcube/report.hpp>
#include <dcube/topology.hpp>

#include <string>

namespace dcube {

/// "every node sends a different block of 4 KiB to each of the 255 others".
std::string describe(const Problem& problem, const Topology& topology);

/// "7 blocks, every byte, except on the failed node", "3 blocks, within rounding; all nodes have the same bits", "no".
std::string verified_text(const Report& report);

}  // namespace dcube
