// Link-bound machines: when packets leave and arrive, channels that push back, and packets that are joined.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/links.hpp"
#include "tests/support/small_programs.hpp"

#include <dcube/machine.hpp>

#include <array>
#include <cstring>
#include <string>

using namespace dcube;
using namespace test_support;

namespace {

// Runs a program on machines of every channel kind, capacity and thread count; they must agree.
Counts run(unsigned d, const LinkModel& link, const Machine::Program& program)
{
    std::optional<Counts> first;
    for (const ChannelKind channel : {ChannelKind::slots, ChannelKind::spsc}) {
        for (const unsigned threads : {1U, 2U}) {
            MachineOptions options;
            options.link = link;
            options.channel = channel;
            options.threads = threads;
            Machine machine(Topology::hypercube(d), options);
            const Counts counts = machine.run(program);
            if (!first)
                first = counts;
            CHECK(counts.virtual_time == first->virtual_time);
            CHECK(counts.steps == first->steps);
            CHECK(machine.run(program).virtual_time == first->virtual_time);  // nothing is left of the run before
        }
    }
    return *first;
}

std::string violation_of(unsigned d, const LinkModel& link, const Machine::Program& program)
{
    MachineOptions options;
    options.link = link;
    Machine machine(Topology::hypercube(d), options);
    try {
        machine.run(program);
    } catch (const RuleViolation& violation) {
        return violation.what();
    }
    return "none";
}

const std::string alphabet = "abcdefghijklmnopqrstuvwxyz";

}  // namespace

TEST_CASE("link: a packet takes tau a byte and beta, and links serve one at a time", "[emu][link]")
{
    const Counts counts = run(1, link_bound(3, 100), [](Node& me) -> Task {
        if (me.id() == 0)
            me.send(0, bytes_of(alphabet).first(10));  // 0 to 130
        co_await me.next_step();
        if (me.id() == 0)
            me.send(0, bytes_of(alphabet).first(1));  // 130 to 233
        else
            CHECK(me.receive(0).usable.ticks() == 130);
        co_await me.next_step();
        if (me.id() == 1)
            CHECK(me.receive(0).usable.ticks() == 233);
    });
    CHECK(counts.virtual_time == 233);
}

TEST_CASE("link: a packet leaves when its bytes are usable", "[emu][link]")
{
    const LinkModel halves{LinkKind::link_bound, {5, 2}, {1, 3}, LinkClock::data_driven};  // ticks of 1/6 ns
    CHECK(halves.ticks_per_ns() == 6);
    const Counts counts = run(2, halves, [](Node& me) -> Task {
        if (me.id() == 0)
            me.send(0, bytes_of(alphabet).first(2));  // arrives at 5 + 1/3 ns
        co_await me.next_step();
        if (me.id() == 1) {
            const Packet packet = me.receive(0, me.allocate(2));
            CHECK(packet.usable.ticks() == 32);
            me.send(1, cut(packet, 1, 1));  // 2 + 1/2 + 1/3 ns more
        }
        co_await me.next_step();
        if (me.id() == 3)
            CHECK(me.receive(1).usable.ticks() == 32 + 17);
    });
    CHECK(counts.virtual_time == 49);
}

TEST_CASE("link: times that are not possible are refused, by their keys", "[emu][link][negative]")
{
    const auto refusal = [](Rational tau, Rational beta) {
        return error_of([&] {
            const LinkModel link{LinkKind::link_bound, tau, beta, LinkClock::data_driven};
            Machine(Topology::hypercube(1), {.link = link});
        });
    };
    CHECK(refusal({1, 4294967291}, {1, 3}) == "tau_ns_per_byte 1/4294967291 and beta_ns 1/3 have no common denominator "
                                              "below 2^32: expected fewer digits, or a fraction such as 1/3");
    CHECK(refusal({-1, 2}, {1, 1}) == "tau_ns_per_byte -1/2 is not possible: expected at least 0 ns, over at least 1");
    CHECK(refusal({1, 1}, {1, 0}) == "beta_ns 1/0 is not possible: expected at least 0 ns, over at least 1");
    CHECK(refusal({1, 2}, {std::int64_t{1} << 62, 1}) ==
          "beta_ns 4611686018427387904 is too large: at most 2^63-1 ticks of 1/2 ns are allowed");
}

TEST_CASE("link: in lockstep a step begins when all packets of the one before have arrived", "[emu][link]")
{
    LinkModel lockstep = link_bound(1, 10);
    lockstep.clock = LinkClock::lockstep;
    const Machine::Program program = [](Node& me) -> Task {
        const Usable begun = me.usable_now();
        me.send(0, bytes_of(alphabet).first(me.id() + 1));  // the longest takes 14
        co_await me.next_step();
        me.receive(0);
        co_await me.next_step();  // nothing is sent: no time passes
        me.send(1, bytes_of(alphabet).first(1), 0, begun);
        co_await me.next_step();
        me.receive(1);
    };
    CHECK(run(2, lockstep, program).virtual_time == 14 + 11);
    CHECK(run(2, link_bound(1, 10), program).virtual_time == 14);  // links 0 and 1 do not wait for each other
}

TEST_CASE("link: a program waits for room where a channel is full", "[emu][link]")
{
    for (const std::size_t capacity : {1U, 2U, 5U}) {
        for (const ChannelKind channel : {ChannelKind::slots, ChannelKind::spsc}) {
            std::array<Step, 2> steps{};
            for (const unsigned threads : {1U, 2U}) {
                MachineOptions options;
                options.link = link_bound(1, 10);
                options.threads = threads;
                options.channel = channel;
                options.channel_capacity = capacity;
                Machine machine(Topology::hypercube(1), options);
                std::string heard;
                const Counts counts = machine.run([&](Node& me) -> Task {
                    if (me.id() == 0) {
                        for (std::size_t at = 0; at < alphabet.size(); ++at) {
                            co_await me.room(0);
                            me.send(0, bytes_of(alphabet).subspan(at, 1));
                        }
                        co_return;
                    }
                    co_await me.until(20);  // until then nothing is received
                    while (heard.size() < alphabet.size()) {
                        co_await me.arrival(0);
                        heard += static_cast<char>(me.receive(0)[0]);
                        co_await me.next_step();
                    }
                });
                CHECK(heard == alphabet);
                CHECK(counts.virtual_time == 26 * 11);
                steps[threads - 1] = counts.steps;
            }
            CHECK(steps[0] == steps[1]);
            CHECK(steps[0] > 20);
        }
    }
}

TEST_CASE("link: there is room for as many packets as the capacity says", "[emu][link]")
{
    MachineOptions options;
    options.channel_capacity = 3;
    options.link = link_bound(1, 1);
    Machine machine(Topology::hypercube(1), options);
    machine.run([](Node& me) -> Task {
        if (me.id() == 0) {
            for (int i = 0; i < 3; ++i) {
                CHECK(me.has_room(0));
                me.send(0, bytes_of(alphabet).first(1));
                CHECK_FALSE(me.has_room(0));  // one packet per step
                co_await me.next_step();
            }
            CHECK_FALSE(me.has_room(0));
        }
        co_await me.until(6);
        if (me.id() == 1) {
            me.receive(0);
            me.receive(0);
            me.receive(0);
        } else {
            CHECK_FALSE(me.has_room(0));  // a packet received in this step does not count yet
            co_await me.next_step();
            CHECK(me.has_room(0));
        }
    });
}

TEST_CASE("link: a program that waits for room that never comes is reported", "[emu][link][negative]")
{
    const std::string violation = violation_of(1, link_bound(1, 1), [](Node& me) -> Task {
        for (int i = 0; i < 3; ++i) {
            co_await me.room(0);
            me.send(0, bytes_of(alphabet).first(1));
        }
    });
    CHECK_THAT(violation,
               Catch::Contains("deadlock in step 2 at node 0, port 0: waiting for room on port 0 since step 1: "
                               "nodes 0-1"));
}

TEST_CASE("link: an empty packet takes beta, and what its receiver sends leaves no sooner", "[emu][link]")
{
    const Counts counts = run(2, link_bound(3, 100), [](Node& me) -> Task {
        if (me.id() == 0)
            me.send(0, std::span<const std::byte>());
        co_await me.next_step();
        if (me.id() == 1) {
            me.receive(0, std::span<std::byte>());
            me.send(1, std::span<const std::byte>());
        }
        co_await me.next_step();
        if (me.id() == 3)
            me.receive(1, std::span<std::byte>());
    });
    CHECK(counts.virtual_time == 200);
    CHECK(counts.bytes == 0);
}

TEST_CASE("link: calls that a link-bound machine does not allow are caught", "[emu][link][negative]")
{
    CHECK_THAT(violation_of(1, link_bound(std::int64_t{1} << 62, 0),
                            [](Node& me) -> Task {
                                me.send(0, bytes_of(alphabet).first(4));
                                co_return;
                            }),
               Catch::Contains("time-overflow in step 1 at node 0, port 0"));
    CHECK_THAT(violation_of(1, link_bound(0, std::int64_t{1} << 62),
                            [](Node& me) -> Task {
                                for (int i = 0; i < 4; ++i) {
                                    me.send(0, bytes_of(alphabet).first(1));
                                    co_await me.next_step();
                                    me.receive(0);
                                }
                            }),
               Catch::Contains("time-overflow in step 4"));
    MachineOptions options;
    for (const Rational& ns : {Rational{-1, 1}, {1, 0}, {0, 0}, {1, -3}, {-1, -1}}) {
        options.link = link_bound(1, 1);
        options.link.tau = ns;
        CHECK_THROWS_AS(Machine(Topology::hypercube(1), options), InvalidArgument);
        options.link = link_bound(1, 1);
        options.link.beta = ns;
        CHECK_THROWS_AS(Machine(Topology::hypercube(1), options), InvalidArgument);
    }
}

TEST_CASE("link: a packet may be joined from several places", "[emu][link]")
{
    static const std::array<std::span<const std::byte>, 3> parts{
        bytes_of(alphabet).subspan(20, 3), bytes_of(alphabet).first(1), bytes_of(alphabet).subspan(10, 2)};
    const Counts counts = run(2, link_bound(2, 5), [](Node& me) -> Task {
        me.send(1, bytes_of(alphabet).first(1));  // arrives at 7
        co_await me.next_step();
        const Usable since = me.receive(1).usable;
        me.send(0, JoinedPacket{parts, since});
        co_await me.next_step();
        if (me.id() % 2 == 0) {
            const BorrowedParts packet = me.receive_joined(0);
            CHECK(packet.usable.ticks() == 7 + 17);
            REQUIRE(packet.size() == 3);
            CHECK(packet[2].data() == parts[2].data());
            CHECK(packet[2].size() == 2);
        } else {
            const std::span<std::byte> into = me.allocate(6);
            CHECK(me.receive(0, into).usable.ticks() == 7 + 17);
            CHECK(std::memcmp(into.data(), "uvwakl", 6) == 0);
        }
    });
    CHECK(counts.bytes == 4 + 24);
    for (const bool joined : {false, true})
        CHECK_THAT(violation_of(1, {},
                                [joined](Node& me) -> Task {
                                    if (joined)
                                        me.send(0, JoinedPacket{parts});
                                    else
                                        me.send(0, bytes_of(alphabet));
                                    co_await me.next_step();
                                    if (joined)
                                        me.receive(0);
                                    else
                                        me.receive_joined(0);
                                }),
                   Catch::Contains("size-mismatch in step 2 at node 0, port 0"));
}

TEST_CASE("link: a trace follows bytes that are joined, cut and copied", "[emu][link]")
{
    MachineOptions options;
    options.link = link_bound(1, 1);
    Machine machine(Topology::hypercube(1), options);
    static const std::array<std::span<const std::byte>, 2> parts{bytes_of(alphabet).subspan(4, 2),
                                                                 bytes_of(alphabet).first(1)};
    std::vector<std::vector<Piece>> pieces;
    RunOptions traced;
    traced.labels = [](NodeId node) {
        return node == 0 ? std::vector<Label>{{bytes_of(alphabet), {NodeId{0}, NodeId{1}, 100, alphabet.size()}}}
                         : std::vector<Label>{};
    };
    traced.trace = [&](const Transmission& one) { pieces.emplace_back(one.pieces.begin(), one.pieces.end()); };
    machine.run(
        [](Node& me) -> Task {
            CHECK(me.traced());
            if (me.id() == 0)
                me.send(0, JoinedPacket{parts});
            co_await me.next_step();
            if (me.id() == 1) {
                const BorrowedParts packet = me.receive_joined(0);
                const std::span<std::byte> mine = me.allocate(2);
                me.copy(mine.first(1), packet[1]);
                me.copy(mine.last(1), packet[0].part(1, 1));
                me.send(0, mine);
            }
            co_await me.next_step();
            if (me.id() == 0)
                me.receive(0);
        },
        traced);
    REQUIRE(pieces.size() == 2);
    CHECK(pieces[0] == std::vector<Piece>{{NodeId{0}, NodeId{1}, 104, 2}, {NodeId{0}, NodeId{1}, 100, 1}});
    CHECK(pieces[1] == std::vector<Piece>{{NodeId{0}, NodeId{1}, 100, 1}, {NodeId{0}, NodeId{1}, 105, 1}});
}

TEST_CASE("link: decimals of any length are read exactly, if they fit", "[emu][link]")
{
    CHECK(parse_rational("x", "0.0217391304") == Rational{27173913, 1250000000});
    CHECK(parse_rational("x", "0.3333333333333333") == Rational{3333333333333333, 10000000000000000});
    CHECK(parse_rational("x", "0.30000000000000004") == Rational{7500000000000001, 25000000000000000});
    CHECK(parse_rational("x", "1e-3") == Rational{1, 1000});
    CHECK(parse_rational("x", "1E+3") == Rational{1000, 1});
    CHECK(parse_rational("x", "2.5e-07") == Rational{1, 4000000});
    CHECK(parse_rational("x", ".5") == Rational{1, 2});
    CHECK(parse_rational("x", "5.") == Rational{5, 1});
    CHECK(parse_rational("x", "0.000e99999999999999999999") == Rational{});
    CHECK(parse_rational("x", "1" + std::string(1000, '0') + "e-1000") == Rational{1, 1});
    CHECK(parse_rational("x", "0." + std::string(1000, '0') + "25e1001") == Rational{5, 2});
    // 2^-62 as a decimal: numerator and denominator fit only once the fraction is in lowest terms.
    CHECK(parse_rational("x", "0.00000000000000000021684043449710088680149056017398834228515625") ==
          Rational{1, std::int64_t{1} << 62});
    CHECK(parse_rational("x", "9223372036854775807e0") == Rational{9223372036854775807, 1});
    for (const char* const wide :
         {"9223372036854775808", "1e19", "1e-19", "1/9223372036854775808", "9223372036854775808/2",
          "3.14159265358979323846264338327950288", "1e99999999999999999999", "1e-64"})
        CHECK_THROWS_WITH(parse_rational("x", wide), Catch::EndsWith("numerator and denominator are below 2^63"));
}

TEST_CASE("link: rationals are read exactly", "[emu][link]")
{
    CHECK(parse_rational("x", "100") == Rational{100, 1});
    CHECK(parse_rational("x", "10/4") == Rational{5, 2});
    CHECK(parse_rational("x", "0.59") == Rational{59, 100});
    CHECK(parse_rational("x", "9223372036854775807") == Rational{9223372036854775807, 1});
    for (const char* const wrong : {"",    "-1",    "1/", "/2",  "1/0",  "1/00",  ".",     "1.2.3", "1e",  "e3",
                                    "1e-", "1e2.5", "1 ", "0x1", "1/-2", "1/2/3", "0.5/2", "nan",   "inf", "+1"})
        CHECK_THROWS_WITH(parse_rational("x", wrong), Catch::EndsWith("such as 100, 5/2, 0.59 or 1e-3"));
    CHECK(Rational{1, 3} < Rational{1, 2});
    CHECK(to_string(Rational{5, 2}) == "5/2");
    for (const MachinePreset& preset : machine_presets())
        CHECK(find_preset(preset.name).beta > Rational{});
}
