// Matrices: N divides everything, so that counts of elements have closed forms and nothing is ever tabulated.

#include "base/names.hpp"
#include "base/numbers.hpp"
#include "collectives/limits.hpp"
#include "collectives/matrix_shapes.hpp"

#include <dcube/error.hpp>
#include <dcube/problem.hpp>

#include <fmt/format.h>

#include <bit>

namespace dcube {

namespace {

constexpr std::size_t most_elements = largest_matrix<std::size_t>;

constexpr Spelling<MatrixLayout> layout_spellings[] = {
    {MatrixLayout::rows_blocked, "rows-blocked"},           {MatrixLayout::rows_blocked, "rows"},
    {MatrixLayout::rows_striped, "rows-striped"},           {MatrixLayout::rows_blocked_gray, "rows-blocked-gray"},
    {MatrixLayout::rows_striped_gray, "rows-striped-gray"}, {MatrixLayout::submatrices, "submatrices"},
    {MatrixLayout::submatrices_gray, "submatrices-gray"},
};

bool is_submatrices(MatrixLayout layout)
{
    return layout == MatrixLayout::submatrices || layout == MatrixLayout::submatrices_gray;
}

bool is_striped(MatrixLayout layout)
{
    return layout == MatrixLayout::rows_striped || layout == MatrixLayout::rows_striped_gray;
}

bool is_gray(MatrixLayout layout)
{
    return layout == MatrixLayout::rows_blocked_gray || layout == MatrixLayout::rows_striped_gray ||
           layout == MatrixLayout::submatrices_gray;
}

/// The reflected Gray code, and its inverse.
std::size_t gray(std::size_t x)
{
    return x ^ (x >> 1);
}

std::size_t from_gray(std::size_t g)
{
    for (unsigned shift = 1; shift < 32; shift *= 2)
        g ^= g >> shift;
    return g;
}

/// The place of part x in a row of parts, and the part at place x.
NodeId coded(MatrixLayout layout, std::size_t x)
{
    return static_cast<NodeId>(is_gray(layout) ? gray(x) : x);
}

std::size_t decoded(MatrixLayout layout, std::size_t id)
{
    return is_gray(layout) ? from_gray(id) : id;
}

/// The bits of a row's number, for submatrices on this many nodes.
unsigned side_bits(NodeId nodes)
{
    return static_cast<unsigned>(std::countr_zero(nodes)) / 2;
}

/// Rows become columns.
bool turns_over(Turn turn)
{
    return turn == Turn::transpose || turn == Turn::quarter;
}

/// The number of integers below `end` that are `part` modulo `parts`.
std::size_t count_below(std::size_t end, std::size_t part, std::size_t parts)
{
    return end / parts + (end % parts > part ? 1 : 0);
}

// The keys that a shape is given by, and its matrix: a transpose makes rows of columns.
struct ShapeKeys {
    std::string_view rows;
    std::string_view columns;
    std::string_view layout;
    std::string_view matrix;
};

void require_shape(std::size_t rows, std::size_t columns, MatrixLayout layout, const Topology& topology,
                   const ShapeKeys& keys)
{
    const auto refuse = [&](std::string_view key, const std::string& needed) {
        throw InvalidArgument(key, fmt::format("the layout {} on {} needs {}; {} has {} x {} elements", name(layout),
                                               topology.title(), needed, keys.matrix, rows, columns));
    };
    const NodeId nodes = topology.members();
    if (rows == 0 || columns == 0)
        refuse(rows == 0 ? keys.rows : keys.columns, "at least 1 row and 1 column");
    if (rows > most_elements / columns)
        refuse(keys.rows, fmt::format("at most {} elements", power_text(most_elements)));
    if (!is_submatrices(layout)) {
        if (rows % nodes != 0)
            refuse(keys.rows, fmt::format("a multiple of {} rows", nodes));
        if (is_gray(layout) && !std::has_single_bit(nodes))
            refuse(keys.layout, "2, 4, 8, ... nodes");
        return;
    }
    if (!std::has_single_bit(nodes) || std::countr_zero(nodes) % 2 != 0)
        refuse(keys.layout, topology.is_hypercube() ? "an even dimension" : "4, 16, 64, ... nodes");
    const std::size_t side = std::size_t{1} << side_bits(nodes);
    if (rows % side != 0 || columns % side != 0)
        refuse(rows % side != 0 ? keys.rows : keys.columns, fmt::format("multiples of {} rows and columns", side));
}

}  // namespace

std::string_view name(MatrixLayout layout)
{
    return name_of(layout_spellings, layout);
}

MatrixLayout parse_matrix_layout(std::string_view text)
{
    return parsed(layout_spellings, text, "a matrix layout");
}

MatrixShape::MatrixShape(std::size_t rows, std::size_t columns, MatrixLayout layout, const Topology& topology)
    : rows_(rows), columns_(columns), layout_(layout), network_(topology), nodes_(topology.members())
{
    require_shape(rows, columns, layout, topology, {"rows", "columns", "layout", "the matrix"});
}

MatrixShape::Place MatrixShape::place(Element element) const
{
    const auto [row, column] = element;
    if (is_submatrices(layout_)) {
        const std::size_t height = rows_ >> side_bits(nodes_);
        const std::size_t width = columns_ >> side_bits(nodes_);
        const NodeId number = coded(layout_, row / height) << side_bits(nodes_) | coded(layout_, column / width);
        return {network_.member(number), row % height * width + column % width};
    }
    if (is_striped(layout_)) {
        return {network_.member(coded(layout_, row % nodes_)), row / nodes_ * columns_ + column};
    }
    const std::size_t height = rows_ / nodes_;
    return {network_.member(coded(layout_, row / height)), row % height * columns_ + column};
}

MatrixShape::Element MatrixShape::element(Place place) const
{
    const NodeId number = network_.member_number(place.node);
    if (is_submatrices(layout_)) {
        const std::size_t height = rows_ >> side_bits(nodes_);
        const std::size_t width = columns_ >> side_bits(nodes_);
        const std::size_t x = decoded(layout_, number >> side_bits(nodes_));
        const std::size_t y = decoded(layout_, number & ((NodeId{1} << side_bits(nodes_)) - 1));
        return {x * height + place.index / width, y * width + place.index % width};
    }
    const std::size_t x = decoded(layout_, number);
    const std::size_t own_row = place.index / columns_;
    const std::size_t row = is_striped(layout_) ? own_row * nodes_ + x : x * (rows_ / nodes_) + own_row;
    return {row, place.index % columns_};
}

MatrixShape shape_before(const Problem& problem, const Topology& topology)
{
    return {problem.rows, problem.columns, problem.layout, topology};
}

MatrixShape shape_after(const Problem& problem, const Topology& topology)
{
    const std::size_t rows = problem.rows;
    const std::size_t columns = problem.columns;
    const MatrixLayout layout = problem.layout;
    if (turns_over(traits(problem.collective).turn)) {
        require_shape(columns, rows, layout, topology, {"columns", "rows", "layout", "the result"});
        return {columns, rows, layout, topology};
    }
    if (!is_relayout(problem.collective))
        return {rows, columns, layout, topology};
    if (is_submatrices(layout) || is_submatrices(problem.to_layout))
        throw InvalidArgument(is_submatrices(layout) ? "layout" : "to_layout",
                              fmt::format("a relayout from {} to {} is not possible: expected rows to rows",
                                          name(layout), name(problem.to_layout)));
    require_shape(rows, columns, problem.to_layout, topology, {"rows", "columns", "to_layout", "the result"});
    return {rows, columns, problem.to_layout, topology};
}

bool has_partners(const MatrixMove& move)
{
    const NodeId first = move.before().place({0, 0}).node;
    return move.elements(first, move.target({first, 0}).node) == move.before().per_node();
}

MatrixMove::MatrixMove(const Problem& problem, const Topology& topology)
    : turn_(traits(problem.collective).turn), layout_(problem.layout),
      to_(is_relayout(problem.collective) ? problem.to_layout : problem.layout), network_(topology),
      nodes_(topology.members()), before_(shape_before(problem, topology)), after_(shape_after(problem, topology))
{
}

MatrixShape::Place MatrixMove::target(MatrixShape::Place place) const
{
    const auto [row, column] = before_.element(place);
    switch (turn_) {
    case Turn::none: break;
    case Turn::transpose: return after_.place({column, row});
    case Turn::quarter: return after_.place({column, before_.rows() - 1 - row});
    case Turn::half: return after_.place({before_.rows() - 1 - row, before_.columns() - 1 - column});
    }
    return after_.place({row, column});
}

MatrixShape::Place MatrixMove::source(MatrixShape::Place place) const
{
    const auto [row, column] = after_.element(place);
    switch (turn_) {
    case Turn::none: break;
    case Turn::transpose: return before_.place({column, row});
    case Turn::quarter: return before_.place({before_.rows() - 1 - column, row});
    case Turn::half: return before_.place({before_.rows() - 1 - row, before_.columns() - 1 - column});
    }
    return before_.place({row, column});
}

std::size_t MatrixMove::elements(NodeId origin, NodeId target_node) const
{
    const bool in_rows = !is_submatrices(layout_);
    if (in_rows && turns_over(turn_))  // each of the origin's rows has its share in each of the target's
        return before_.rows() / nodes_ * (after_.rows() / nodes_);
    if (is_striped(layout_) == is_striped(to_) || !in_rows)  // whole parts move
        return target({origin, 0}).node == target_node ? before_.per_node() : 0;

    // Rows from blocks to stripes, or back: those of a block that are the stripe's.
    const bool to_stripes = is_striped(to_);
    const NodeId from = network_.member_number(origin);
    const NodeId to = network_.member_number(target_node);
    const std::size_t block = decoded(to_stripes ? layout_ : to_, to_stripes ? from : to);
    const std::size_t stripe = decoded(to_stripes ? to_ : layout_, to_stripes ? to : from);
    const std::size_t height = before_.rows() / nodes_;
    const std::size_t rows =
        count_below((block + 1) * height, stripe, nodes_) - count_below(block * height, stripe, nodes_);
    return rows * before_.columns();
}

}  // namespace dcube
