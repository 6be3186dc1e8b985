#pragma once
// The families of algorithms, for the catalogue to list.

#include <dcube/catalogue.hpp>

#include <utility>

namespace dcube::detail {

std::vector<Algorithm> broadcast_family();   // broadcast and reduce
std::vector<Algorithm> scatter_family();     // scatter and gather
std::vector<Algorithm> all_gather_family();  // all-gather and reduce-scatter
std::vector<Algorithm> all_reduce_family();
std::vector<Algorithm> all_to_all_family();      // on hypercubes
std::vector<Algorithm> total_exchange_family();  // all-to-all on products
std::vector<Algorithm> routed_family();          // every other collective on any network

// The part of an entry that says what it is; what it does is for the family to add.
inline Algorithm titled(Collective collective, std::string_view name, std::vector<std::string_view> aliases,
                        std::string_view paper, std::string_view summary)
{
    Algorithm algorithm{};
    algorithm.collective = collective;
    algorithm.name = name;
    algorithm.aliases = std::move(aliases);
    algorithm.paper = paper;
    algorithm.summary = summary;
    return algorithm;
}

// For algorithms that can do every problem of their collective.
inline std::string no_obstacle(const Topology&, const Problem&)
{
    return {};
}

inline std::uint64_t divided_up(std::uint64_t a, std::uint64_t b)
{
    return (a + b - 1) / b;
}

// ceil(packets / d), with nothing to do on a machine of one node.
inline std::uint64_t steps_over_links(std::uint64_t packets, const Topology& topology)
{
    return topology.dimension() == 0 ? 0 : divided_up(packets, topology.dimension());
}

}  // namespace dcube::detail
