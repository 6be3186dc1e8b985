#pragma once
/// Topologies: which node meets which over which port, and the symmetries that make one node's schedule everybody's.

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace dcube {

using NodeId = std::uint32_t;
using Port = std::uint32_t;
using Step = std::uint32_t;

/// The d-cube: node n has ports 0..d-1, and port k leads to n ^ (1 << k) (Bertsekas et al. 1991, section 1).
///
/// Everything above asks this class for neighbours and symmetries; nothing else knows that they are an XOR.
/// The symmetries are translations: they keep ports (port k of x becomes port k of x's image).
class Topology {
public:
    static constexpr unsigned max_dimension = 24;

    /// Throws InvalidArgument unless dimension <= max_dimension.
    static Topology hypercube(unsigned dimension);

    /// Reads "hypercube:D". Throws InvalidArgument.
    static Topology parse(std::string_view text);

    [[nodiscard]] NodeId nodes() const { return NodeId{1} << dimension_; }
    [[nodiscard]] unsigned dimension() const { return dimension_; }
    [[nodiscard]] Port ports(NodeId) const { return dimension_; }
    [[nodiscard]] Port max_ports() const { return dimension_; }

    /// Directed links, N * d.
    [[nodiscard]] std::uint64_t directed_links() const { return std::uint64_t{nodes()} * dimension_; }

    /// The node at the other end of `port`, which must be one of `node`'s.
    [[nodiscard]] NodeId neighbour(NodeId node, Port port) const { return node ^ (NodeId{1} << port); }

    /// The port at which that neighbour sees the same link.
    [[nodiscard]] Port arrival_port(NodeId, Port port) const { return port; }

    /// The image of `node` under the translation that takes node 0 to `origin`, and its inverse.
    [[nodiscard]] NodeId translate(NodeId node, NodeId origin) const { return node ^ origin; }
    [[nodiscard]] NodeId untranslate(NodeId node, NodeId origin) const { return node ^ origin; }

    [[nodiscard]] unsigned distance(NodeId a, NodeId b) const { return static_cast<unsigned>(std::popcount(a ^ b)); }
    [[nodiscard]] unsigned diameter() const { return dimension_; }

    /// "hypercube:10", as parse() reads it.
    [[nodiscard]] std::string name() const;

    friend bool operator==(const Topology&, const Topology&) = default;

private:
    explicit Topology(unsigned dimension) : dimension_(dimension) {}

    unsigned dimension_;
};

}  // namespace dcube
