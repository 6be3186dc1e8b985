// Matrices on link-bound machines: the times of Stout & Wagar 1990, section 7, and of the turns, which are ours.

#include "tests/support/catch.hpp"
#include "tests/support/link_bound.hpp"

#include <dcube/dcube.hpp>

using namespace dcube;
using namespace test_support;
using enum MatrixLayout;

namespace {

// d = 4, so c = 2; 48 x 64 elements of a byte, so m = 192 bytes per node.
Problem on_submatrices(Collective collective, MatrixLayout layout, std::size_t x, std::int64_t tau, std::int64_t beta)
{
    Problem problem{.collective = collective, .rows = 48, .columns = 64, .layout = layout};
    problem.link = link_bound(tau, beta);
    problem.tuning.groups = x;
    return problem;
}

Rational time(Collective collective, const char* algorithm, MatrixLayout layout, std::size_t x, std::int64_t tau,
              std::int64_t beta)
{
    return virtual_time(4, on_submatrices(collective, layout, x, tau, beta), algorithm);
}

}  // namespace

TEST_CASE("transpose by submatrices takes the time of the paper's section 7.2", "[link-bound]")
{
    // (X+1)(tau m/(2X) + beta)
    CHECK(time(Collective::matrix_transpose, "TS", submatrices, 4, 1, 10) == Rational{5 * (24 + 10)});
    CHECK(time(Collective::matrix_transpose, "TS", submatrices, 4, 3, 100) == Rational{5 * (72 + 100)});
    CHECK(time(Collective::matrix_transpose, "TS", submatrices_gray, 4, 1, 10) == Rational{5 * (24 + 10)});
    CHECK(time(Collective::matrix_transpose, "TS", submatrices, 6, 1, 10) == Rational{7 * (16 + 10)});
    CHECK(time(Collective::matrix_transpose, "TS", submatrices, 6, 3, 100) == Rational{7 * (48 + 100)});
    // X = c breaks the pipeline: 2X (tau m/(2X) + beta)
    CHECK(time(Collective::matrix_transpose, "TS", submatrices, 2, 1, 10) == Rational{4 * (48 + 10)});
    // m = 7 in 8 packets, one of them empty
    Problem odd = on_submatrices(Collective::matrix_transpose, submatrices, 4, 1, 10);
    odd.rows = 4;
    odd.columns = 28;
    CHECK(virtual_time(4, odd, "TS") == Rational{5 * (1 + 10)});
}

TEST_CASE("turns by submatrices take their times", "[link-bound]")
{
    // tau m + c beta
    CHECK(time(Collective::matrix_quarter_turn, "one-way", submatrices, 0, 1, 10) == Rational{192 + 20});
    CHECK(time(Collective::matrix_quarter_turn, "one-way", submatrices, 0, 3, 100) == Rational{576 + 200});
    // 3/4 tau m + 3c beta
    CHECK(time(Collective::matrix_quarter_turn, "three-to-one", submatrices, 0, 1, 10) == Rational{144 + 60});
    CHECK(time(Collective::matrix_quarter_turn, "three-to-one", submatrices, 0, 3, 100) == Rational{432 + 600});
    // twice 3/8 tau m + 3 beta, as the transposes take no longer
    CHECK(time(Collective::matrix_quarter_turn, "two-halves", submatrices_gray, 2, 1, 10) == Rational{2 * (72 + 30)});
    CHECK(time(Collective::matrix_quarter_turn, "two-halves", submatrices_gray, 2, 3, 100) ==
          Rational{2 * (216 + 300)});
    // an inversion over two dimensions: tau m + 2 beta
    CHECK(time(Collective::matrix_half_turn, "inversion", submatrices_gray, 0, 1, 10) == Rational{192 + 20});
    CHECK(time(Collective::matrix_half_turn, "inversion", submatrices_gray, 0, 3, 100) == Rational{576 + 200});
}

TEST_CASE("from blocked to striped rows pairs of nodes have unequal amounts", "[link-bound]")
{
    // The paper takes them as equal, but 4^d does not divide the rows: of 24 x 24 elements on 4 nodes pairs have 48
    // or 24.
    Problem problem{.collective = Collective::matrix_relayout, .rows = 24, .columns = 24};
    problem.layout = rows_blocked;
    problem.to_layout = rows_striped;
    problem.link = link_bound(3, 11);
    CHECK(virtual_time(2, problem, "auto") == Rational{310});
    // The transpose has 36 for every pair: 2^(d-1) tau m + d beta.
    problem.collective = Collective::matrix_transpose;
    CHECK(virtual_time(2, problem, "auto") == Rational{2 * 3 * 36 + 2 * 11});
}

TEST_CASE("transpose by submatrices refuses too few packets and more than there are bytes", "[link-bound][negative]")
{
    const Topology cube = Topology::hypercube(4);
    const auto refusal = [&](std::size_t x) -> std::string {
        try {
            find_algorithm(cube, PortModel::all, on_submatrices(Collective::matrix_transpose, submatrices, x, 1, 10),
                           "TS");
        } catch (const InvalidArgument& error) {
            return error.what();
        }
        return {};
    };
    CHECK(refusal(2).empty());
    CHECK(refusal(192).empty());
    CHECK_THAT(refusal(1), Catch::Contains("it needs 2 or more packets per link here, and 1 is asked for"));
    CHECK_THAT(refusal(193),
               Catch::Contains("it can cut a node's 192 bytes in at most 192 packets per link, and 193 are asked for"));
}
