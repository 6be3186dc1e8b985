// The link-bound algorithms against the tables that were worked out for them (exact, data-driven clock), in ns.

#include "tests/support/catch.hpp"
#include "tests/support/link_bound.hpp"

#include <dcube/dcube.hpp>

#include <cmath>

using namespace dcube;
using namespace test_support;

namespace {

struct Column {
    unsigned d;
    std::size_t bytes;
    std::size_t groups;
    std::int64_t tau;
    std::int64_t beta;
};

}  // namespace

TEST_CASE("link-bound: times of sizes that divide", "[link-bound]")
{
    const std::vector<Column> columns{{3, 24, 2, 1, 10},   {3, 24, 2, 3, 100}, {4, 192, 2, 1, 10},
                                      {4, 192, 2, 3, 100}, {5, 960, 4, 1, 10}, {5, 960, 4, 3, 100}};
    const std::string wave_plans[] = {"32|1", "432|1", "543|2|1"};
    for (std::size_t at = 0; at < columns.size(); ++at) {
        const Column& column = columns[at];
        const auto time = [&](Collective collective, const std::string& algorithm, auto&& adjust) {
            Problem problem{.collective = collective, .bytes = column.bytes};
            problem.link = link_bound(column.tau, column.beta);
            problem.tuning.groups = column.groups;
            problem.tuning.extended_groups = column.groups;
            adjust(problem);
            return virtual_time(column.d, problem, algorithm);
        };
        const auto plain = [](Problem&) {};
        const NodeId corner = (NodeId{1} << column.d) - 1;
        const auto to = [](NodeId peer) { return [peer](Problem& problem) { problem.peer = peer; }; };
        const auto expect = [&](std::initializer_list<std::int64_t> row) { return Rational{row.begin()[at], 1}; };
        using enum Collective;
        INFO("d = " << column.d << ", tau = " << column.tau);

        CHECK(time(broadcast, "B1", plain) == expect({102, 516, 808, 2704, 4850, 14900}));
        CHECK(time(send, "S1", to(corner)) == expect({102, 516, 808, 2704, 4850, 14900}));
        CHECK(time(broadcast, "B2", plain) == expect({54, 372, 232, 976, 1010, 3380}));
        CHECK(time(broadcast, "B3B", plain) == expect({54, 372, 232, 976, 1010, 3380}));
        CHECK(time(send, "S2", to(corner)) == expect({54, 372, 232, 976, 1010, 3380}));
        CHECK(time(permute, "INV", [&](Problem& problem) {
                  problem.permutation = permutation_by_name("inversion", Topology::hypercube(column.d));
              }) == expect({54, 372, 232, 976, 1010, 3380}));
        CHECK(time(broadcast, "B3A", plain) == expect({72, 496, 290, 1220, 1212, 4056}));
        CHECK(time(broadcast, "B4", plain) == expect({56, 448, 170, 860, 464, 1952}));
        CHECK(time(broadcast, "B4 pruned", plain) == expect({56, 448, 170, 860, 464, 1952}));
        CHECK(time(reduce, "RD", plain) == expect({56, 448, 170, 860, 464, 1952}));
        CHECK(time(broadcast, "EDST", plain) == expect({70, 560, 204, 1032, 522, 2196}));
        CHECK(time(send, "S3", to(corner)) == expect({50, 360, 168, 784, 562, 2036}));
        CHECK(time(send, "S4", to(corner)) == expect({54, 442, 138, 764, 352, 1616}));
        CHECK(time(exchange, "S4", to(corner)) == expect({54, 442, 138, 764, 352, 1616}));
        CHECK(time(send, "A1", to(3)) == expect({48, 354, 174, 732, 650, 2300}));
        CHECK(time(send, "A2", to(3)) == expect({56, 448, 170, 860, 406, 1708}));
        CHECK(time(send, "A3", [&](Problem& problem) {
                  problem.peer = 3;
                  problem.tuning.groups = problem.tuning.extended_groups = 2;
              }) == expect({66, 548, 146, 788, 434, 1652}));
        CHECK(time(exchange, "A3", [&](Problem& problem) {
                  problem.peer = 3;
                  problem.tuning.groups = problem.tuning.extended_groups = 2;
              }) == expect({66, 548, 146, 788, 434, 1652}));
        CHECK(time(send, "X2", to(3)) == expect({98, 644, 434, 1652, 1510, 5020}));
        for (const char* const one : {"D1", "D1 even"}) {
            CHECK(time(scatter, one, plain) == expect({86, 468, 760, 2560, 6002, 18356}));
            CHECK(time(gather, one, plain) == expect({86, 468, 760, 2560, 6002, 18356}));
        }
        CHECK(time(all_gather, "AG", plain) == expect({86, 468, 760, 2560, 6002, 18356}));
        const auto waves = [&](Problem& problem) { problem.tuning.waves = wave_plans[at / 2]; };
        CHECK(time(scatter, "D2", waves) == expect({78, 444, 744, 2512, 5982, 18156}));
        CHECK(time(gather, "D2", waves) == expect({78, 444, 744, 2512, 5982, 18156}));
        CHECK(time(all_to_all, "A2A", plain) == expect({126, 588, 1576, 5008, 15410, 46580}));
        CHECK(time(all_to_all, "COMPLETE EXCHANGE", plain) == expect({126, 588, 1576, 5008, 15410, 46580}));
        CHECK(time(permute, "PS", [&](Problem& problem) {
                  problem.permutation = permutation_by_name("rotation", Topology::hypercube(column.d));
              }) == expect({84, 672, 272, 1376, 1060, 3880}));
        // The table's m is the whole vector there.
        CHECK(time(reduce_scatter, "RS", [&](Problem& problem) { problem.bytes >>= column.d; }) ==
              expect({37, 321, 85, 535, 236, 1058}));
        const auto halvings = [&](unsigned q) { return [q](Problem& problem) { problem.tuning.halvings = q; }; };
        CHECK(time(all_reduce, "AR", halvings(column.d)) == expect({74, 642, 170, 1070, 472, 2116}));
        CHECK(time(all_reduce, "AR", halvings(column.d - 1)) == expect({64, 542, 160, 970, 462, 2016}));
        CHECK(time(all_reduce, "AR", halvings(0)) == expect({54, 372, 232, 976, 1010, 3380}));
    }
}

TEST_CASE("link-bound: times of sizes that do not divide", "[link-bound]")
{
    struct Size {
        unsigned d;
        std::size_t bytes;
        std::vector<std::int64_t> times;  // -1: not told
    };
    const Size sizes[] = {
        {3, 10, {42, 48, 59, 40, 47, 54, 54, 56, 42, 72, 35, 77, 57, -1}},
        {4, 7, {48, 55, 66, 47, 57, 67, 70, 70, 48, 98, 47, 98, 55, 55}},
        {5, 23, {75, 78, 84, 68, 78, 193, 198, 199, 75, 424, 61, 139, 62, -1}},
        {3, 1, {33, 44, 44, 33, 33, 33, 34, 35, 33, 36, 33, 69, 22, -1}},
    };
    for (const Size& size : sizes) {
        INFO("d = " << size.d << ", m = " << size.bytes);
        const auto time = [&](Collective collective, const std::string& algorithm, auto&& adjust) {
            Problem problem{.collective = collective, .bytes = size.bytes};
            problem.link = link_bound(1, 10);
            adjust(problem);
            return virtual_time(size.d, problem, algorithm);
        };
        const auto plain = [](Problem&) {};
        const auto groups = [](std::size_t g) { return [g](Problem& problem) { problem.tuning.groups = g; }; };
        const auto send_groups = [](NodeId peer, std::size_t g) {
            return [=](Problem& problem) {
                problem.peer = peer;
                problem.tuning.groups = problem.tuning.extended_groups = g;
            };
        };
        const auto permuted = [&](const char* name) {
            return [&, name](Problem& problem) {
                problem.permutation = permutation_by_name(name, Topology::hypercube(size.d));
            };
        };
        const NodeId corner = (NodeId{1} << size.d) - 1;
        const auto expected = [&](std::size_t i) { return Rational{size.times[i], 1}; };
        using enum Collective;

        CHECK(time(broadcast, "B2", plain) == expected(0));
        CHECK(time(broadcast, "B4", groups(2)) == expected(1));
        CHECK(time(broadcast, "B4", groups(3)) == expected(2));
        CHECK(time(send, "S3", send_groups(corner, 1)) == expected(3));
        CHECK(time(send, "S4", send_groups(corner, 2)) == expected(4));
        CHECK(time(scatter, "D1", plain) == expected(5));
        CHECK(time(scatter, "D1 even", plain) == expected(6));
        CHECK(time(all_gather, "AG", plain) == expected(7));
        CHECK(time(permute, "INV", permuted("inversion")) == expected(8));
        CHECK(time(all_to_all, "A2A", plain) == expected(9));
        CHECK(time(permute, "PS", permuted("rotation")) == expected(11));
        CHECK(time(send, "A3", send_groups(3, 2)) == expected(12));
    }
}

TEST_CASE("link-bound: matrices by submatrices", "[link-bound]")
{
    const auto time = [](Collective collective, const std::string& algorithm, MatrixLayout layout, std::size_t x,
                         std::int64_t tau, std::int64_t beta, std::size_t rows = 48, std::size_t columns = 64) {
        Problem problem{.collective = collective, .rows = rows, .columns = columns, .layout = layout};
        problem.link = link_bound(tau, beta);
        problem.tuning.groups = x;
        return virtual_time(4, problem, algorithm);
    };
    using enum Collective;
    using enum MatrixLayout;
    CHECK(time(matrix_transpose, "TS", submatrices, 4, 1, 10) == Rational{170});
    CHECK(time(matrix_transpose, "TS", submatrices, 4, 3, 100) == Rational{860});
    CHECK(time(matrix_transpose, "TS", submatrices_gray, 4, 1, 10) == Rational{170});
    CHECK(time(matrix_transpose, "TS", submatrices, 6, 1, 10) == Rational{182});
    CHECK(time(matrix_transpose, "TS", submatrices, 6, 3, 100) == Rational{1036});
    CHECK(time(matrix_transpose, "TS", submatrices, 4, 1, 10, 4, 28) == Rational{55});
    CHECK(time(matrix_transpose, "TS", submatrices, 2, 1, 10) == Rational{4 * (48 + 10)});  // no pipeline
    CHECK(time(matrix_quarter_turn, "three-to-one", submatrices, 0, 1, 10) == Rational{204});
    CHECK(time(matrix_quarter_turn, "three-to-one", submatrices, 0, 3, 100) == Rational{1032});
    CHECK(time(matrix_quarter_turn, "one-way", submatrices, 0, 1, 10) == Rational{212});
    CHECK(time(matrix_quarter_turn, "one-way", submatrices, 0, 3, 100) == Rational{776});
    CHECK(time(matrix_quarter_turn, "two-halves", submatrices_gray, 2, 1, 10) == Rational{204});
    CHECK(time(matrix_quarter_turn, "two-halves", submatrices_gray, 2, 3, 100) == Rational{1032});
    CHECK(time(matrix_half_turn, "inversion", submatrices_gray, 0, 1, 10) == Rational{212});
    CHECK(time(matrix_half_turn, "inversion", submatrices_gray, 0, 3, 100) == Rational{776});
}

TEST_CASE("link-bound: from blocked to striped rows pairs of nodes have unequal amounts", "[link-bound]")
{
    Problem problem{.collective = Collective::matrix_relayout, .rows = 24, .columns = 24};
    problem.layout = MatrixLayout::rows_blocked;
    problem.to = MatrixLayout::rows_striped;
    problem.link = link_bound(3, 11);
    CHECK(virtual_time(2, problem, "auto") == Rational{310});
    problem.collective = Collective::matrix_transpose;
    CHECK(virtual_time(2, problem, "auto") == Rational{238});
}

TEST_CASE("link-bound: medium messages are broadcast faster in two phases", "[link-bound]")
{
    for (const auto& [beta, two_phases, pipelined] : {std::tuple{128, 2540, 2560}, std::tuple{85, 2110, 2112}}) {
        Problem problem{.collective = Collective::broadcast, .bytes = 3840};
        problem.link = link_bound(1, beta);
        CHECK(virtual_time(6, problem, "scatter-all-gather") == Rational{two_phases});
        CHECK(virtual_time(6, problem, "pipelined") == Rational{pipelined});
        CHECK(find_algorithm(Topology::hypercube(6), PortModel::all, problem).name == "scatter-all-gather");
    }
}

namespace {

// The closed form, rounded to ns.
long predicted(Collective collective, const std::string& algorithm, unsigned d, std::size_t bytes, std::int64_t beta,
               NodeId peer = 0, std::size_t groups = 0)
{
    Problem problem{.collective = collective, .bytes = bytes, .peer = peer};
    problem.link = link_bound(1, beta);
    problem.tuning.groups = groups;
    const Topology cube = Topology::hypercube(d);
    return std::lround(
        find_algorithm(cube, PortModel::all, problem, algorithm).time(cube, problem).value().to_double());
}

}  // namespace

TEST_CASE("link-bound: the best numbers of groups", "[link-bound]")
{
    struct Row {
        unsigned d;
        std::size_t bytes;
        long rotated, trees, pipelined;
        std::size_t groups;
    };
    for (const Row& row : {Row{3, 1000, 1302, 1272, 1060, 3}, Row{3, 100000, 100302, 39970, 38715, 27},
                           Row{6, 1000, 1602, 1404, 1248, 3}, Row{6, 100000, 100602, 23598, 22950, 29},
                           Row{10, 1000, 2000, 1742, 1608, 3}, Row{10, 10000, 11000, 4000, 3800, 10},
                           Row{10, 1000000, 1001000, 121000, 119910, 96}}) {
        INFO("d = " << row.d << ", m = " << row.bytes);
        CHECK(predicted(Collective::broadcast, "B2", row.d, row.bytes, 100) == row.rotated);
        CHECK(predicted(Collective::broadcast, "EDST", row.d, row.bytes, 100) == row.trees);
        CHECK(predicted(Collective::broadcast, "B4", row.d, row.bytes, 100, 0, row.groups) == row.pipelined);
        CHECK(predicted(Collective::broadcast, "B4", row.d, row.bytes, 100) <= row.pipelined);
    }
    // Worked out with fractions of bytes; whole bytes round up at every cut.
    const auto check_send = [](const char* algorithm, std::size_t bytes, unsigned n, long expected) {
        INFO(algorithm << " m = " << bytes << " n = " << n);
        const long time = predicted(Collective::send, algorithm, 10, bytes, 100, (NodeId{1} << n) - 1);
        CHECK(time >= expected);
        CHECK(time <= expected + expected / 10);
    };
    check_send("A1", 1000, 3, 983);
    check_send("A2", 1000, 3, 900);
    check_send("A3", 1000, 3, 783);
    check_send("A1", 100000, 3, 38006);
    check_send("A2", 100000, 3, 14400);
    check_send("A3", 100000, 3, 13110);
    check_send("A1", 1000, 9, 1163);
    check_send("A2", 1000, 9, 1600);
    check_send("A3", 1000, 9, 1326);
    check_send("A3 balanced", 1000, 3, 698);
    check_send("A3", 1000000, 3, 108964);
    check_send("A3 balanced", 1000000, 3, 108658);
}

TEST_CASE("link-bound: a scatter in waves pays for fewer start-ups", "[link-bound]")
{
    // The best plan at rho = tau m / beta, in units of beta.
    const auto time = [](unsigned d, std::int64_t rho, std::int64_t beta) {
        Problem problem{.collective = Collective::scatter, .bytes = static_cast<std::size_t>(rho * beta)};
        problem.link = link_bound(1, beta);
        const Topology cube = Topology::hypercube(d);
        return find_algorithm(cube, PortModel::all, problem, "waves").time(cube, problem)->to_double() /
               static_cast<double>(beta);
    };
    CHECK(time(6, 1, 60) == 14.5);
    const unsigned least_waves[] = {2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4};
    for (unsigned d = 2; d <= 12; ++d) {
        const double cut = (std::pow(2, d) - 1) / d * 100;
        INFO("d = " << d);
        CHECK(std::abs(time(d, 100, 27720) - (cut + least_waves[d - 2])) < 1e-6);
    }
}
