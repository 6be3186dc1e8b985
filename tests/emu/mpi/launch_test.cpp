// The program as ranks: how it is started, and what it says if that goes wrong.

#include "tests/emu/mpi/launches.hpp"
#include "tests/support/catch.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
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

// As a process that a launcher has started.
Outcome as_started(const std::string& program, const Variables& variables)
{
    Start start;
    start.program = {program};
    start.variables = variables;
    return dcube_program({"run", "all-to-all", "--dim", "3"}, start);
}

// On two ranks; its files are open when it has begun.
Words endless_run(const TemporaryFolder& folder)
{
    return {"run",      "all-to-all",       "--dim",   "6", "--repeat",  "1000000",
            "--output", folder.file("out"), "--ranks", "2", "--threads", "1"};
}

// What Open MPI or PMI calls that rank in the environment, of the processes that run in this folder.
pid_t process_of_rank(const TemporaryFolder& folder, const std::string& rank)
{
    for (const auto& entry : fs::directory_iterator("/proc")) {
        const std::string number = entry.path().filename();
        if (number.find_first_not_of("0123456789") != std::string::npos)
            continue;
        std::ifstream line(entry.path() / "cmdline");
        const std::string words{std::istreambuf_iterator<char>(line), {}};
        std::ifstream variables(entry.path() / "environ");
        const std::string all = '\0' + std::string{std::istreambuf_iterator<char>(variables), {}};
        if (words.find(folder.file("out")) != std::string::npos)
            for (const char* const name : {"OMPI_COMM_WORLD_RANK=", "PMI_RANK="})
                if (all.find('\0' + (name + rank) + '\0') != std::string::npos)
                    return std::stoi(number);
    }
    throw std::runtime_error("there is no rank " + rank);
}

// dcube without dcube-mpi beside it.
class BuiltWithoutMpi {
public:
    BuiltWithoutMpi() { fs::copy_file(DCUBE_PROGRAM, program()); }
    [[nodiscard]] std::string program() const { return folder_.file("dcube"); }

private:
    TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("launch: mpirun's ranks are one machine, and rank 0 speaks", "[mpi]")
{
    for (const char* const program : {DCUBE_PROGRAM, DCUBE_MPI_PROGRAM}) {
        const Outcome outcome = launched(program, 3, {"run", "all-to-all", "--dim", "4", "--format", "csv"});
        CAPTURE(program, outcome.err);
        CHECK(outcome.exit_code == 0);
        CHECK(lines_of(outcome.out).size() == 2);
        CHECK(complaints(outcome).empty());
    }
}

TEST_CASE("launch: --ranks starts the ranks, and the launcher may be named", "[mpi]")
{
    const Words words{"run", "all-to-all", "--dim", "4", "--ranks", "3"};
    const Outcome usual = dcube_program(words, {.variables = rank_variables()});
    CAPTURE(usual.err);
    CHECK(usual.exit_code == 0);
    CHECK_THAT(usual.out, Catch::Contains("3 ranks"));
    Words named = words;
    named.insert(named.end(), {"--launcher", DCUBE_MPIRUN});
    const Outcome other = dcube_program(named, {.variables = rank_variables()});
    CAPTURE(other.err);
    CHECK(other.exit_code == 0);
    CHECK_THAT(other.out, Catch::Contains("3 ranks"));
    CHECK_THAT(dcube_program({"run", "all-to-all", "--dim", "4", "--ranks", "1"}).out, !Catch::Contains("rank"));
}

TEST_CASE("launch: commands that are not spread are executed once", "[mpi]")
{
    for (const char* const word : {"list", "--help"}) {
        const Outcome outcome = launched(DCUBE_PROGRAM, 3, {word});
        CHECK(outcome.exit_code == 0);
        CHECK(outcome.out == dcube_program({word}).out);
    }
}

TEST_CASE("launch: ranks say once which versions they have, and of which MPI", "[mpi]")
{
    const Outcome outcome = launched(DCUBE_PROGRAM, 3, {"--version"});
    CHECK(outcome.exit_code == 0);
    const auto lines = lines_of(outcome.out);
    const auto alone = lines_of(dcube_program({"--version"}).out);
    REQUIRE(lines.size() == alone.size());
    for (std::size_t i = 0; i < lines.size(); ++i)
        CHECK((lines[i] == alone[i]) != lines[i].starts_with("MPI"));
}

TEST_CASE("launch: self-test on ranks makes checks of each kind", "[mpi]")
{
    const Outcome outcome = dcube_program({"self-test", "--ranks", "2"});
    CAPTURE(outcome.out, outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, Catch::Contains(" works: "));
    const auto groups = [](const std::string& out) {
        std::vector<std::string> names;
        for (const std::string& line : lines_of(out))
            names.push_back(line.substr(0, line.find("  ")));
        names.pop_back();  // the last line has the numbers
        return names;
    };
    CHECK(groups(outcome.out) == groups(dcube_program({"self-test"}).out));
}

TEST_CASE("launch: an error of the command line is reported once", "[mpi][negative]")
{
    const Outcome wrong = launched(DCUBE_PROGRAM, 3, {"run", "all-to-all", "--dim", "x"});
    CHECK(wrong.exit_code == 2);
    CHECK(complaints(wrong).size() == 1);
    const Outcome twice = launched(DCUBE_PROGRAM, 2, {"run", "all-to-all", "--dim", "3", "--ranks", "3"});
    CHECK(twice.exit_code == 2);
    REQUIRE(complaints(twice).size() == 1);
    CHECK_THAT(complaints(twice).front(), Catch::EndsWith("has started 2: leave one of the two out"));
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
    const Outcome outcome =
        dcube_program({"run", "all-to-all", "--dim", "1", "--ranks", "3"}, {.variables = rank_variables()});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(complaints(outcome).size() == 1);
}

TEST_CASE("launch: ranks with different arguments are refused", "[mpi][negative]")
{
    Words words{"run", "all-to-all", "--dim", "3"};
    words.insert(words.end(), {":", "-n", "1", DCUBE_PROGRAM, "run", "all-to-all", "--dim", "4"});
    check_refusal(launched(DCUBE_PROGRAM, 2, words), "dcube: ranks 0 and 2 disagree about the arguments");
}

TEST_CASE("launch: a launcher that is not there, or starts no ranks, is refused", "[mpi][negative]")
{
    check_refusal(dcube_program({"run", "all-to-all", "--dim", "3", "--ranks", "2", "--launcher", "no-such-program"}),
                  "dcube: the launcher no-such-program is not found: ./dcube mpi-setup installs mpirun");
    check_refusal(dcube_program({"run", "all-to-all", "--dim", "3", "--launcher", "env"}),
                  "dcube: env has started this program, but this build's MPI does not recognise the ranks");
    check_refusal(dcube_program({"run", "all-to-all", "--dim", "3", "--rank-timeout", "5"}),
                  "dcube: --rank-timeout is for several ranks: give --ranks, too");
    check_refusal(dcube_program({"run", "all-to-all", "--dim", "3", "--launcher", " "}),
                  "dcube: --launcher is empty: expected a command, e.g. mpirun");
}

TEST_CASE("launch: a dcube that was built without MPI says so, as rank 0 only", "[mpi][negative]")
{
    const BuiltWithoutMpi without;
    Start start;
    start.program = {without.program()};
    check_refusal(dcube_program({"run", "all-to-all", "--dim", "3", "--ranks", "2"}, start),
                  "dcube: --ranks needs MPI, and this dcube was built without it: ./dcube mpi-setup installs MPI and "
                  "builds dcube-mpi");
    const auto rank = [&](const char* number) {
        return as_started(without.program(), {{"OMPI_COMM_WORLD_SIZE", "2"}, {"OMPI_COMM_WORLD_RANK", number}});
    };
    check_refusal(rank("0"), "dcube: mpirun of Open MPI has started 2 ranks, and this dcube was built without MPI: "
                             "./dcube mpi-setup installs MPI and builds dcube-mpi");
    const Outcome other = rank("1");
    CHECK(other.exit_code == 2);
    CHECK((other.out + other.err).empty());
}

TEST_CASE("launch: the launcher of another MPI than that which was built for is named", "[mpi][negative]")
{
    Variables variables = rank_variables();
    variables.insert(variables.end(), {{"PMI_SIZE", "4"}, {"PMI_RANK", "0"}});
    const Outcome outcome = as_started(DCUBE_MPI_PROGRAM, variables);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 2);
    REQUIRE(complaints(outcome).size() == 1);
    const std::string who = "a launcher with PMI, as MPICH has it, has started 4 ranks";
    CHECK_THAT(complaints(outcome).front(), Catch::Contains(who) && Catch::Contains("knows of 1"));
}

TEST_CASE("launch: Ctrl-C ends all ranks, without a report or a file", "[mpi][negative]")
{
    const TemporaryFolder folder;
    Running running({"run", "all-to-all", "--dim", "6", "--repeat", "1000000", "--output", folder.file("out")},
                    ranks_of(DCUBE_PROGRAM, 2));
    while (!folder.in_use() && running.alive())
        std::this_thread::yield();  // until the output shows that the run has begun
    running.send(SIGINT);
    const Outcome outcome = running.finish();
    CAPTURE(outcome.exit_code, outcome.out, outcome.err);
    // Launchers end their ranks by SIGTERM; MPICH's mpirun may say 0.
    for (const std::string& line : complaints(outcome))
        CHECK((line == "dcube: interrupted" || line == "dcube: ended by the launcher"));
    CHECK((outcome.exit_code != 0 || complaints(outcome).size() == 1));
    CHECK_THAT(outcome.out, !Catch::Contains("digest"));
    CHECK(folder.names().empty());
}

TEST_CASE("launch: a rank that is killed is named with its signal, and leaves no file", "[mpi][negative]")
{
    for (const char* const rank : {"0", "1"}) {
        const TemporaryFolder folder;
        Running running(endless_run(folder), {.variables = rank_variables()});
        while (!folder.in_use() && running.alive())
            std::this_thread::yield();
        kill(process_of_rank(folder, rank), SIGKILL);
        const Outcome outcome = running.finish();
        CAPTURE(rank, outcome.out, outcome.err);
        CHECK(outcome.exit_code == 128 + SIGKILL);
        CHECK(complaints(outcome) == Words{std::string("dcube: rank ") + rank + " was ended by signal 9 (Killed)"});
        CHECK(outcome.out.empty());
        CHECK(folder.names().empty());
    }
}

TEST_CASE("launch: a program that is asked to end ends its ranks, and says so once", "[mpi][negative]")
{
    for (const int signal : {SIGINT, SIGTERM}) {
        const TemporaryFolder folder;
        Running running(endless_run(folder), {.variables = rank_variables()});
        while (!folder.in_use() && running.alive())
            std::this_thread::yield();
        running.send(signal);
        const Outcome outcome = running.finish();
        CAPTURE(signal, outcome.out, outcome.err);
        CHECK(outcome.exit_code == 130);
        CHECK(complaints(outcome) == Words{"dcube: interrupted"});
        CHECK(folder.names().empty());
    }
}

TEST_CASE("launch: a launcher that starts nothing is reported as failed", "[mpi][negative]")
{
    const auto ended = [](const std::string& launcher) {
        return dcube_program({"run", "all-to-all", "--dim", "2", "--ranks", "2", "--launcher", launcher});
    };
    const Outcome silent = ended("echo");
    CHECK(silent.exit_code == 1);
    CHECK(complaints(silent) == Words{"dcube: echo ended, but no rank finished: does it start programs?"});
    const Outcome failed = ended("false");
    CHECK(failed.exit_code == 1);
    CHECK(complaints(failed) == Words{"dcube: false ended with exit code 1, and no rank of dcube said why"});
}
