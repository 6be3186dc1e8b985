#pragma once
// Words for a product and its factors: a node's number is read as its coordinates, one for each factor.

#include <dcube/topology.hpp>

#include <string>
#include <vector>

namespace dcube::detail {

// "a ring of 6", "a torus of 4x6", "a 4-cube"; of others the name.
std::string product_words(const Topology& topology);

// "coordinate 2"; they are counted from 1 on, as factors are in texts.
std::string coordinate_words(unsigned factor);
// "coordinates 2 to 4", "coordinates 1, 3"
std::string coordinate_words(std::vector<unsigned> factors);

// "coordinate 1, a ring of 6"
std::string factor_words(const Topology& topology, unsigned factor);

}  // namespace dcube::detail
