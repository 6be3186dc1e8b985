// docs/measurements/measure, beside a dcube of one line.

#include "tests/docs/documents.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

#include <filesystem>
#include <string>
#include <vector>

using namespace dcube::test;

namespace {

Outcome measure(const TemporaryFolder& folder, const std::string& dcube, const std::vector<std::string>& arguments)
{
    const std::string program = folder.file("dcube");
    write_text(program, "#!/bin/sh\n" + dcube + "\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    Start start;
    start.program = {source_path("docs/measurements/measure")};
    start.variables = {{"DCUBE", program}};
    return dcube_program(arguments, start);
}

}  // namespace

TEST_CASE("measure: keeps what each command prints in the file that performance.md names", "[docs]")
{
    const TemporaryFolder folder;
    const Outcome outcome = measure(folder, "echo \"$*\"", {folder.file("kept")});
    CHECK(outcome.exit_code == 0);
    const std::string document = read_text(source_path("docs/performance.md"));
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.file("kept"))) {
        const std::string name = entry.path().filename();
        CAPTURE(name);
        ++files;
        CHECK_THAT(document, Catch::Contains("(measurements/" + name + ")"));
        const std::string command = read_text(entry.path());
        CHECK_THAT(command, Catch::Contains(name.substr(0, name.find_first_of("-."))) && Catch::Contains("json"));
    }
    CHECK(files == 6);
    CHECK(measure(folder, "echo \"$*\"", {"--small", folder.file("small")}).exit_code == 0);
    CHECK(read_text(folder.file("small/figures.json")) == "figures --list --format json\n");
}

TEST_CASE("measure: a command that fails leaves no file, and what was kept before", "[docs][negative]")
{
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder.file("kept"));
    write_text(folder.file("kept/limits.json"), "old");
    CHECK(measure(folder, "echo half; exit 3", {folder.file("kept")}).exit_code == 3);
    CHECK(read_text(folder.file("kept/limits.json")) == "old");
    CHECK_FALSE(std::filesystem::exists(folder.file("kept/peers.json")));
}

TEST_CASE("measure: a build with changes is not measured", "[docs][negative]")
{
    const TemporaryFolder folder;
    const Outcome outcome = measure(folder, R"(echo '{"commit": "0123abcd+"}')", {folder.file("kept")});
    CHECK(outcome.exit_code == 1);
    CHECK_THAT(outcome.err, Catch::Contains("not committed"));
    CHECK_FALSE(std::filesystem::exists(folder.file("kept")));
}

TEST_CASE("measure: wrong arguments are refused in one line, exit 2", "[docs][negative]")
{
    const TemporaryFolder folder;
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"--large"}, {"a", "b"}, {"--small", "--x"}}) {
        const Outcome outcome = measure(folder, "exit 1", words);
        CHECK(outcome.exit_code == 2);
        CHECK(lines_of(outcome.err).size() == 1);
    }
}
