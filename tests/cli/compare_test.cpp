// dcube compare.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <dcube/catalogue.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <set>
#include <string>
#include <vector>

using namespace dcube;
using namespace dcube::test;
using nlohmann::ordered_json;

TEST_CASE("compare: messages are cut as auto cuts them, whatever the network and the collective", "[cli][long]")
{
    for (const char* const line :
         {"broadcast --topology ring:9 --bytes 5000", "permute --topology torus:3x3 --bytes 900 --permutation random",
          "permute --dim 3 --bytes 5 --permutation shuffle", "reduce --topology mesh:2x3 --bytes 400",
          "exchange --topology petersen --peer 3 --bytes 700", "all-reduce --topology torus:3x3 --bytes 3600",
          "broadcast --dim 4 --bytes 187"}) {
        const std::string on_links = std::string(line) + " --tau 1 --beta 7";
        const ordered_json rows = json_of("compare " + on_links)["algorithms"];
        const ordered_json chosen = json_of("run " + on_links);
        CAPTURE(line);
        CHECK(rows[0]["virtual_time_ns"] == chosen["virtual_time_ns"]);
        for (const ordered_json& row : rows)
            if (row["algorithm"] == chosen["algorithm"])
                for (const char* const key : {"virtual_time_ns", "transmissions", "steps", "cut_packets"})
                    CHECK(row[key] == chosen[key]);
    }
}

TEST_CASE("compare: every possible algorithm is listed, the best first", "[cli]")
{
    const ordered_json compared = json_of("compare broadcast --dim 4 --bytes 192 --tau 3 --beta 100");
    std::set<std::string> names;
    double before = 0;
    for (const ordered_json& row : compared["algorithms"]) {
        names.insert(row["algorithm"]);
        CHECK(row["virtual_time_ns"].get<double>() >= before);
        before = row["virtual_time_ns"];
        CHECK(row["ratio_to_bound"].get<double>() == before / 412);
    }
    const Topology cube = Topology::hypercube(4);
    Problem problem{Collective::broadcast, 192};
    problem.link = {LinkKind::link_bound, {3, 1}, {100, 1}};
    std::set<std::string> possible;
    for (const Entry& algorithm : catalogue())
        if (algorithm.collective == problem.collective && !leaves_ports_idle(algorithm, cube, PortModel::all) &&
            obstacle_of(algorithm, cube, PortModel::all, problem).empty())
            possible.insert((algorithm.link == LinkKind::unit ? "unit:" : "") + std::string(algorithm.name));
    CHECK(names == possible);
    CHECK(compared["algorithms"].back()["algorithm"] == "unit:independent-trees");  // it sends everything four times
    CHECK(compared["algorithms"].back()["virtual_time_ns"] == 3380);
    CHECK(compared["best"].size() == 1);

    const std::string text = executed("compare broadcast --dim 4 --bytes 192 --tau 3 --beta 100").out;
    for (const std::string& line : lines_of(text))
        CHECK(line.size() <= 80);
    CHECK_THAT(text, Catch::Contains("recursive-doubling            2 704"));
    const std::vector<std::string> csv =
        lines_of(executed("compare broadcast --dim 4 --bytes 192 --tau 3 --beta 100 --format csv").out);
    CHECK(csv.size() == compared["algorithms"].size() + 1);
    CHECK(csv[0].starts_with("schema,collective,algorithm,paper,"));
}

TEST_CASE("compare: for several sizes it says which algorithm is best from which size on", "[cli][long]")
{
    const ordered_json compared = json_of("compare send --dim 5 --peer 3 --bytes 4:256KiB:x8 --tau 1 --beta 100");
    std::set<std::size_t> sizes;
    for (const ordered_json& row : compared["algorithms"])
        sizes.insert(row["bytes"].get<std::size_t>());
    CHECK(sizes == std::set<std::size_t>{4, 32, 256, 2048, 16384, 131072});
    const ordered_json& best = compared["best"];
    CHECK(best.size() >= 2);
    CHECK(best.front()["from_bytes"] == 4);
    CHECK(best.back()["to_bytes"] == 131072);
    const std::string text = executed("compare send --dim 5 --peer 3 --bytes 4:256KiB:x8 --tau 1 --beta 100").out;
    CHECK_THAT(text, Catch::Contains("is best at 4 bytes"));
    check_refused("compare send --dim 5 --peer 3 --bytes 4:2:x8 --tau 1 --beta 100", "it ends before it begins");
    check_refused("compare send --dim 5 --peer 3 --bytes 4:20:8 --tau 1 --beta 100",
                  "is not a range: expected e.g. 1KiB:16MiB:x4 or 64:256:+64");
    check_refused("compare send --dim 5 --peer 3 --bytes 4:20:x1 --tau 1 --beta 100",
                  "is not a range: expected e.g. 1KiB:16MiB:x4 or 64:256:+64");
}

TEST_CASE("compare: an algorithm that has no memory for one size is left out at that size", "[cli]")
{
    // 8 bytes, and 1 TiB.
    const std::string line = "compare broadcast --dim 4 --bytes 8:1TiB:x137438953472 --tau 1 --beta 5";
    const ordered_json compared = json_of(line);
    REQUIRE(!compared["algorithms"].empty());
    std::size_t best = 0;
    for (const ordered_json& row : compared["algorithms"]) {
        CHECK(row["bytes"] == 8);
        best += row["best"] == true;
    }
    CHECK(best == 1);
    CHECK(compared["left_out"].size() == compared["algorithms"].size());
    for (const ordered_json& one : compared["left_out"]) {
        CHECK(one["from_bytes"] == std::size_t{1} << 40);
        CHECK_THAT(one["reason"].get<std::string>(), Catch::Contains(" TiB) of memory"));
    }
    const Outcome text = executed(line);
    CHECK(text.exit_code == 0);
    CHECK_THAT(text.err, Catch::Contains("rotated on hypercube:4 at 1 TiB"));
    check_refused("compare broadcast --dim 4 --bytes 1TiB --tau 1 --beta 5", "dcube: no algorithm can do this");
    check_refused("compare all-to-all --dim 4 --bytes 1TiB --algorithm optimal",
                  "dcube: --algorithm: no algorithm can do this");
}

TEST_CASE("compare: algorithms that were made for other links are explained where one is shown", "[cli]")
{
    const auto text = [](const std::string& rest) {
        return executed("compare broadcast --machine ncube3 " + rest).out;
    };
    const auto explained = Catch::Contains("unit:NAME is an algorithm that was made for links");
    CHECK_THAT(text("--dim 2 --algorithm rotated,unit:pipelined"), explained);
    CHECK_THAT(text("--dim 2 --algorithm rotated"), !explained);
    CHECK_THAT(text("--dim 2,3 --algorithm rotated,unit:independent-trees"), !explained);  // which is never the best
    CHECK_THAT(text("--dim 2,3 --algorithm unit:pipelined"), explained);
}

TEST_CASE("compare: in the unit model algorithms are compared by steps", "[cli][long]")
{
    const ordered_json compared = json_of("compare all-to-all --dim 4 --bytes 8");
    CHECK(compared["algorithms"].front()["steps"] == 8);
    CHECK(compared["algorithms"].front()["virtual_time_ns"].is_null());
    CHECK_THAT(executed("compare all-to-all --dim 4 --bytes 8").out, Catch::Contains("dimension-exchange"));
    const std::string sizes = executed("compare all-to-all --dim 4 --bytes 8:32:x4").out;
    CHECK_THAT(sizes, Catch::Contains("steps  lower bound  ratio") && Catch::Contains("8            8  1.000"));
    CHECK_THAT(sizes, Catch::Contains("is best at 8 bytes to 32 bytes"));
}

TEST_CASE("compare: an algorithm has one name in run, compare, traces and on the command line", "[cli]")
{
    const TemporaryFolder folder;
    const std::string what = "exchange --topology star:4 --tau 3 --beta 50 --bytes 968 --root 10 --peer 12";
    const std::string chosen = json_of("run " + what + " --trace " + folder.file("t"))["algorithm"];
    CHECK(chosen == "unit:quickest-flow");
    CHECK(json_of("run " + what + " --algorithm " + chosen)["algorithm"] == chosen);
    CHECK(json_of("run " + what + " --dry-run")["algorithm"] == chosen);
    CHECK_THAT(read_text(folder.file("t")), Catch::Contains("\"algorithm\":\"unit:quickest-flow\""));
    const ordered_json compared = json_of("compare " + what);
    const auto& rows = compared["algorithms"];
    CHECK(std::count_if(rows.begin(), rows.end(), [&](const auto& one) { return one["algorithm"] == chosen; }) == 1);
    CHECK(json_of("run broadcast --dim 3 --algorithm unit:pipelined")["algorithm"] == "pipelined");
}
