// dcube-mpi as ranks: how it is started, and what it says if that goes wrong.

#include "tests/emu/mpi/launches.hpp"
#include "tests/support/catch.hpp"

#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

using namespace dcube::test;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

// One clear line of rank 0, nothing else of dcube's, exit 2.
void check_refusal(const Outcome& outcome, const std::string& line)
{
    CAPTURE(outcome.out, outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    CHECK(complaints(outcome) == Words{line});
}

}  // namespace

TEST_CASE("launch: mpirun's ranks of dcube-mpi are one machine, and rank 0 speaks", "[mpi]")
{
    const Outcome outcome = launched(DCUBE_MPI_PROGRAM, 3, {"run", "all-to-all", "--dim", "4", "--format", "csv"});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(lines_of(outcome.out).size() == 2);
    CHECK(complaints(outcome).empty());
}

TEST_CASE("launch: --ranks starts the ranks, and the launcher may be named", "[mpi]")
{
    const Outcome outcome = dcube_program({"run", "all-to-all", "--dim", "4", "--ranks", "3"});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, Catch::Contains("3 ranks"));
    CHECK(outcome.err.empty());
    CHECK_THAT(dcube_program({"run", "all-to-all", "--dim", "4", "--ranks", "1"}).out, !Catch::Contains("rank"));
}

TEST_CASE("launch: dcube-mpi runs alone where nothing has started it, and starts no ranks itself", "[mpi]")
{
    const Start alone{.program = {DCUBE_MPI_PROGRAM}};
    const Outcome outcome = dcube_program({"run", "all-to-all", "--dim", "4"}, alone);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, !Catch::Contains("rank"));
    const Outcome asked = dcube_program({"run", "all-to-all", "--dim", "4", "--ranks", "2"}, alone);
    CHECK(asked.exit_code == 2);
    CHECK(lines_of(asked.err).size() == 1);
    CHECK_THAT(asked.err, Catch::StartsWith("dcube: --ranks 2, but this dcube-mpi runs alone"));
}

TEST_CASE("launch: commands that are not spread are executed once", "[mpi]")
{
    for (const char* const word : {"list", "--help"}) {
        const Outcome outcome = launched(DCUBE_MPI_PROGRAM, 3, {word});
        CHECK(outcome.exit_code == 0);
        CHECK(outcome.out == dcube_program({word}).out);
    }
}

TEST_CASE("launch: ranks say once which versions they have, and of which MPI", "[mpi]")
{
    const Outcome outcome = launched(DCUBE_MPI_PROGRAM, 3, {"--version"});
    CHECK(outcome.exit_code == 0);
    const auto lines = lines_of(outcome.out);
    const auto alone = lines_of(dcube_program({"--version"}).out);
    REQUIRE(lines.size() == alone.size());
    for (std::size_t i = 0; i < lines.size(); ++i)
        CHECK((lines[i] == alone[i]) != lines[i].starts_with("MPI"));
}

TEST_CASE("launch: self-test on ranks passes and prints the same", "[mpi]")
{
    const Outcome outcome = dcube_program({"self-test", "--ranks", "2"});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out == dcube_program({"self-test"}).out);
}

TEST_CASE("launch: an error of the command line is reported once", "[mpi][negative]")
{
    const Outcome wrong = launched(DCUBE_MPI_PROGRAM, 3, {"run", "all-to-all", "--dim", "x"});
    CHECK(wrong.exit_code == 2);
    CHECK(complaints(wrong).size() == 1);
    const Outcome twice = launched(DCUBE_MPI_PROGRAM, 2, {"run", "all-to-all", "--dim", "3", "--ranks", "3"});
    CHECK(twice.exit_code == 2);
    REQUIRE(complaints(twice).size() == 1);
    CHECK_THAT(complaints(twice).front(), Catch::EndsWith("--ranks 3, but 2 were started: leave --ranks out"));
    for (const char* const number : {"0", "-1", "two", "2.5", "65537", ""}) {
        const Outcome outcome = dcube_program({"run", "all-to-all", "--dim", "3", "--ranks", number});
        CAPTURE(number, outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK_THAT(outcome.err, Catch::StartsWith("dcube: --ranks"));
        CHECK(lines_of(outcome.err).size() == 1);
    }
}

TEST_CASE("launch: more ranks than nodes are refused", "[mpi][negative]")
{
    const Outcome outcome = dcube_program({"run", "all-to-all", "--dim", "1", "--ranks", "3"});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    CHECK(lines_of(outcome.err).size() == 1);
}

TEST_CASE("launch: ranks with different arguments are refused", "[mpi][negative]")
{
    Words words{"run", "all-to-all", "--dim", "3"};
    words.insert(words.end(), {":", "-n", "1", DCUBE_MPI_PROGRAM, "run", "all-to-all", "--dim", "4"});
    check_refusal(launched(DCUBE_MPI_PROGRAM, 2, words), "dcube: ranks 0 and 2 disagree about the arguments");
}

TEST_CASE("launch: without dcube-mpi beside it, dcube says what --ranks needs", "[mpi][negative]")
{
    const TemporaryFolder folder;
    fs::copy_file(DCUBE_PROGRAM, folder.file("dcube"));
    check_refusal(
        dcube_program({"run", "all-to-all", "--dim", "3", "--ranks", "2"}, {.program = {folder.file("dcube")}}),
        "dcube: --ranks needs MPI, and this dcube was built without it: ./dcube mpi-setup installs MPI and "
        "builds dcube-mpi");
}

TEST_CASE("launch: a rank timeout without ranks is refused", "[mpi][negative]")
{
    check_refusal(dcube_program({"run", "all-to-all", "--dim", "3", "--rank-timeout", "5"}),
                  "dcube: --rank-timeout is for several ranks: give --ranks, too");
}

TEST_CASE("launch: Ctrl-C ends all ranks, without a report or a file", "[mpi][negative]")
{
    for (const int signal : {SIGINT, SIGTERM}) {
        const TemporaryFolder folder;
        Running running({"run", "all-to-all", "--dim", "6", "--repeat", "1000000", "--output", folder.file("out"),
                         "--ranks", "2", "--threads", "1"},
                        {});
        while (!folder.in_use() && running.alive())
            std::this_thread::yield();  // until the output shows that the run has begun
        running.send(signal);
        const Outcome outcome = running.finish();
        CAPTURE(signal, outcome.exit_code, outcome.out, outcome.err);
        // MPICH's mpirun may say 0.
        for (const std::string& line : complaints(outcome))
            CHECK((line == "dcube: interrupted" || line == "dcube: ended by mpirun"));
        CHECK((outcome.exit_code != 0 || complaints(outcome).size() == 1));
        CHECK_THAT(outcome.out, !Catch::Contains("digest"));
        CHECK(folder.names().empty());
    }
}
