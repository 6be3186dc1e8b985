// dcube-tools: the commands that dcube executes there.

#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

#include <filesystem>
#include <string>

using namespace dcube::test;
namespace fs = std::filesystem;

namespace {

void check_needs_tools(const Outcome& outcome, const std::string& command)
{
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Catch::StartsWith("dcube: " + command + " needs dcube-tools"));
}

}  // namespace

TEST_CASE("tools: without dcube-tools beside it, dcube says what is missing, and does everything else", "[cli]")
{
    const TemporaryFolder folder;
    const std::string alone = folder.file("dcube");
    fs::copy_file(DCUBE_PROGRAM, alone);
    Start start;
    start.program = {alone};
    for (const char* const command : {"bench", "limits", "view", "lab", "export"})
        check_needs_tools(dcube_program({command, "--help"}, start), command);
    check_needs_tools(dcube_program({"help", "view"}, start), "help");
    check_needs_tools(dcube_program({"help", "--man-pages", folder.file("pages")}, start), "help");
    CHECK(dcube_program({"help", "run", "--man"}, start).out == dcube_program({"help", "run", "--man"}).out);
    CHECK_THAT(dcube_program({"help", "run"}, start).out, Catch::Contains("Usage: dcube run"));
    const Outcome all = dcube_program({"help"}, start);
    CHECK(all.out == dcube_program({"help"}).out);
    CHECK(all.out ==
          dcube_program({"--help"}, {.program = {fs::path(DCUBE_PROGRAM).replace_filename("dcube-tools")}}).out);
    CHECK(dcube_program({"run", "broadcast", "--dim", "2"}, start).exit_code == 0);
    CHECK_THAT(dcube_program({"__complete", "vi"}, start).out, Catch::Contains("view\t"));
    CHECK_THAT(dcube_program({"__complete", "view", "--ht"}).out, Catch::Contains("--html"));
}
