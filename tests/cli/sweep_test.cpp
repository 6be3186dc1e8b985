// Several runs in one command: ranges and lists of dimensions, networks, sizes, packets, threads and algorithms.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace dcube::test;
using nlohmann::ordered_json;

namespace {

std::vector<std::size_t> sizes_of(const std::string& range)
{
    std::vector<std::size_t> sizes;
    for (const ordered_json& report : json_of("run broadcast --dim 1 --bytes " + range))
        sizes.push_back(report["bytes"]);
    return sizes;
}

}  // namespace

TEST_CASE("sweep: ranges have every value between their ends", "[cli]")
{
    CHECK(sizes_of("8:64:x2") == std::vector<std::size_t>{8, 16, 32, 64});
    CHECK(sizes_of("8:100:x3") == std::vector<std::size_t>{8, 24, 72});
    CHECK(sizes_of("64:200:+64") == std::vector<std::size_t>{64, 128, 192});
    CHECK(sizes_of("1KiB,5,8:16:+8") == std::vector<std::size_t>{1024, 5, 8, 16});
}

TEST_CASE("sweep: a JSON array and a CSV have a row for each combination, each complete in itself", "[cli]")
{
    const ordered_json reports = json_of("run all-to-all --dim 5:7 --bytes 8,16 --packets 1,2 --threads 1,2");
    CHECK(reports.size() == 3 * 2 * 2 * 2);
    std::set<std::string> rows;
    for (const ordered_json& report : reports) {
        CHECK(report["verified"] == true);
        for (const char* const key : {"version", "date", "cores", "ports", "link_model", "seed"})
            CHECK(report.contains(key));
        rows.insert(report["topology"].dump() + report["bytes"].dump() + report["packets"].dump() +
                    report["threads_asked"].dump());
    }
    CHECK(rows.size() == reports.size());
    const std::vector<std::string> csv = lines_of(executed("run all-to-all --dim 2:4 --format csv").out);
    REQUIRE(csv.size() == 4);
    CHECK(csv[0] == lines_of(executed("run scatter --dim 2 --format csv").out)[0]);
}

TEST_CASE("sweep: lists may have networks with commas in their names, and several algorithms", "[cli]")
{
    const ordered_json networks = json_of("run all-to-all --topology circulant:13,1,5,ring:5,torus:3x3");
    REQUIRE(networks.size() == 3);
    CHECK(networks[0]["topology"] == "circulant:13,1,5");
    CHECK(networks[1]["topology"] == "ring:5");
    const ordered_json algorithms = json_of("run all-to-all --dim 3 --algorithm optimal,dimension-exchange");
    REQUIRE(algorithms.size() == 2);
    CHECK(algorithms[1]["algorithm"] == "dimension-exchange");
    CHECK(algorithms[0]["result_digest"] == algorithms[1]["result_digest"]);
}

TEST_CASE("sweep: a range of one value gives one report", "[cli]")
{
    CHECK(json_of("run all-to-all --dim 3:3").is_object());
    CHECK(json_of("run all-to-all --dim 2:3 --dry-run").size() == 2);
    CHECK(json_of("run all-to-all --dim 2:3 --dry-run")[1]["steps"] == 4);
}

TEST_CASE("sweep: what cannot be done is left out in one line, unless it is all", "[cli][negative]")
{
    const Outcome some = executed("run all-to-all --topology ring:5 --algorithm auto,optimal --format json");
    CHECK(some.exit_code == 0);
    CHECK(ordered_json::parse(some.out).size() == 1);
    CHECK(std::ranges::count(some.err, '\n') == 1);
    CHECK_THAT(some.err, Catch::Contains("1 of 2 runs left out: ring:5, 1 packet of 64 bytes, algorithm optimal"));
    const Outcome none = executed("run all-to-all --dim 2:3 --algorithm frobnicate");
    CHECK(none.exit_code == 2);
    CHECK(none.out.empty());
    CHECK_THAT(none.err, Catch::Contains("all-to-all has no algorithm 'frobnicate'"));
}

TEST_CASE("sweep: reasons name options, also where all is left out", "[cli][negative]")
{
    const std::string complaint = "--halvings is not for exchange: leave it out, or give an --algorithm that has it";
    const std::string line = "run all-reduce --dim 2:3 --machine ncube3 --halvings 2 --dry-run --algorithm ";
    CHECK_THAT(executed(line + "halving-doubling,exchange").err,
               Catch::Contains("2 of 4 runs left out: ") && Catch::Contains(complaint));
    const Outcome none = executed(line + "exchange");
    CHECK(none.exit_code == 2);
    CHECK(none.err == fmt::format("dcube: {}\n", complaint));
}

TEST_CASE("sweep: compare says which algorithm is best on which network", "[cli][long]")
{
    const ordered_json compared = json_of("compare all-to-all --dim 2:3 --packets 1,2");
    CHECK(compared["best"].size() == 4);
    CHECK(!compared.contains("topology"));
    CHECK(compared["collective"] == "all-to-all");
    std::set<std::string> names;
    for (const ordered_json& row : compared["algorithms"])
        if (row["topology"] == "hypercube:2" && row["packets"] == 1)
            CHECK(names.insert(row["algorithm"]).second);  // no algorithm twice
    const Outcome text = executed("compare all-to-all --dim 2:3 --packets 1,2");
    CHECK_THAT(text.out, Catch::Contains("is best on hypercube:3 with 2 packets of 64 bytes"));
    CHECK(std::ranges::count(text.err, '\n') <= 1);
}

TEST_CASE("sweep: rows say how many threads were asked for and used, and on what they were pinned", "[cli][tbb]")
{
    const std::string line = "run all-to-all --dim 4 --threads 1,512 --pin none,compact";  // 16 nodes occupy one
    const ordered_json reports = json_of(line);
    REQUIRE(reports.size() == 4);
    CHECK(reports[1]["threads"] == 1);
    CHECK(reports[1]["threads_asked"] == 512);
    CHECK(reports[2]["pin"] == "compact");
    CHECK_THAT(executed(line).out, Catch::Contains("1 of 512") && Catch::Contains("compact"));
    CHECK(json_of("run all-to-all --dim 2")["threads_asked"].is_null());
    CHECK_THAT(executed("run all-to-all --dim 4 --threads 512").out, Catch::Contains("1 thread (512 asked for)"));
    CHECK_THAT(executed("compare all-to-all --dim 4 --threads 512").out,
               Catch::Contains("threads: 1 of the 512 that were asked for"));
}

TEST_CASE("sweep: a time is warm, or said to be cold", "[cli]")
{
    const ordered_json warm = json_of("run all-to-all --dim 2");
    CHECK(warm["repeat"] == 1);
    CHECK(json_of("run all-to-all --dim 2 --repeat 3")["warm_runs"] == 0);
    CHECK_THAT(executed("run all-to-all --dim 2 --repeat 1").out, Catch::Contains("(cold, one run)"));
    CHECK_THAT(executed("run all-to-all --dim 2 --repeat 3").out, Catch::Contains("(median of 3 runs)"));
    CHECK_THAT(executed("run all-to-all --dim 2,3 --repeat 1").out, Catch::Contains("cold "));
}
