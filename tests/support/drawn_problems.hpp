#pragma once
// Problems drawn at random from fixed seeds: who is the root, who the peer, and where packets go.

#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <vector>

namespace dcube::test {

/// All that networks of any shape can do.
inline const std::vector<Collective> any_network_collectives = [] {
    std::vector<Collective> all;
    for (const Collective collective : all_collectives)
        if (!is_matrix(collective))
            all.push_back(collective);
    return all;
}();

/// A problem between random nodes, of packets of two bytes. Problems that run backwards in time have the same root.
Problem drawn_problem(const Topology& topology, Collective collective, std::size_t packets, std::uint64_t seed);

}  // namespace dcube::test
