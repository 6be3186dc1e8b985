#pragma once
/// @file
/// Contributors: the nodes whose contributions are in a sum.

#include <dcube/graph.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup judge
/// @{

class Topology;

/// A set of nodes, as the fewest ranges of ids that make it up: sorted, with gaps between them. Small where neighbours
/// add up what they have: a whole network is one range.
class Contributors {
public:
    /// All ids from `first` to `last`, both included.
    struct Range {
        NodeId first;  ///< the smallest id
        NodeId last;   ///< the largest id

        friend bool operator==(const Range&, const Range&) = default;
    };

    /// The empty set: a sum of nothing.
    Contributors() = default;
    /// A set of one node.
    explicit Contributors(NodeId node) : ranges_{{node, node}} {}
    /// The nodes of these ranges, which come in any order, which may overlap. Throws InvalidArgument if one ends before
    /// it begins.
    explicit Contributors(std::vector<Range> ranges);
    /// The nodes with these ids, which come in any order.
    static Contributors of(std::span<const NodeId> ids);
    /// All members of the network: nodes that are not missing.
    static Contributors all(const Topology& topology);

    /// The ranges, in ascending order.
    [[nodiscard]] std::span<const Range> ranges() const { return ranges_; }
    /// True if no node contributes.
    [[nodiscard]] bool empty() const { return ranges_.empty(); }
    [[nodiscard]] std::uint64_t size() const;  ///< number of nodes; O(number of ranges)

    /// True if the node is one of them.
    [[nodiscard]] bool contains(NodeId node) const;
    /// True if all of the others are among them.
    [[nodiscard]] bool contains(const Contributors& others) const { return !others.first_not_in(*this); }
    /// True if the two sets have no node in common.
    [[nodiscard]] bool disjoint(const Contributors& others) const { return !first_common(others); }
    /// The smallest node that both have.
    [[nodiscard]] std::optional<NodeId> first_common(const Contributors& others) const;
    /// The smallest node of this set that the others lack.
    [[nodiscard]] std::optional<NodeId> first_not_in(const Contributors& others) const;

    /// Adds the others.
    void unite(const Contributors& others);
    /// Takes the others away.
    void remove(const Contributors& others);

    friend bool operator==(const Contributors&, const Contributors&) = default;

private:
    std::vector<Range> ranges_;
};

/// "node 3", or "nodes 0, 3 and 5-7"; "no node" for the empty set. If there are many ranges: the first ones, and how
/// many more nodes there are.
std::string to_string(const Contributors& nodes);
/// "0-3, 8-11, 14": of more than `most` ranges the first ones, "and 17 more" nodes.
std::string ranges_text(const Contributors& nodes, std::size_t most = ~std::size_t{0}, std::string_view between = ", ");

/// @}

}  // namespace dcube
#pragma GCC visibility pop
