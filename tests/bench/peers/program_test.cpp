// The program dcube_peers, as the launcher starts it.

#include "tests/bench/peers/made_up.hpp"
#include "tests/support/catch.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

using namespace dcube::test;
using namespace peers;

namespace {

Outcome dcube_peers(const std::vector<std::string>& arguments)
{
    Start start;
    start.program = {
        (std::filesystem::path(DCUBE_PROGRAM).parent_path().parent_path() / "bench/peers/dcube_peers").string()};
    return dcube_program(arguments, start);
}

}  // namespace

TEST_CASE("peers: the program prints dcube's rows even if there is no peer", "[peers]")
{
    const TemporaryFolder empty;
    const Outcome outcome = dcube_peers({"--peers", empty.file("."), "--dim", "2", "--bytes", "8", "--repeat", "2"});
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, Catch::Contains("4 nodes, 8 bytes for each pair, 2 times") &&
                                Catch::Contains("\ndcube       slots ") && Catch::Contains("\ndcube       spsc ") &&
                                Catch::Contains("libsimgrid-dev") && Catch::Contains("golang-go"));

    const Outcome json = dcube_peers(
        {"--peers", empty.file("."), "--dim", "2", "--only", "threads,simgrid", "--repeat", "2", "--format", "json"});
    CHECK(json.exit_code == 0);
    const nlohmann::json document = nlohmann::json::parse(json.out);
    for (const char* const key :
         {"schema", "kind", "program", "command", "date", "host", "warnings", "threads", "size"})
        CHECK(document.contains(key));
    CHECK(document["kind"] == "peers");
    CHECK(document["command"] == "dcube figures --peers --dim 2 --only threads,simgrid --repeat 2 --format json");
    CHECK(document["rows"].size() == 4);
    CHECK(document["rows"][0]["samples_seconds"].size() == 2);
    CHECK(document["rows"][3]["state"] == "not built");
}

TEST_CASE("peers: a peer that fails makes exit code 1", "[peers][negative]")
{
    const MadeUp made_up;
    made_up.add_line("threads", "true", "false");
    const Outcome outcome = dcube_peers({"--peers", made_up.file("."), "--dim", "2", "--only", "threads"});
    CHECK(outcome.exit_code == 1);
    CHECK_THAT(outcome.out, Catch::Contains("failed: its blocks are not where they belong"));
}

TEST_CASE("peers: wrong arguments are refused in one line, exit 2", "[peers][negative]")
{
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"--dim", "0"},
                                               {"--dim", "13"},
                                               {"--dim", "x"},
                                               {"--dim", "3.5"},
                                               {"--dim"},
                                               {"--bytes", "0"},
                                               {"--bytes", "many"},
                                               {"--bytes", "2GiB"},
                                               {"--repeat", "0"},
                                               {"--repeat", "-1"},
                                               {"--limit", "0"},
                                               {"--limit", "nan"},
                                               {"--limit", "soon"},
                                               {"--only", "mpich"},
                                               {"--only", "threads", "openmp"},
                                               {"--format", "csv"},
                                               {"--fast"},
                                               {"threads"},
                                               {"--dim", "12", "--bytes", "1GiB"}}) {
        std::vector<std::string> arguments{"--peers", "."};
        arguments.insert(arguments.end(), words.begin(), words.end());
        const Outcome outcome = dcube_peers(arguments);
        CAPTURE(words, outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.out.empty());
        CHECK(lines_of(outcome.err).size() == 1);
    }
}
