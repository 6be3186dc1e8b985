#pragma once
/// Networks by name: the families that Topology::parse() reads.

#include <string_view>
#include <vector>

namespace dcube {

/// A network of each family: "hypercube:10", "torus:8x8x8", ...
std::vector<std::string_view> network_examples();

}  // namespace dcube
