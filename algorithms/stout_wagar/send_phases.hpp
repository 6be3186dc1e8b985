#pragma once
// The phases of sends, in a cube of n dimensions between source and target (opposite_corner_send.cpp), or in one that
// is parallel to it (arbitrary_send.cpp).

#include "algorithms/programs/phases.hpp"

#include <dcube/graph.hpp>

#include <cstddef>
#include <vector>

namespace dcube::detail {

Phases one_path_phases(const std::vector<Port>& dims);
Phases spreading_phases(unsigned n);
// Of m bytes in groups a stage apart.
Phases spreading_groups_phases(unsigned n, std::size_t m, std::size_t groups);
// The same out of the cube over each of so many dimensions, through the parallel ones and back.
Phases detour_phases(unsigned n, unsigned detours, std::size_t m, std::size_t groups);

}  // namespace dcube::detail
