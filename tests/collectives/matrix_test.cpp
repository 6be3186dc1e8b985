// Matrices: layouts and moves against whole matrices that are dealt out and moved element by element.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include <dcube/matrix.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace dcube;
using test_support::error_of;
using Element = MatrixShape::Element;
using Place = MatrixShape::Place;

namespace {

constexpr MatrixLayout layouts[] = {MatrixLayout::rows_blocked,      MatrixLayout::rows_striped,
                                    MatrixLayout::rows_blocked_gray, MatrixLayout::rows_striped_gray,
                                    MatrixLayout::submatrices,       MatrixLayout::submatrices_gray};
constexpr Collective moves[] = {Collective::matrix_transpose, Collective::matrix_quarter_turn,
                                Collective::matrix_half_turn, Collective::matrix_relayout};

bool in_rows(MatrixLayout layout)
{
    return layout != MatrixLayout::submatrices && layout != MatrixLayout::submatrices_gray;
}

bool fits(MatrixLayout layout, unsigned d)
{
    return in_rows(layout) || d % 2 == 0;
}

/// The reflected Gray code as a list: the list for one bit less, then the same backwards with the bit set.
std::vector<NodeId> gray_code(unsigned bits)
{
    std::vector<NodeId> code{0};
    for (unsigned bit = 0; bit < bits; ++bit)
        for (std::size_t i = code.size(); i-- > 0;)
            code.push_back(code[i] | 1U << bit);
    return code;
}

/// The node of an element, straight from the comments of MatrixLayout.
NodeId node_of(MatrixLayout layout, unsigned d, std::size_t rows, std::size_t columns, Element e)
{
    const std::size_t n = std::size_t{1} << d;
    const std::size_t side = std::size_t{1} << d / 2;
    const std::size_t x = e.row / (rows / side);
    const std::size_t y = e.column / (columns / side);
    switch (layout) {
    case MatrixLayout::rows_blocked: return static_cast<NodeId>(e.row / (rows / n));
    case MatrixLayout::rows_striped: return static_cast<NodeId>(e.row % n);
    case MatrixLayout::rows_blocked_gray: return gray_code(d)[e.row / (rows / n)];
    case MatrixLayout::rows_striped_gray: return gray_code(d)[e.row % n];
    case MatrixLayout::submatrices: return static_cast<NodeId>(x * side + y);
    case MatrixLayout::submatrices_gray: return static_cast<NodeId>(gray_code(d / 2)[x] * side + gray_code(d / 2)[y]);
    }
    return 0;
}

Element moved(Collective collective, std::size_t rows, std::size_t columns, Element e)
{
    if (collective == Collective::matrix_transpose)
        return {e.column, e.row};
    if (collective == Collective::matrix_quarter_turn)
        return {e.column, rows - 1 - e.row};
    if (collective == Collective::matrix_half_turn)
        return {rows - 1 - e.row, columns - 1 - e.column};
    return e;
}

/// Calls work(problem, topology) for every move, layout, dimension, and some sizes, not only square ones.
template <class Work>
void for_all_moves(const Work& work)
{
    for (const Collective collective : moves)
        for (const MatrixLayout layout : layouts)
            for (const MatrixLayout to : layouts)
                for (unsigned d = 0; d <= 4; ++d)
                    for (const auto& [height, width] : {std::pair{1, 1}, {1, 2}, {3, 1}, {2, 4}}) {
                        if (!fits(layout, d) ||
                            (collective == Collective::matrix_relayout ? !in_rows(layout) || !in_rows(to)
                                                                       : to != MatrixLayout::rows_blocked))
                            continue;
                        Problem problem{.collective = collective};
                        problem.rows = static_cast<std::size_t>(height) << d;
                        problem.columns = static_cast<std::size_t>(width) << d;
                        problem.layout = layout;
                        problem.to_layout = to;
                        CAPTURE(name(collective), name(layout), name(to), d, height, width);
                        work(problem, Topology::hypercube(d));
                    }
}

}  // namespace

TEST_CASE("matrix: layouts have names", "[judge]")
{
    std::set<std::string_view> names;
    for (const MatrixLayout layout : layouts) {
        names.insert(name(layout));
        CHECK(parse_matrix_layout(name(layout)) == layout);
    }
    CHECK(names.size() == 6);
    CHECK(parse_matrix_layout("Rows") == MatrixLayout::rows_blocked);
    CHECK(error_of([] { parse_matrix_layout("columns"); }) ==
          "'columns' is not a matrix layout: expected one of rows-blocked, rows-striped, rows-blocked-gray, "
          "rows-striped-gray, submatrices, submatrices-gray");
}

TEST_CASE("matrix: every element has its place, in the order of its node's rows", "[judge]")
{
    for (const MatrixLayout layout : layouts) {
        for (unsigned d = 0; d <= 4; ++d) {
            if (!fits(layout, d))
                continue;
            const std::size_t rows = std::size_t{3} << d;
            const std::size_t columns = std::size_t{2} << d / 2;
            const MatrixShape shape(rows, columns, layout, Topology::hypercube(d));
            CAPTURE(name(layout), d);
            CHECK(shape.per_node() == rows * columns >> d);
            std::vector<std::size_t> next(std::size_t{1} << d);
            for (std::size_t row = 0; row < rows; ++row) {
                for (std::size_t column = 0; column < columns; ++column) {
                    const NodeId node = node_of(layout, d, rows, columns, {row, column});
                    const Place expected{node, next[node]++};
                    CHECK(shape.place({row, column}) == expected);
                    CHECK(shape.element(expected) == Element{row, column});
                }
            }
            for (const std::size_t elements : next)
                CHECK(elements == shape.per_node());
        }
    }
}

TEST_CASE("matrix: elements go where the definition sends them, and are counted", "[judge]")
{
    for_all_moves([](const Problem& problem, const Topology& topology) {
        const MatrixMove move(problem, topology);
        const std::size_t n = topology.nodes();
        const bool turned =
            problem.collective == Collective::matrix_transpose || problem.collective == Collective::matrix_quarter_turn;
        CHECK(move.after().rows() == (turned ? problem.columns : problem.rows));
        CHECK(move.after().columns() == (turned ? problem.rows : problem.columns));
        std::vector<std::size_t> counts(n * n);
        std::size_t wrong = 0;
        for (std::size_t row = 0; row < problem.rows; ++row) {
            for (std::size_t column = 0; column < problem.columns; ++column) {
                const Place from = move.before().place({row, column});
                const Place to =
                    move.after().place(moved(problem.collective, problem.rows, problem.columns, {row, column}));
                wrong += move.target(from) == to && move.source(to) == from ? 0 : 1;
                ++counts[from.node * n + to.node];
            }
        }
        CHECK(wrong == 0);
        for (NodeId origin = 0; origin < n; ++origin)
            for (NodeId target = 0; target < n; ++target)
                wrong += move.elements(origin, target) == counts[origin * n + target] ? 0 : 1;
        CHECK(wrong == 0);
    });
}

TEST_CASE("matrix: the papers' figures for an uneven relayout", "[judge]")
{
    Problem problem{.collective = Collective::matrix_relayout};
    problem.rows = problem.columns = 24;
    problem.to_layout = MatrixLayout::rows_striped;
    const MatrixMove move(problem, Topology::hypercube(2));
    std::set<std::size_t> counts;
    for (NodeId origin = 0; origin < 4; ++origin)
        for (NodeId target = 0; target < 4; ++target)
            counts.insert(move.elements(origin, target));
    CHECK(counts == std::set<std::size_t>{24, 48});
}

TEST_CASE("matrix: shapes that do not fit are refused", "[judge][negative]")
{
    const auto error = [](std::size_t rows, std::size_t columns, MatrixLayout layout, unsigned d) {
        return error_of([&] { MatrixShape(rows, columns, layout, Topology::hypercube(d)); });
    };
    CHECK(error(6, 5, MatrixLayout::rows_blocked, 1).empty());
    CHECK(error(6, 5, MatrixLayout::rows_striped, 2) ==
          "rows: the layout rows-striped on hypercube:2 needs a multiple of 4 rows; the matrix has 6 x 5 elements");
    CHECK(error(0, 5, MatrixLayout::rows_blocked, 0) == "rows: the layout rows-blocked on hypercube:0 needs at least 1 "
                                                        "row and 1 column; the matrix has 0 x 5 elements");
    CHECK(test_support::contains(error(4, 0, MatrixLayout::submatrices, 2), "at least 1 row and 1 column"));
    CHECK(error(8, 8, MatrixLayout::submatrices, 3) ==
          "layout: the layout submatrices on hypercube:3 needs an even dimension; the matrix has 8 x 8 elements");
    CHECK(error(8, 6, MatrixLayout::submatrices_gray, 4) == "columns: the layout submatrices-gray on hypercube:4 needs "
                                                            "multiples of 4 rows and columns; the matrix has 8 x 6 "
                                                            "elements");
    CHECK(error(std::size_t{1} << 24, std::size_t{1} << 24, MatrixLayout::rows_blocked, 2).empty());
    CHECK(test_support::contains(error(std::size_t{1} << 24, (std::size_t{1} << 24) + 1, MatrixLayout::rows_blocked, 2),
                                 "at most 2^48 elements"));
    CHECK(test_support::contains(error(~std::size_t{0}, ~std::size_t{0}, MatrixLayout::rows_blocked, 0),
                                 "at most 2^48 elements"));
}

TEST_CASE("matrix: moves that are not possible are refused", "[judge][negative]")
{
    const auto error = [](Collective collective, std::size_t columns, MatrixLayout layout, MatrixLayout to) {
        Problem problem{.collective = collective};
        problem.rows = 8;
        problem.columns = columns;
        problem.layout = layout;
        problem.to_layout = to;
        const std::string what = error_of([&] { MatrixMove(problem, Topology::hypercube(2)); });
        CHECK(what == error_of([&] { validate(problem, Topology::hypercube(2)); }));
        return what;
    };
    constexpr auto rows = MatrixLayout::rows_blocked;
    CHECK(error(Collective::matrix_half_turn, 3, rows, rows).empty());
    CHECK(error(Collective::matrix_relayout, 3, rows, MatrixLayout::rows_striped_gray).empty());
    for (const auto collective : {Collective::matrix_transpose, Collective::matrix_quarter_turn})
        CHECK(error(collective, 3, rows, rows) == "columns: the layout rows-blocked on hypercube:2 needs a multiple of "
                                                  "4 rows; the result has 3 x 8 elements");
    CHECK(error(Collective::matrix_relayout, 4, rows, MatrixLayout::submatrices) ==
          "to_layout: a relayout from rows-blocked to submatrices is not possible: expected rows to rows");
    CHECK(error(Collective::matrix_relayout, 4, MatrixLayout::submatrices_gray, rows) ==
          "layout: a relayout from submatrices-gray to rows-blocked is not possible: expected rows to rows");
    CHECK(error(Collective::matrix_relayout, 4, MatrixLayout::submatrices, MatrixLayout::submatrices) ==
          "layout: a relayout from submatrices to submatrices is not possible: expected rows to rows");
}

TEST_CASE("matrix: a result that is not possible is refused by the key that makes it so", "[judge][negative]")
{
    Problem relayout{.collective = Collective::matrix_relayout};
    relayout.rows = 6;
    relayout.columns = 4;
    relayout.to_layout = MatrixLayout::rows_blocked_gray;
    CHECK(error_of([&] { validate(relayout, Topology::parse("ring:6")); }) ==
          "to_layout: the layout rows-blocked-gray on ring:6 needs 2, 4, 8, ... nodes; the result has 6 x 4 elements");
    Problem nothing{.collective = Collective::matrix_transpose};
    nothing.rows = 4;
    CHECK(error_of([&] { validate(nothing, Topology::hypercube(2)); }) ==
          "columns: the layout rows-blocked on hypercube:2 needs at least 1 row and 1 column; the matrix has 4 x 0 "
          "elements");
}

TEST_CASE("all matrix layouts are listed in the order of their enumeration", "[judge]")
{
    for (std::size_t i = 0; i < all_matrix_layouts.size(); ++i) {
        CHECK(all_matrix_layouts[i] == static_cast<MatrixLayout>(i));
        CHECK(parse_matrix_layout(name(all_matrix_layouts[i])) == all_matrix_layouts[i]);
    }
    CHECK(name(static_cast<MatrixLayout>(all_matrix_layouts.size())) == "unknown");
}
