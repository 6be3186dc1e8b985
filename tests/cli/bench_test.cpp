// dcube bench, as a user runs it. Cells are tiny, and the measured times are not checked.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <dcube/version.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <set>
#include <string>
#include <vector>

using namespace dcube::test;
using nlohmann::ordered_json;

namespace {

const std::string quick = " --min-time 0.0001 --samples 1 ";

Outcome bench(const std::string& line)
{
    const Outcome outcome = executed("bench " + line);
    INFO(line << '\n' << outcome.err);
    CHECK(outcome.exit_code == 0);
    return outcome;
}

ordered_json bench_of(const std::string& line)
{
    return ordered_json::parse(bench(line + quick + "--format json").out);
}

std::vector<std::string> values(const ordered_json& document, const char* key)
{
    std::vector<std::string> all;
    for (const ordered_json& cell : document["cells"])
        all.push_back(cell[key].dump());
    return all;
}

}  // namespace

TEST_CASE("bench: the document has a cell for each combination, and every sample", "[cli][bench]")
{
    const ordered_json document = bench_of("all-to-all --dim 1:2 --bytes 8,16 --threads 1");
    CHECK(document["schema"] == 1);
    CHECK(document["kind"] == "benchmark");
    CHECK(document["command"].get<std::string>().starts_with("dcube bench all-to-all --dim 1:2 --bytes 8,16"));
    CHECK(document["program"]["version"] == dcube::version());
    CHECK(document["date"].get<std::string>().size() == 20);
    CHECK(document["host"]["fingerprint"].get<std::string>().size() == 16);
    REQUIRE(document["cells"].size() == 4);
    CHECK(values(document, "topology") ==
          std::vector<std::string>{"\"hypercube:1\"", "\"hypercube:1\"", "\"hypercube:2\"", "\"hypercube:2\""});
    CHECK(values(document, "bytes") == std::vector<std::string>{"8", "16", "8", "16"});
    std::set<std::size_t> order;
    for (const ordered_json& cell : document["cells"]) {
        std::size_t samples = 0;
        CHECK(cell["rounds"].size() == 9);
        for (const ordered_json& round : cell["rounds"]) {
            samples += round["samples_seconds"].size();
            CHECK(order.insert(round["order"].get<std::size_t>()).second);
        }
        CHECK(cell["count"] == samples);
        CHECK(cell["median_seconds"].get<double>() > 0);
        CHECK(cell["algorithm"] == (cell["nodes"] == 2 ? "offset-by-offset" : "staircase"));
    }
    CHECK(order.size() == 36);
    CHECK(document["left_out"].empty());
}

TEST_CASE("bench: sizes, and how often and how carefully they are measured, are as asked for", "[cli][bench]")
{
    const ordered_json document = ordered_json::parse(
        bench("broadcast --dim 1 --bytes 8:512:x8 --samples 20 --warm-up 2 --check 0 --rounds 2 --min-time 0.0001 "
              "--format json")
            .out);
    CHECK(values(document, "bytes") == std::vector<std::string>{"8", "64", "512"});
    CHECK(document["settings"]["min_samples"] == 20);
    CHECK(document["settings"]["warm_up_runs"] == 2);
    CHECK(document["settings"]["check"] == false);
    for (const ordered_json& cell : document["cells"]) {
        CHECK(cell["count"].get<std::size_t>() + cell["disturbed"].get<std::size_t>() >= 20);
        CHECK_THAT(cell["doubts"].dump(), Catch::Contains("unchecked"));
    }
}

TEST_CASE("bench: weak scaling adds a dimension for each doubling of the threads", "[cli][bench]")
{
    const ordered_json document = bench_of("all-to-all --dim 2:3 --threads 1,2,4 --weak");
    CHECK(document["settings"]["weak"] == true);
    CHECK(values(document, "topology") == std::vector<std::string>{"\"hypercube:2\"", "\"hypercube:3\"",
                                                                   "\"hypercube:4\"", "\"hypercube:3\"",
                                                                   "\"hypercube:4\"", "\"hypercube:5\""});
    for (const ordered_json& cell : document["cells"])
        CHECK(cell["efficiency"].is_number());
    CHECK(document["cells"][0]["efficiency"] == 1.0);
    CHECK(document["cells"][3]["efficiency"] == 1.0);
}

TEST_CASE("bench: several threads have a speed-up over one; all are 1, 2, 4, .. processors", "[cli][bench]")
{
    const ordered_json document = bench_of("all-to-all --dim 3 --threads 1,2");
    CHECK(document["cells"][0]["speed_up"] == 1.0);
    CHECK(document["cells"][1]["speed_up"].is_number());
    CHECK(document["cells"][1]["speed_up_interval"].size() == 2);
    const ordered_json all = bench_of("all-to-all --dim 1 --threads all");
    std::size_t threads = 1;
    CHECK(all["cells"][0]["threads"] == 1);
    for (const ordered_json& cell : all["cells"])
        threads = std::max(threads, cell["threads"].get<std::size_t>());
    CHECK(threads == all["cells"].back()["threads"]);
    CHECK(threads == all["host"]["usable_threads"]);
}

TEST_CASE("bench: algorithms and networks are swept, and what cannot be done is left out", "[cli][bench]")
{
    const Outcome outcome =
        executed("bench all-to-all --topology ring:4,ring:5 --algorithm auto,optimal" + quick + "--format json");
    CHECK(outcome.exit_code == 0);
    const ordered_json document = ordered_json::parse(outcome.out);
    CHECK(document["cells"].size() == 2);
    REQUIRE(document["left_out"].size() == 2);
    CHECK_THAT(document["left_out"][0]["cell"].get<std::string>(), Catch::Contains("by optimal, ring:4"));
    CHECK(lines_of(outcome.err).size() == 1);
    CHECK_THAT(outcome.err, Catch::Contains("2 of 4 cells left out: "));
}

TEST_CASE("bench: the table has a row a cell, at most 120 characters wide, and explains its marks", "[cli][bench]")
{
    const std::string text = bench("all-to-all --dim 1:2 --bytes 8,16 --threads 1,2 --rounds 3" + quick).out;
    CHECK_THAT(text, Catch::Contains("topology") && Catch::Contains("ns/hop") && Catch::Contains("efficiency"));
    CHECK_THAT(text, Catch::Contains("f  few: too few rounds for an interval (8 of 8 cells)"));
    std::size_t rows = 0;
    for (const std::string& line : lines_of(text)) {
        CHECK(line.size() <= 120);
        rows += line.starts_with("hypercube:") ? 1 : 0;
    }
    CHECK(rows == 8);
}

TEST_CASE("bench: below the table stands what a step goes to, where threads gain little", "[cli][bench]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("b.json");
    ordered_json document = bench_of("all-to-all --dim 2:3 --threads 1,2");
    REQUIRE(document["cells"].size() == 4);
    const auto give = [&](std::size_t which, double speed_up, const char* sentence) {
        ordered_json& cell = document["cells"][which];
        REQUIRE(cell["threads"] == 2);
        cell["threads_used"] = 2;
        cell["speed_up"] = speed_up;
        cell["step"] = {{"work_seconds", 1e-6},  {"crossing_seconds", 0.0}, {"barrier_seconds", 1e-6},
                        {"rest_seconds", -1e-7}, {"crossing_packets", 4},   {"steps_alone", 0},
                        {"steps_together", 4},   {"helped_chunks", 0},      {"sleeps", 0},
                        {"sentence", sentence}};
    };
    give(1, 0.5, "2 threads lose");
    give(3, 1.6, "2 threads gain 1.6");
    write_text(file, document.dump());
    const std::string text = bench("--read " + file).out;
    CHECK_THAT(text, Catch::Contains("topology hypercube:2: 2 threads lose\n"));
    CHECK_THAT(text, !Catch::Contains("gain 1.6"));
    CHECK_THAT(bench("--read " + file + " --format csv").out, !Catch::Contains("sentence"));
}

TEST_CASE("bench: CSV has a line a cell, nccl-tests' table their header, rows and footer", "[cli][bench]")
{
    const std::vector<std::string> csv =
        lines_of(bench("all-to-all --dim 1:2 --threads 1" + quick + "--format csv").out);
    REQUIRE(csv.size() == 3);
    CHECK(csv[0].starts_with("collective,algorithm,asked,topology,nodes,"));
    const std::vector<std::string> nccl =
        lines_of(bench("all-reduce --dim 2 --bytes 8,16 --type float --threads 1" + quick + "--format nccl").out);
    std::vector<std::string> rows;
    for (const std::string& line : nccl)
        if (!line.starts_with('#'))
            rows.push_back(line);
    REQUIRE(rows.size() == 2);
    CHECK_THAT(rows[0], Catch::Contains("           8             2     float     sum      -1"));
    CHECK_THAT(rows[0], Catch::Contains("       0      N/A     N/A     N/A     N/A"));
    for (const std::string& one : lines_of(bench("all-to-all --dim 3 --threads 1" + quick + "--format nccl").out))
        if (!one.starts_with('#'))
            CHECK_THAT(one, Catch::StartsWith("         512            64     uint8"));
    CHECK_THAT(nccl[1], Catch::Contains("out-of-place") && Catch::Contains("in-place"));
    CHECK(nccl[nccl.size() - 3] == "# Out of bounds values : 0 OK");
    CHECK(nccl[nccl.size() - 2].starts_with("# Avg bus bandwidth    : "));
}

TEST_CASE("bench: a dry run says what would be measured, and measures nothing", "[cli][bench]")
{
    const std::string text = bench("all-to-all --dim 8,24 --bytes 1,8 --threads 1 --dry-run").out;
    CHECK_THAT(text, Catch::Contains("all-to-all, hypercube:8, 8 bytes, 1 thread"));
    CHECK_THAT(text, Catch::Contains("left out: all-to-all, hypercube:24, 1 byte, 1 thread: this cell would need"));
    CHECK_THAT(text, Catch::Contains("2 cells in 9 rounds: 800 ms to 6 s of measuring"));
    const ordered_json records =
        ordered_json::parse(bench("all-to-all --topology ring:5 --algorithm auto,optimal --dry-run --format json").out);
    REQUIRE(records.size() == 2);
    CHECK(records[0]["memory_bytes"].get<std::size_t>() > 0);
    CHECK(records[0]["left_out"].is_null());
    CHECK(records[1]["memory_bytes"].is_null());
    CHECK(lines_of(bench("all-to-all --dim 3:5 --dry-run --format csv").out).size() == 4);
}

TEST_CASE("bench: the examples of the help are possible", "[cli][bench]")
{
    std::size_t tried = 0;
    for (const std::string& line : lines_of(executed("bench --help").out)) {
        if (!line.starts_with("  dcube bench ") || line.find(".json") != std::string::npos ||
            line.find("--against-program") != std::string::npos)
            continue;
        const std::string words = line.substr(14, line.find(" --format nccl") - 14);
        CHECK_THAT(bench(words + " --dry-run").out, Catch::Contains(" of measuring"));
        ++tried;
    }
    CHECK(tried == 4);
}

TEST_CASE("bench: a file can be shown, compared with now, and compared with another", "[cli][bench]")
{
    const TemporaryFolder folder;
    const std::string old_file = folder.file("old.json");
    const std::string line = "all-to-all --dim 1:2 --threads 1" + quick;
    const std::string measured = bench(line + "--output " + old_file).out;
    const ordered_json document = ordered_json::parse(read_text(old_file));
    CHECK(bench("--read " + old_file).out == measured);
    CHECK(ordered_json::parse(bench("--read " + old_file + " --format json").out) == document);
    const std::string now = bench(line + "--against " + old_file).out;
    CHECK_THAT(now, Catch::Contains("old: " + old_file) && Catch::Contains("new: now") && Catch::Contains("2 cells: "));
    const ordered_json comparison = ordered_json::parse(bench(line + "--format json --against " + old_file).out);
    CHECK(comparison["kind"] == "benchmark comparison");
    CHECK(comparison["cells"].size() == 2);
    bench("--read " + old_file + " --against " + old_file + " --html " + folder.file("p.html"));
    CHECK_THAT(read_text(folder.file("p.html")), Catch::Contains("Benchmarks compared: "));
    const std::string fewer = folder.file("new.json");
    ordered_json other = document;
    other["cells"].erase(0);
    other["program"]["compiler"] = "another";
    write_text(fewer, other.dump());
    const std::string text = bench("--read " + fewer + " --against " + old_file).out;
    CHECK_THAT(text, Catch::Contains("differs: compiler: ") && Catch::Contains("another (new)"));
    CHECK_THAT(text, Catch::Contains("only in " + old_file + ": all-to-all, hypercube:1, 64 bytes, 1 thread"));
    const std::vector<std::string> csv =
        lines_of(bench("--read " + fewer + " --against " + old_file + " --format csv").out);
    REQUIRE(csv.size() == 2);
    other["cells"].clear();
    write_text(fewer, other.dump());
    CHECK(bench("--read " + fewer + " --against " + old_file + " --format csv").out == csv[0] + "\n");
}

TEST_CASE("bench: several processes measure the same cells, and one document has all rounds", "[cli][bench]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("b.json");
    const std::string line = "bench all-to-all --dim 1:2 --threads 1" + quick;
    const Outcome outcome = dcube_line(line + "--rounds 2 --processes 2 --output " + file);
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    const ordered_json document = ordered_json::parse(read_text(file));
    CHECK(document["settings"]["processes"] == 2);
    REQUIRE(document["cells"].size() == 2);
    std::set<std::size_t> order;
    for (const ordered_json& cell : document["cells"]) {
        REQUIRE(cell["rounds"].size() == 4);
        for (std::size_t i = 0; i < 4; ++i)
            CHECK(cell["rounds"][i]["process"] == i / 2);
        for (const ordered_json& round : cell["rounds"])
            order.insert(round["order"].get<std::size_t>());
    }
    CHECK(order.size() == 8);
    CHECK(document["moments"].size() == 6);
    CHECK(ordered_json::parse(dcube_line(line + "--json").out)["settings"]["processes"] == 1);
    check_refused(line + "--processes 2", "--processes needs a program that is started with its own command line");
}

TEST_CASE("bench: a kept benchmark is measured by three processes", "[cli][bench]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("b.json");
    REQUIRE(dcube_line("bench all-to-all --dim 1 --threads 1" + quick + "--output " + file).exit_code == 0);
    CHECK(ordered_json::parse(read_text(file))["settings"]["processes"] == 3);
}

TEST_CASE("bench: another program is measured in turns, and compared", "[cli][bench]")
{
    const TemporaryFolder folder;
    const std::string line = "bench all-to-all --dim 1:2 --threads 1" + quick + "--against-program ";
    const std::string files = " --output " + folder.file("o.json") + " --html " + folder.file("p.html");
    const Outcome text = dcube_line(line + DCUBE_PROGRAM + files);
    INFO(text.err);
    CHECK(text.exit_code == 0);
    CHECK(text.err.empty());
    CHECK_THAT(text.out, Catch::Contains("new: this program") && Catch::Contains("2 cells: "));
    const ordered_json document = ordered_json::parse(read_text(folder.file("o.json")));
    CHECK(document["settings"]["processes"] == 10);
    CHECK(document["cells"][0]["rounds"].size() == 90);
    CHECK_THAT(read_text(folder.file("p.html")), Catch::Contains("Benchmarks compared"));
    const ordered_json comparison =
        ordered_json::parse(dcube_line(line + DCUBE_PROGRAM + " --processes 2 --format json").out);
    CHECK(comparison["kind"] == "benchmark comparison");
    REQUIRE(comparison["cells"].size() == 2);
    CHECK_FALSE(comparison["cells"][0]["ratio_interval"].is_null());
}

TEST_CASE("bench: another program that cannot measure ends the benchmark", "[cli][bench][negative]")
{
    const std::string line = "bench all-to-all --dim 1 --threads 1" + quick + "--against-program ";
    const Outcome no_program = dcube_line(line + "/no/such/program");
    CHECK(no_program.exit_code == 2);
    CHECK(no_program.err == "dcube: program '/no/such/program' cannot be started: No such file or directory\n");
    const Outcome another = dcube_line(line + "/bin/true");
    CHECK(another.exit_code == 2);
    CHECK(another.err == "dcube: the other program ended before it had measured anything\n");
    CHECK(another.out.empty());
}

TEST_CASE("bench: files are written whole, the page with the document in it", "[cli][bench]")
{
    const TemporaryFolder folder;
    bench("all-to-all --dim 1 --threads 1" + quick + "--output " + folder.file("o.json") + " --html " +
          folder.file("p.html"));
    CHECK(folder.names() == std::vector<std::string>{"o.json", "p.html"});
    CHECK_THAT(read_text(folder.file("p.html")), Catch::StartsWith("<!doctype html>", Catch::CaseSensitive::No));
}

TEST_CASE("bench: results may be written to a pipe", "[cli][bench]")
{
    const std::string line = "bench all-to-all --dim 1 --threads 1" + quick + "--output /dev/stdout";
    const std::string out = dcube_line(line).out;  // executed() has a file there
    CHECK_THAT(out, Catch::StartsWith("{\n\"schema\"") && Catch::Contains("hypercube:1"));
}

TEST_CASE("bench: a file name that is no UTF-8 is measured, and written as well as JSON can", "[cli][bench]")
{
    const TemporaryFolder folder;
    const std::string graph = folder.file("g\xff.txt");
    write_text(graph, "0 1\n1 2\n2 0\n2 3\n");  // that has no other name
    const ordered_json document = bench_of("all-to-all --threads 1 --topology graph:" + graph);
    CHECK_THAT(document["command"].get<std::string>(), Catch::Contains("g\xEF\xBF\xBD.txt"));
    REQUIRE(document["cells"].size() == 1);
    CHECK_THAT(document["cells"][0]["topology"].get<std::string>(), Catch::Contains("g\xEF\xBF\xBD.txt"));
    bench("all-to-all --threads 1 --dry-run --format json --topology graph:" + graph);
}

TEST_CASE("bench: an interrupted benchmark exits with 130 and writes nothing", "[cli][bench]")
{
    const TemporaryFolder folder;
    Running running({"bench", "all-to-all", "--dim", "4", "--min-time", "60", "--max-time", "60", "--output",
                     folder.file("o.json")});
    while (!folder.in_use() && running.alive()) {
    }
    running.send(SIGINT);
    const Outcome outcome = running.finish();
    CHECK(outcome.exit_code == 130);
    CHECK(outcome.out.empty());
    CHECK(outcome.err == "dcube: interrupted\n");
    CHECK(folder.names().empty());
}

TEST_CASE("bench: cells of one benchmark are compared against each other", "[cli][bench][tbb]")
{
    const std::string line =
        "all-to-all --dim 1:2 --threads 1 --pin none,compact --channel slots,spsc" + quick + " --against-each-other";
    CHECK_THAT(bench(line).out, Catch::Contains("against that") && Catch::Contains("spsc, pinned compact"));
    const ordered_json document = ordered_json::parse(bench(line + " --format json").out);
    REQUIRE(document["against_each_other"].size() == 6);
    CHECK(document["against_each_other"][0]["cell"] == "all-to-all, hypercube:1, 64 bytes, 1 thread, spsc");
    CHECK(document["against_each_other"][5]["against"] == "all-to-all, hypercube:2, 64 bytes, 1 thread");
    CHECK_THAT(bench("all-to-all --dim 1 --threads 1" + quick + " --against-each-other").out,
               Catch::Contains("no two cells differ only in algorithm, pin, channel or threads"));
}

TEST_CASE("bench: cells of a kept benchmark are compared against each other", "[cli][bench]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("b.json");
    REQUIRE(
        executed("bench all-to-all --dim 1 --threads 1 --channel slots,spsc" + quick + " --output " + file).exit_code ==
        0);
    const Outcome shown = executed("bench --read " + file + " --against-each-other");
    CHECK(shown.exit_code == 0);
    CHECK_THAT(shown.out, Catch::Contains("against that") && Catch::Contains("spsc"));
    check_refused("bench --read " + file + " --against " + file + " --against-each-other",
                  "--against-each-other compares the cells of one benchmark: leave out --against");
}

TEST_CASE("bench: the table fits the terminal, and says what is not in it", "[cli][bench]")
{
    const std::string line = "bench all-to-all --dim 2:4 --bytes 8,64 --threads 1,2" + quick;
    const std::string narrow = dcube_line(line, {.variables = {{"COLUMNS", "80"}}}).out;
    for (const std::string& text : lines_of(narrow))
        CHECK(text.size() <= 80);
    CHECK_THAT(narrow, Catch::Contains("no room here for: busbw GB/s"));
    CHECK_THAT(dcube_line(line, {.variables = {{"COLUMNS", "200"}}}).out, Catch::Contains("busbw GB/s"));
}
