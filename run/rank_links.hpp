#pragma once
// The links between the ranks over which a network is spread.

#include <dcube/link.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <optional>

namespace dcube {

struct RankLinks {
    std::uint64_t links = 0;     ///< directed, of the network
    std::uint64_t crossing = 0;  ///< of these, from one rank's node to another's
    unsigned most_peers = 0;     ///< other ranks that a rank's links lead to, of the rank with most

    friend bool operator==(const RankLinks&, const RankLinks&) = default;
};

/// The share of links that cross, in lowest terms; 0 if there are no links.
Rational crossing_share(const RankLinks& links);

/// Counts exactly, by visiting every link. Throws InvalidArgument unless 1 <= ranks <= nodes.
RankLinks rank_links(const Topology& topology, unsigned ranks);

struct OrderOfFactors {
    Topology topology;
    RankLinks links;
};

/// The same factors in the order by which the fewest links cross. None if that is the given order, or if there are so
/// many orders and links that trying them would take more than seconds.
std::optional<OrderOfFactors> better_order(const Topology& topology, unsigned ranks);

}  // namespace dcube
