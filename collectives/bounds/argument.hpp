#pragma once
// Argument: a lower bound together with the numbers that it is made of. Its value, its sentence, its arithmetic and the
// links that bind are all taken from here.

#include "base/exact.hpp"

#include <dcube/bounds.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dcube {

/// The nodes of a network in two parts. Everything that must get from the inside to the outside has to use the links
/// between them.
struct NodeCut {
    std::optional<unsigned> factor{};  ///< `inside` has the nodes of this factor, and all its copies are cut alike
    std::vector<bool> inside{};        ///< without a factor: all nodes of the network
};

/// An argument for a lower bound. Packets have to pass somewhere, at most `per_step` of them in a step, and some packet
/// has `far` hops to go: ceil(packets / per_step) + far - 1 steps; or, if there are `waits`, the least T for which the
/// positive values of T - wait add up to at least the packets.
struct Argument {
    enum class Kind : std::uint8_t {
        nothing,   ///< nothing has to move
        distance,  ///< some packet goes from `node` to `other`, `far` hops away
        leaving,   ///< the packets leave `node` by its ports, and the last of them has `far` hops to go, the first
                   ///< included
        arriving,  ///< the packets reach `node` by its ports, the first of them in step `far` or later
        doubling,  ///< one new packet per step leaves (is completed by) the root, and takes `far` steps to double
                   ///< (halve)
        hops,      ///< all transmissions that must be, `per_step` of them in a step
        cut,       ///< the packets cross a cut
        passing,   ///< the packets are sent by `node`: its own, and those that pass through it
        priced,    ///< the cost of the packets' cheapest paths, if nodes or links are priced; a step can pay `per_step`
        detours,   ///< the packets go from `other` to `node`, whose links bring them no sooner than `waits` says, or
                   ///< `outwards` those of `other` as late as that before the end
        paths,     ///< the packets go from `other` to `node`, over as many paths without a common link as `waits` has
                   ///< entries, each the shortest way to one path more: its links but one are its entry
        entering,  ///< the packets are for the nodes inside `cut`, and the links that lead there from the others bring
                   ///< nothing in the first steps, as many as `waits` says; `outwards`: read backwards
        unrolled,  ///< the packets are for all other nodes, and in less than `far` steps no flow in the network
                   ///< unrolled in time, with a place for every node and step, brings them all
        senders,   ///< the packets are for the nodes inside `cut`, and their neighbours, one packet per step each,
                   ///< have none to send in the first steps, as many as `waits` says; `outwards`: read backwards
        dissemination,  ///< a new packet per step leaves (is completed by) the root; in `far` - 1 steps more than
                        ///< that only `informed` of the `beyond` nodes at distance `apart` can have it
        timed_cut,      ///< the bytes must reach `node`, or `outwards` leave it, and cross a cut whose links carry
                        ///< `carried` in any less time, each with its own times
        timed_prices,   ///< the bytes pay for their paths, links cost what they cost, and in any less time the links,
                        ///< each with its own times, cannot bring in as much
        junction,  ///< the packets pass `node`, or the nodes of `junction`, whose removal disconnects the network, at
                   ///< most one per node and step: the first and the last of them stand `far` - 1 steps from the
                   ///< beginning and the end
    };

    /// The prices of a priced argument, and who pays them.
    enum class Prices : std::uint8_t {
        ends_of_links,  ///< 1 at each end of a link, but nothing at the nodes with the fewest links; packets pay along
                        ///< their cheapest paths
        four_cycles,    ///< 3 forward and 1 backward in the cycles of four nodes over `dimensions`; likewise
        best_of_paths,  ///< of links, or with one port of nodes, those that say most; likewise
        best_of_trees,  ///< the same for blocks that pay twice the cheapest spanning tree
        best_of_sends,  ///< the same of nodes, for what they send (receive) along spanning trees
    };

    Kind kind = Kind::nothing;
    std::string_view name = "nothing";
    std::string reason{};
    std::vector<std::uint64_t> factors{};  ///< whose product is the number of packets; a cut's first two are the nodes
                                           ///< that send and those that receive
    std::uint64_t per_step = 1;
    std::uint64_t far = 1;
    NodeId node = 0;
    NodeId other = 0;
    NodeCut cut{};
    std::vector<std::uint64_t>
        waits{};  ///< ascending: the steps for which each link (path, sender) brings or takes nothing
    bool outwards = false;
    Prices prices = Prices::ends_of_links;
    std::pair<unsigned, unsigned> dimensions{};  ///< of priced links: dimensions whose faces are cycles of four nodes
    struct Dissemination {
        std::uint64_t apart = 0;
        std::uint64_t beyond = 0;  ///< nodes at that distance and farther
        std::uint64_t informed = 0;
    } dissemination{};
    std::uint64_t parts = 0;         ///< of a junction: the parts into which the network falls without it
    std::vector<NodeId> junction{};  ///< of a junction of several nodes: its nodes
    std::uint64_t dearest = 0;       ///< of best prices: the largest
    std::uint64_t carried = 0;       ///< of a timed cut

    [[nodiscard]] detail::Integer packets() const
    {
        detail::Integer product = 1;
        for (const std::uint64_t factor : factors)
            product *= factor;
        return product;
    }
    /// The steps that the packets take alone, not rounded.
    [[nodiscard]] detail::Exact ratio() const { return detail::Exact(packets()) / per_step; }
    [[nodiscard]] std::uint64_t value() const;
};

/// The argument for a problem that takes no time at all, and why.
inline Argument nothing_to_do(std::string reason)
{
    return {.reason = std::move(reason)};
}

/// Why a problem takes no time, whatever the network's links; empty if something has to move.
std::string why_nothing_moves(const Topology& topology, const Problem& problem);

/// The two ends of a distance, in the order in which a sentence names them: node `far` is so many links away from node
/// `near`, which is the root if there is one.
struct DistantNodes {
    NodeId far;
    NodeId near;
};
DistantNodes distant_nodes(const Argument& argument, const Problem& problem);

/// The argument that binds in the unit-time model. Throws what steps_bound() does.
Argument steps_argument(const Topology& topology, PortModel ports, const Problem& problem);

/// The argument that binds on links that take time: about messages instead of packets, each of `unit` bytes; a distance
/// is that of one byte.
struct TimeArgument {
    Argument argument;
    detail::Integer unit = 0;
    detail::Exact value = 0;
};
TimeArgument time_argument(const Topology& topology, const Problem& problem);

/// The bounds of one total exchange, "L1" to "L7": cuts of a factor before those of all nodes, because they explain
/// more. Then prices, whose numbers are chosen for this many packets per pair.
std::vector<Argument> exchange_arguments(const Topology& topology, PortModel ports, std::uint64_t packets = 1);

/// The bounds of other collectives that take a search, also those that are not the largest.
std::vector<Argument> searched_arguments(const Topology& topology, PortModel ports, const Problem& problem);

/// The first of the largest.
inline Argument largest(std::initializer_list<Argument> arguments)
{
    return *std::max_element(arguments.begin(), arguments.end(),
                             [](const Argument& a, const Argument& b) { return a.value() < b.value(); });
}

// Bounds of networks that lack nodes: found for the members alone, and reported with the nodes' own names.

/// The problem for topology.of_members(). Throws InvalidArgument: its ends are missing.
Problem numbered(const Problem& problem, const Topology& topology);

/// An argument about topology.of_members(), restated for the network itself.
Argument named(Argument argument, const Topology& topology);
std::vector<Argument> named(std::vector<Argument> arguments, const Topology& topology);

// Bounds of groups: found for one of them, which all are alike.

/// An argument about the groups' network, restated for the whole: nodes are those of the first group, and a cut is one
/// of all groups. Its reason speaks of ranks.
Argument named(Argument argument, const Group& groups);
std::vector<Argument> named(std::vector<Argument> arguments, const Group& groups);
/// "in each of the 8 groups: " before a reason.
std::string of_each(const Group& groups, const std::string& reason);

// Bounds of recognised networks: found for Recognition::called.

/// An argument about the known network, restated for the one that was recognised. A sum along a factor keeps the
/// factor's number in the known one.
Argument named(Argument argument, const Recognition& known);
/// The network whose factors arguments name.
inline const Topology& with_factors(const Topology& topology)
{
    const Recognition* const known = topology.recognised();
    return known ? known->network : topology;
}
std::vector<Argument> named(std::vector<Argument> arguments, const Recognition& known);

}  // namespace dcube
