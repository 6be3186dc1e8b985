// Networks whose nodes or links differ, as a user gives them: by files of links, and by names.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <nlohmann/json.hpp>

#include <string>

using namespace dcube::test;
using nlohmann::ordered_json;

namespace {

const std::string on_ring = "run all-gather --topology ring:6 --bytes 64 --tau 1 --beta 100";

}  // namespace

TEST_CASE("link-file: links and switches stand in one file, or in several", "[cli][fabric]")
{
    const TemporaryFolder folder;
    write_text(folder.file("both"), "# a slow link, and a switch\n0 1 2 500\n\nswitch 5  // the last node\n");
    write_text(folder.file("link"), "1 0 2 500\n");
    write_text(folder.file("switch"), "switch 5\n");
    const ordered_json one = json_of(on_ring + " --link-file " + folder.file("both"));
    CHECK(one["topology"] == "ring:6 with 0-1:2:500,5");
    CHECK(one["nodes"] == 5);
    CHECK(one["algorithm"] == "earliest-arrival");
    CHECK(one["virtual_time_ns"] == one["predicted_time_ns"]);
    CHECK_FALSE(one["virtual_time_ns"] == json_of(on_ring)["virtual_time_ns"]);
    const ordered_json two =
        json_of(on_ring + " --link-file " + folder.file("link") + " --link-file " + folder.file("switch"));
    for (const char* const key : {"nodes", "algorithm", "virtual_time_ns", "transmissions"})
        CHECK(two[key] == one[key]);
    CHECK_THAT(executed("info --topology ring:6 --link-file " + folder.file("both")).out,
               Catch::Contains("1 of 6 links, of 1 kind"));
}

TEST_CASE("link-file: where every link has its times, tau and beta may be left out", "[cli][fabric]")
{
    const TemporaryFolder folder;
    write_text(folder.file("all"), "0 1 1 10\n1 2 3 20\n2 3 0.5 1e1\n");
    const ordered_json report =
        json_of("run send --topology path:4 --root 0 --peer 1 --bytes 7 --link-file " + folder.file("all"));
    CHECK(report["virtual_time_ns"] == 17);
    CHECK(report["tau_ns_per_byte"].is_null());
    check_refused("run send --topology path:5 --root 0 --peer 1 --link-file " + folder.file("all"),
                  "--tau is missing: the link-bound model needs --tau and --beta, or --machine");
}

TEST_CASE("link-file: a trace says its network itself, and agrees with the file", "[cli][fabric]")
{
    const TemporaryFolder folder;
    write_text(folder.file("links"), "0 1 2 500\nswitch 5\n");
    write_text(folder.file("others"), "0 1 2 501\nswitch 5\n");
    const std::string trace = folder.file("trace.jsonl");
    REQUIRE(executed(on_ring + " --link-file " + folder.file("links") + " --trace " + trace).exit_code == 0);
    for (const std::string& more : {std::string(), " --link-file " + folder.file("links")}) {
        CAPTURE(more);
        const Outcome verdict = executed("verify " + trace + more);
        CHECK(verdict.exit_code == 0);
        CHECK_THAT(verdict.out, Catch::Contains("accepted"));
    }
    check_refused("verify " + trace + " --link-file " + folder.file("others"), "contradicts the trace's header");
}

TEST_CASE("link-file: what a file cannot say is refused in one line", "[cli][fabric][negative]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("links");
    const auto refused = [&](const std::string& text, const std::string& complaint) {
        write_text(file, text);
        check_refused(on_ring + " --link-file " + file, "--link-file: " + complaint);
    };
    refused("0 1\n", file + ", line 1: the link between nodes 0 and 1 has no times");
    refused("0 2 2 500\n", "ring:6 with 0-2:2:500 has no link 0-2");
    refused("0 1 2 -5\n", file + ", line 1: '-5' is not possible");
    refused("0 1 2 5\n0 1 2 6\n", file + ", line 2: the edge between nodes 0 and 1 stands there twice");
    refused("switch 9\n", "ring:6 with 9 has no node 9, which is to be a switch");
    refused("0 1 2 5\nswitch x\n", file + ", line 2: 'x' is not a switch");
    refused("switch 1 1\n", "ring:6 with 1,1: node 1 is named as a switch twice");
    refused("switch 0 1 2 3 4\n", "ring:6 with 0,1,2,3,4 has 5 switches among 6 nodes");
    refused("\x01\x02\x03", file + ", line 1: an edge is two node numbers");
    write_text(folder.file("empty"), "");
    check_refused(on_ring + " --link-file " + folder.file("empty"), "is empty");
    check_refused(on_ring + " --link-file " + folder.file("none"), "cannot read");
    check_refused(on_ring + " --link unit --link-file " + folder.file("empty"), "is empty");
    write_text(folder.file("links"), "0 1 2 500\n");
    check_refused("run all-gather --topology ring:6 --link unit --link-file " + folder.file("links"),
                  "--link unit is not possible: links of ring:6 with 0-1:2:500 have times of their own, which differ");
}

TEST_CASE("presets of networks that differ: what they are, and a verified run", "[cli][fabric]")
{
    struct Preset {
        std::string name;
        unsigned nodes;
        std::string links;  // that are needed
        std::string info;
    };
    const std::string times = " --tau 0.1 --beta 500";
    for (const auto& [name, nodes, links, info] :
         {Preset{"dgx-1", 8, "", "16 of 16 links, of 2 kinds"}, Preset{"dgx-a100:1", 8, "", "8 of 8 links, of 1 kind"},
          Preset{"dgx-a100:2", 16, "", "32 of 32 links, of 2 kinds"},
          Preset{"fat-tree:4", 16, times, "switches       20"},
          Preset{"dragonfly:1,2,1", 6, times, "switches       6"}}) {
        CAPTURE(name);
        CHECK_THAT(executed("info --topology " + name).out, Catch::Contains(info));
        for (const std::string collective : {"all-gather", "all-to-all", "broadcast", "all-reduce"}) {
            CAPTURE(collective);
            const ordered_json report = json_of("run " + collective + " --topology " + name + " --bytes 1KiB" + links);
            CHECK(report["nodes"] == nodes);
            CHECK(report["verified"] == true);
            CHECK(report["virtual_time_ns"] == report["predicted_time_ns"]);
        }
        if (!links.empty())
            check_refused("run broadcast --topology " + name, "and there links must take time: give --tau and --beta");
        check_refused("run broadcast --topology " + name + links + " --ports one",
                      "--ports one is not possible on " + name +
                          ", whose nodes or links differ: all ports are allowed");
        check_refused("run barrier --topology " + name + links,
                      "barrier has no algorithm for " + name +
                          ", whose nodes or links differ: expected one of broadcast");
        check_refused("run matrix-transpose --rows 48 --columns 48 --topology " + name + links,
                      "matrix-transpose has no algorithm for " + name +
                          ", whose nodes or links differ: expected one of");
        check_refused("run all-gather --counts zipf:1:2 --topology " + name + links,
                      "--counts is not possible on " + name +
                          ": its nodes or links differ, and there messages have one");
    }
    check_refused("run broadcast --topology dgx-1 --algorithm pipelined",
                  "broadcast by pipelined is not possible here: it is for networks whose nodes and links are alike");
}
