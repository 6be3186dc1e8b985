// Groups and barriers, as a user asks for them.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/files.hpp"

#include <string>

using namespace dcube::test;
using nlohmann::ordered_json;

TEST_CASE("groups: --within takes the steps of one group, and the packets of all", "[cli]")
{
    const ordered_json all_to_all = json_of("run all-to-all --dim 4 --within 0,1 --bytes 8");
    CHECK(all_to_all["within"] == "0,1");
    CHECK(all_to_all["steps"] == 2);
    CHECK(all_to_all["steps_lower_bound"] == 2);
    CHECK(all_to_all["transmissions"] == 64);
    CHECK(all_to_all["transmissions_lower_bound"] == 64);
    CHECK(all_to_all["verified"] == true);
    CHECK(json_of("run all-to-all --dim 4 --bytes 8")["within"].is_null());
    const ordered_json broadcast = json_of("run broadcast --topology torus:4x6 --within 1 --root 5");
    CHECK(broadcast["root"] == 5);
    CHECK(broadcast["steps"] == 3);
    CHECK(broadcast["transmissions"] == 4 * 5);
    const ordered_json dry = json_of("run all-gather --dim 4 --within 2,3 --dry-run");
    CHECK(dry["transmissions"] == 4 * 12);
    CHECK_THAT(executed("run all-gather --dim 4 --within 2,3").out, Catch::Contains("in each of the 4 groups"));
    CHECK_THAT(executed("run all-gather --dim 2 --within 0,1").out, Catch::Contains("in the one group of 4 nodes"));
}

TEST_CASE("groups: a trace says within what, and is judged by that", "[cli]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("t.jsonl");
    CHECK(executed("run all-reduce --dim 3 --within 0,2 --bytes 4 --trace " + file).exit_code == 0);
    CHECK_THAT(executed("verify " + file).out, Catch::Contains("accepted"));
    CHECK(executed("verify " + file + " --within 2,0").exit_code == 0);
    CHECK(executed("verify " + file + " --within 0,1").exit_code == 2);
    CHECK_THAT(executed("replay " + file).err, Catch::Contains("--within is not for replay"));
    CHECK(executed("view --trace " + file + " --html " + folder.file("page.html")).exit_code == 0);
}

TEST_CASE("groups: explain takes roots and counts by their ranks", "[cli]")
{
    CHECK_THAT(executed("explain all-gather --topology torus:4x6 --within 0 --counts 1,2,3,0").out,
               Catch::Contains("Why no algorithm needs fewer than 3 steps"));
    CHECK(executed("explain alltoallv --dim 3 --counts hot:3:9 --within 0,1").exit_code == 0);
    check_refused("explain all-gather --topology torus:4x6 --within 0 --counts 1,2,3",
                  "the counts end after 3 numbers: all-gather of ring:4 needs 4");
}

TEST_CASE("groups: what is no group is refused in one line", "[cli][negative]")
{
    check_refused("run all-to-all --dim 3 --within 3", "--within 3 is not possible: hypercube:3 has dimensions 0 to 2");
    check_refused("run all-to-all --dim 3 --within 0,0", "--within '0,0' names a dimension or factor twice");
    check_refused("run all-to-all --dim 3 --within x", "--within");
    check_refused("run broadcast --dim 3 --within 0 --root 2", "--root 2");
    check_refused("run matrix-transpose --dim 2 --rows 4 --columns 4 --within 0",
                  "--within does not apply to matrix-transpose: a matrix lies on all nodes");
    check_refused("run all-to-all --dim 3 --without-node 6 --within 0",
                  "the groups of nodes 0 and 6 do not lack the same links and nodes");
}

TEST_CASE("barrier: it has no sizes, and every node hears of all", "[cli]")
{
    const ordered_json report = json_of("run barrier --dim 3");
    CHECK(report["steps"] == 3);
    CHECK(report["transmissions"] == 24);
    CHECK(report["transmissions_lower_bound"] == 14);
    CHECK(report["bytes"].is_null());
    CHECK(report["packets"].is_null());
    CHECK(report["link_bytes"] == 0);
    CHECK(report["verified"] == true);
    CHECK_THAT(executed("run MPI_Barrier --topology ring:5").out,
               Catch::Contains("5 nodes heard of all before going on"));
    CHECK(json_of("run barrier --dim 3 --tau 1 --beta 50")["virtual_time_ns"] == 150);
    check_refused("run barrier --dim 3 --bytes 4", "--bytes does not apply to barrier");
    const TemporaryFolder folder;
    const std::string file = folder.file("t.jsonl");
    CHECK(executed("run barrier --topology petersen --algorithm tree --trace " + file).exit_code == 0);
    CHECK_THAT(executed("verify " + file).out, Catch::Contains("accepted"));
    CHECK(executed("replay " + file).exit_code == 0);
    CHECK(executed("view --trace " + file + " --html " + folder.file("page.html")).exit_code == 0);
}
