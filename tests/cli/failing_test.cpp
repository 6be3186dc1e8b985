// Links and nodes that fail while a program runs, as a user sees them.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <nlohmann/json.hpp>

#include <string>

using namespace dcube::test;
using nlohmann::ordered_json;

namespace {

const std::string failing_broadcast = "run broadcast --dim 3 --bytes 8 --packets 2 ";

// The line `number`, counted from 1, with `from` replaced by `to`.
std::string with_line_changed(const std::string& text, std::size_t number, const std::string& from,
                              const std::string& to)
{
    std::size_t begin = 0;
    for (std::size_t line = 1; line < number; ++line)
        begin = text.find('\n', begin) + 1;
    const std::size_t at = text.find(from, begin);
    REQUIRE(at < text.find('\n', begin));
    return std::string(text).replace(at, from.size(), to);
}

std::size_t count_of(const std::string& text, const std::string& what)
{
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
        ++count;
    return count;
}

// Verifies a trace that is rejected, and returns the message.
std::string rejection(const TemporaryFolder& folder, const std::string& trace)
{
    write_text(folder.file("changed"), trace);
    const Outcome outcome = executed("verify " + folder.file("changed"));
    CHECK(outcome.exit_code == 1);
    return outcome.err;
}

}  // namespace

TEST_CASE("failing links: a broadcast that loses a packet exits with 1 and names the packet", "[cli][negative]")
{
    const Outcome outcome = executed(failing_broadcast + "--fail-link 0-1@2 --threads 2");
    CHECK(outcome.exit_code == 1);
    CHECK(outcome.out.empty());
    CHECK(outcome.err ==
          "dcube: packet-lost in step 2 at node 0, port 0: the packet of 8 bytes to node 1 was lost: link "
          "0-1 fails from step 2 on\n");
}

TEST_CASE("failing links: independent-trees delivers, and the report says what failed and was lost", "[cli]")
{
    const std::string line = failing_broadcast + "--algorithm independent-trees --fail-link 0-1@1 --fail-node 6@2";
    const ordered_json report = json_of(line);
    CHECK(report["verified"] == true);
    CHECK(report["blocks_verified"] == 7);
    CHECK(report["packets_lost"] > 2);
    CHECK(report["failing"] == ordered_json({"0-1@1", "6@2"}));
    CHECK(report["steps"] == 5);
    const Outcome text = executed(line);
    CHECK(text.exit_code == 0);
    CHECK_THAT(text.out, Catch::Contains("packets, the first in step 1 from node 0 to node 1: link 0-1"));
    CHECK_THAT(text.out, Catch::Contains("7 blocks, every byte, except on the failed node"));
    CHECK_THAT(executed(failing_broadcast).out, !Catch::Contains("lost"));
    const ordered_json plain = json_of(failing_broadcast);
    CHECK(plain["packets_lost"] == 0);
    CHECK(plain["failing"].is_null());
    // Several of each; what fails after the run has not failed.
    const ordered_json late =
        json_of(failing_broadcast + "--algorithm independent-trees --fail-node 6@6 --fail-node 5@9 "
                                    "--fail-link 0-1@6 --fail-link 2-3@7");
    CHECK(late["packets_lost"] == 0);
    CHECK(late["blocks_verified"] == 8);
    CHECK(late["failing"].size() == 4);
    CHECK(json_of("run broadcast --topology torus:4x4 --algorithm spread --fail-link 0-1@99")["verified"] == true);
}

TEST_CASE("failing links: a trace with lost packets is judged with them", "[cli]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("trace");
    for (const char* const links : {"", "--tau 1 --beta 10 ", "--tau 1 --beta 10 --clock lockstep "}) {
        CAPTURE(links);
        const std::string line =
            failing_broadcast + "--algorithm independent-trees --fail-link 0-1@1 --fail-node 6@2 " + links;
        const ordered_json report = json_of(line + "--trace " + file);
        const ordered_json verdict = json_of("verify " + file);
        CHECK(verdict["accepted"] == true);
        CHECK(verdict["packets_lost"] == report["packets_lost"]);
        CHECK(verdict["failing"] == report["failing"]);
        CHECK(verdict["redundant"] == true);
        CHECK(verdict["transmissions"] == report["transmissions"]);
        CHECK(verdict["steps"] == report["steps"]);
        CHECK(verdict["virtual_time_ns"] == report["virtual_time_ns"]);
        CHECK(count_of(read_text(file), R"(,"lost":true})") == report["packets_lost"]);
    }
    CHECK_THAT(executed("verify " + file).out, Catch::Contains("lost"));
    CHECK(executed("run broadcast --dim 2 --algorithm independent-trees --trace " + file).exit_code == 0);
    CHECK_THAT(executed("verify " + file).out, !Catch::Contains("lost"));
}

TEST_CASE("failing links: a trace that contradicts the losses is rejected", "[cli][negative]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("trace");
    CHECK(executed("run broadcast --dim 2 --bytes 8 --algorithm independent-trees --fail-link 0-1@1 --trace " + file)
              .exit_code == 0);
    const std::string trace = read_text(file);
    // Line 2 is node 0's packet to node 1, which is lost; line 3 the one to node 2, which is not.
    CHECK_THAT(
        rejection(folder, with_line_changed(trace, 2, R"(,"lost":true)", "")),
        Catch::Contains("line 2: the packet from node 0 to node 1 is not marked as lost, but link 0-1 fails from "
                        "step 1 on"));
    CHECK_THAT(rejection(folder, with_line_changed(trace, 2, R"("lost":true)", R"("lost":false)")),
               Catch::Contains("line 2: the packet from node 0 to node 1 is not marked as lost"));
    CHECK_THAT(rejection(folder, with_line_changed(trace, 3, "}]}", R"(}],"lost":true})")),
               Catch::Contains("node 2 sends byte 0 of"));
    CHECK_THAT(rejection(folder, with_line_changed(trace, 2, R"("lost":true)", R"("lost":1)")),
               Catch::Contains(R"("lost" is a number: true, false or null is allowed)"));
    CHECK_THAT(rejection(folder, with_line_changed(trace, 2, R"("lost":true)", R"("lost":true,"lost":true)")),
               Catch::Contains(R"("lost" stands there twice)"));
    CHECK_THAT(rejection(folder, with_line_changed(trace, 1, R"("redundant":true)", R"("redundant":false)")),
               Catch::Contains("twice"));
    CHECK_THAT(rejection(folder, with_line_changed(trace, 1, R"("redundant":true)", R"("redundant":3)")),
               Catch::Contains(R"(the header has "redundant": 3: true or false is allowed)"));
    CHECK_THAT(rejection(folder, with_line_changed(trace, 1, R"(["0-1@1"])", R"(["0-3@1"])")),
               Catch::Contains(R"(the header has "failing": link 0-3 cannot fail)"));
    CHECK_THAT(rejection(folder, with_line_changed(trace, 1, R"(["0-1@1"])", R"([7])")),
               Catch::Contains(R"(the header has "failing" that is not a list of texts)"));
    CHECK_THAT(rejection(folder, with_line_changed(trace, 1, R"(["0-1@1"])", R"(["x@1"])")),
               Catch::Contains("'x@1' is not a failing node"));
    // A lost packet's sender must hold it, and a link carries one packet per step, lost or not.
    const std::string header = R"({"dcube_trace":1,"collective":"broadcast","topology":"hypercube:1","bytes":8})";
    const std::string piece = R"("bytes":8,"pieces":[{"origin":0,"target":null,"offset":0,"length":8}])";
    const std::string there = R"({"step":1,"from":0,"to":1,"port":0,)" + piece;
    CHECK_THAT(rejection(folder, header + "\n" + R"({"step":1,"from":1,"to":0,"port":0,)" + piece + R"(,"lost":true})"),
               Catch::Contains("node 1 sends byte 0 of"));
    CHECK_THAT(rejection(folder, header + "\n" + there + R"(,"lost":true})" + "\n" + there + "}\n"),
               Catch::Contains("a second packet from node 0 over port 0 in step 1"));
    CHECK_THAT(rejection(folder, header + "\n" + there + R"(,"lost":true})"),
               Catch::Contains("node 1 never received byte 0"));
}

TEST_CASE("failing links: a trace in which a node that did not fail lacks something is rejected", "[cli][negative]")
{
    const TemporaryFolder folder;
    const std::string header =
        R"({"dcube_trace":1,"collective":"broadcast","topology":"path:3","bytes":8,"failing":["2@1"]})";
    const std::string line = R"({"step":1,"from":0,"to":1,"port":0,"bytes":8,"pieces":[{"origin":0,"target":null,)"
                             R"("offset":0,"length":8}]})";
    write_text(folder.file("trace"), header + "\n" + line + "\n");
    CHECK(executed("verify " + folder.file("trace")).exit_code == 0);
    CHECK_THAT(rejection(folder, with_line_changed(header + "\n" + line + "\n", 1, "2@1", "2@2")),
               Catch::Contains("node 2 never received byte 0"));
    CHECK_THAT(rejection(folder, with_line_changed(header + "\n" + line + "\n", 1, "2@1", "1-2@1")),
               Catch::Contains("node 2 never received byte 0"));
}

TEST_CASE("failing links: a schedule that is still to be run must not contain lost packets", "[cli][negative]")
{
    const TemporaryFolder folder;
    write_text(folder.file("schedule"),
               R"({"dcube_trace":1,"collective":"broadcast","topology":"hypercube:1","bytes":8})"
               "\n"
               R"({"step":1,"from":0,"to":1,"pieces":[{}],"lost":true})"
               "\n");
    const Outcome outcome = executed("replay " + folder.file("schedule"));
    CHECK(outcome.exit_code == 1);
    CHECK_THAT(outcome.err,
               Catch::Contains("line 2: \"lost\" is true: no packet of a schedule that is still to be run"));
}

TEST_CASE("failing links: the table of a trace says which packets are lost", "[cli]")
{
    const std::string out =
        executed("run broadcast --dim 2 --algorithm independent-trees --fail-link 0-1@1 --trace-format table").out;
    CHECK_THAT(out, Catch::Contains("     1      0      1     0        64  0>  lost\n"));
    CHECK(count_of(out, "  lost\n") == 1);
}

TEST_CASE("failing links: links and nodes that cannot fail are refused in one line", "[cli][negative]")
{
    const std::string link = " is not a failing link: expected two neighbours and a step, e.g. 5-7@2";
    const std::string node = " is not a failing node: expected a node and a step, e.g. 5@2";
    for (const char* const text : {"0", "0-1", "0-1@", "@1", "0@1", "0-@1", "-1@1", "0-1@x", "0-1-2@1", "0-1@1@2",
                                   "a-b@1", "0-1@1,0-2@1", "0-1@4294967296"})
        check_refused(failing_broadcast + "--fail-link " + text, "--fail-link: '" + std::string(text) + "'" + link);
    for (const char* const text : {"5", "5@", "@1", "5@x", "0-1@1", "5@1@2", "5@1,6@1", "4294967296@1"})
        check_refused(failing_broadcast + "--fail-node " + text, "--fail-node: '" + std::string(text) + "'" + node);
    check_refused(failing_broadcast + "--fail-link 0-1@0",
                  "--fail-link: '0-1@0' fails from step 0 on: steps begin at 1");
    check_refused(failing_broadcast + "--fail-node 1@0", "--fail-node: '1@0' fails from step 0 on: steps begin at 1");
    check_refused(failing_broadcast + "--fail-link 1-1@1", "its ends must be two nodes");
    check_refused(failing_broadcast + "--fail-link 0-3@1",
                  "link 0-3 cannot fail: hypercube:3 has none, node 0 is linked to 1, 2, 4");
    check_refused(failing_broadcast + "--fail-link 0-8@1", "node 8 cannot fail: hypercube:3 has nodes 0 to 7");
    check_refused(failing_broadcast + "--fail-node 8@1", "node 8 cannot fail: hypercube:3 has nodes 0 to 7");
    check_refused(failing_broadcast + "--fail-link", "--fail-link needs a value");
    check_refused(failing_broadcast + "--fail-link --threads 2", "--fail-link needs a value");
    check_refused(failing_broadcast + "--fail-link 0-1@1 --dry-run",
                  "--fail-link and --dry-run cannot be used together");
    check_refused(failing_broadcast + "--fail-node 1@1 --dry-run", "--fail-node and --dry-run cannot be used together");
    check_refused("run broadcast --dim 3,4 --fail-node 9@1", "node 9 cannot fail: hypercube:3 has nodes 0 to 7");
    check_refused("run broadcast --topology mesh:2x3 --fail-link 0-4@1",
                  "link 0-4 cannot fail: mesh:2x3 has none, node 0 is linked to 1, 3");
    check_refused("bench broadcast --dim 3 --fail-link 0-1@1", "'--fail-link' is not an option of bench");
}
