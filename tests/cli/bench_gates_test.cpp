// The gates of dcube bench, on files whose times are made up.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

using namespace dcube::test;
using nlohmann::ordered_json;

namespace {

ordered_json tiny_benchmark(const std::string& options)
{
    return json_of("bench all-to-all --dim 1 --min-time 0.0001 --samples 1 " + options);
}

// The document with every sample of some cells `factor` times as long.
ordered_json slowed(ordered_json document, double factor)
{
    ordered_json& cell = document["cells"][0];
    cell["median_seconds"] = cell["median_seconds"].get<double>() * factor;
    for (ordered_json& round : cell["rounds"])
        for (ordered_json& sample : round["samples_seconds"])
            sample = sample.get<double>() * factor;
    return document;
}

// The same with samples that do not differ by chance: a millisecond each, on one thread and on two.
ordered_json steady(ordered_json document)
{
    for (ordered_json& cell : document["cells"]) {
        cell["median_seconds"] = 1e-3;
        cell["interval_seconds"] = {0.99e-3, 1.01e-3};
        cell["doubts"] = ordered_json::array();
        const bool one_thread = cell["threads"] == 1;
        cell["efficiency"] = one_thread ? 1.0 : 0.5;
        cell["efficiency_interval"] = one_thread ? ordered_json{1.0, 1.0} : ordered_json{0.49, 0.51};
        for (ordered_json& round : cell["rounds"]) {
            round["samples_seconds"] = {1e-3};
            round["disturbed_seconds"] = round["disturbed_bounds"] = ordered_json::array();
        }
    }
    return document;
}

}  // namespace

TEST_CASE("bench: gates exit 1 with a line for each cell that fails", "[cli][bench]")
{
    const TemporaryFolder folder;
    const std::string old_file = folder.file("old.json");
    const std::string new_file = folder.file("new.json");
    const ordered_json document = steady(tiny_benchmark("--threads 1,2"));
    write_text(old_file, document.dump());
    write_text(new_file, slowed(document, 1.2).dump());
    const std::string compare = "bench --read " + new_file + " --against " + old_file;
    const Outcome slower = executed(compare + " --max-slowdown 1.1");
    CHECK(slower.exit_code == 1);
    REQUIRE(lines_of(slower.err).size() == 1);
    CHECK(slower.err == "dcube: --max-slowdown 1.1 exceeded: all-to-all, hypercube:1, 64 bytes, 1 thread takes 1.200 "
                        "times as long\n");
    CHECK_THAT(slower.out, Catch::Contains("slower") && Catch::Contains("1.200"));
    CHECK(executed(compare + " --max-slowdown 1.25").exit_code == 0);
    CHECK(executed(compare).exit_code == 0);
    const std::string back = "bench --read " + old_file + " --against " + new_file;
    CHECK(executed(back + " --max-slowdown 1").exit_code == 0);
    const Outcome inefficient = executed(compare + " --min-efficiency 0.8");
    CHECK(inefficient.exit_code == 1);
    CHECK(inefficient.err == "dcube: --min-efficiency 0.8: the efficiency of all-to-all, hypercube:1, 64 bytes, "
                             "2 threads is 0.500\n");
    CHECK(executed("bench --read " + old_file + " --min-efficiency 0.49").exit_code == 0);
    const Outcome undecided = executed("bench --read " + old_file + " --min-efficiency 0.5");
    CHECK(undecided.exit_code == 3);
    CHECK(undecided.err == "dcube: --min-efficiency 0.5: cannot tell for all-to-all, hypercube:1, 64 bytes, "
                           "2 threads, which has 0.490 to 0.510\n");
    CHECK(lines_of(executed(compare + " --min-efficiency 0.8 --max-slowdown 1.1").err).size() == 2);
}

TEST_CASE("bench: one slow round with many samples fails no gate", "[cli][bench]")
{
    const TemporaryFolder folder;
    const ordered_json document = steady(tiny_benchmark("--threads 1"));
    ordered_json other = document;
    ordered_json& cell = other["cells"][0];
    cell["median_seconds"] = 2e-3;
    for (ordered_json& round : cell["rounds"])
        round["samples_seconds"] = {0.9e-3};
    cell["rounds"][4]["samples_seconds"] = std::vector<double>(20, 2e-3);
    write_text(folder.file("old.json"), document.dump());
    write_text(folder.file("new.json"), other.dump());
    const Outcome outcome = executed("bench --max-slowdown 1.05 --read " + folder.file("new.json") + " --against " +
                                     folder.file("old.json"));
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, Catch::Contains("1 cell: 1 faster"));
}

TEST_CASE("bench: an efficiency without an interval passes no gate", "[cli][bench]")
{
    const TemporaryFolder folder;
    ordered_json document = steady(tiny_benchmark("--threads 1,2"));
    document["cells"][1]["efficiency_interval"] = nullptr;
    document["cells"][1]["doubts"] = {"few: 4 rounds, too few for an interval"};
    write_text(folder.file("b.json"), document.dump());
    const Outcome outcome = executed("bench --min-efficiency 0.1 --read " + folder.file("b.json"));
    CHECK(outcome.exit_code == 3);
    CHECK(outcome.err == "dcube: --min-efficiency 0.1: cannot tell for all-to-all, hypercube:1, 64 bytes, 2 threads: "
                         "few: 4 rounds, too few for an interval\n");
}

TEST_CASE("bench: a gate on cells that are doubted exits 3 and says why", "[cli][bench]")
{
    const TemporaryFolder folder;
    const ordered_json document = steady(tiny_benchmark("--threads 1"));
    ordered_json other = slowed(document, 1.5);
    other["cells"][0]["doubts"] = {"disturbed: 0 of 9 rounds have an undisturbed run"};
    for (ordered_json& round : other["cells"][0]["rounds"]) {
        round["samples_seconds"] = ordered_json::array();
        round["disturbed_seconds"] = {5e-3};
        round["disturbed_bounds"] = ordered_json::array({ordered_json::array({0.9e-3, 5e-3})});
    }
    write_text(folder.file("old.json"), document.dump());
    write_text(folder.file("new.json"), other.dump());
    const std::string files = "bench --read " + folder.file("new.json") + " --against " + folder.file("old.json");
    const Outcome outcome = executed(files + " --max-slowdown 1.05");
    CHECK(outcome.exit_code == 3);
    CHECK(outcome.err == "dcube: --max-slowdown 1.05: cannot tell for all-to-all, hypercube:1, 64 bytes, 1 thread: "
                         "new: disturbed: 0 of 9 rounds have an undisturbed run\n");
    CHECK_THAT(outcome.out, Catch::Contains("cannot tell") && Catch::Contains("doubts: new: disturbed (1 of 1)"));
    CHECK(executed(files).exit_code == 0);
    other["cells"][0]["rounds"].erase(0);
    ordered_json slow = slowed(steady(document), 1.5);
    slow["cells"].push_back(other["cells"][0]);
    slow["cells"].back()["bytes"] = 8;
    ordered_json both = document;
    both["cells"].push_back(document["cells"][0]);
    both["cells"].back()["bytes"] = 8;
    write_text(folder.file("old.json"), both.dump());
    write_text(folder.file("new.json"), slow.dump());
    CHECK(executed(files + " --max-slowdown 1.05").exit_code == 1);  // a failure takes precedence
}

TEST_CASE("bench: cells that are missing pass no gate", "[cli][bench][negative]")
{
    const TemporaryFolder folder;
    const std::string old_file = folder.file("old.json");
    const std::string new_file = folder.file("new.json");
    const ordered_json document = steady(tiny_benchmark("--threads 1,2"));
    ordered_json less = document;
    less["cells"].erase(1);
    write_text(old_file, document.dump());
    write_text(new_file, less.dump());
    const std::string read = "bench --max-slowdown 1.05 --read ";
    const Outcome fewer = executed(read + new_file + " --against " + old_file);
    CHECK(fewer.exit_code == 1);
    CHECK(fewer.err == "dcube: --max-slowdown 1.05: not in the new benchmark: all-to-all, hypercube:1, 64 bytes, "
                       "2 threads\n");
    CHECK(executed(read + old_file + " --against " + new_file).exit_code == 0);
    check_refused("bench --min-efficiency 0.9 --read " + new_file,
                  "--min-efficiency needs cells with several numbers of threads");
}

TEST_CASE("bench: an unknown file's cells leave nothing to judge", "[cli][bench][negative]")
{
    const TemporaryFolder folder;
    const ordered_json document = tiny_benchmark("--threads 2");
    write_text(folder.file("a"), document.dump());
    check_refused("bench --read " + folder.file("a") + " --min-efficiency 0.5",
                  "--min-efficiency needs cells with several numbers of threads");
    ordered_json empty = document;
    empty["cells"] = ordered_json::array();
    write_text(folder.file("b"), empty.dump());
    check_refused("bench --read " + folder.file("b") + " --against " + folder.file("a") + " --max-slowdown 2",
                  "--max-slowdown needs cells that both benchmarks have");
}
