// Worlds: who has which nodes, and what ranks tell each other.

#include <dcube/world.hpp>

#include "emu/remote_error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/local_world.hpp"
#include "tests/support/small_programs.hpp"

#include <dcube/error.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

using namespace dcube;
using namespace test_support;

namespace {

using Buffer = std::vector<std::byte>;

// `count` bytes that tell who made them.
Buffer made_by(unsigned rank, std::size_t count)
{
    Buffer bytes(count);
    for (std::size_t i = 0; i < count; ++i)
        bytes[i] = static_cast<std::byte>((rank + 1) * 41 + i * 3);
    return bytes;
}

struct Note {
    std::uint32_t step;
    std::uint32_t rank;
    friend bool operator==(const Note&, const Note&) = default;
};

// Buffer behind the note that `from` sends to `to`: none, few, or many.
std::size_t length(unsigned from, unsigned to, unsigned step)
{
    return (from + step) % 3 == 0 ? 0 : std::size_t{from} * 1000 + to * 10 + step;
}

std::vector<unsigned> peers_of(unsigned rank, unsigned ranks, unsigned most)
{
    std::vector<unsigned> peers;
    for (unsigned other = 0; other < ranks; ++other) {
        const unsigned apart = other > rank ? other - rank : rank - other;
        if (apart != 0 && apart <= most)
            peers.push_back(other);
    }
    return peers;
}

// Steps of an exchange with the ranks that are at most `most` away; the number of messages that were wrong.
unsigned wrong_messages(World& world, unsigned most, unsigned steps)
{
    const auto peers = peers_of(world.rank(), world.ranks(), most);
    std::vector<MessageBuffer> mine(peers.size());
    std::vector<MessageBuffer> theirs(peers.size());
    unsigned wrong = 0;
    for (unsigned step = 0; step < steps; ++step) {
        for (std::size_t i = 0; i < peers.size(); ++i) {
            const Buffer bytes = made_by(world.rank(), length(world.rank(), peers[i], step));
            mine[i].resize(sizeof(Note) + bytes.size());
            std::ranges::copy(bytes, mine[i].bytes().begin() + sizeof(Note));
        }
        const Note note{step, world.rank()};
        std::vector<Note> notes(world.ranks());
        world.exchange(peers, mine, theirs, std::as_bytes(std::span(&note, 1)),
                       std::as_writable_bytes(std::span(notes)));
        for (unsigned rank = 0; rank < world.ranks(); ++rank)
            wrong += notes[rank] != Note{step, rank};
        for (std::size_t i = 0; i < peers.size(); ++i) {
            const Buffer expected = made_by(peers[i], length(peers[i], world.rank(), step));
            const Note theirs_note{step, peers[i]};
            const std::span<const std::byte> found = std::as_const(theirs[i]).bytes();
            wrong += found.size() != sizeof(Note) + expected.size() ||
                     std::memcmp(found.data(), &theirs_note, sizeof(Note)) != 0 ||
                     !std::ranges::equal(found.subspan(sizeof(Note)), expected);
        }
    }
    return wrong;
}

std::string text_of(const Buffer& bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The errors that every rank's call throws, by rank, with their types.
template <class Failed>
std::vector<std::string> caught_by_all(unsigned ranks, const std::function<void(World&)>& program)
{
    std::vector<std::string> caught(ranks, "nothing");
    run_ranks(ranks, [&](const std::shared_ptr<World>& world) {
        try {
            program(*world);
        } catch (const Failed& error) {
            caught[world->rank()] = typeid(error) == typeid(Failed) ? error.what() : "another type";
        } catch (...) {
            caught[world->rank()] = "another type";
        }
    });
    return caught;
}

template <class Thrown>
Thrown told_and_read(const Thrown& error)
{
    const auto told = detail::encoded(std::make_exception_ptr(error));
    try {
        std::rethrow_exception(detail::decoded(told));
    } catch (const Thrown& read) {
        if (typeid(read) != typeid(Thrown))
            throw std::logic_error("a derived type");
        return read;
    }
}

}  // namespace

TEST_CASE("world: every node is one rank's, and ranks have neighbouring nodes, as many as the others or one more",
          "[emu][world]")
{
    for (NodeId nodes = 1; nodes <= 40; ++nodes)
        for (unsigned ranks = 1; ranks <= nodes; ++ranks) {
            CAPTURE(nodes, ranks);
            NodeId next = 0;
            for (unsigned rank = 0; rank < ranks; ++rank) {
                const NodeRange own = nodes_of_rank(rank, ranks, nodes);
                REQUIRE(own.first == next);
                REQUIRE((own.size() == nodes / ranks || own.size() == (nodes + ranks - 1) / ranks));
                for (NodeId node = own.first; node < own.last; ++node) {
                    REQUIRE(rank_of_node(node, ranks, nodes) == rank);
                    REQUIRE(own.contains(node));
                }
                REQUIRE_FALSE(own.contains(own.last));
                next = own.last;
            }
            REQUIRE(next == nodes);
        }
}

TEST_CASE("world: large networks are dealt in 64 bits", "[emu][world]")
{
    const NodeId nodes = NodeId{1} << 24;
    for (const unsigned ranks : {1000U, 1U << 20, (1U << 24) - 1}) {
        CAPTURE(ranks);
        CHECK(nodes_of_rank(ranks - 1, ranks, nodes).last == nodes);
        for (const unsigned rank : {0U, ranks / 3, ranks - 1}) {
            const NodeRange own = nodes_of_rank(rank, ranks, nodes);
            CHECK(rank_of_node(own.first, ranks, nodes) == rank);
            CHECK(rank_of_node(own.last - 1, ranks, nodes) == rank);
        }
    }
}

TEST_CASE("world: a message's room is aligned, grows, and stays", "[emu][world]")
{
    MessageBuffer buffer;
    CHECK(buffer.bytes().empty());
    buffer.resize(100);
    CHECK(buffer.bytes().size() == 100);
    CHECK(reinterpret_cast<std::uintptr_t>(buffer.bytes().data()) % MessageBuffer::alignment == 0);
    std::ranges::fill(buffer.bytes(), std::byte{7});
    const std::byte* const before = buffer.bytes().data();
    buffer.resize(10);
    buffer.resize(100);
    CHECK(buffer.bytes().data() == before);
    CHECK(std::ranges::count(buffer.bytes(), std::byte{7}) == 100);
    buffer.resize(101);
    CHECK(buffer.capacity() >= 200);  // growing costs little
    CHECK(reinterpret_cast<std::uintptr_t>(buffer.bytes().data()) % MessageBuffer::alignment == 0);
    MessageBuffer other;
    std::swap(buffer, other);
    CHECK(buffer.bytes().empty());
    CHECK(other.bytes().size() == 101);
}

TEST_CASE("world: a single rank receives its own messages", "[emu][world]")
{
    const std::shared_ptr<World> world = world_alone();
    CHECK(world->rank() == 0);
    CHECK(world->ranks() == 1);
    CHECK(world->hosts() == 1);
    CHECK(world->ranks_on_host() == 1);
    CHECK(wrong_messages(*world, 3, 3) == 0);
    CHECK(world->broadcast(made_by(0, 5), 0) == made_by(0, 5));
    CHECK(world->gather(made_by(0, 5)) == std::vector<Buffer>{made_by(0, 5)});
    CHECK(world->gather_everywhere(made_by(0, 5)) == std::vector<Buffer>{made_by(0, 5)});
}

TEST_CASE("world: every step brings all peers' messages and everybody's notes", "[emu][world]")
{
    for (unsigned ranks = 1; ranks <= 6; ++ranks)
        for (unsigned most = 0; most < ranks; ++most) {  // from no peers at all to all ranks
            CAPTURE(ranks, most);
            std::vector<unsigned> wrong(ranks);
            run_ranks(ranks, [&](const std::shared_ptr<World>& world) {
                wrong[world->rank()] = wrong_messages(*world, most, 5);
            });
            CHECK(wrong == std::vector<unsigned>(ranks, 0));
        }
}

TEST_CASE("world: one rank's bytes reach all, and all ranks' bytes one or all", "[emu][world]")
{
    const auto bytes = [](unsigned rank, unsigned from) { return made_by(rank, rank == 1 ? 0 : rank * 700 + from); };
    for (unsigned ranks = 1; ranks <= 5; ++ranks)
        for (unsigned from = 0; from < ranks; ++from) {
            CAPTURE(ranks, from);
            std::vector<Buffer> everybodys;
            for (unsigned rank = 0; rank < ranks; ++rank)
                everybodys.push_back(bytes(rank, from));
            std::vector<unsigned> right(ranks);
            run_ranks(ranks, [&](const std::shared_ptr<World>& world) {
                const unsigned me = world->rank();
                right[me] += world->broadcast(bytes(me, from), from) == bytes(from, from);
                right[me] += world->gather(bytes(me, from)) == (me == 0 ? everybodys : std::vector<Buffer>());
                right[me] += world->gather_everywhere(bytes(me, from)) == everybodys;
            });
            CHECK(right == std::vector<unsigned>(ranks, 3));
        }
}

TEST_CASE("world: errors reach other ranks with their type, their text and their members", "[emu][world]")
{
    for (int rule = 0; rule <= static_cast<int>(Rule::stray_packet); ++rule)
        for (const std::uint32_t port : {3U, RuleViolation::no_port}) {
            const RuleViolation error(static_cast<Rule>(rule), 7, 4'000'000'000U, port, "for: \"reasons\"");
            const RuleViolation read = told_and_read(error);
            CHECK(read.what() == std::string(error.what()));
            CHECK(read.rule == error.rule);
            CHECK(read.step == error.step);
            CHECK(read.node == error.node);
            CHECK(read.port == error.port);
        }
    const ProgramError failed(9, 17, "disk full");
    const ProgramError read = told_and_read(failed);
    CHECK(read.what() == std::string(failed.what()));
    CHECK(read.step == 9);
    CHECK(read.node == 17);
    CHECK(told_and_read(InvalidArgument("a dimension of -1")).what() == std::string("a dimension of -1"));
    CHECK(told_and_read(VerificationError("")).what() == std::string());
    CHECK(told_and_read(Interrupted()).what() == std::string(Interrupted().what()));
    CHECK(told_and_read(Error("plain")).what() == std::string("plain"));
}

TEST_CASE("world: other exceptions reach other ranks as errors with their text", "[emu][world]")
{
    const auto read = [](const auto& thrown) -> std::string {
        try {
            std::rethrow_exception(detail::decoded(detail::encoded(std::make_exception_ptr(thrown))));
        } catch (const Error& error) {
            return typeid(error) == typeid(Error) ? error.what() : "another type";
        }
    };
    CHECK(read(std::out_of_range("too far")) == "too far");
    CHECK(read(7) == "an exception that is not a std::exception");
    CHECK(detail::encoded(nullptr).empty());
    CHECK(detail::decoded({}) == nullptr);
}

TEST_CASE("world: all ranks throw the lowest one's error", "[emu][world]")
{
    const auto two_fail = [](World& world) {
        together(world, [&] {
            if (world.rank() == 2)
                throw InvalidArgument("rank 2 has no memory");
            if (world.rank() == 3)
                throw VerificationError("rank 3 found a wrong byte");
        });
    };
    CHECK(caught_by_all<InvalidArgument>(4, two_fail) == std::vector<std::string>(4, "rank 2 has no memory"));
    const auto first_fails = [](World& world) {
        together(world, [&] {
            if (world.rank() == 0)
                throw RuleViolation(Rule::link_busy, 3, 4, 1, "twice");
        });
    };
    CHECK(caught_by_all<RuleViolation>(3, first_fails) ==
          std::vector<std::string>(3, "link-busy in step 3 at node 4, port 1: twice"));
    const auto none_fails = [](World& world) {
        for (int time = 0; time < 3; ++time)
            agree(world, nullptr);
    };
    CHECK(caught_by_all<Error>(3, none_fails) == std::vector<std::string>(3, "nothing"));
    CHECK(caught_by_all<Interrupted>(1, [](World& world) { together(world, [] { throw Interrupted(); }); }) ==
          std::vector<std::string>{"interrupted"});
}

TEST_CASE("world: the rank that failed throws its own exception, and all can go on", "[emu][world]")
{
    std::vector<std::string> told(3);
    std::vector<std::string> after(3);
    run_ranks(3, [&](const std::shared_ptr<World>& world) {
        try {
            together(*world, [&] {
                if (world->rank() == 1)
                    throw std::out_of_range("too far");
            });
        } catch (const std::out_of_range& error) {
            told[world->rank()] = std::string("out of range: ") + error.what();
        } catch (const Error& error) {
            told[world->rank()] = error.what();
        }
        after[world->rank()] = text_of(world->broadcast(bytes_of("on"), 2));
    });
    CHECK(told == std::vector<std::string>{"too far", "out of range: too far", "too far"});
    CHECK(after == std::vector<std::string>(3, "on"));
}
