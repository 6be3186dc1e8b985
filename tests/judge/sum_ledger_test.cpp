// Sums: every contribution is counted once, and a sum is as old as the last of them.

#include "tests/judge/judged.hpp"
#include "tests/judge/timed_traces.hpp"
#include "tests/support/catch.hpp"

#include <cstdint>
#include <utility>

using namespace dcube;
using namespace small_traces;

namespace {

/// A sum of 4 bytes, on links of 2 ns per byte and 3 ns per packet; a reduction has it for its root.
Record share(Step step, NodeId from, Port port, std::int64_t start, MaybeNode root = {})
{
    return at(line(step, from, port, 4, {}, root), start, start + 11);
}

}  // namespace

TEST_CASE("judge: no contribution is counted twice", "[judge][negative]")
{
    const Problem problem{.collective = Collective::all_reduce, .bytes = 4};
    const auto send = [](Step step, NodeId from, Port port) { return line(step, from, port, 4, {}, {}); };

    SECTION("not when it comes by two ways in one step")
    {
        const Trace trace = {send(1, 0, 0), send(1, 0, 1), send(2, 1, 1), send(2, 2, 0)};
        CHECK(rejected_line(trace, problem, 2, PortModel::all) == 4);
    }
    SECTION("not when it comes back")
    {
        const Trace trace = {send(1, 0, 0), send(2, 1, 0)};
        CHECK(rejected_line(trace, problem, 2) == 2);
    }
    SECTION("but a complete sum takes the place of a partial one")
    {
        const Trace trace = {send(1, 1, 0), send(1, 3, 0), send(2, 2, 1), send(3, 0, 0), send(4, 0, 1), send(5, 2, 0)};
        CHECK(judged(trace, problem, 2).transmissions == 6);
        Trace again = trace;
        again.push_back(send(6, 1, 1));
        CHECK(rejected_line(again, problem, 2) == 7);
        // The complete sum and a partial one must not meet in a step, in whichever order they stand.
        Trace both = {trace[0], trace[1], trace[2], send(3, 0, 0), send(3, 3, 1)};
        CHECK(rejected_line(both, problem, 2, PortModel::all) == 5);
        std::swap(both[3], both[4]);
        CHECK(rejected_line(both, problem, 2, PortModel::all) == 5);
    }
    SECTION("and every byte has its own contributors")
    {
        const auto part = [](Step step, NodeId from, std::uint64_t offset, std::uint64_t length) {
            return line(step, from, 0, length, {}, {}, offset);
        };
        const Trace trace = {part(1, 0, 0, 1), part(2, 0, 2, 2), part(3, 0, 1, 1), part(4, 1, 0, 4)};
        CHECK(judged(trace, problem, 1).bytes == 8);
        CHECK(complaint(Trace{trace[0], trace[1], part(3, 1, 0, 4)}, problem, 1) ==
              "at the end node 1 lacks node 0's contribution to byte 1 of the sum");
        CHECK(rejected_line({trace[0], trace[1], part(3, 0, 1, 2)}, problem, 1) == 3);
    }
}

TEST_CASE("link-bound judge: a sum leaves when its last contribution has arrived", "[judge][negative]")
{
    const Problem problem = timed({.collective = Collective::reduce, .bytes = 4});
    const Trace trace = {share(1, 1, 0, 0, 0), share(1, 3, 0, 5, 0), share(2, 2, 1, 16, 0)};
    CHECK(judged(trace, problem, 2).virtual_time_ns == whole(27));
    Trace early = trace;
    early[2] = share(2, 2, 1, 15, 0);
    CHECK(complaint(early, problem, 2) ==
          "line 3: node 2 sends byte 0 of the sum for node 0 before the packet that brought "
          "a contribution to it has ended");
    // Node 3's contribution goes by nodes 1 and 2, and meets itself at the root.
    const Trace twice = {share(1, 3, 0, 5, 0), share(1, 3, 1, 5, 0), share(2, 2, 1, 16, 0), share(2, 1, 0, 16, 0)};
    CHECK(rejected_line(twice, problem, 2) == 4);
}

TEST_CASE("link-bound judge: a complete sum is as old as its arrival", "[judge][negative]")
{
    const Problem problem = timed({.collective = Collective::all_reduce, .bytes = 4});
    Trace trace = {share(1, 1, 0, 100), share(1, 3, 0, 0),   share(2, 2, 1, 11),
                   share(3, 0, 0, 111), share(3, 0, 1, 111), share(4, 2, 0, 122)};
    CHECK(judged(trace, problem, 2).virtual_time_ns == whole(133));
    trace[5] = share(4, 2, 0, 121);
    CHECK(rejected_line(trace, problem, 2) == 6);
    trace[5] = share(4, 1, 1, 122);
    CHECK(judged(trace, problem, 2).virtual_time_ns == whole(133));
    trace[5] = share(4, 1, 1, 121);
    CHECK(rejected_line(trace, problem, 2) == 6);
}
