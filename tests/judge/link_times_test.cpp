// Times of link-bound traces: durations, busy links, ticks, and numbers that do not fit.

#include "tests/judge/judged.hpp"
#include "tests/judge/timed_traces.hpp"
#include "tests/support/catch.hpp"

#include <cstdint>
#include <limits>
#include <sstream>
#include <string>

using namespace dcube;
using namespace small_traces;
using test_support::contains;

TEST_CASE("link-bound judge: a packet takes tau s + beta, neither less nor more", "[judge][negative]")
{
    CHECK(judged({packet(1, 0, 0, 0, 0, 4)}, broadcast_of_4, 1).virtual_time_ns == whole(11));
    CHECK(judged({packet(1, 0, 0, 7, 0, 4)}, broadcast_of_4, 1).virtual_time_ns == whole(18));
    for (const std::int64_t end : {0, 4, 10, 12, 100})
        CHECK(complaint({at(packet(1, 0, 0, 5, 0, 4), 5, 5 + end)}, broadcast_of_4, 1) ==
              "line 1: a packet of 4 bytes goes from 5 to " + std::to_string(5 + end) +
                  " ns: 2 ns per byte and 3 ns per packet are needed, neither less nor more");
    CHECK(rejected_line({at(packet(1, 0, 0, 5, 0, 4), 16, 5)}, broadcast_of_4, 1) == 1);
}

TEST_CASE("link-bound judge: packets have any size, but there is one at a time on a link", "[judge][negative]")
{
    Problem problem = broadcast_of_4;
    problem.packets = 3;
    CHECK(judged({packet(1, 0, 0, 0, 0, 12)}, problem, 1).virtual_time_ns == whole(27));
    CHECK(judged({packet(1, 0, 0, 0, 0, 5), packet(2, 0, 0, 13, 5, 7)}, problem, 1).virtual_time_ns == whole(30));
    CHECK(judged({packet(1, 0, 0, 0, 0, 5), packet(2, 0, 0, 20, 5, 7)}, problem, 1).virtual_time_ns == whole(37));
    CHECK(complaint({packet(1, 0, 0, 0, 0, 5), packet(2, 0, 0, 12, 5, 7)}, problem, 1) ==
          "line 2: a packet starts at 12 ns on the link from node 0 over port 0, which is held by the one before until "
          "a later time");
    CHECK(rejected_line({packet(1, 0, 0, 17, 0, 5), packet(2, 0, 0, 0, 5, 7)}, problem, 1) == 2);  // out of order
    CHECK(rejected_line({packet(1, 0, 0, 0, 0, 5), packet(1, 0, 0, 13, 5, 7)}, problem, 1) == 2);  // in one step
    // The other direction and other links are links of their own.
    const Problem swap = timed({.collective = Collective::all_gather, .bytes = 4});
    const Trace both = {at(line(1, 0, 0, 4, 0, {}), 0, 11), at(line(1, 1, 0, 4, 1, {}), 5, 16)};
    CHECK(judged(both, swap, 1).virtual_time_ns == whole(16));
}

TEST_CASE("link-bound judge: times are whole numbers of ticks", "[judge][negative]")
{
    const Problem problem = timed({.collective = Collective::broadcast, .bytes = 4}, {1, 2}, {1, 3});
    const auto with = [&](Rational start, Rational end) {
        Record record = packet(1, 0, 0, 0, 0, 4);
        record.start_ns = start;
        record.end_ns = end;
        return complaint({record}, problem, 1);
    };
    CHECK(with({0, 1}, {7, 3}) == "");
    CHECK(with({5, 2}, {29, 6}) == "");
    CHECK(with({1, 4}, {31, 12}) == "line 1: \"start_ns\" is 1/4: a whole number of ticks of 1/6 ns is allowed");
    CHECK(with({1, 6}, {31, 12}) == "line 1: \"end_ns\" is 31/12: a whole number of ticks of 1/6 ns is allowed");
}

TEST_CASE("link-bound judge: times that do not fit are refused", "[judge][negative]")
{
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    CHECK(judged({at(packet(1, 0, 0, 0, 0, 4), most - 11, most)}, broadcast_of_4, 1).virtual_time_ns == whole(most));
    const Problem fine = timed({.collective = Collective::broadcast, .bytes = 4}, {2, 7}, {3, 1});
    CHECK(contains(complaint({at(packet(1, 0, 0, 0, 0, 4), most - 11, most)}, fine, 1),
                   "in ticks of 1/7 ns that does not fit in 64 bits"));
    const Problem slow = timed({.collective = Collective::broadcast, .bytes = 4}, {most, 1}, {most, 1});
    CHECK_THROWS_AS(judged({packet(1, 0, 0, 0, 0, 4)}, slow, 1), InvalidArgument);  // its lower bound does not fit
    // 8 bytes of 2^61 ns each take 2^64 ns, which is 0 if the carry is lost.
    Problem long_packet = timed({.collective = Collective::broadcast, .bytes = 1}, {std::int64_t{1} << 61, 1}, {0, 1});
    long_packet.packets = 3;
    Record record = line(1, 0, 0, 8, 0, {});
    record.pieces = {{0, {}, 0, 3}, {0, {}, 0, 3}, {0, {}, 0, 2}};
    CHECK(rejected_line({at(record, 5, 5)}, long_packet, 1) == 1);
    const Problem uneven = timed({.collective = Collective::broadcast, .bytes = 1}, {most, 2}, {1, 3});
    CHECK_THROWS_AS(judged({}, uneven, 1), InvalidArgument);
}

namespace {

std::string complaint_on_one_port(const Trace& trace, const Problem& problem, unsigned d)
{
    return test_support::error_of([&] { judged(trace, problem, d, PortModel::one); });
}

}  // namespace

TEST_CASE("link-bound judge: with one port a node sends one packet at a time", "[judge][ports][negative]")
{
    const Trace early = {packet(1, 0, 0, 0, 0, 4), packet(2, 0, 1, 10, 0, 4), packet(3, 1, 1, 21, 0, 4)};
    CHECK(complaint(early, broadcast_of_4, 2) == "");  // on all ports
    CHECK(complaint_on_one_port(early, broadcast_of_4, 2) ==
          "line 2: a packet from node 0 to node 2 starts at 10 ns: the one port of node 0 is held by another one until "
          "11 ns");
    const Trace in_turn = {packet(1, 0, 0, 0, 0, 4), packet(2, 0, 1, 11, 0, 4), packet(3, 1, 1, 12, 0, 4)};
    CHECK(judged(in_turn, broadcast_of_4, 2, PortModel::one).virtual_time_ns == whole(23));
}

TEST_CASE("link-bound judge: with one port a node receives one packet at a time", "[judge][ports][negative]")
{
    const Problem gather = timed({.collective = Collective::gather, .bytes = 4});
    const auto from = [](Step step, NodeId node, Port port, std::int64_t start, NodeId origin) {
        return at(line(step, node, port, 4, origin, {}), start, start + 11);
    };
    const Trace late = {from(1, 1, 0, 0, 1), from(1, 3, 0, 0, 3), from(2, 2, 1, 11, 2), from(3, 2, 1, 22, 3)};
    CHECK(judged(late, gather, 2, PortModel::one).virtual_time_ns == whole(33));
    Trace early = late;
    early[2] = from(2, 2, 1, 10, 2);
    early[3] = from(3, 2, 1, 21, 3);
    CHECK(complaint(early, gather, 2) == "");  // on all ports
    CHECK(complaint_on_one_port(early, gather, 2) ==
          "line 3: a packet from node 2 to node 0 starts at 10 ns: the one port of node 0 is held by another one until "
          "11 ns");
}

TEST_CASE("link-bound judge: on half duplex a node does one of both", "[judge][ports][negative]")
{
    Problem swap = timed({.collective = Collective::all_gather, .bytes = 4});
    const Trace at_once = {at(line(1, 0, 0, 4, 0, {}), 0, 11), at(line(1, 1, 0, 4, 1, {}), 0, 11)};
    const Trace in_turn = {at(line(1, 0, 0, 4, 0, {}), 0, 11), at(line(2, 1, 0, 4, 1, {}), 11, 22)};
    const Trace overlapping = {at(line(1, 0, 0, 4, 0, {}), 0, 11), at(line(2, 1, 0, 4, 1, {}), 10, 21)};
    for (const Trace& trace : {at_once, in_turn, overlapping})
        CHECK(complaint_on_one_port(trace, swap, 1) == "");
    swap.link.duplex = Duplex::half;
    CHECK(judged(in_turn, swap, 1, PortModel::one).virtual_time_ns == whole(22));
    CHECK(complaint_on_one_port(at_once, swap, 1) ==
          "line 2: node 1 sends and receives in step 1: on half duplex a node does one of both in a step");
    CHECK(complaint_on_one_port(overlapping, swap, 1) ==
          "line 2: a packet from node 1 to node 0 starts at 10 ns: the one port of node 1 is held by another one until "
          "11 ns");
}

TEST_CASE("link-bound judge: a header says the duplex", "[judge][ports][negative]")
{
    const auto duplex_in = [](const std::string& more) {
        std::istringstream in(R"({"dcube_trace":1,"collective":"broadcast","topology":"hypercube:1",)"
                              R"("link_model":"link-bound","tau_ns_per_byte":1,"beta_ns":5)" +
                              more + "}");
        return question_of(in)->problem.link.duplex;
    };
    CHECK(duplex_in("") == Duplex::per_link);
    CHECK(duplex_in(R"(,"ports":"one")") == Duplex::full);
    CHECK(duplex_in(R"(,"ports":"one","duplex":"half")") == Duplex::half);
    CHECK_THROWS_WITH(duplex_in(R"(,"duplex":"half")"), Catch::Contains("duplex half is for one port"));
    CHECK_THROWS_WITH(duplex_in(R"(,"ports":"one","duplex":"both")"), Catch::Contains("'both' is not a duplex"));
}
