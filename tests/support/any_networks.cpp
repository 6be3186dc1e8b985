#include "tests/support/any_networks.hpp"

#include "tests/support/files.hpp"

#include <sstream>

namespace dcube::test {

const std::vector<std::string_view> any_networks{"ghc2x5x7", "torus4x6",    "torus8x8",  "mesh4x6",   "hub9",
                                                 "petring4", "random20",    "random64",  "random128", "cube6-3l",
                                                 "cube6-1n", "torus8x8-3l", "bintree31", "cube6"};

namespace {

std::string path_of(std::string_view name)
{
    return DCUBE_SOURCE_DIR "/tests/support/any_network/" + std::string(name);
}

}  // namespace

Topology any_network(std::string_view name)
{
    return Topology::product({Graph::from_text(std::string(name), read_text(path_of(name)))});
}

std::vector<NodeId> any_permutation(std::string_view name)
{
    std::istringstream text(read_text(path_of(name) + ".perm"));
    std::vector<NodeId> permutation;
    for (NodeId target = 0; text >> target;)
        permutation.push_back(target);
    return permutation;
}

}  // namespace dcube::test
