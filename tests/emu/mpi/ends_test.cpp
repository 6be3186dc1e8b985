// Messages between ranks about how they end, and their common end.

#include "tests/emu/mpi/launches.hpp"
#include "tests/support/catch.hpp"

#include <chrono>
#include <string>

using namespace dcube::test;

namespace {

// Ranks that have come to their end. MPICH's launcher mixes what they write.
unsigned done(const Outcome& outcome)
{
    unsigned count = 0;
    for (std::size_t at = 0; (at = outcome.out.find("done", at)) != std::string::npos; ++at)
        ++count;
    return count;
}

// The last of three ranks ends so while the others wait for it: none hangs.
Outcome ended_by(const std::string& what)
{
    const auto begin = std::chrono::steady_clock::now();
    Outcome outcome = launched(DCUBE_RANKS_MAIN, 3, {what});
    CAPTURE(what, outcome.out, outcome.err);
    CHECK(outcome.exit_code != 0);
    CHECK(done(outcome) == 0);
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
    return outcome;
}

}  // namespace

TEST_CASE("mpi: messages between ranks arrive, whatever their size, and all ranks throw the same error", "[mpi]")
{
    for (const unsigned ranks : {1U, 2U, 3U, 4U, 9U}) {  // 9 combine their notes
        const Outcome outcome = launched(DCUBE_RANKS_MAIN, ranks, {"check"});
        CAPTURE(ranks, outcome.out, outcome.err);
        CHECK(outcome.exit_code == 0);
        CHECK(done(outcome) == ranks);
    }
}

TEST_CASE("mpi: a rank that dies ends the others", "[mpi][negative]")
{
    ended_by("killed");
    ended_by("crash");
}

TEST_CASE("mpi: a rank that calls exit, gives up or lets an exception through ends the others", "[mpi][negative]")
{
    ended_by("exit");
    CHECK(complaints(ended_by("abandon")) == std::vector<std::string>{"dcube: rank 2: no more"});
    CHECK(complaints(ended_by("throw")) == std::vector<std::string>{"dcube: rank 2: ended by an exception"});
}

TEST_CASE("mpi: ranks that wait for one that has left say why it did, and end with its code", "[mpi][negative]")
{
    const Outcome left = ended_by("leave");
    CHECK(left.exit_code == 3);
    CHECK(complaints(left).front() == "dcube: rank 2: out of luck");
    CHECK(complaints(ended_by("destroy")).front() == "dcube: rank 2: ended before the others");
}

TEST_CASE("mpi: a rank that neither ends nor answers ends them all after the rank timeout", "[mpi][negative]")
{
    const std::string expected = "another rank did not respond within the rank timeout";
    CHECK_THAT(complaints(ended_by("silent")).front(), Catch::EndsWith(expected));
}

TEST_CASE("mpi: ranks that leave together know what the lowest one says that has something to say", "[mpi]")
{
    const Outcome outcome = launched(DCUBE_RANKS_MAIN, 4, {"leave-together"});
    CHECK(outcome.exit_code == 0);
    CHECK(done(outcome) == 4);
}
