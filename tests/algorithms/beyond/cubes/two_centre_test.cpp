#include "algorithms/beyond/cubes/all_reduce_two_centre.hpp"
#include "algorithms/programs/cube.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/hypercube_run.hpp"
#include "tests/support/sizes.hpp"
#include "tests/support/table_1.hpp"

#include <fmt/format.h>

#include <span>

using namespace dcube;
using namespace dcube::detail;
using namespace test_support;

namespace {

// Why a table breaks the rules that keep links free of collisions, else empty.
// In every stage each port k >= 2 is used once; ports 0 and 1 once each from starts of equal par, or one of them twice
// from starts of different par. Together the stages reach every node once, from nodes that were reached before.
std::string spread_table_fault(unsigned d, const SpreadTable& table)
{
    const auto par = [](NodeId x) { return (x ^ x >> 1) & 1; };
    std::vector<bool> reached(bit(d));
    reached[0] = reached[1] = true;
    if (table.size() + 2 != bit(d) || table.size() % d != 0)
        return fmt::format("{} links cannot reach {} nodes in stages of {}", table.size(), bit(d) - 2, d);
    for (Step s = 1; s <= table.size() / d; ++s) {
        const auto stage = std::span(table).subspan((s - std::size_t{1}) * d, d);
        std::vector<std::vector<NodeId>> starts(d);
        for (const auto& [at, x, k] : stage) {
            if (at != s || k >= d || !reached[x] || reached[x ^ bit(k)])
                return fmt::format("stage {}: {}/{} does not lead from a reached node to a new one", s, x, k);
            starts[k].push_back(x);
        }
        for (const auto& [at, x, k] : stage) {
            if (reached[x ^ bit(k)])
                return fmt::format("stage {}: node {} is reached twice", s, x ^ bit(k));
            reached[x ^ bit(k)] = true;
        }
        for (Port k = 2; k < d; ++k)
            if (starts[k].size() != 1)
                return fmt::format("stage {}: port {} is used {} times", s, k, starts[k].size());
        const bool once_each = starts[0].size() == 1 && starts[1].size() == 1 && par(starts[0][0]) == par(starts[1][0]);
        const std::vector<NodeId>& twice = starts[0].empty() ? starts[1] : starts[0];
        if (!once_each && !(twice.size() == 2 && par(twice[0]) != par(twice[1])))
            return fmt::format("stage {}: ports 0 and 1 are used by colliding starts", s);
    }
    return {};
}

}  // namespace

TEST_CASE("two-centre: spread tables keep their rules, those searched for and two that are given",
          "[algorithms][bertsekas]")
{
    for (const unsigned d : {2U, 3U, 5U, 7U, 11U}) {
        if (d > smaller(11U, 7U))
            break;
        CAPTURE(d);
        CHECK(spread_table_fault(d, spread_table(d)).empty());
    }
    const SpreadTable three{{1, 0, 1}, {1, 1, 1}, {1, 1, 2}, {2, 5, 0}, {2, 5, 1}, {2, 2, 2}};
    CHECK(spread_table_fault(3, three).empty());
    const SpreadTable five{{1, 0, 1},  {1, 1, 1},  {1, 0, 2},  {1, 0, 3},  {1, 0, 4},  {2, 4, 0},
                           {2, 8, 1},  {2, 3, 2},  {2, 3, 3},  {2, 3, 4},  {3, 19, 0}, {3, 11, 1},
                           {3, 10, 2}, {3, 5, 3},  {3, 10, 4}, {4, 19, 1}, {4, 26, 1}, {4, 18, 2},
                           {4, 19, 3}, {4, 5, 4},  {5, 14, 0}, {5, 14, 1}, {5, 27, 2}, {5, 21, 3},
                           {5, 14, 4}, {6, 29, 0}, {6, 22, 1}, {6, 2, 2},  {6, 17, 3}, {6, 7, 4}};
    CHECK(spread_table_fault(5, five).empty());
}

TEST_CASE("two-centre: a spread table that breaks a rule is detected", "[algorithms][bertsekas][negative]")
{
    const SpreadTable right{{1, 0, 1}, {1, 1, 1}, {1, 1, 2}, {2, 5, 0}, {2, 5, 1}, {2, 2, 2}};
    for (std::size_t row = 0; row < right.size(); ++row) {
        SpreadTable wrong = right;
        wrong[row].x ^= 4;
        CHECK_FALSE(spread_table_fault(3, wrong).empty());
        wrong = right;
        wrong[row].k = (wrong[row].k + 1) % 3;
        CHECK_FALSE(spread_table_fault(3, wrong).empty());
        wrong.pop_back();
        CHECK_FALSE(spread_table_fault(3, wrong).empty());
    }
}

TEST_CASE("all-reduce of N blocks meets the bound by two centres where (N-1) mod d = 1", "[algorithms][bertsekas]")
{
    for (const Table1Row& row : table_1) {
        if (row.d > smaller(10U, 5U))
            break;
        CAPTURE(row.d);
        const std::size_t blocks = std::size_t{1} << row.d;
        const Report two_phases =
            run_one(row.d, PortModel::all, Collective::all_reduce, blocks, "reduce-scatter-all-gather", 2);
        CHECK(two_phases.counts.steps == row.all_reduce_two_phases);
        CHECK(two_phases.transmissions_optimal());
        if (row.d >= 2 && (blocks - 1) % row.d == 1) {
            const Report centres = run_one(row.d, PortModel::all, Collective::all_reduce, blocks, "two-centre", 2);
            CHECK(centres.steps_optimal());
            CHECK(counted(centres) == Cost{row.all_reduce_bound, 2 * blocks * (blocks - 1)});
        }
    }
}
