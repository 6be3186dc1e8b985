#pragma once
// Lower bounds that take a search of the network: flows, sets of nodes, cut nodes, prices. Each of these functions adds
// the bounds that it finds to `most`.

#include "collectives/bounds/argument.hpp"
#include "collectives/graphs/arcs.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace dcube {

/// Keeps the largest of the bounds that are added to it, and of equally large ones the first.
class LargestArgument {
public:
    explicit LargestArgument(Argument first) : largest_(std::move(first)), value_(largest_.value()) {}

    void add(Argument argument)
    {
        const std::uint64_t value = argument.value();
        if (value <= value_)
            return;
        largest_ = std::move(argument);
        value_ = value;
    }

    [[nodiscard]] std::uint64_t value() const { return value_; }
    [[nodiscard]] Argument take() && { return std::move(largest_); }

private:
    Argument largest_;
    std::uint64_t value_;
};

/// A network, and what is to be done there.
struct SearchCase {
    const Topology& topology;
    const detail::Arcs& arcs;
    PortModel ports;
    const Problem& problem;
};

/// At most `most` of the members, those with the fewest links first; only one where all nodes are alike.
std::vector<NodeId> nodes_with_fewest_links(const SearchCase& one, std::size_t most);

/// All ports: how soon one node can have the packets of another over several paths. Broadcast and reduce: every node
/// and the root. All-reduce: every node, and those with the fewest links. Point-to-point: the ends of every message.
void search_paths(const SearchCase& one, LargestArgument& most);

/// All ports, scatter, gather, all-gather and reduce-scatter: nodes with too few links to the others.
void search_entrances(const SearchCase& one, LargestArgument& most);

/// All ports, scatter and gather: flows in time, step by step, where they are soon found.
void search_flows_in_time(const SearchCase& one, LargestArgument& most);

/// One port, broadcast, reduce, all-gather and reduce-scatter: nodes with too few neighbours.
void search_senders(const SearchCase& one, LargestArgument& most);

/// One port, all-reduce: what comes to a few nodes whose removal disconnects the network, and goes on after that.
void search_junctions(const SearchCase& one, LargestArgument& most);

/// One port, all others but scatter and gather: nodes whose removal disconnects the network.
void search_cut_nodes(const SearchCase& one, LargestArgument& most);

/// Point-to-point: prices of links (one port: of nodes) that make all paths together dear.
void search_prices(const SearchCase& one, LargestArgument& most);
/// The same for a total exchange, with numbers chosen for this many packets per pair; none if the other bounds are as
/// good, or it would take long.
std::optional<Argument> exchange_prices(const Topology& topology, PortModel ports, std::uint64_t packets);

/// Prices that make spanning trees dear. All-reduce; with one port also broadcast, all-gather and their duals.
void search_trees(const SearchCase& one, LargestArgument& most);

/// Results of searches are kept. On hypercubes only what their closed forms do not cover is searched.
Argument largest_with_search(const Topology& topology, PortModel ports, const Problem& problem, Argument counted);

/// The network as arcs, made only once and kept. Networks with more arcs than this are not searched.
inline constexpr std::uint64_t most_arcs_searched = std::uint64_t{1} << 17;
std::shared_ptr<const detail::Arcs> arcs_of(const Topology& topology);

}  // namespace dcube
