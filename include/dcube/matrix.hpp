#pragma once
/// @file
/// Matrices: which node holds which element before and after (Stout & Wagar 1990, section 7).

#include <dcube/collective.hpp>
#include <dcube/topology.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup collective
/// @{

struct Problem;

/// The distribution of a matrix over the nodes (Stout & Wagar 1990, section 7; G is the reflected Gray code). If nodes
/// are missing it lies on the others, numbered from 0.
enum class MatrixLayout : std::uint8_t {
    rows_blocked,       ///< node n holds rows n b .. n b + b - 1, with b = rows / N
    rows_striped,       ///< node n holds rows n, n + N, n + 2 N, ...
    rows_blocked_gray,  ///< block x is at node G(x)
    rows_striped_gray,  ///< rows x, x + N, ... are at node G(x)
    submatrices,        ///< d = 2c: block (x, y) of 2^c x 2^c blocks is at node x 2^c + y, row by row
    submatrices_gray,   ///< block (x, y) is at node G(x) 2^c + G(y)
};

/// All layouts, in the enumeration's order.
inline constexpr std::array all_matrix_layouts{MatrixLayout::rows_blocked,      MatrixLayout::rows_striped,
                                               MatrixLayout::rows_blocked_gray, MatrixLayout::rows_striped_gray,
                                               MatrixLayout::submatrices,       MatrixLayout::submatrices_gray};

/// The layout as it is typed: "rows-blocked" (also "rows"), "rows-striped", "rows-blocked-gray", "rows-striped-gray",
/// "submatrices", "submatrices-gray".
std::string_view name(MatrixLayout layout);
/// The layout of that name. Throws InvalidArgument.
MatrixLayout parse_matrix_layout(std::string_view text);

/// A matrix of rows x columns elements, dealt out to the nodes.
class MatrixShape {
public:
    /// A matrix of that size on the network's nodes. Throws InvalidArgument: a side of 0, sides that the nodes do not
    /// divide (rows: N must divide `rows`, and for a Gray code be a power of two; submatrices: N must be 4^c, and 2^c
    /// must divide both sides), more than 2^48 elements (2^28 where std::size_t has 32 bits).
    MatrixShape(std::size_t rows, std::size_t columns, MatrixLayout layout, const Topology& topology);

    /// An element's place in the matrix.
    struct Element {
        std::size_t row;     ///< 0, 1, ..., rows() - 1
        std::size_t column;  ///< 0, 1, ..., columns() - 1
        friend bool operator==(const Element&, const Element&) = default;
    };
    /// An element's place on the machine.
    struct Place {
        NodeId node;        ///< the node that holds it
        std::size_t index;  ///< among the node's elements
        friend bool operator==(const Place&, const Place&) = default;
    };
    /// The place of an element.
    [[nodiscard]] Place place(Element element) const;
    /// The element at a place: the inverse of place().
    [[nodiscard]] Element element(Place place) const;

    /// Rows of the whole matrix.
    [[nodiscard]] std::size_t rows() const { return rows_; }
    /// Columns of the whole matrix.
    [[nodiscard]] std::size_t columns() const { return columns_; }
    /// Elements that every node holds.
    [[nodiscard]] std::size_t per_node() const { return rows_ * columns_ / nodes_; }

private:
    std::size_t rows_;
    std::size_t columns_;
    MatrixLayout layout_;
    Topology network_;
    NodeId nodes_;  // members
};

/// The moves of elements from node to node in a matrix_ collective.
class MatrixMove {
public:
    /// The move of a problem on a network. Throws InvalidArgument as MatrixShape does (of the result too), and for a
    /// relayout between rows and submatrices.
    MatrixMove(const Problem& problem, const Topology& topology);

    /// The matrix before the collective.
    [[nodiscard]] const MatrixShape& before() const { return before_; }
    /// The matrix after it.
    [[nodiscard]] const MatrixShape& after() const { return after_; }
    /// The place that the element at `place` goes to.
    [[nodiscard]] MatrixShape::Place target(MatrixShape::Place place) const;
    /// The place that the element that ends at `place` came from.
    [[nodiscard]] MatrixShape::Place source(MatrixShape::Place place) const;

    /// The number of elements that go from `origin` to `target`. Their message is made of them in the order of their
    /// places at `origin`.
    [[nodiscard]] std::size_t elements(NodeId origin, NodeId target) const;

private:
    Turn turn_;
    MatrixLayout layout_;
    MatrixLayout to_;
    Topology network_;
    std::size_t nodes_;  // members
    MatrixShape before_;
    MatrixShape after_;
};

/// @}

}  // namespace dcube
#pragma GCC visibility pop
