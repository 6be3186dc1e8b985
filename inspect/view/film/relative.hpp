#pragma once
// Nodes as seen from another one: where all nodes do the same, seen from themselves, columns of such numbers are short.

#include <dcube/topology.hpp>

#include <vector>

namespace dcube::view {

enum class Relation : std::uint8_t {
    exclusive_or,  ///< hypercubes: node ^ sender
    digits,        ///< products of Cayley graphs: (node - sender) modulo its size, digit by digit
    plain,         ///< other networks: the node
};

class Relative {
public:
    explicit Relative(const Topology& topology);

    [[nodiscard]] Relation relation() const { return relation_; }
    /// The sizes of the digits, the most significant first.
    [[nodiscard]] const std::vector<NodeId>& sizes() const { return sizes_; }

    /// `node` seen from `sender`.
    [[nodiscard]] NodeId seen(NodeId node, NodeId sender) const;

private:
    Relation relation_;
    std::vector<NodeId> sizes_;
};

}  // namespace dcube::view
