#pragma once
// Problems drawn at random from fixed seeds: who is the root, who the peer, and where packets go.

#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <array>
#include <cstdint>

namespace dcube::test {

/// All that networks of any shape can do.
inline constexpr std::array any_network_collectives{
    Collective::broadcast,  Collective::reduce,         Collective::scatter,    Collective::gather,
    Collective::all_gather, Collective::reduce_scatter, Collective::all_reduce, Collective::all_to_all,
    Collective::send,       Collective::exchange,       Collective::permute};

/// Between random nodes, of packets of two bytes. Those that run backwards in time have the same root.
Problem drawn_problem(const Topology& topology, Collective collective, std::size_t packets, std::uint64_t seed);

}  // namespace dcube::test
