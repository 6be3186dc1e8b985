// Missing links and nodes, on the command line.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include <nlohmann/json.hpp>

#include <string>

using namespace dcube::test;
using nlohmann::ordered_json;

TEST_CASE("faults: the options of a network say what it lacks", "[cli][faults]")
{
    const TemporaryFolder folder;
    write_text(folder.file("faults.txt"), "# two links and a node\n0-1\n2-6\n9\n");
    const auto topology = [&](const std::string& words) {
        const Outcome outcome = executed("run broadcast --dim 4 --format json " + words);
        INFO(words << ": " << outcome.err);
        REQUIRE(outcome.exit_code == 0);
        const ordered_json report = ordered_json::parse(outcome.out);
        CHECK(report["verified"] == true);
        return report["topology"].get<std::string>();
    };
    CHECK(topology("--without-link 1-0 --without-node 9 --without-link 2-6") == "hypercube:4 without 0-1,2-6,9");
    CHECK(topology("--faults " + folder.file("faults.txt")) == "hypercube:4 without 0-1,2-6,9");
    CHECK(topology("--faults " + folder.file("faults.txt") + " --without-node 3") == "hypercube:4 without 0-1,2-6,3,9");
    CHECK(topology("--without-node 0") == "hypercube:4 without 0");  // the root is the first node that is there
    CHECK(topology("--fault-rate 0 --seed 5") == "hypercube:4");
    CHECK(topology("--fault-rate 0.1 --seed 5") == topology("--fault-rate 1/10 --seed 5"));
    CHECK(topology("--fault-rate 0.1 --seed 5") != topology("--fault-rate 0.1 --seed 6"));
}

TEST_CASE("faults: a trace says what its network lacks", "[cli][faults]")
{
    const TemporaryFolder folder;
    const std::string trace = folder.file("t.jsonl");
    REQUIRE(executed("run all-to-all --dim 3 --without-node 5 --without-link 0-1 --trace " + trace).exit_code == 0);
    const Outcome verdict = executed("verify " + trace);
    CHECK(verdict.exit_code == 0);
    CHECK(verdict.out.find("accepted") != std::string::npos);
    CHECK(executed("replay " + trace).exit_code == 0);
}

TEST_CASE("faults: info shows what missing links and nodes cost", "[cli][faults][long]")
{
    const Outcome outcome = executed("info --dim 4 --without-link 0-1 --without-node 5 --format json");
    REQUIRE(outcome.exit_code == 0);
    const ordered_json facts = ordered_json::parse(outcome.out);
    CHECK(facts["nodes"] == 15);
    CHECK(facts["links"] == 32 - 1 - 4);
    CHECK(facts["degree"]["least"] == 2);
    bool found = false;
    for (const ordered_json& one : facts["fault_costs"])
        if (one["collective"] == "all-gather" && one["ports"] == "all") {
            found = true;
            CHECK(one["whole_steps_lower_bound"] == 4);
            CHECK(one["whole_steps"] == 4);
            CHECK(one["steps_lower_bound"] == 7);  // node 1 has lost two links: 14 blocks over 2
            CHECK(one["steps"] == 7);
        }
    CHECK(found);
    CHECK(ordered_json::parse(executed("info --dim 4 --format json").out)["fault_costs"].empty());
    const Outcome text = executed("info --dim 3 --without-node 0");
    CHECK(text.out.find("cost of missing links and nodes") != std::string::npos);
    CHECK(executed("info --dim 6 --fault-rate 0.02 --seed 3").exit_code == 0);
    CHECK(executed("histogram --dim 4 --input " DCUBE_SOURCE_DIR "/LICENSE --fault-rate 0.05 --seed 3").exit_code == 0);
}

TEST_CASE("faults: links and nodes that cannot be missing are refused in one line", "[cli][faults][negative]")
{
    const TemporaryFolder folder;
    write_text(folder.file("wrong.txt"), "0-1\nnode 5\n");
    const std::string run = "run broadcast --dim 3 ";
    check_refused(run + "--without-link 0", "--without-link: '0' is not a link: expected two neighbours, e.g. 0-1");
    check_refused(run + "--without-link 0-3", "hypercube:3 has no link 0-3");
    check_refused(run + "--without-link 0-9", "hypercube:3 has no node 9: nodes are 0 to 7");
    check_refused(run + "--without-link 0-1-2", "--without-link: '0-1-2' is not a link");
    check_refused(run + "--without-link x-y", "--without-link: 'x-y' is not a link");
    check_refused(run + "--without-link", "--without-link needs a value");
    check_refused(run + "--without-link --without-node 1", "--without-link needs a value");
    check_refused(run + "--without-link 0-1 --without-link 1-0", "link 0-1 is to be missing twice: once is allowed");
    check_refused(run + "--without-node 8", "hypercube:3 has no node 8");
    check_refused(run + "--without-node -1", "is not a node");
    check_refused(run + "--without-node 1.5", "--without-node: '1.5' is not a node");
    check_refused(run + "--without-node 1 --without-node 1", "node 1 is to be missing twice");
    check_refused(run + "--without-node 1 --without-node 2 --without-node 4",
                  "is disconnected: no path leads from node 0 to the other 4");
    check_refused(run + "--without-link 0-1 --without-link 0-2 --without-link 0-4",
                  "is disconnected: no path leads from node 0 to the other 7");
    check_refused(run + "--without-node 5 --root 5", "root 5 does not exist: hypercube:3 without 5 lacks that node");
    check_refused(run + "--fault-rate 2", "--fault-rate '2' is not a probability: 0 to 1 are allowed");
    check_refused(run + "--fault-rate -0.1", "--fault-rate '-0.1' is not a probability: 0 to 1 are allowed");
    check_refused(run + "--fault-rate x", "--fault-rate 'x' is not a probability");
    check_refused("info --dim 3 --seed 5", "--seed needs --fault-rate P");
    check_refused(run + "--fault-rate 1", "is disconnected");
    check_refused(run + "--faults " + folder.file("none.txt"), "none.txt");
    check_refused(run + "--faults " + folder.file("wrong.txt"),
                  "--faults: " + folder.file("wrong.txt") +
                      ": line 2: 'node' is neither a link such as 0-1 nor a node such as 5");
    check_refused("run broadcast --dim 13 --without-node 1", "networks that lack something may have up to 4096");
    check_refused("run broadcast --dim 0 --without-node 0", "has no node left: 2 or more are needed");
    check_refused("run send --dim 3 --without-node 5 --peer 5", "peer 5 does not exist");
    check_refused("info --dim 3 --without-node 9", "has no node 9");
    check_refused("compare broadcast --dim 3 --without-link 0-7", "has no link 0-7");
    check_refused("bench all-gather --dim 3 --without-link 0-7", "has no link 0-7");
    check_refused("run broadcast --dim 3 --without-node 5 --fail-node 5@2",
                  "node 5 cannot fail: hypercube:3 without 5 lacks that node");
    check_refused("run broadcast --dim 3 --without-link 0-1 --fail-link 0-1@2", "0-1");
    check_refused("run all-reduce --dim 3 --without-node 5 --algorithm shortest-paths",
                  "it is for networks that lack no node");
}
