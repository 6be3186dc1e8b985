// Comparisons of two benchmarks.

#include "measure/comparison.hpp"
#include "tests/measure/made_up_benchmark.hpp"
#include "tests/support/catch.hpp"

#include <string>
#include <vector>

using namespace dcube;
using namespace dcube::measure;
using namespace dcube::test;

TEST_CASE("comparison: faster, slower, or no difference that can be told", "[measure]")
{
    const Json before = document_of({made_up_cell(1, 1e-4), made_up_cell(2, 1e-4), made_up_cell(4, 1e-4),
                                     made_up_cell(8, 1e-4, 3, 4), made_up_cell(1, 1e-4, 5)});
    const Json now = document_of({made_up_cell(1, 1.1e-4), made_up_cell(2, 0.9e-4), made_up_cell(4, 1.02e-4),
                                  made_up_cell(8, 2e-4), made_up_cell(1, 1e-4, 6)});
    const BenchComparison comparison = compare(before, now);
    REQUIRE(comparison.cells.size() == 4);
    CHECK(comparison.cells[0].finding == Finding::slower);
    CHECK(comparison.cells[0].ratio == Approx(1.1));
    CHECK(comparison.cells[0].p_value == Approx(2.0 / 12870));  // of two samples of 8, no value of one in the other
    CHECK(comparison.cells[0].interval->low == Approx(1.1 * 0.9965 / 1.0035));
    CHECK(comparison.cells[1].finding == Finding::faster);
    CHECK(comparison.cells[2].p_value < 0.01);
    CHECK(comparison.cells[2].finding == Finding::no_difference);  // 2 % only
    CHECK(comparison.cells[3].finding == Finding::too_few_rounds);
    CHECK(comparison.only_old == std::vector<std::string>{"all-to-all, hypercube:5, 64 bytes, 1 thread"});
    CHECK(comparison.only_new == std::vector<std::string>{"all-to-all, hypercube:6, 64 bytes, 1 thread"});
    CHECK(comparison.differences.empty());
    for (const ComparedCell& same : compare(before, before).cells)
        CHECK((same.ratio == 1 && same.finding != Finding::slower && same.finding != Finding::faster));
}

TEST_CASE("comparison: a large ratio that the rounds do not bear out is no difference", "[measure]")
{
    MeasuredCell noisy = made_up_cell(1, 1e-4);
    for (std::size_t i = 0; i < 8; ++i)
        noisy.outcome.rounds[i].samples_seconds.assign(3, i < 5 ? 1.5e-4 : 0.9e-4);
    const BenchComparison comparison = compare(document_of({made_up_cell(1, 1e-4)}), document_of({noisy}));
    CHECK(comparison.cells[0].ratio == Approx(1.5));
    CHECK(comparison.cells[0].p_value > 0.01);
    CHECK(comparison.cells[0].finding == Finding::no_difference);
}

TEST_CASE("comparison: rounds and samples that differ to opposite sides are no difference", "[measure]")
{
    MeasuredCell before = made_up_cell(1, 1e-4, 3, 9);
    MeasuredCell now = made_up_cell(1, 0.9e-4, 3, 9);
    now.outcome.rounds.back().samples_seconds.assign(100, 2e-4);
    const BenchComparison comparison = compare(document_of({before}), document_of({now}));
    CHECK(comparison.cells[0].ratio == Approx(2).epsilon(0.01));
    CHECK(comparison.cells[0].p_value < greatest_p_value);
    CHECK_FALSE(comparison.cells[0].rounds_agree);
    CHECK(comparison.cells[0].finding == Finding::no_difference);
}

TEST_CASE("comparison: other hosts, builds and settings are named", "[measure]")
{
    const Json before = document_of({made_up_cell(1, 1e-4)});
    Json now = before;
    now["program"]["compiler"] = "Clang 16.0.6";
    now["program"]["sanitizers"] = "thread";
    now["host"]["fingerprint"] = "fedcba9876543210";
    now["settings"]["rounds"] = 30;
    now["settings"]["max_seconds"] = 60;
    now["settings"]["weak"] = true;
    now["settings"]["check"] = false;
    const BenchComparison comparison = compare(before, now);
    REQUIRE(comparison.differences.size() == 7);
    CHECK(comparison.differences[0].what == "compiler");
    CHECK(comparison.differences[0].old_value == "GNU 12.2.0");
    CHECK(comparison.differences[0].new_value == "Clang 16.0.6");
    CHECK(comparison.differences[1].old_value == "none");
    const Json document = comparison_document(comparison);
    CHECK(document["kind"] == "benchmark comparison");
    CHECK(document["cells"][0]["verdict"] == "no difference");
    CHECK(document["differences"][3]["new"] == "30");
    CHECK(comparison.differences[4].what == "most time a cell");
    CHECK(comparison.differences[5].new_value == "true");
    CHECK(comparison.differences[6].old_value == "true");
}
