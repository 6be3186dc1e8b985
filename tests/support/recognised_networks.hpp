#pragma once
// Networks of known families as lists of edges, under any numbers.

#include <dcube/topology.hpp>

#include <cstdint>

namespace dcube::test {

struct RecognisedCase {
    const char* network;
    const char* recognised;  // the network that it is recognised as
};

inline constexpr RecognisedCase recognised_cases[] = {
    {"hypercube:3", "hypercube:3"},
    {"hypercube:4", "hypercube:4"},
    {"torus:4x4", "hypercube:4"},
    {"ring:6", "ring:6"},
    {"path:5", "path:5"},
    {"complete:5", "complete:5"},
    {"ghc:2x4", "ghc:2x4"},
    {"torus:3x5", "torus:3x5"},
    {"torus:4x3", "torus:4x3"},
    {"mesh:3x4", "mesh:3x4"},
    {"ring:5*path:3", "ring:5*path:3"},
    {"complete:4*ring:5", "complete:4*ring:5"},
};

// The network's edges with its nodes in another order, drawn from the seed; in their own for 0.
Topology from_edges_of(const char* network, std::uint64_t seed);

}  // namespace dcube::test
