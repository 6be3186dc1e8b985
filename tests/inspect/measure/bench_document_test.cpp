// The document of a benchmark, of made-up measurements.

#include "collectives/example.hpp"
#include "inspect/measure/bench_document.hpp"
#include "inspect/measure/bench_fields.hpp"
#include "inspect/measure/comparison.hpp"
#include "inspect/measure/rates.hpp"
#include "tests/inspect/measure/made_up_benchmark.hpp"
#include "tests/inspect/measure/made_up_limits.hpp"
#include "tests/support/catch.hpp"

#include <cmath>
#include <set>
#include <string>
#include <utility>

using namespace dcube;
using namespace dcube::measure;
using namespace dcube::test;

namespace {

// All keys below the document, by their names in bench_fields(); what belongs to other lists is not entered.
void collect_keys(const Json& part, const std::string& within, std::set<std::string>& keys)
{
    for (const auto& [key, value] : part.items()) {
        const std::string name = within + key;
        keys.insert(name);
        if (name == "host" || name == "program")
            continue;
        if (value.is_object())
            collect_keys(value, name + ".", keys);
        if (value.is_array() && !value.empty() && value[0].is_object())
            for (const Json& one : value)
                collect_keys(one, name + ".", keys);
    }
}

}  // namespace

TEST_CASE("bench document: the keys are those of the list, and the document can be read back", "[measure]")
{
    Benchmark benchmark = made_up({made_up_cell(1, 1e-4), made_up_cell(2, 6e-5)});
    benchmark.limits = made_up_limits();
    count(benchmark.cells[1], 32);
    count_cycles(benchmark.cells[1], 10);
    benchmark.moments = {{.order = 3, .handover_seconds = 1e-7}};
    for (std::size_t i = 0; i < 3; ++i)
        benchmark.cells[0].outcome.rounds[i].samples_seconds = {3e-5};
    benchmark.cells[1].outcome.rounds[0].disturbed_seconds = {2e-4};
    benchmark.cells[1].outcome.rounds[0].disturbed_bounds = {{5e-5, 2e-4}};
    benchmark.cells.push_back(made_up_cell(4, 1));
    benchmark.cells.back().outcome.obstacle = InvalidArgument("no room for it");
    const Json document = bench_document(benchmark);
    std::set<std::string> written;
    collect_keys(document, "", written);
    std::set<std::string> listed;
    for (const BenchField& field : bench_fields())
        CHECK(listed.insert(std::string(field.key)).second);
    CHECK(written == listed);
    CHECK(read_bench_document(document.dump(), "f.json") == document);
    REQUIRE(document["left_out"].size() == 1);
    CHECK(document["left_out"][0]["cell"] == "all-to-all, hypercube:3, 64 bytes, 4 threads");
    CHECK(document["left_out"][0]["reason"] == "no room for it");
}

TEST_CASE("bench document: a cell's figures follow from its samples", "[measure]")
{
    const Json cell = document_of({made_up_cell(1, 1e-4)})["cells"][0];
    CHECK(cell["count"] == 24);
    CHECK(cell["median_seconds"].get<double>() == Approx(1e-4));
    CHECK(cell["minimum_seconds"].get<double>() == Approx(0.9965e-4));
    CHECK(cell["p99_seconds"].get<double>() == Approx(1.0035e-4));
    CHECK(cell["mad_seconds"].get<double>() == Approx(0.002e-4).margin(1e-9));
    CHECK(cell["interval_seconds"][0].get<double>() == Approx(0.9965e-4));  // of 8 medians: the least and the largest
    CHECK(cell["interval_seconds"][1].get<double>() == Approx(1.0035e-4));
    CHECK(cell["steps"] == 4);
    CHECK(cell["transmissions"] == 96);
    CHECK(cell["link_bytes"] == 6144);
    CHECK(cell["ns_per_hop"].get<double>() == Approx(1e5 / 96));
    CHECK(cell["hops_per_second"].get<double>() == Approx(960'000));
    CHECK(cell["link_bytes_per_second"].get<double>() == Approx(61'440'000));
    CHECK(cell["size_bytes"] == 512);  // 8 ranks have a block of 64 bytes for each
    CHECK(cell["algbw_bytes_per_second"].get<double>() == Approx(5.12e6));
    CHECK(cell["busbw_bytes_per_second"].get<double>() == Approx(5.12e6 * 7 / 8));
    CHECK(cell["speed_up"] == 1.0);
    CHECK(cell["limit_seconds"].is_null());
    CHECK(cell["doubts"].empty());
    CHECK(cell["rounds"].size() == 8);
    CHECK(cell["rounds"][7]["order"] == 7);
}

TEST_CASE("bench document: speed-up and efficiency are against the fewest threads, with their intervals", "[measure]")
{
    const Json cells =
        document_of({made_up_cell(4, 0.5e-4), made_up_cell(1, 1.6e-4), made_up_cell(2, 0.8e-4)})["cells"];
    CHECK(cells[0]["speed_up"].get<double>() == Approx(3.2));
    CHECK(cells[0]["efficiency"].get<double>() == Approx(0.8));
    CHECK(cells[1]["efficiency"] == 1.0);
    CHECK(cells[2]["speed_up"].get<double>() == Approx(2));
    CHECK(cells[2]["speed_up_interval"][0].get<double>() == Approx(2));  // in each round the same
    CHECK(cells[2]["efficiency_interval"][1].get<double>() == Approx(1));
    const Json alone = document_of({made_up_cell(2, 1e-4)})["cells"][0];
    CHECK(alone["speed_up"].is_null());
    CHECK(alone["efficiency_interval"].is_null());
    const Json short_one = document_of({made_up_cell(1, 1e-4, 3, 5), made_up_cell(2, 1e-4)})["cells"][1];
    CHECK(short_one["speed_up"].get<double>() == Approx(1));
    CHECK(short_one["speed_up_interval"].is_null());
    const Json longer = document_of({made_up_cell(1, 1e-4, 3, 9), made_up_cell(2, 1e-4)})["cells"][1];
    CHECK(longer["speed_up_interval"][0].get<double>() < 0.997);  // of both intervals: they did not share their rounds
}

TEST_CASE("bench document: the efficiency is that of the threads that worked", "[measure]")
{
    MeasuredCell clamped = made_up_cell(8, 0.5e-4);
    clamped.outcome.facts.threads = 2;
    const Json cell = document_of({made_up_cell(1, 1e-4), clamped})["cells"][1];
    CHECK(cell["speed_up"].get<double>() == Approx(2));
    CHECK(cell["efficiency"].get<double>() == Approx(1));
}

TEST_CASE("bench document: a machine that is three times as fast in a third of the rounds has a third of the votes",
          "[measure]")
{
    // Slices of equal time have three times as many runs then: as many as in all other rounds together.
    const auto cell = [](unsigned threads, double seconds) {
        MeasuredCell one = made_up_cell(threads, seconds, 3, 9);
        for (std::size_t i = 6; i < 9; ++i)
            one.outcome.rounds[i].samples_seconds.assign(18, seconds / 3);
        return one;
    };
    const Json cells = document_of({cell(1, 1.8e-3), cell(2, 0.9e-3)})["cells"];
    const Json& slow = cells[0];
    CHECK(slow["median_seconds"].get<double>() == Approx(1.8e-3).epsilon(0.01));
    CHECK(slow["ns_per_hop"].get<double>() == Approx(1.8e6 / 96).epsilon(0.01));
    CHECK(slow["algbw_bytes_per_second"].get<double>() == Approx(512 / 1.8e-3).epsilon(0.01));
    CHECK(slow["interval_seconds"][0].get<double>() == Approx(0.6e-3));  // the second of nine
    CHECK(slow["interval_seconds"][1].get<double>() == Approx(1.8e-3).epsilon(0.01));
    REQUIRE(slow["modes"].size() == 2);
    CHECK(slow["modes"][0]["seconds"].get<double>() == Approx(0.6e-3));
    CHECK(slow["modes"][0]["rounds"] == 3);
    CHECK(slow["modes"][1]["rounds"] == 6);
    CHECK_THAT(slow["doubts"].dump(), Catch::Contains("modes: 3 rounds of 600 us, 6 of 1.8"));
    CHECK(cells[1]["speed_up"].get<double>() == Approx(2));
    CHECK(cells[1]["speed_up_interval"][0].get<double>() == Approx(2));
    const Rival rival = against_each_other(document_of({cell(1, 1.8e-3), cell(2, 0.9e-3)})).at(0);
    CHECK(rival.cell.ratio == Approx(0.5));
    CHECK(rival.cell.finding == Finding::faster);
}

TEST_CASE("bench document: disturbed runs are left out, and too few others are a doubt", "[measure]")
{
    MeasuredCell cell = made_up_cell(1, 1e-4);
    const auto disturb = [&](std::size_t rounds) {
        for (std::size_t i = 0; i < rounds; ++i) {
            cell.outcome.rounds[i].disturbed_seconds = {5e-4, 9e-4};
            cell.outcome.rounds[i].disturbed_bounds = {{0.9e-4, 1.1e-4}, {0.5e-4, 9e-4}};
            cell.outcome.rounds[i].samples_seconds.clear();
        }
        return document_of({cell})["cells"][0];
    };
    const Json few = disturb(2);
    CHECK(few["disturbed"] == 4);
    CHECK(few["count"] == 18);
    CHECK(few["median_seconds"].get<double>() == Approx(1e-4).epsilon(0.01));
    CHECK(few["doubts"].empty());
    const Json many = disturb(3);
    CHECK(many["doubts"] == Json::array({"disturbed: 5 of 8 rounds have an undisturbed run"}));
    CHECK(many["interval_seconds"][0].get<double>() == Approx(0.9e-4));  // of the run that was disturbed least
    CHECK(many["interval_seconds"][1].get<double>() == Approx(1.1e-4));
    const Json all = disturb(8);
    CHECK(all["count"] == 0);
    CHECK(all["median_seconds"].get<double>() == Approx(std::sqrt(0.9e-4 * 1.1e-4)));
    CHECK(all["minimum_seconds"] == 5e-4);
    CHECK(read_bench_document(document_of({cell}).dump(), "f.json")["cells"].size() == 1);
}

TEST_CASE("bench document: what another process has measured is added, and drift between them is in the interval",
          "[measure]")
{
    Benchmark benchmark = made_up({made_up_cell(1, 1e-4), made_up_cell(2, 1e-4)});
    benchmark.moments = {{.order = 0, .handover_seconds = 1e-7}};
    Benchmark slower = made_up({made_up_cell(2, 1e-4), made_up_cell(1, 1.1e-4)});
    slower.moments = {{.order = 4, .handover_seconds = 2e-7}};
    slower.host["other_processors"] = 1.5;
    add_process(benchmark, bench_document(slower));
    add_process(benchmark, bench_document(made_up({made_up_cell(1, 1.2e-4)})));
    const Json document = bench_document(benchmark);
    CHECK(document["settings"]["processes"] == 3);
    CHECK(document["host"]["other_processors"] == 1.5);
    REQUIRE(document["moments"].size() == 2);
    CHECK(document["moments"][1]["order"] == 16 + 4);
    CHECK(document["moments"][1]["process"] == 1);
    const Json& cell = document["cells"][0];
    REQUIRE(cell["rounds"].size() == 24);
    CHECK(cell["rounds"][8]["process"] == 1);
    CHECK(cell["rounds"][8]["order"] == 16);
    CHECK(cell["median_seconds"].get<double>() == Approx(1.1e-4).epsilon(0.01));
    // Student's interval of the logarithms of 1, 1.1 and 1.2: a standard deviation of 0.0913, t = 4.3027.
    CHECK(cell["interval_seconds"][1].get<double>() ==
          Approx(1.1e-4 * std::exp(4.3027 * 0.0913 / std::sqrt(3))).epsilon(0.02));
    CHECK(document["cells"][1]["rounds"].size() == 16);
}

TEST_CASE("bench document: a step is taken apart where one thread did the same work and limits are known", "[measure]")
{
    Benchmark benchmark = made_up({made_up_cell(2, 6e-5), made_up_cell(1, 1e-4)});
    count(benchmark.cells[0], 32);
    CHECK(bench_document(benchmark)["cells"][0]["step"].is_null());
    benchmark.limits = made_up_limits();
    const Json cells = bench_document(benchmark)["cells"];
    CHECK(cells[1]["step"].is_null());
    const Json& step = cells[0]["step"];  // of 15 us
    CHECK(step["work_seconds"].get<double>() == Approx(12.5e-6));
    CHECK(step["barrier_seconds"].get<double>() == Approx(2e-6));
    CHECK(step["crossing_seconds"].get<double>() == Approx(5 * 1e-8));  // 32 packets in 4 steps by 2 threads
    CHECK(step["rest_seconds"].get<double>() == Approx(0.45e-6));
    CHECK(step["crossing_packets"] == 32);
    CHECK(step["steps_together"] == 5);
    CHECK(step["steps_alone"] == 0);
    CHECK(step["sentence"].get<std::string>().starts_with("2 threads gain 1.7: of 15 us a step "));

    benchmark.limits->pin = "compact";
    CHECK(bench_document(benchmark)["cells"][0]["step"].is_null());
    benchmark.limits->pin = "none";
    benchmark.cells.pop_back();
    CHECK(bench_document(benchmark)["cells"][0]["step"].is_null());
}

TEST_CASE("bench document: counts of several processes are means over all of their samples", "[measure]")
{
    const auto counted = [](std::uint64_t packets, double cycles) {
        Benchmark benchmark = made_up({made_up_cell(2, 6e-5), made_up_cell(1, 1e-4)});
        benchmark.limits = made_up_limits();
        count(benchmark.cells[0], packets);
        count_cycles(benchmark.cells[0], cycles);
        return benchmark;
    };
    Benchmark benchmark = counted(32, 10);
    CHECK(bench_document(benchmark)["cells"][0]["counters"]["cycles"].get<double>() == Approx(10));
    CHECK(bench_document(benchmark)["cells"][1]["counters"].is_null());
    add_process(benchmark, bench_document(counted(64, 20)));
    const Json cell = bench_document(benchmark)["cells"][0];
    CHECK(cell["step"]["crossing_packets"] == 48);
    CHECK(cell["step"]["steps_together"] == 5);
    CHECK(cell["counters"]["cycles"].get<double>() == Approx(15));
    CHECK(cell["counters"]["instructions"].get<double>() == Approx(7.5));
    CHECK(cell["counters"]["cache_misses"] == 0.0);
}

TEST_CASE("bench document: weak scaling compares hops a second and thread on larger cubes", "[measure]")
{
    Benchmark benchmark = made_up({made_up_cell(1, 1e-4, 3), made_up_cell(2, 3e-4, 4), made_up_cell(1, 5e-4, 5)});
    benchmark.weak = true;
    const Json cells = bench_document(benchmark)["cells"];
    // 96 hops in 100 us, then 512 hops in 300 us: 16/9 of the rate by 2 threads.
    CHECK(cells[1]["speed_up"].get<double>() == Approx(512.0 / 3 / 96));
    CHECK(cells[1]["efficiency"].get<double>() == Approx(512.0 / 3 / 96 / 2));
    CHECK(cells[2]["efficiency"] == 1.0);  // a base of its own
}

TEST_CASE("bench document: doubts name causes in the cell, which a busy machine alone is not", "[measure]")
{
    const auto doubts = [](MeasuredCell cell, double idle = 4) {
        Benchmark benchmark = made_up({std::move(cell)});
        benchmark.host["idle_processors"] = idle;
        return bench_document(benchmark)["cells"][0]["doubts"].dump();
    };
    CHECK(doubts(made_up_cell(1, 1e-4)) == "[]");
    CHECK(doubts(made_up_cell(2, 1e-4), 1) == "[]");
    CHECK_THAT(doubts(made_up_cell(1, 1e-4, 3, 5)), Catch::Contains("few: 5 rounds"));
    MeasuredCell cell = made_up_cell(2, 1e-4);
    cell.outcome.facts.threads = 1;
    cell.outcome.facts.verified = false;
    cell.outcome.interleaved = false;
    for (const char* const word : {"threads: only 1 of 2 worked", "unchecked: ", "alone: "})
        CHECK_THAT(doubts(cell), Catch::Contains(word));
}

TEST_CASE("bench document: sizes and factors are those of nccl-tests", "[measure]")
{
    // 8 ranks, a message of 2 packets of 12 bytes.
    const auto traffic = [](Collective collective) {
        Problem problem = example_problem(collective, Topology::hypercube(3));
        problem.bytes = 12;
        problem.packets = 2;
        return traffic_of(problem, Topology::hypercube(3));
    };
    for (const Collective collective :
         {Collective::broadcast, Collective::reduce, Collective::send, Collective::exchange, Collective::permute}) {
        CHECK(traffic(collective)->size_bytes == 24);
        CHECK(traffic(collective)->bus_factor == 1);
    }
    CHECK(traffic(Collective::all_reduce)->size_bytes == 24);
    CHECK(traffic(Collective::all_reduce)->bus_factor == 1.75);
    for (const Collective collective : {Collective::scatter, Collective::gather, Collective::all_gather,
                                        Collective::reduce_scatter, Collective::all_to_all}) {
        CHECK(traffic(collective)->size_bytes == 192);
        CHECK(traffic(collective)->bus_factor == 0.875);
    }
    CHECK_FALSE(traffic(Collective::matrix_transpose).has_value());
}

TEST_CASE("bench document: nodes that are missing count nowhere", "[measure]")
{
    MeasuredCell cell = made_up_cell(1, 1e-4);
    cell.setup.topology = Topology::parse("hypercube:3 without 5");
    const Json json = document_of({cell})["cells"][0];
    CHECK(json["nodes"] == 7);
    CHECK(json["size_bytes"] == 64 * 7);
    CHECK(json["busbw_bytes_per_second"].get<double>() / json["algbw_bytes_per_second"].get<double>() ==
          Approx(6.0 / 7));
}

TEST_CASE("bench document: a cell with a known limit has its share of the limit", "[measure]")
{
    MeasuredCell cell = made_up_cell(1, 1e-4);
    cell.limit = CellLimit{6e-5, "copies"};
    const Json json = document_of({cell})["cells"][0];
    CHECK(json["share_of_limit"].get<double>() == Approx(0.6));
    CHECK(json["limit_binds"] == "copies");
}

TEST_CASE("bench document: cells are the same only if nothing that decides a run differs", "[measure]")
{
    std::set<std::string> known;
    const auto add = [&](const auto& change) {
        Setup setup = made_up_cell(1, 1).setup;
        change(setup);
        return known.insert(identity(variables_of(setup))).second;
    };
    CHECK(add([](Setup&) {}));
    CHECK_FALSE(add([](Setup&) {}));
    CHECK_FALSE(add([](Setup& setup) { setup.seed = 7; }));
    CHECK(add([](Setup& setup) { setup.topology = Topology::hypercube(4); }));
    CHECK(add([](Setup& setup) { setup.problem.bytes = 8; }));
    CHECK(add([](Setup& setup) { setup.problem.packets = 8; }));
    CHECK(add([](Setup& setup) { setup.problem.collective = Collective::all_gather; }));
    CHECK(add([](Setup& setup) { setup.algorithm = "optimal"; }));
    CHECK(add([](Setup& setup) { setup.machine.threads = 2; }));
    CHECK(add([](Setup& setup) { setup.machine.channel = ChannelKind::spsc; }));
    CHECK(add([](Setup& setup) { setup.machine.channel_capacity = 3; }));
    CHECK(add([](Setup& setup) { setup.machine.pinning = Pinning::compact; }));
    CHECK(add([](Setup& setup) { setup.machine.ports = PortModel::one; }));
    CHECK(add([](Setup& setup) { setup.machine.link = {LinkKind::link_bound, {1, 2}, {3, 1}}; }));
    CHECK(add([](Setup& setup) { setup.problem.tuning.groups = 3; }));
    CHECK(known.size() == 13);
    Setup reduced = made_up_cell(2, 1).setup;
    reduced.problem = example_problem(Collective::reduce, reduced.topology);
    reduced.problem.root = 5;
    CHECK(cell_text(variables_of(reduced)) == "reduce, hypercube:3, 8 bytes, 2 threads, root 5, sum, uint8");
}

TEST_CASE("bench document: a share above 100 % is a doubt of the limit", "[measure]")
{
    MeasuredCell cell = made_up_cell(1, 1e-4);
    cell.limit = CellLimit{1e-4, "steps"};
    CHECK(document_of({cell})["cells"][0]["doubts"].empty());
    cell.limit = CellLimit{2.35e-4, "steps"};
    CHECK(document_of({cell})["cells"][0]["doubts"] ==
          Json::array({"limit: 235 % of it is reached, so it was measured too low"}));
}

TEST_CASE("bench document: other programs that took processors meanwhile are a warning, and no doubt", "[measure]")
{
    Benchmark benchmark = made_up({made_up_cell(1, 1e-4), made_up_cell(4, 1e-4)});
    benchmark.host["processors"] = 4;
    benchmark.host["other_processors"] = 1.2;
    const Json document = bench_document(benchmark);
    CHECK(document["cells"][1]["doubts"].empty());
    CHECK(document["warnings"].back() == "other programs took 1.2 processors while it was measured");
}

TEST_CASE("bench document: threads that were asked for stand beside those that worked", "[measure]")
{
    MeasuredCell cell = made_up_cell(8, 1e-4);
    cell.outcome.facts.threads = 2;
    Benchmark benchmark = made_up({cell});
    benchmark.host["idle_processors"] = 8.0;
    const Json asked = bench_document(benchmark)["cells"][0];
    CHECK(asked["threads"] == 8);
    CHECK(asked["threads_used"] == 2);
    CHECK(asked["doubts"] == Json::array({"threads: only 2 of 8 worked"}));
    benchmark.cells[0].setup.any_threads = true;
    CHECK(bench_document(benchmark)["cells"][0]["doubts"].empty());
}
