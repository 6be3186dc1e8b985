// The judge under the link-bound model: durations, busy links and causality in time.

#include "tests/judge/small_traces.hpp"
#include "tests/support/catch.hpp"

#include "judge/held_bytes.hpp"

#include <dcube/judge.hpp>

#include <algorithm>
#include <limits>
#include <random>
#include <sstream>

using namespace dcube;
using namespace small_traces;

namespace {

constexpr std::uint64_t accepted = ~std::uint64_t{0};

LinkModel link_of(Rational tau, Rational beta)
{
    return {.kind = LinkKind::link_bound, .tau = tau, .beta = beta};
}

Problem timed(Problem problem, Rational tau = {2, 1}, Rational beta = {3, 1})
{
    problem.link = link_of(tau, beta);
    return problem;
}

Verdict judged(const Trace& trace, const Problem& problem, unsigned d)
{
    std::istringstream in(text(trace));
    return judge_trace(in, Topology::hypercube(d), PortModel::all, problem);
}

std::string error(const Trace& trace, const Problem& problem, unsigned d)
{
    return error_of([&] { judged(trace, problem, d); });
}

std::uint64_t rejected_line(const Trace& trace, const Problem& problem, unsigned d)
{
    try {
        judged(trace, problem, d);
    } catch (const TraceError& wrong) {
        return wrong.line;
    }
    return accepted;
}

Rational halves(std::int64_t count)
{
    return count % 2 == 0 ? Rational{count / 2, 1} : Rational{count, 2};
}

Rational whole(std::int64_t value)
{
    return {value, 1};
}

Record at(Record record, std::int64_t start, std::int64_t end)
{
    record.start_ns = whole(start);
    record.end_ns = whole(end);
    return record;
}

/// Every step begins when the one before has ended; a packet takes tau 1/2 and beta 1/2, that is (bytes + 1) / 2.
Trace in_lockstep(Trace trace)
{
    for (Record& record : trace) {
        const auto packet = static_cast<std::int64_t>(record.bytes) + 1;
        record.start_ns = halves((record.step - 1) * packet);
        record.end_ns = halves(record.step * packet);
    }
    return trace;
}

/// A packet of a broadcast from node 0: 2 ns a byte and 3 ns a packet.
Record packet(Step step, NodeId from, Port port, std::int64_t start, std::uint64_t offset, std::uint64_t bytes)
{
    return at(line(step, from, port, bytes, 0, {}, offset), start, start + 2 * static_cast<std::int64_t>(bytes) + 3);
}

const Problem broadcast_of_4 = timed({.collective = Collective::broadcast, .bytes = 4});

/// The same of a sum, which a reduction has for its root.
Record share(Step step, NodeId from, Port port, std::int64_t start, Node root = {})
{
    return at(line(step, from, port, 4, {}, root), start, start + 11);
}

}  // namespace

TEST_CASE("link-bound judge: correct traces of all collectives are accepted and timed", "[judge]")
{
    for (const Collective collective : all_collectives) {
        for (unsigned d = 1; d <= 3; ++d) {
            const Problem problem = timed(example(collective, d), {1, 2}, {1, 2});
            const Trace trace = in_lockstep(make(problem, d));
            CAPTURE(name(collective), d);
            const Verdict verdict = judged(trace, problem, d);
            CHECK(verdict.virtual_time_ns == halves(trace.back().step * 5));
            REQUIRE(verdict.time_lower_bound_ns);
            CHECK(*verdict.time_lower_bound_ns > Rational{});
            CHECK(*verdict.time_lower_bound_ns <= *verdict.virtual_time_ns);
            CHECK(verdict.transmissions == trace.size());
            CHECK(verdict.steps_lower_bound == 0);
            CHECK(verdict.transmissions_lower_bound == 0);

            std::istringstream in(text(trace));
            const Verdict unit = judge_trace(in, Topology::hypercube(d), PortModel::all, example(collective, d));
            CHECK_FALSE(unit.virtual_time_ns);
            CHECK_FALSE(unit.time_lower_bound_ns);
        }
    }
}

TEST_CASE("link-bound judge: a line that is dropped, changed or without a time is found", "[judge][negative]")
{
    for (const Collective collective : all_collectives) {
        const Problem problem = timed(example(collective, 2), {1, 2}, {1, 2});
        const Trace trace = in_lockstep(make(problem, 2));
        for (std::size_t i = 0; i < trace.size(); ++i) {
            CAPTURE(name(collective), i);
            const auto rejected = [&](const auto& change) {
                Trace changed = trace;
                change(changed[i]);
                return rejected_line(changed, problem, 2);
            };
            CHECK(rejected([](Record& r) { r.start_ns.reset(); }) == i + 1);
            CHECK(rejected([](Record& r) { r.end_ns.reset(); }) == i + 1);
            CHECK(rejected([](Record& r) { std::swap(r.start_ns, r.end_ns); }) == i + 1);
            CHECK(rejected([](Record& r) { r.end_ns->numerator += 1; }) == i + 1);
            CHECK(rejected([](Record& r) { r.start_ns->numerator += 1; }) == i + 1);
            CHECK(rejected([](Record& r) { r.bytes = --r.pieces[0].length; }) == i + 1);
            Trace dropped = trace;
            dropped.erase(dropped.begin() + static_cast<std::ptrdiff_t>(i));
            const std::uint64_t line = rejected_line(dropped, problem, 2);
            CHECK((line == 0 || (line > i && line != accepted)));
        }
    }
}

TEST_CASE("link-bound judge: a packet takes tau s + beta, neither less nor more", "[judge][negative]")
{
    CHECK(judged({packet(1, 0, 0, 0, 0, 4)}, broadcast_of_4, 1).virtual_time_ns == whole(11));
    CHECK(judged({packet(1, 0, 0, 7, 0, 4)}, broadcast_of_4, 1).virtual_time_ns == whole(18));
    for (const std::int64_t end : {0, 4, 10, 12, 100})
        CHECK(error({at(packet(1, 0, 0, 5, 0, 4), 5, 5 + end)}, broadcast_of_4, 1) ==
              "line 1: a packet of 4 bytes goes from 5 to " + std::to_string(5 + end) +
                  " ns: 2 ns a byte and 3 ns a packet are needed, neither less nor more");
    CHECK(rejected_line({at(packet(1, 0, 0, 5, 0, 4), 16, 5)}, broadcast_of_4, 1) == 1);
}

TEST_CASE("link-bound judge: packets have any size, but there is one at a time on a link", "[judge][negative]")
{
    Problem problem = broadcast_of_4;
    problem.packets = 3;
    CHECK(judged({packet(1, 0, 0, 0, 0, 12)}, problem, 1).virtual_time_ns == whole(27));
    CHECK(judged({packet(1, 0, 0, 0, 0, 5), packet(2, 0, 0, 13, 5, 7)}, problem, 1).virtual_time_ns == whole(30));
    CHECK(judged({packet(1, 0, 0, 0, 0, 5), packet(2, 0, 0, 20, 5, 7)}, problem, 1).virtual_time_ns == whole(37));
    CHECK(error({packet(1, 0, 0, 0, 0, 5), packet(2, 0, 0, 12, 5, 7)}, problem, 1) ==
          "line 2: a packet starts at 12 ns on the link from node 0 over port 0, which is held by the one before until "
          "a later time");
    CHECK(rejected_line({packet(1, 0, 0, 17, 0, 5), packet(2, 0, 0, 0, 5, 7)}, problem, 1) == 2);  // out of order
    CHECK(rejected_line({packet(1, 0, 0, 0, 0, 5), packet(1, 0, 0, 13, 5, 7)}, problem, 1) == 2);  // in one step
    // The other direction and other links are links of their own.
    const Problem swap = timed({.collective = Collective::all_gather, .bytes = 4});
    const Trace both = {at(line(1, 0, 0, 4, 0, {}), 0, 11), at(line(1, 1, 0, 4, 1, {}), 5, 16)};
    CHECK(judged(both, swap, 1).virtual_time_ns == whole(16));
}

TEST_CASE("link-bound judge: no byte leaves before the packet that brought it has ended", "[judge][negative]")
{
    const Trace trace = {packet(1, 0, 0, 0, 0, 4), packet(1, 0, 1, 0, 0, 4), packet(2, 1, 1, 11, 0, 4)};
    CHECK(judged(trace, broadcast_of_4, 2).virtual_time_ns == whole(22));
    Trace early = trace;
    early[2] = packet(2, 1, 1, 10, 0, 4);
    CHECK(error(early, broadcast_of_4, 2) ==
          "line 3: node 1 sends byte 0 of the message from node 0 before the packet that brought it has ended");
    early[2] = packet(1, 1, 1, 11, 0, 4);  // late enough, but not in a later step
    CHECK(error(early, broadcast_of_4, 2) ==
          "line 3: node 1 sends byte 0 of the message from node 0 in step 1 and does not hold it before");

    // Each byte has its own time, whatever pieces it came in.
    Trace pieces = {packet(1, 0, 0, 0, 0, 1), packet(1, 0, 1, 0, 0, 4), packet(2, 0, 0, 5, 1, 3),
                    packet(3, 1, 1, 14, 0, 4)};
    CHECK(judged(pieces, broadcast_of_4, 2).virtual_time_ns == whole(25));
    pieces[3] = packet(3, 1, 1, 13, 0, 4);
    CHECK(error(pieces, broadcast_of_4, 2) ==
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
    CHECK(judged(on, broadcast_of_4, 2).lines == 6);
    on.back() = packet(5, 3, 1, 21, 0, 4);
    CHECK(rejected_line(on, broadcast_of_4, 2) == 6);
    on.back() = packet(3, 3, 1, 22, 0, 4);  // in the step of the second delivery only the first one counts
    std::swap(on.back(), on[4]);
    CHECK(rejected_line(on, broadcast_of_4, 2) == 5);

    std::istringstream unit(text(start));
    CHECK_THROWS_AS(
        judge_trace(unit, Topology::hypercube(2), PortModel::all, {.collective = Collective::broadcast, .bytes = 4}),
        TraceError);
}

TEST_CASE("link-bound judge: a sum leaves when its last contribution has arrived", "[judge][negative]")
{
    const Problem problem = timed({.collective = Collective::reduce, .bytes = 4});
    const Trace trace = {share(1, 1, 0, 0, 0), share(1, 3, 0, 5, 0), share(2, 2, 1, 16, 0)};
    CHECK(judged(trace, problem, 2).virtual_time_ns == whole(27));
    Trace early = trace;
    early[2] = share(2, 2, 1, 15, 0);
    CHECK(error(early, problem, 2) ==
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

TEST_CASE("link-bound judge: times are whole numbers of ticks", "[judge][negative]")
{
    const Problem problem = timed({.collective = Collective::broadcast, .bytes = 4}, {1, 2}, {1, 3});
    const auto with = [&](Rational start, Rational end) {
        Record record = packet(1, 0, 0, 0, 0, 4);
        record.start_ns = start;
        record.end_ns = end;
        return error({record}, problem, 1);
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
    CHECK(contains(error({at(packet(1, 0, 0, 0, 0, 4), most - 11, most)}, fine, 1),
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

TEST_CASE("link-bound judge: models that cannot be judged are refused", "[judge][negative]")
{
    std::istringstream in;
    CHECK(error_of([&] { judge_trace(in, Topology::hypercube(1), PortModel::one, broadcast_of_4); }) ==
          "one port under the link-bound model is not possible: all ports are");
    CHECK(error({}, timed(broadcast_of_4, {-1, 1}, {3, 1}), 1) == "tau -1 and beta 3 are not possible: 0 or more is");
    CHECK_THROWS_AS(judged({}, timed(broadcast_of_4, {1, std::int64_t{1} << 40}), 1), InvalidArgument);
}

TEST_CASE("link-bound judge: what pieces may name in the new collectives", "[judge][negative]")
{
    const auto refusal = [](Problem problem, Record record) {
        return error({at(record, 0, 2 * static_cast<std::int64_t>(record.bytes) + 3)}, timed(problem), 2);
    };
    Problem ends{.collective = Collective::send, .bytes = 4, .root = 1, .peer = 2};
    CHECK(refusal(ends, line(1, 1, 0, 4, 2, 1)) == "line 1: a piece has origin 2: the root, 1, is allowed");
    CHECK(refusal(ends, line(1, 1, 0, 4, 1, 3)) == "line 1: a piece has target 3: the peer, 2, is allowed");
    CHECK(refusal(ends, line(1, 1, 0, 4, 1, 2)) ==
          "in the end node 2 lacks byte 0 of the message from node 1 to node 2");
    ends.collective = Collective::exchange;
    CHECK(refusal(ends, line(1, 1, 0, 4, 0, 1)) ==
          "line 1: a piece has origin 0: the root, 1, or the peer, 2, is allowed");
    CHECK(refusal(ends, line(1, 1, 0, 4, 2, 2)) == "line 1: a piece has target 2: node 2's target, 1, is allowed");
    Problem permute{.collective = Collective::permute, .bytes = 4};
    permute.permutation = {0, 2, 3, 1};
    CHECK(refusal(permute, line(1, 1, 0, 4, 1, 3)) == "line 1: a piece has target 3: node 1's target, 2, is allowed");
    CHECK(refusal(permute, line(1, 1, 0, 4, 4, 3)) == "line 1: a piece has origin 4: a node from 0 to 3 is allowed");
    CHECK(refusal(permute, line(1, 2, 0, 4, 2, 3)) ==
          "in the end node 2 lacks byte 0 of the message from node 1 to node 2");

    Problem uneven{.collective = Collective::matrix_relayout, .type = ElementType::int16};
    uneven.rows = 24;
    uneven.columns = 1;
    uneven.to = MatrixLayout::rows_striped;
    CHECK(refusal(uneven, line(1, 0, 0, 4, 0, 1)) ==
          "in the end node 0 lacks byte 0 of the message from node 1 to node "
          "0");
    CHECK(refusal(uneven, line(1, 0, 0, 5, 0, 1)) ==
          "line 1: a piece of 5 bytes at offset 0 does not lie within a message, which has 4 bytes");
    CHECK(refusal(uneven, line(1, 0, 0, 2, 0, 2, 2)) ==
          "line 1: a piece of 2 bytes at offset 2 does not lie within a message, which has 2 bytes");
}

TEST_CASE("stretches: every byte keeps its earliest time", "[judge]")
{
    std::mt19937 random(5);
    for (int round = 0; round < 200; ++round) {
        HeldBytes stretches;
        constexpr std::uint64_t never = ~std::uint64_t{0};
        std::vector<std::uint64_t> since(24, never);
        for (int i = 0; i < 12; ++i) {
            const std::uint64_t begin = random() % 24;
            const std::uint64_t end = begin + 1 + random() % (24 - begin);
            const std::uint64_t time = random() % 10;
            stretches.add_or_advance(7, {begin, end, time});
            for (std::uint64_t b = begin; b < end; ++b)
                since[b] = std::min(since[b], time);
            bool same = true;
            for (std::uint64_t b = 0; b < 24; ++b)
                for (std::uint64_t t = 0; t < 11; ++t) {
                    std::uint64_t absent = b;
                    while (absent < 24 && since[absent] <= t)
                        ++absent;
                    same = same && stretches.first_absent(7, b, 24, t) == absent;
                }
            CHECK(same);
        }
    }
}
