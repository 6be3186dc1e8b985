#pragma once
/// @file
/// Groups: a product's nodes split by some of its factors, each part a smaller network of its own.

#include <dcube/graph.hpp>
#include <dcube/topology.hpp>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup network
/// @{

/// The groups of a network within some of its factors: nodes that differ in the digits of these only are in one group.
/// The links between them make each group a copy of one smaller network, in which a node's number is its rank.
///
///     const Group rows = Group::of(machine.topology(), {0, 1, 2});   // of a 6-cube: 8 groups of 8 nodes
///     const Prepared all_gather(machine, rows, {Collective::all_gather, sizeof(double)});
///
/// A collective with Problem::within is done by all groups at the same time, each over its own links.
class Group {
public:
    /// The groups within these dimensions of a hypercube, or these factors of another product, the first of which is 0.
    /// Ranks are ordered as nodes are. Where nodes or links are missing, they must be missing in every group alike:
    /// its network then lacks them. Throws InvalidArgument: no such dimension or factor, one named twice, none, groups
    /// that are not alike, or a group that falls apart.
    static Group of(const Topology& topology, std::vector<unsigned> within);

    /// The whole network.
    [[nodiscard]] const Topology& topology() const;
    /// The network that every group is.
    [[nodiscard]] const Topology& network() const;
    /// The dimensions or factors, ascending.
    [[nodiscard]] const std::vector<unsigned>& within() const;

    /// The number of groups.
    [[nodiscard]] NodeId count() const;
    /// The ranks in a group: 0 to size() - 1. A rank is missing if its node is.
    [[nodiscard]] NodeId size() const;
    /// A node's group: 0 to count() - 1.
    [[nodiscard]] NodeId number(NodeId node) const;
    /// A node's number within its group.
    [[nodiscard]] NodeId rank(NodeId node) const;
    /// The node of that rank in that group. Of one rank, it grows with the group's number.
    [[nodiscard]] NodeId node(NodeId number, NodeId rank) const;
    /// By the ports of the group's network, the ports of a node that these are.
    [[nodiscard]] std::span<const Port> ports(NodeId node) const;

    /// Groups of equal networks within the same factors.
    friend bool operator==(const Group& a, const Group& b);

private:
    struct [[gnu::visibility("hidden")]] State;
    explicit Group(std::shared_ptr<const State> state) : state_(std::move(state)) {}

    std::shared_ptr<const State> state_;
};
bool operator==(const Group& a, const Group& b);  // g++ exports no function that is declared as a friend alone

/// "0,2" as a list of dimensions or factors, ascending. Throws InvalidArgument: no numbers, or one twice.
std::vector<unsigned> parse_within(std::string_view text);
/// "0,2"
std::string within_text(const std::vector<unsigned>& within);

/// @}

}  // namespace dcube
#pragma GCC visibility pop
