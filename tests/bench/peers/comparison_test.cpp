// dcube and peers in turn: shares, failures, the limits of time and of memory.

#include "bench/peers/child.hpp"
#include "bench/peers/comparison.hpp"
#include "tests/bench/peers/made_up.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

using namespace dcube::test;
using namespace peers;

namespace {

// The row of the only peer that is asked for.
Row row_of(const MadeUp& made_up, double limit = 60)
{
    Question question = made_up.question({"threads"});
    question.limit_seconds = limit;
    const std::vector<Row> rows = compared(question, own());
    REQUIRE(rows.size() == 2);
    CHECK(rows.front().peer == "dcube");
    CHECK(rows.front().seconds.size() == 4);
    return rows.back();
}

// Gone, or dead and waiting for its parent to ask.
bool has_ended(const std::string& process)
{
    std::ifstream file("/proc/" + process + "/stat");
    std::string text;
    return !std::getline(file, text) || text.find(") Z") != std::string::npos;
}

}  // namespace

TEST_CASE("peers: every peer has its share of the times in three rounds, in turn with the others", "[peers]")
{
    const MadeUp made_up;
    made_up.add_line("threads");
    made_up.add_line("openmp");
    std::vector<std::string> order;
    Question question = made_up.question({"threads", "openmp"});
    question.on_start = [&order](const std::string& what) { order.push_back(what); };
    const std::vector<Row> rows = compared(question, own());
    REQUIRE(rows.size() == 4);
    for (const Row& row : rows) {
        CAPTURE(row.peer, row.variant, row.note);
        CHECK(row.state == Row::State::measured);
        CHECK(row.seconds.size() == 4);
    }
    CHECK(rows[1].variant == "hops");
    CHECK(rows[2].variant == "direct");
    CHECK(rows[3].peer == "threads");
    CHECK(made_up.starts("threads") == std::vector<std::string>{"--dim 3 --bytes 16 --repeat 1 --variant spsc",
                                                                "--dim 3 --bytes 16 --repeat 1 --variant spsc",
                                                                "--dim 3 --bytes 16 --repeat 2 --variant spsc"});
    REQUIRE(order.size() == 12);
    CHECK(order[3] == "threads spsc, round 1 of 3");
    CHECK(order[4] == "dcube slots, round 2 of 3");
}

TEST_CASE("peers: a peer that fails, or does something else, is reported and not started again", "[peers][negative]")
{
    struct Case {
        std::string was;
        std::string is;
        std::string note;
    };
    for (const Case& one : std::vector<Case>{{"true", "false", "its blocks are not where they belong"},
                                             {"000aa", "000ab", "its bytes are not dcube's"},
                                             {"$dim", "4", "it measured threads spsc with --dim 4 --bytes 16"},
                                             {"$bytes", "8", "--bytes 8"},
                                             {"$variant", "other", "it measured threads other"},
                                             {"$times", "", "it has no times"},
                                             {"{", "", "not a line of a peer"}}) {
        const MadeUp made_up;
        made_up.add_line("threads", one.was, one.is);
        const Row row = row_of(made_up);
        CAPTURE(one.is, row.note);
        CHECK(row.state == Row::State::failed);
        CHECK_THAT(row.note, Catch::Contains(one.note));
        CHECK(made_up.starts("threads").size() == 1);
    }
    const MadeUp made_up;
    made_up.add("threads", "echo '--------' >&2; echo 'no threads left' >&2; exit 3");
    const Row row = row_of(made_up);
    CHECK(row.state == Row::State::failed);
    CHECK(row.note == "exit code 3: no threads left");
}

TEST_CASE("peers: a peer that takes too long is stopped, with all processes that it has started", "[peers][negative]")
{
    const MadeUp made_up;
    const std::string processes = made_up.file("processes");
    // A child in a session of its own: its parent ends when it is asked to, and leaves it behind.
    made_up.add("threads", "setsid sleep 1000 >/dev/null 2>&1 &\necho $! $$ >'" + processes + "'\nwait");
    const Row row = row_of(made_up, 0.5);
    CHECK(row.state == Row::State::stopped);
    CHECK(row.note == "stopped after 0.5 s");
    CHECK(row.seconds.empty());
    CHECK(made_up.starts("threads").size() == 1);
    std::ifstream file(processes);
    int count = 0;
    for (std::string process; file >> process; ++count) {
        CAPTURE(process);
        CHECK(has_ended(process));
    }
    CHECK(count == 2);
}

TEST_CASE("peers: a program that closes its output and goes on is stopped, too", "[peers][negative]")
{
    const Child child = run_child({"sh", "-c", "echo done; exec >&- 2>&-; exec sleep 1000"}, 0.3);
    CHECK(child.stopped);
    CHECK(child.out == "done\n");
    const Child good = run_child({"sh", "-c", "echo out; echo err >&2; cat; exit 3"}, 60);
    CHECK_FALSE(good.stopped);
    CHECK(good.exit_code == 3);
    CHECK(good.out == "out\n");
    CHECK(good.err == "err\n");
    CHECK(run_child({"sh", "-c", "kill -9 $$"}, 60).exit_code == 128 + 9);
    CHECK_THROWS_AS(run_child({"/no/such/program"}, 60), std::system_error);
}

TEST_CASE("peers: a peer that is not built, or needs more memory than there is, is not started", "[peers]")
{
    const MadeUp made_up;
    made_up.add_line("openmpi");
    Question question = made_up.question({"openmpi", "simgrid"});
    question.memory = 40'000'000;  // less than 2 ranks need
    question.cores = 3;
    const std::vector<Row> rows = compared(question, own());
    REQUIRE(rows.size() == 6);
    CHECK(rows[1].state == Row::State::not_built);
    CHECK(rows[1].note == "needs libsimgrid-dev");
    for (std::size_t i = 2; i < rows.size(); ++i) {
        CAPTURE(rows[i].variant, rows[i].note);
        CHECK(rows[i].peer == "openmpi");
        CHECK(rows[i].state == Row::State::left_out);
        const bool is_rank_a_node = rows[i].variant.starts_with("node-");
        CHECK_THAT(rows[i].note, Catch::StartsWith(is_rank_a_node ? "needs about 190" : "needs about 47.7") &&
                                     Catch::EndsWith("there are 38.1 MiB"));
    }
    CHECK(made_up.starts("openmpi").empty());
}

TEST_CASE("peers: ranks of MPI are as many as cores, or as nodes, and then give way to each other", "[peers]")
{
    constexpr std::size_t cores = 6;
    for (const KnownPeer& peer : known_peers())
        for (const KnownVariant& variant : peer.variants) {
            std::string line;
            for (const std::string& word : command_of(peer, "/there", variant, {4, 64}, 7, cores))
                line += word + " ";
            CAPTURE(line);
            CHECK_THAT(line, Catch::EndsWith("/there/peer-" + peer.name + " --dim 4 --bytes 64 --repeat 7 --variant " +
                                             variant.name + " "));
            const bool is_mpi = peer.name == "openmpi";
            CHECK(line.starts_with(variant.is_rank_a_node ? "mpirun -n 16 --oversubscribe " : "mpirun -n 4 --over") ==
                  is_mpi);
            CHECK((line.find("mpi_yield_when_idle 1 ") != std::string::npos) == variant.is_rank_a_node);
        }
    const KnownVariant few{.name = "hops"};
    CHECK(ranks_of(few, {1, 64}, cores) == 2);
    CHECK(ranks_of(few, {8, 64}, 1) == 1);
}

TEST_CASE("peers: each variant says what it does not do", "[peers]")
{
    const std::vector<std::string> words{"hops", "links", "clock", "rules", "counts"};
    for (const KnownPeer& peer : known_peers())
        for (const KnownVariant& variant : peer.variants) {
            CAPTURE(peer.name, variant.name);
            CHECK_FALSE(variant.without.empty());
            CHECK_FALSE(variant.remark.empty());
            for (const std::string& word : variant.without)
                CHECK(std::ranges::find(words, word) != words.end());
        }
}
