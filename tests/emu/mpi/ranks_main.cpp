// The ranks of a launch in the tests of the world of MPI: ranks_main WHAT. A rank prints "done" at the end if all went
// well.

#include <dcube/error.hpp>
#include <dcube/mpi.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace dcube;

void require(bool right, const std::string& what)
{
    if (!right)
        throw Error(what);
}

std::vector<std::byte> bytes_of(unsigned from, unsigned to, std::size_t size, unsigned step)
{
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i)
        bytes[i] = static_cast<std::byte>(i * 7 + i / 251 + from * 31 + to * 17 + step);
    return bytes;
}

std::vector<std::byte> note_of(unsigned rank, unsigned step)
{
    return bytes_of(rank, 99, 24, step);
}

// The ranks that are peers: all, none, those on a ring, pairs.
using Peers = bool (*)(unsigned, unsigned, unsigned);
constexpr Peers kinds_of_peers[]{
    [](unsigned, unsigned, unsigned) { return true; },
    [](unsigned, unsigned, unsigned) { return false; },
    [](unsigned a, unsigned b, unsigned ranks) { return (a + 1) % ranks == b || (b + 1) % ranks == a; },
    [](unsigned a, unsigned b, unsigned) { return a / 2 == b / 2; },
};

std::vector<unsigned> peers_of(const World& world, Peers are_peers)
{
    std::vector<unsigned> peers;
    for (unsigned rank = 0; rank < world.ranks(); ++rank)
        if (rank != world.rank() && are_peers(world.rank(), rank, world.ranks()))
            peers.push_back(rank);
    return peers;
}

std::size_t size_of_message(unsigned from, unsigned to, std::size_t most, unsigned step)
{
    return 24 + (most * (1 + from % 2) + to * 8) * (step % 3);
}

void exchange_once(World& world, Peers are_peers, std::size_t most, unsigned step)
{
    const std::vector<unsigned> peers = peers_of(world, are_peers);
    const std::vector<std::byte> note = note_of(world.rank(), step);
    std::vector<MessageBuffer> mine(peers.size());
    std::vector<MessageBuffer> theirs(peers.size());
    for (std::size_t i = 0; i < peers.size(); ++i) {
        const auto bytes = bytes_of(world.rank(), peers[i], size_of_message(world.rank(), peers[i], most, step), step);
        mine[i].resize(bytes.size());
        std::ranges::copy(bytes, mine[i].bytes().begin());
    }
    std::vector<std::byte> notes(world.ranks() * note.size());
    world.exchange(peers, mine, theirs, note, notes);
    for (unsigned rank = 0; rank < world.ranks(); ++rank)
        require(std::ranges::equal(std::span(notes).subspan(rank * note.size(), note.size()), note_of(rank, step)),
                "a note of rank " + std::to_string(rank));
    for (std::size_t i = 0; i < peers.size(); ++i) {
        auto expected = bytes_of(peers[i], world.rank(), size_of_message(peers[i], world.rank(), most, step), step);
        std::ranges::copy(note_of(peers[i], step), expected.begin());
        require(std::ranges::equal(theirs[i].bytes(), expected), "a message of rank " + std::to_string(peers[i]));
    }
}

// Messages that are longer than what is posted, in one piece or several, and short ones again.
void exchange(World& world, std::size_t longest)
{
    const unsigned times = world.ranks() > 4 ? 1 : 4;  // those that outnumber the cores wait long for each other
    unsigned step = 0;
    for (const std::size_t most : {std::size_t{0}, std::size_t{40}, longest / 4, longest, longest / 100})
        for (const Peers are_peers : kinds_of_peers)
            for (unsigned time = 0; time < times; ++time)
                exchange_once(world, are_peers, most, step++);
}

void tell(World& world, std::size_t longest)
{
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, longest / 50, longest})
        for (unsigned from = 0; from < world.ranks(); ++from) {
            const auto bytes = bytes_of(from, 0, size, 1);
            const auto mine = world.rank() == from ? bytes : std::vector<std::byte>{};
            require(world.broadcast(mine, from) == bytes, "a broadcast");
        }
    for (const std::size_t size : {std::size_t{0}, std::size_t{5}, longest}) {
        const auto of = [&](unsigned rank) { return bytes_of(rank, 1, size * rank, 2); };
        const auto all = world.gather(of(world.rank()));
        require(all.size() == (world.rank() == 0 ? world.ranks() : 0), "the size of what was gathered");
        for (unsigned rank = 0; rank < all.size(); ++rank)
            require(all[rank] == of(rank), "what was gathered");
        const auto everywhere = world.gather_everywhere(of(world.rank()));
        require(everywhere.size() == world.ranks(), "the size of what was gathered everywhere");
        for (unsigned rank = 0; rank < world.ranks(); ++rank)
            require(everywhere[rank] == of(rank), "what was gathered everywhere");
    }
}

void agree_on_errors(World& world)
{
    agree(world, nullptr);
    const unsigned last = world.ranks() - 1;
    try {
        together(world, [&] {
            if (world.rank() >= last / 2)
                throw InvalidArgument("rank " + std::to_string(world.rank()) + " is wrong");
        });
        require(false, "an error was thrown by one rank and not by all");
    } catch (const InvalidArgument& error) {
        require(error.what() == "rank " + std::to_string(last / 2) + " is wrong", error.what());
    }
    require(world.hosts() == 1 && world.ranks_on_host() == world.ranks(), "hosts");
}

// Checks all kinds of peers, also with pieces of few bytes.
int check_all()
{
    struct Case {
        std::size_t piece;
        std::size_t longest;
    };
    const auto first = world_of_mpi();  // MPI lasts as long as one of its worlds
    for (const auto [piece, longest] : {Case{std::size_t{1} << 30, 200'000}, {10'000, 100'000}, {100, 1500}}) {
        const auto world = world_of_mpi({.longest_piece = piece});
        exchange(*world, longest);
        tell(*world, longest);
        agree_on_errors(*world);
    }
    return 0;
}

void wait_for_others(World& world)
{
    for (unsigned step = 0;; ++step)
        exchange_once(world, kinds_of_peers[0], 100, step);
}

// The last rank ends in the given way while the others wait for it.
template <class End>
int end_by(const End& end)
{
    const auto world = world_of_mpi();
    exchange_once(*world, kinds_of_peers[0], 100, 0);
    if (world->rank() + 1 == world->ranks())
        end(*world);
    else
        wait_for_others(*world);
    return 0;
}

void be_killed(World&)
{
    std::raise(SIGKILL);
}

void crash(World&)
{
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    std::abort();
}

// Stopped, a rank neither ends nor answers.
int be_silent()
{
    const auto world = world_of_mpi({.rank_timeout = 1});
    if (world->rank() + 1 == world->ranks())
        std::raise(SIGSTOP);
    wait_for_others(*world);
    return 0;
}

int leave_early(const char* why, int code)
{
    const auto world = world_of_mpi();
    exchange_once(*world, kinds_of_peers[0], 100, 0);
    if (world->rank() + 1 != world->ranks())
        wait_for_others(*world);
    return world->leave(code, why).code;
}

// All leave, two with something to say.
int leave_together()
{
    const auto world = world_of_mpi();
    const unsigned rank = world->rank();
    const MpiWorld::LastWord last = world->leave(rank == 0 ? 0 : static_cast<int>(rank) + 4, rank == 0 ? "" : "was it");
    require(last.rank == 1 && last.code == 5 && last.why == "was it", "the last word");
    return 0;
}

int do_it(const std::string& what)
{
    if (what == "check")
        return check_all();
    if (what == "killed")
        return end_by(be_killed);
    if (what == "crash")
        return end_by(crash);
    if (what == "exit")
        return end_by([](World&) { std::exit(0); });
    if (what == "abandon")
        return end_by([](World& world) { world.abandon("no more"); });
    if (what == "throw")
        return end_by([](World&) { throw std::runtime_error("thrown"); });
    if (what == "silent")
        return be_silent();
    if (what == "leave")
        return leave_early("out of luck", 3);
    if (what == "destroy")
        return leave_early("", 0);
    if (what == "leave-together")
        return leave_together();
    throw InvalidArgument("what?");
}

}  // namespace

int main(int argc, char** argv)
{
    try {
        const std::string what = argc > 1 ? argv[1] : "";
        const int code = do_it(what);
        if (code == 0)
            std::puts("done");
        return code;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "ranks_main: %s\n", error.what());
        return 1;
    }
}
