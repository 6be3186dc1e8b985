#pragma once
// Matrices on any routing: local work is free, so elements are packed by target, moved as messages, and unpacked.

#include "algorithms/programs/routing.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/matrix.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace dcube::detail {

// The bytes that a problem moves, and the places of its messages once they are packed: by target before, by origin
// after.
class MatrixPacking final : public MessagePlaces {
public:
    MatrixPacking(const Problem& problem, const Topology& topology);

    // The bytes that `origin` has for `target`.
    [[nodiscard]] std::size_t bytes(NodeId origin, NodeId target) const
    {
        return network_.is_member(origin) && network_.is_member(target) ? move_.elements(origin, target) * element_ : 0;
    }

    [[nodiscard]] std::vector<Own> own(NodeId node) const override;
    [[nodiscard]] std::optional<std::size_t> wanted(NodeId node, std::uint64_t message) const override;
    [[nodiscard]] std::size_t length(std::uint64_t message) const override
    {
        return bytes(static_cast<NodeId>(message / nodes_), static_cast<NodeId>(message % nodes_));
    }
    [[nodiscard]] bool leaves_once() const override { return true; }

    void pack(Node& me, std::span<const std::byte> input, std::span<std::byte> packed) const;
    // Elements come packed by origin, in the order of their places there.
    void unpack(Node& me, std::span<const std::byte> packed, std::span<std::byte> output) const;
    // Keeps the elements that stay where they are.
    void keep(Node& me, NodeData packed) const;

private:
    MatrixMove move_;
    Topology network_;
    NodeId nodes_;
    std::size_t element_;
};

// The program that packs every node's elements, lets another one carry them, and unpacks them. Messages are named
// origin * N + target.
CollectiveProgram matrix_program(std::shared_ptr<const MatrixPacking> packing, CollectiveProgram carry);

// The same along a routing.
CollectiveProgram matrix_program(const Topology& topology, const Problem& problem, Routing routing);

}  // namespace dcube::detail
