// The places of bytes: nothing leaves before it has come, and nothing comes twice.

#include "tests/judge/judged.hpp"
#include "tests/judge/timed_traces.hpp"
#include "tests/support/catch.hpp"

#include <cstdint>
#include <utility>

using namespace dcube;
using namespace small_traces;

TEST_CASE("judge: a packet that returns to its origin is rejected", "[judge][negative]")
{
    const Problem problem{.collective = Collective::broadcast, .bytes = 1};
    const Trace trace = {line(1, 0, 0, 1, 0, {}), line(2, 1, 0, 1, 0, {})};
    CHECK(rejected_line(trace, problem, 1) == 2);
}

TEST_CASE("judge: bytes that arrive in a step leave in the next one at the earliest", "[judge][negative]")
{
    const Problem problem{.collective = Collective::broadcast, .bytes = 1};
    const Trace trace = {line(1, 0, 0, 1, 0, {}), line(1, 1, 1, 1, 0, {}), line(2, 0, 1, 1, 0, {})};
    CHECK(rejected_line(trace, problem, 2, PortModel::all) == 2);
}

TEST_CASE("judge: bytes may travel in any stretches, and each of them counts", "[judge][negative]")
{
    const Problem problem{.collective = Collective::broadcast, .bytes = 4, .packets = 3};
    const auto stretch = [](Step step, NodeId from, Port port, std::uint64_t offset, std::uint64_t length) {
        return line(step, from, port, length, 0, {}, offset);
    };
    Trace trace = {stretch(1, 0, 0, 2, 3), stretch(2, 0, 0, 8, 4), stretch(3, 0, 0, 0, 2), stretch(4, 0, 0, 5, 3)};
    const Verdict verdict = judged(trace, problem, 1);
    CHECK(verdict.bytes == 12);
    CHECK(verdict.transmissions == 4);

    trace[3].pieces = {{0, {}, 7, 1}, {0, {}, 5, 2}};
    CHECK(judged(trace, problem, 1).bytes == 12);
    trace[3].pieces = {{0, {}, 6, 2}, {0, {}, 6, 1}};
    CHECK(rejected_line(trace, problem, 1) == 4);
    trace[3] = stretch(4, 0, 0, 4, 4);
    CHECK(rejected_line(trace, problem, 1) == 4);
    trace[3] = stretch(4, 0, 0, 5, 2);
    CHECK(complaint(trace, problem, 1) == "node 1 never received byte 7 of the message from node 0");

    // Forwarding stretches other than those that came, and once too early.
    trace[3] = stretch(4, 0, 0, 5, 3);
    for (const Record& forwarded : {stretch(5, 1, 1, 0, 4), stretch(6, 1, 1, 4, 4), stretch(7, 1, 1, 8, 4)})
        trace.push_back(forwarded);
    for (const Record& last : {stretch(8, 3, 0, 0, 4), stretch(9, 3, 0, 4, 4), stretch(10, 3, 0, 8, 4)})
        trace.push_back(last);
    CHECK(judged(trace, problem, 2).steps == 10);
    trace[4] = stretch(4, 1, 1, 0, 4);
    CHECK(judged(trace, problem, 2).steps == 10);
    trace[4] = stretch(4, 1, 1, 4, 4);
    CHECK(complaint(trace, problem, 2) ==
          "line 5: node 1 sends byte 5 of the message from node 0 in step 4 but does not have it yet");
}

TEST_CASE("link-bound judge: no byte leaves before the packet that brought it has ended", "[judge][negative]")
{
    const Trace trace = {packet(1, 0, 0, 0, 0, 4), packet(1, 0, 1, 0, 0, 4), packet(2, 1, 1, 11, 0, 4)};
    CHECK(judged(trace, broadcast_of_4, 2).virtual_time_ns == whole(22));
    Trace early = trace;
    early[2] = packet(2, 1, 1, 10, 0, 4);
    CHECK(complaint(early, broadcast_of_4, 2) ==
          "line 3: node 1 sends byte 0 of the message from node 0 before the packet that brought it has ended");
    early[2] = packet(1, 1, 1, 11, 0, 4);  // late enough, but not in a later step
    CHECK(complaint(early, broadcast_of_4, 2) ==
          "line 3: node 1 sends byte 0 of the message from node 0 in step 1 but does not have it yet");

    // Each byte has its own time, whatever pieces it came in.
    Trace pieces = {packet(1, 0, 0, 0, 0, 1), packet(1, 0, 1, 0, 0, 4), packet(2, 0, 0, 5, 1, 3),
                    packet(3, 1, 1, 14, 0, 4)};
    CHECK(judged(pieces, broadcast_of_4, 2).virtual_time_ns == whole(25));
    pieces[3] = packet(3, 1, 1, 13, 0, 4);
    CHECK(complaint(pieces, broadcast_of_4, 2) ==
          "line 4: node 1 sends byte 1 of the message from node 0 before the packet that brought it has ended");
    pieces[3] = packet(3, 1, 1, 5, 0, 1);
    pieces.push_back(packet(4, 2, 0, 11, 1, 3));
    CHECK(judged(pieces, broadcast_of_4, 2).virtual_time_ns == whole(20));
}

TEST_CASE("link-bound judge: bytes may come twice and back, and are usable from the earliest time", "[judge][negative]")
{
    const Trace start = {packet(1, 0, 0, 0, 0, 4), packet(1, 0, 1, 0, 0, 4), packet(2, 1, 1, 30, 0, 4),
                         packet(3, 2, 0, 11, 0, 4), packet(4, 1, 0, 11, 0, 4)};
    CHECK(judged(start, broadcast_of_4, 2).virtual_time_ns == whole(41));
    Trace on = start;
    on.push_back(packet(5, 3, 1, 22, 0, 4));  // after the second delivery to node 3, which ended at 22, not 41
    CHECK(judged(on, broadcast_of_4, 2).transmissions == 6);
    on.back() = packet(5, 3, 1, 21, 0, 4);
    CHECK(rejected_line(on, broadcast_of_4, 2) == 6);
    on.back() = packet(3, 3, 1, 22, 0, 4);  // in the step of the second delivery only the first one counts
    std::swap(on.back(), on[4]);
    CHECK(rejected_line(on, broadcast_of_4, 2) == 5);

    const Problem unit{.collective = Collective::broadcast, .bytes = 4};
    CHECK(rejected_line(start, unit, 2, PortModel::all) == 4);
}
