// Comparisons of two benchmarks.

#include "inspect/measure/comparison.hpp"
#include "tests/inspect/measure/made_up_benchmark.hpp"
#include "tests/support/catch.hpp"

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace dcube;
using namespace dcube::measure;
using namespace dcube::test;

namespace {

// The rounds' medians of a process: one factor for all of it, drift from round to round, and noise.
std::vector<double> made_up_process(std::mt19937_64& random, double seconds, double process, double drift, double noise)
{
    std::normal_distribution<double> normal;
    constexpr double memory = 0.8;  // share of the drift that stays, from one round to the next
    double off = drift * normal(random);
    const double all = process * normal(random);
    std::vector<double> rounds;
    for (int round = 0; round < 9; ++round) {
        off = memory * off + std::sqrt(1 - memory * memory) * drift * normal(random);
        rounds.push_back(seconds * std::exp(all + off + noise * normal(random)));
    }
    return rounds;
}

MeasuredCell cell_of(const std::vector<double>& rounds)
{
    MeasuredCell cell = made_up_cell(1, 1e-4);
    cell.outcome.rounds.clear();
    for (const double seconds : rounds)
        cell.outcome.rounds.push_back({cell.outcome.rounds.size(), {seconds}});
    return cell;
}

// Three processes of a benchmark that is `off` by a factor of its own, minutes from any other. Of ten rounds one takes
// half as long again, because something happened that no one saw.
MeasuredCell made_up_benchmark(std::mt19937_64& random, double seconds, double off, double process, double drift)
{
    std::normal_distribution<double> normal;
    std::bernoulli_distribution unseen(0.1);
    const double all = seconds * std::exp(off * normal(random));
    MeasuredCell cell = made_up_cell(1, 1e-4);
    cell.outcome.rounds.clear();
    for (unsigned number = 0; number < 3; ++number)
        for (const double one : made_up_process(random, all, process, drift, 0.01))
            cell.outcome.rounds.push_back({.order = cell.outcome.rounds.size(),
                                           .samples_seconds = {unseen(random) ? 1.5 * one : one},
                                           .process = number});
    return cell;
}

Finding finding_of(const MeasuredCell& before, const MeasuredCell& now)
{
    return compare(document_of({before}), document_of({now})).cells.at(0).finding;
}

bool tells_difference(Finding finding)
{
    return finding == Finding::faster || finding == Finding::slower;
}

}  // namespace

TEST_CASE("comparison: cells are faster, slower, equal within some per cent, or undecided", "[measure]")
{
    const Json before = document_of({made_up_cell(1, 1e-4), made_up_cell(2, 1e-4), made_up_cell(4, 1e-4),
                                     made_up_cell(3, 1e-4, 3, 4), made_up_cell(1, 1e-4, 5)});
    const Json now = document_of({made_up_cell(1, 1.1e-4), made_up_cell(2, 0.9e-4), made_up_cell(4, 1.02e-4),
                                  made_up_cell(3, 2e-4), made_up_cell(1, 1e-4, 6)});
    const BenchComparison comparison = compare(before, now);
    REQUIRE(comparison.cells.size() == 4);
    CHECK(comparison.cells[0].finding == Finding::slower);
    CHECK(comparison.cells[0].ratio == Approx(1.1));
    CHECK(comparison.cells[0].p_value == Approx(2.0 / 12870));  // two samples of 8, no value of one in the other
    CHECK(comparison.cells[0].interval->low > 1);
    CHECK(comparison.cells[0].interval->low < 1.1 * 0.9965 / 1.0035 / 1.029);  // all rounds' ratio, and two processes
    CHECK(comparison.cells[1].finding == Finding::faster);
    CHECK(comparison.cells[2].finding == Finding::equal);  // 2 % only
    CHECK(comparison.cells[2].equal_within == comparison.cells[2].interval->high - 1);
    CHECK(comparison.cells[3].finding == Finding::cannot_tell);
    CHECK_FALSE(comparison.cells[3].interval);
    CHECK(comparison.cells[3].doubts.at(0) == "old: few: 4 rounds, too few for an interval");
    CHECK(comparison.only_old == std::vector<std::string>{"all-to-all, hypercube:5, 64 bytes, 1 thread"});
    CHECK(comparison.only_new == std::vector<std::string>{"all-to-all, hypercube:6, 64 bytes, 1 thread"});
    CHECK(comparison.differences.empty());
    for (const ComparedCell& same : compare(before, before).cells)
        CHECK((same.ratio == 1 && !tells_difference(same.finding)));
}

TEST_CASE("comparison: a busy machine decides nothing, and doubts are in the document", "[measure]")
{
    Benchmark benchmark = made_up({made_up_cell(1, 1e-4)});
    const Json before = bench_document(benchmark);
    benchmark.cells = {made_up_cell(1, 2e-4)};
    benchmark.cells[0].outcome.interleaved = false;
    benchmark.host["idle_processors"] = 0.2;
    Json now = bench_document(benchmark);
    now["cells"][0]["doubts"].push_back("busy: of an older version");
    const BenchComparison comparison = compare(before, now);
    CHECK(comparison.cells[0].finding == Finding::slower);
    const Json cell = comparison_document(comparison)["cells"][0];
    REQUIRE(cell["doubts"].size() == 2);
    CHECK(cell["doubts"][0] == "new: alone: too large to be interleaved with other cells");
}

TEST_CASE("comparison: of runs that were all disturbed only a large difference is told", "[measure]")
{
    const auto disturbed = [](double low, double high) {
        MeasuredCell cell = made_up_cell(1, 1e-4);
        for (Round& round : cell.outcome.rounds) {
            round.disturbed_seconds = {high};
            round.disturbed_bounds = {{low, high}};
            round.samples_seconds.clear();
        }
        return cell;
    };
    CHECK(finding_of(made_up_cell(1, 1e-4), disturbed(0.9e-4, 5e-4)) == Finding::cannot_tell);
    CHECK(finding_of(made_up_cell(1, 1e-4), disturbed(5e-4, 50e-4)) == Finding::slower);
    CHECK(finding_of(disturbed(5e-4, 50e-4), made_up_cell(1, 1e-4)) == Finding::faster);
}

TEST_CASE("comparison: a large ratio that the rounds do not bear out is no difference", "[measure]")
{
    MeasuredCell noisy = made_up_cell(1, 1e-4);
    for (std::size_t i = 0; i < 8; ++i)
        noisy.outcome.rounds[i].samples_seconds.assign(3, i < 5 ? 1.5e-4 : 0.9e-4);
    const BenchComparison comparison = compare(document_of({made_up_cell(1, 1e-4)}), document_of({noisy}));
    CHECK(comparison.cells[0].ratio == Approx(1.5));
    CHECK(comparison.cells[0].interval->low < 1);
    CHECK(comparison.cells[0].finding == Finding::cannot_tell);
}

TEST_CASE("comparison: many runs in one round have one vote", "[measure]")
{
    MeasuredCell before = made_up_cell(1, 1e-4, 3, 9);
    MeasuredCell now = made_up_cell(1, 0.85e-4, 3, 9);
    now.outcome.rounds.back().samples_seconds.assign(100, 2e-4);
    const BenchComparison comparison = compare(document_of({before}), document_of({now}));
    CHECK(comparison.cells[0].ratio == Approx(0.85).epsilon(0.01));
    CHECK(comparison.cells[0].finding == Finding::faster);
}

TEST_CASE("comparison: a kept benchmark of three processes tells 5 of 100 equal programs apart at most, and finds one "
          "that is 10 % slower in 9 of 10",
          "[measure][long]")
{
    std::mt19937_64 random(2028);
    struct Differences {
        double benchmark;
        double process;
        double drift;
    };
    constexpr int pairs = 200;
    for (const auto& [benchmark, process, drift] :
         {Differences{0, 0.005, 0.005}, {0.005, 0.01, 0.005}, {0.01, 0.01, 0.03}, {0.01, 0.03, 0.03}}) {
        CAPTURE(benchmark, process, drift);
        int told = 0;
        int found = 0;
        for (int pair = 0; pair < pairs; ++pair) {
            const MeasuredCell before = made_up_benchmark(random, 1e-4, benchmark, process, drift);
            told += tells_difference(finding_of(before, made_up_benchmark(random, 1e-4, benchmark, process, drift)));
            found +=
                finding_of(before, made_up_benchmark(random, 1.1e-4, benchmark, process, drift)) == Finding::slower;
            const MeasuredCell other = made_up_benchmark(random, 11e-4, benchmark, process, drift);
            CHECK(finding_of(before, other) == Finding::slower);
        }
        CHECK(told <= pairs * 5 / 100);
        if (drift < 0.01)
            CHECK(found >= pairs * 9 / 10);
    }
}

TEST_CASE("comparison: of equal processes that drift, at most 5 of 100 pairs are told apart", "[measure][long]")
{
    std::mt19937_64 random(2026);
    struct Noise {
        double process;
        double drift;
        double noise;
    };
    for (const auto& [process, drift, noise] :
         {Noise{0, 0, 0.01}, {0.01, 0, 0.01}, {0.01, 0.02, 0.01}, {0.01, 0.05, 0.01}, {0.01, 0.1, 0.03}}) {
        CAPTURE(process, drift, noise);
        constexpr int pairs = 300;
        int told = 0;
        for (int pair = 0; pair < pairs; ++pair) {
            const MeasuredCell before = cell_of(made_up_process(random, 1e-4, process, drift, noise));
            const MeasuredCell now = cell_of(made_up_process(random, 1e-4, process, drift, noise));
            told += tells_difference(finding_of(before, now)) ? 1 : 0;
        }
        CHECK(told <= pairs * 5 / 100);
    }
}

TEST_CASE("comparison: one process of each finds a build that is 10 % slower in 8 of 10, if there is little noise",
          "[measure]")
{
    std::mt19937_64 random(2027);
    int found = 0;
    constexpr int pairs = 300;
    for (int pair = 0; pair < pairs; ++pair) {
        const MeasuredCell before = cell_of(made_up_process(random, 1e-4, 0.01, 0, 0.01));
        const MeasuredCell now = cell_of(made_up_process(random, 1.1e-4, 0.01, 0, 0.01));
        found += finding_of(before, now) == Finding::slower ? 1 : 0;
    }
    CHECK(found >= pairs * 8 / 10);
}

TEST_CASE("comparison: other hosts, builds and settings are named", "[measure]")
{
    const Json before = document_of({made_up_cell(1, 1e-4)});
    Json now = before;
    now["program"]["compiler"] = "Clang 16.0.6";
    now["program"]["sanitizers"] = "thread";
    now["host"]["fingerprint"] = "fedcba9876543210";
    now["host"]["affinity"] = "0";
    now["host"]["huge_pages_used"] = "none";
    now["settings"]["rounds"] = 30;
    now["settings"]["max_seconds"] = 60;
    now["settings"]["weak"] = true;
    now["settings"]["check"] = false;
    now["limits"] = {{"date", "2026-01-31T12:00:00Z"}};
    const BenchComparison comparison = compare(before, now);
    REQUIRE(comparison.differences.size() == 10);
    CHECK(comparison.differences[0].what == "compiler");
    CHECK(comparison.differences[0].old_value == "GNU 12.2.0");
    CHECK(comparison.differences[0].new_value == "Clang 16.0.6");
    CHECK(comparison.differences[1].old_value == "none");
    const Json document = comparison_document(comparison);
    CHECK(document["kind"] == "benchmark comparison");
    CHECK(document["cells"][0]["verdict"] == "equal");
    CHECK(document["differences"][5]["new"] == "30");
    CHECK(comparison.differences[3].what == "affinity");
    CHECK(comparison.differences[4].old_value == "unknown");
    CHECK(comparison.differences[4].new_value == "none");
    CHECK(comparison.differences[6].what == "most time per cell");
    CHECK(comparison.differences[7].new_value == "true");
    CHECK(comparison.differences[8].old_value == "true");
    CHECK(comparison.differences[9].what == "limits of");
}

TEST_CASE("comparison: cells of one benchmark that do the same work are compared round by round", "[measure]")
{
    MeasuredCell first = made_up_cell(1, 1e-4);
    MeasuredCell spsc = made_up_cell(1, 1.05e-4);
    spsc.setup.machine.channel = ChannelKind::spsc;
    MeasuredCell same = made_up_cell(1, 1e-4);
    same.setup.algorithm = "optimal";
    // A machine that becomes slower by 4 % from round to round and back: both cells alike.
    for (MeasuredCell* const cell : {&first, &spsc, &same})
        for (std::size_t i = 0; i < 8; ++i)
            for (double& sample : cell->outcome.rounds[i].samples_seconds)
                sample *= i % 2 == 0 ? 1 : 1.04;
    const MeasuredCell other = made_up_cell(1, 1e-4, 5);
    const std::vector<Rival> rivals = against_each_other(document_of({first, other, spsc, same}));
    REQUIRE(rivals.size() == 2);
    CHECK(rivals[0].against == "all-to-all, hypercube:3, 64 bytes, 1 thread");
    CHECK(rivals[0].cell.cell == "all-to-all, hypercube:3, 64 bytes, 1 thread, spsc");
    CHECK(rivals[0].cell.ratio == Approx(1.05));
    CHECK(rivals[0].cell.finding == Finding::slower);
    CHECK(rivals[0].cell.interval->low == Approx(1.05));  // drift that both had is not in it
    CHECK(rivals[1].cell.finding == Finding::equal);
    const Json document = rivals_document(rivals);
    CHECK(document[1]["against"] == rivals[0].against);
    CHECK(document[1]["verdict"] == "equal");
}

TEST_CASE("comparison: benchmarks that were measured in turns are compared round by round, over all processes",
          "[measure]")
{
    // A machine that becomes slower by half in every second round, and processes that differ by a per cent.
    const auto document = [](double seconds, unsigned processes) {
        Json whole;
        for (unsigned process = 0; process < processes; ++process) {
            MeasuredCell cell = made_up_cell(1, seconds * (1 + 0.01 * process));
            for (Round& round : cell.outcome.rounds)
                for (double& sample : round.samples_seconds)
                    sample *= (round.order + process) % 2 == 0 ? 1 : 1.5;
            const Json part = document_of({cell});
            if (process == 0)
                whole = part;
            else
                add_rounds(whole, part);
        }
        return whole;
    };
    const Json before = document(1e-4, 5);
    CHECK(before["settings"]["processes"] == 5);
    CHECK(rounds_of(before["cells"][0]).size() == 40);
    CHECK(rounds_of(before["cells"][0]).back().process == 4);
    const BenchComparison in_turns = compare_in_turns(before, document(1.05e-4, 5));
    REQUIRE(in_turns.cells.size() == 1);
    CHECK(in_turns.cells[0].ratio == Approx(1.05));
    CHECK(in_turns.cells[0].finding == Finding::slower);
    CHECK(in_turns.cells[0].interval->low == Approx(1.05));
    CHECK(compare_in_turns(before, document(1e-4, 5)).cells[0].finding == Finding::equal);
    CHECK(compare(before, document(1.05e-4, 5)).cells[0].finding == Finding::cannot_tell);
    // Where one has fewer processes there are no pairs.
    CHECK(compare_in_turns(before, document(1.05e-4, 4)).cells[0].finding == Finding::cannot_tell);
}
