// Machines whose links take time, as a user sees them.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <dcube/catalogue.hpp>

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <string>

using namespace dcube::test;
using nlohmann::ordered_json;

TEST_CASE("link-bound: a report has measured, predicted and least time", "[cli]")
{
    const ordered_json report =
        json_of("run broadcast --dim 4 --bytes 192 --tau 3 --beta 100 --groups 2 --algorithm B4");
    CHECK(report["link_model"] == "link-bound");
    CHECK(report["tau_ns_per_byte"] == 3);
    CHECK(report["virtual_time_ns"] == 860);
    CHECK(report["predicted_time_ns"] == 860);
    CHECK(report["time_lower_bound_ns"] == 412);
    CHECK(report["clock"] == "data-driven");
    CHECK(report["steps_lower_bound"].is_null());
    CHECK(json_of("run broadcast --dim 1 --bytes 1 --tau 5/2 --beta 0.25")["virtual_time_ns"] == "11/4");
    CHECK(json_of("run broadcast --dim 2 --bytes 10 --machine infiniband-hdr")["tau_ns_per_byte"] == "4/95");
    CHECK(json_of("run broadcast --dim 2 --bytes 10 --machine ncube3 --beta 5")["beta_ns"] == 5);
    CHECK(json_of("run broadcast --dim 2 --bytes 10 --tau 1 --beta 5 --clock lockstep")["clock"] == "lockstep");
    const Outcome text = executed("run broadcast --dim 4 --bytes 192 --tau 3 --beta 100 --groups 2 --algorithm B4");
    CHECK_THAT(text.out, Catch::Contains("860 ns (8.6 beta), as predicted"));
    CHECK_THAT(text.out, Catch::Contains("412 ns, 2.087 times the bound"));
}

TEST_CASE("link-bound: algorithms of the unit model run on link-bound machines too", "[cli]")
{
    // N/2 steps of one packet each, one after the other on every link.
    const ordered_json report = json_of("run all-to-all --dim 4 --bytes 10 --tau 2 --beta 30 --algorithm optimal");
    CHECK(report["virtual_time_ns"] == 8 * (2 * 10 + 30));
    CHECK(report["predicted_time_ns"] == 8 * (2 * 10 + 30));
    CHECK(
        json_of(
            "run broadcast --dim 4 --bytes 10 --tau 2 --beta 30 --algorithm unit:pipelined-trees")["virtual_time_ns"] ==
        4 * (2 * 10 + 30));
}

TEST_CASE("link-bound: a wrong command line is refused in one line", "[cli][negative]")
{
    const TemporaryFolder folder;
    write_text(folder.file("twice"), "0 1 2 2\n");
    write_text(folder.file("short"), "0 1 2 # 3\n");
    check_refused("run broadcast --dim 3 --tau -1 --beta 2", "--tau '-1' is not possible");
    check_refused("run broadcast --dim 3 --tau 1/0 --beta 2", "--tau '1/0' is not possible");
    check_refused("run broadcast --dim 3 --tau 1 --beta -2", "--beta '-2' is not possible");
    check_refused("run broadcast --dim 3 --tau 1", "needs --tau and --beta");
    check_refused("run broadcast --dim 3 --link link-bound", "needs --tau and --beta");
    check_refused("run broadcast --dim 3 --link unit --beta 1",
                  "--beta is for the link-bound model: it cannot be combined with --link unit");
    check_refused("run broadcast --dim 3 --clock lockstep",
                  "--clock is for the link-bound model: give --tau and --beta, or --machine");
    check_refused("run broadcast --dim 3 --machine cray",
                  "'cray' is not a machine: did you mean cray-xc50? Expected one of ncube3");
    check_refused("run broadcast --dim 3 --machine ncube2",
                  "the machine ncube2 was removed: no source of its numbers could be read; give --tau and --beta, or");
    check_refused("run broadcast --dim 3 --tau 1 --beta 1 --duplex half",
                  "--duplex half is for one port: give --ports one");
    check_refused("run broadcast --dim 3 --ports one --duplex half",
                  "--duplex is for the link-bound model: give --tau and --beta, or --machine");
    check_refused("run broadcast --dim 3 --tau 1 --beta 1 --ports one --duplex both", "'both' is not a duplex");
    check_refused("run all-gather --topology mesh:3x3 --tau 1 --beta 1 --ports one --duplex half",
                  "its nodes send and receive in the same step, which half duplex does not allow");
    check_refused("run broadcast --dim 3 --tau 1 --beta 1 --ports one --algorithm pipelined",
                  "it uses all ports of a node at once");
    check_refused("run broadcast --dim 3 --tau 1 --beta 1 --groups 0", "--groups 0 is too small");
    check_refused("run scatter --dim 4 --tau 1 --beta 1 --waves 43|1 --algorithm waves",
                  "--waves: '43|1' is not a wave plan");
    check_refused("run all-reduce --dim 3 --tau 1 --beta 1 --halvings 4", "--halvings 4 is too large");
    check_refused("run broadcast --dim 3 --bytes 1G --tau 9000000000000000000 --beta 1",
                  "or a smaller --tau and --beta, do");
    check_refused("run send --dim 3 --tau 1 --beta 1", "--peer is missing");
    check_refused("run send --dim 3 --peer 0 --tau 1 --beta 1", "both ends are node 0");
    check_refused("run send --dim 3 --peer 8 --tau 1 --beta 1", "--peer 8 is too large");
    check_refused("run permute --dim 2 --tau 1 --beta 1", "--permutation is missing");
    check_refused("run permute --dim 2 --permutation cycle --tau 1 --beta 1", "cycle");
    check_refused("run permute --dim 3 --permutation transpose --tau 1 --beta 1", "transpose");
    check_refused("run permute --dim 2 --permutation @" + folder.file("twice") + " --tau 1 --beta 1", "twice");
    check_refused("run permute --dim 2 --permutation @" + folder.file("short") + " --tau 1 --beta 1", "3");
    check_refused("run permute --dim 2 --permutation @" + folder.file("none") + " --tau 1 --beta 1", "cannot read");
    check_refused("run matrix-transpose --dim 2 --tau 1 --beta 1",
                  "--rows is missing: a matrix has --rows and --columns");
    check_refused("run matrix-transpose --dim 2 --rows 6 --columns 8 --tau 1 --beta 1", "a multiple of 4 rows");
    check_refused("run matrix-transpose --dim 3 --rows 8 --columns 8 --layout submatrices --tau 1 --beta 1", "even");
    check_refused("run matrix-transpose --dim 2 --rows 8 --columns 8 --bytes 4 --tau 1 --beta 1",
                  "--bytes does not apply");
    check_refused("run broadcast --dim 2 --rows 8 --tau 1 --beta 1", "--rows does not apply to broadcast");
    check_refused("run matrix-relayout --dim 2 --rows 8 --columns 8 --layout submatrices --tau 1 --beta 1",
                  "submatrices");
}

TEST_CASE("link-bound: tuning without links that take time is refused, not ignored", "[cli][negative]")
{
    check_refused("run broadcast --dim 3 --groups 2", "--groups is for the link-bound model");
    check_refused("run send --dim 3 --peer 5 --detour-groups 2", "--detour-groups is for the link-bound model");
    check_refused("run scatter --dim 3 --waves 3|2|1", "--waves is for the link-bound model");
    check_refused("compare all-reduce --dim 3 --halvings 1", "--halvings is for the link-bound model");
    check_refused("run broadcast --dim 3 --tau 1 --beta 1 --groups 2147483649", "1 to 2147483648 are allowed");
}

TEST_CASE("link-bound: machines name their source, and reports name the machine", "[cli]")
{
    const std::string machines = executed("list machines").out;
    CHECK_THAT(machines,
               Catch::Contains("infiniband-hdr: tau 0.0421 ns (4/95), beta 1200 ns\n    Microsoft, HBv2-series"));
    const ordered_json list = ordered_json::parse(executed("list machines --format json").out);
    CHECK(list[4]["tau_ns_per_byte"] == 2);
    for (const ordered_json& machine : list) {  // the quoted source, and how tau follows from it
        const auto source = machine["source"].get<std::string>();
        CAPTURE(source);
        CHECK_THAT(source, Catch::Contains("tau = "));
        CHECK(source.find('/') < source.find("tau = "));  // an address
        CHECK(source.find("memory") == std::string::npos);
    }
    CHECK(lines_of(executed("list machines --format csv").out).size() == list.size() + 1);
    CHECK(lines_of(executed("list machines --format markdown").out).size() == list.size() + 2);
    for (const char* const command : {"run", "verify", "compare", "histogram"})
        CHECK(executed(fmt::format("{} --help", command)).out.find("Microsoft") == std::string::npos);
    CHECK_THAT(executed("run broadcast --dim 2 --machine ncube3 --verbose").out, Catch::Contains("ncube3: tau 20 ns"));
    CHECK(executed("run broadcast --dim 2 --machine ncube3 --beta 7 --verbose").out.find("ncube3") ==
          std::string::npos);
}

TEST_CASE("link-bound: a forecast has the time of the run, and no figure that it cannot know", "[cli]")
{
    const std::string line = "run broadcast --dim 4 --bytes 192 --tau 3 --beta 100 --algorithm ";
    const std::string in_groups = line + "B4 --groups 2";
    const ordered_json pipelined = json_of(in_groups + " --dry-run");
    CHECK(pipelined["predicted_time_ns"] == json_of(in_groups)["virtual_time_ns"]);
    CHECK(pipelined["transmissions"] == json_of(in_groups)["transmissions"]);
    CHECK(pipelined["steps_lower_bound"].is_null());
    CHECK(pipelined["link_bytes"].is_null());
    CHECK(pipelined["predicted_seconds"].is_null());
    const std::string text = executed(in_groups + " --dry-run --verbose").out;
    CHECK_THAT(text, Catch::Contains("860 ns (8.6 beta)"));
    CHECK(text.find("link bytes") == std::string::npos);

    // Algorithms of the unit model keep the given size of packets.
    const ordered_json foreign = json_of(line + "unit:pipelined-trees --dry-run");
    CHECK(foreign["predicted_time_ns"] == 4 * (3 * 192 + 100));
    CHECK(foreign["prediction_is_exact"] == true);
    CHECK(foreign["link_bytes"] == 15 * 192);
    CHECK(foreign["predicted_seconds"].get<double>() > 0);
}

TEST_CASE("link-bound: run, compare, traces and verdicts say how messages were cut", "[cli]")
{
    const std::string line = "broadcast --topology ring:9 --bytes 5000 --tau 1 --beta 10 --algorithm unit:spread";
    const ordered_json run = json_of("run " + line);
    const auto packets = run["cut_packets"].get<std::size_t>();
    const auto bytes = run["cut_packet_bytes"].get<std::size_t>();
    REQUIRE(packets > 1);
    CHECK(run["packets"] == 1);
    CHECK(run["link_bytes"] == 8 * 5000);
    CHECK(run["planning_seconds"].get<double>() > 0);
    const ordered_json forecast = json_of("run " + line + " --dry-run");
    for (const char* const key : {"cut_packets", "cut_packet_bytes", "link_bytes", "transmissions", "steps"})
        CHECK(forecast[key] == run[key]);
    const std::string words = fmt::format("{} packets of {} bytes", packets, bytes);
    for (const char* const more : {"", " --dry-run"})
        CHECK_THAT(executed("run " + line + more).out, Catch::Contains("each as " + words));
    CHECK_THAT(executed("explain spread --collective broadcast --topology ring:9 --bytes 5000 --tau 1 --beta 10").out,
               Catch::Contains("every message goes as " + words));
    const std::string uneven = "scatter --topology torus:3x3 --counts 1,0,4,2,0,1,1,2,3 --bytes 64 --tau 1 --beta 10";
    CHECK(json_of("run " + uneven + " --ports one")["cut_packet_bytes"] == 256);
    CHECK_THAT(executed("run " + uneven + " --ports one --explain").out,
               Catch::Contains("the longest message goes as 1 packet of 256 bytes:"));
    // The number of packets that the caller gives is not changed.
    CHECK(json_of("run " + line + " --packets 2")["cut_packets"].is_null());
    CHECK(json_of("run broadcast --topology ring:9")["cut_packets"].is_null());
}

TEST_CASE("link-bound: records of a matrix have its sides, and no bytes of a packet", "[cli]")
{
    for (const char* const line : {"run matrix-transpose --dim 2 --rows 8 --columns 4 --tau 1 --beta 5 --dry-run",
                                   "compare matrix-transpose --dim 2 --rows 8 --columns 4 --tau 1 --beta 5"}) {
        const ordered_json record = json_of(line);
        CHECK(record["rows"] == 8);
        CHECK(record["columns"] == 4);
        CHECK(record["layout"] == "rows-blocked");
        CHECK(record["clock"] == "data-driven");
        CHECK(record["packets"].is_null());
    }
    const ordered_json compared = json_of("compare matrix-transpose --dim 2 --rows 8 --columns 4 --tau 1 --beta 5");
    CHECK(compared["algorithms"].front()["bytes"].is_null());
    CHECK(json_of("run broadcast --dim 2 --bytes 9 --dry-run")["bytes"] == 9);
}

TEST_CASE("link-bound: a random permutation may have a seed when the data are given", "[cli]")
{
    const TemporaryFolder folder;
    write_text(folder.file("in"), "abcdefgh");
    const auto permuted = [&](const std::string& seed) {
        const Outcome outcome =
            executed("run permute --dim 3 --permutation random --seed " + seed +
                     " --bytes 1 --tau 1 --beta 5 --input " + folder.file("in") + " --output " + folder.file("out"));
        CAPTURE(outcome.err);
        REQUIRE(outcome.exit_code == 0);
        return read_text(folder.file("out"));
    };
    CHECK(permuted("3") == permuted("3"));
    CHECK(permuted("3") != permuted("4"));
    check_refused("run permute --dim 3 --permutation shuffle --seed 3 --bytes 1 --tau 1 --beta 5 --input " +
                      folder.file("in"),
                  "--seed cannot be combined with --input");
}

TEST_CASE("link-bound: on one node every algorithm ends at once", "[cli][slow]")
{
    for (const char* const problem :
         {"broadcast", "reduce", "scatter", "gather", "all-gather", "reduce-scatter", "all-reduce", "all-to-all",
          "permute --permutation identity", "matrix-transpose --rows 2 --columns 3",
          "matrix-transpose --rows 2 --columns 3 --layout submatrices",
          "matrix-quarter-turn --rows 2 --columns 3 --layout submatrices",
          "matrix-quarter-turn --rows 2 --columns 3 --layout submatrices-gray", "matrix-half-turn --rows 2 --columns 3",
          "matrix-relayout --rows 2 --columns 3"}) {
        const ordered_json compared = json_of(std::string("compare ") + problem + " --dim 0 --tau 1 --beta 9");
        for (const ordered_json& row : compared["algorithms"]) {
            CAPTURE(problem, row["algorithm"]);
            CHECK(row["virtual_time_ns"] == 0);
        }
    }
    check_refused("run matrix-transpose --dim 6 --rows 8 --columns 8 --layout submatrices --tau 1 --beta 9 --groups 2",
                  "3 or more packets");
    check_refused("run matrix-quarter-turn --dim 6 --rows 8 --columns 8 --layout submatrices-gray --tau 1 --beta 9 "
                  "--groups 1",
                  "2 or more packets");
}

TEST_CASE("link-bound: a time that overflows in the run ends it", "[cli][negative]")
{
    const Outcome outcome = executed("run all-to-all --dim 5 --bytes 8 --tau 1 --beta 1500000000000000000 --algorithm "
                                     "unit:optimal");  // the lower bound of 5 beta still fits
    CHECK(outcome.exit_code == 1);
    CHECK_THAT(outcome.err, Catch::Contains("time-overflow in step "));
}

TEST_CASE("link-bound: a choice that the algorithm does not have is refused", "[cli][negative]")
{
    const std::string line = "run broadcast --dim 3 --bytes 96 --tau 1 --beta 5 ";
    check_refused(line + "--algorithm rotated --groups 2",
                  "--groups is not for rotated: leave it out, or give an --algorithm that has it");
    check_refused(line + "--algorithm rotated --groups 2 --dry-run",
                  "--groups is not for rotated: leave it out, or give an --algorithm that has it");
    check_refused(line + "--algorithm pipelined --halvings 1", "--halvings is not for pipelined");
    check_refused(line + "--algorithm pipelined --waves 3|2|1", "--waves is not for pipelined");
    check_refused("run send --peer 7 --dim 3 --bytes 96 --tau 1 --beta 5 --algorithm subcube --detour-groups 2",
                  "--detour-groups is not for subcube");
    check_refused("run all-gather --dim 3 --bytes 96 --tau 1 --beta 5 --groups 2",
                  "--groups is not for rotated, which auto chose");
    for (const dcube::Entry& algorithm : dcube::catalogue())
        CHECK(dcube::ignored_choice(algorithm, {}).empty());
}

TEST_CASE("one port: reports, traces and their verdicts know the duplex", "[cli][ports]")
{
    const TemporaryFolder folder;
    const std::string trace = folder.file("trace.jsonl");
    const std::string line = "run all-gather --dim 4 --bytes 100 --tau 1 --beta 1000 --ports one";
    const ordered_json full = json_of(line);
    CHECK(full["algorithm"] == "rings-in-turn");
    CHECK(full["ports"] == "one");
    CHECK(full["duplex"] == "full");
    CHECK(full["virtual_time_ns"] == 4 * 1000 + 15 * 100);
    CHECK(full["predicted_time_ns"] == full["virtual_time_ns"]);
    CHECK(full["time_lower_bound_ns"] == 4 * 1001);
    CHECK(json_of("run all-gather --dim 4 --bytes 100 --tau 1 --beta 1000")["duplex"].is_null());
    CHECK(json_of("run all-gather --dim 4 --bytes 100 --ports one")["duplex"].is_null());
    const ordered_json half = json_of(line + " --duplex half");
    CHECK(half["duplex"] == "half");
    CHECK(half["virtual_time_ns"] == 2 * 5500);
    CHECK_THAT(executed("compare all-gather --dim 4 --bytes 100 --tau 1 --beta 1000 --ports one --duplex half").out,
               Catch::Contains("data-driven clock, half duplex"));
    for (const std::string duplex : {"full", "half"}) {
        CAPTURE(duplex);
        REQUIRE(executed(line + " --duplex " + duplex + " --trace " + trace).exit_code == 0);
        CHECK_THAT(lines_of(read_text(trace)).front(), Catch::Contains("\"duplex\":\"" + duplex + "\""));
        for (const char* const more : {"", " --ports one", " --tau 1"})
            CHECK(executed("verify " + trace + more).exit_code == 0);
        CHECK(executed("verify " + trace + " --duplex " + duplex).exit_code == 0);
        CHECK(executed("verify " + trace + " --duplex " + (duplex == "half" ? "full" : "half")).exit_code == 2);
        CHECK(executed("replay " + trace).exit_code == 0);
    }
    // The same packets, as if links had been free: the judge finds the port that is held.
    std::string text = read_text(trace);
    text.replace(text.find("\"duplex\":\"half\""), 15, "\"duplex\":\"full\"");
    write_text(trace, text);
    CHECK(executed("verify " + trace).exit_code == 0);  // full duplex allows what half does
    REQUIRE(executed(line + " --trace " + trace).exit_code == 0);
    text = read_text(trace);
    text.replace(text.find("\"duplex\":\"full\""), 15, "\"duplex\":\"half\"");
    write_text(trace, text);
    const Outcome verdict = executed("verify " + trace);
    CHECK(verdict.exit_code == 1);
    CHECK_THAT(verdict.err, Catch::Contains("sends and receives in step 1: on half duplex a node does one of both"));
}

TEST_CASE("one port: dry runs, explanations and the lab's requests", "[cli][ports]")
{
    CHECK(json_of("run all-to-all --topology torus:4x4 --bytes 100 --tau 1 --beta 1000 --ports one --dry-run "
                  "--algorithm rings-in-turn")["predicted_time_ns"] == (2 * 1000 + 100 * 16) * 3);
    const std::string page = executed("explain rings-in-turn --collective all-gather --dim 4").out;
    CHECK_THAT(page, Catch::Contains("one port"));
    CHECK_THAT(page, Catch::Contains("--ports one"));
    CHECK_THAT(executed("explain through-port").out, Catch::Contains("a node's one port"));
}
