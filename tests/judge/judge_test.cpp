// The judge: correct traces are accepted, and every trace with one line changed is not.

#include "tests/judge/small_traces.hpp"
#include "tests/support/catch.hpp"

#include <dcube/judge.hpp>
#include <dcube/permutation.hpp>

#include <sstream>

using namespace dcube;
using namespace small_traces;

namespace {

Verdict judged(const std::string& trace, const Problem& problem, unsigned d, PortModel ports = PortModel::one)
{
    std::istringstream in(trace);
    return judge_trace(in, Topology::hypercube(d), ports, problem);
}

Verdict judged(const Trace& trace, const Problem& problem, unsigned d, PortModel ports = PortModel::one)
{
    return judged(text(trace), problem, d, ports);
}

/// The line that a trace is rejected for; `accepted` if it is not.
constexpr std::uint64_t accepted = ~std::uint64_t{0};

std::uint64_t rejected_line(const Trace& trace, const Problem& problem, unsigned d, PortModel ports = PortModel::one)
{
    try {
        judged(trace, problem, d, ports);
    } catch (const TraceError& error) {
        const std::string what = error.what();
        CHECK_FALSE(contains(what, "\n"));
        CHECK((error.line == 0 || contains(what, "line " + std::to_string(error.line) + ": ")));
        return error.line;
    }
    return accepted;
}

/// Calls `work` with every collective and dimensions 1 to 3, and a root that is not 0.
template <class Work>
void for_all_small(const Work& work)
{
    for (const Collective collective : all_collectives) {
        for (unsigned d = 1; d <= 3; ++d) {
            Problem problem = example(collective, d);
            if (is_reduction(collective))
                problem.type = ElementType::int32;
            CAPTURE(name(collective), d, problem.root);
            work(problem, d, make(problem, d));
        }
    }
}

/// Calls `change` for each line of a copy of the trace, then `verdict` with the line's number and the one rejected.
template <class Change, class Check>
void change_each_line(const Change& change, const Check& check)
{
    for_all_small([&](const Problem& problem, unsigned d, const Trace& trace) {
        for (std::size_t i = 0; i < trace.size(); ++i) {
            Trace changed = trace;
            if (!change(changed, i, problem, d))
                continue;
            CAPTURE(text(trace[i]), i + 1);
            const std::uint64_t line = rejected_line(changed, problem, d);
            CAPTURE(line);
            CHECK(line != accepted);
            check(i + 1, line, problem);
        }
    });
}

void is_named(std::uint64_t changed, std::uint64_t line, const Problem&)
{
    CHECK(line == changed);
}

/// A mistake may show only later, or in the end; never before it was made.
void is_not_earlier(std::uint64_t changed, std::uint64_t line, const Problem&)
{
    CHECK((line == 0 || line >= changed));
}

}  // namespace

TEST_CASE("judge: correct small traces of all collectives are accepted and counted", "[judge]")
{
    for_all_small([](const Problem& problem, unsigned d, const Trace& trace) {
        const Verdict verdict = judged(trace, problem, d);
        CHECK(verdict.lines == trace.size());
        CHECK(verdict.transmissions == trace.size());
        CHECK(verdict.bytes == trace.size() * problem.bytes);
        CHECK(verdict.steps == trace.back().step);
        CHECK(verdict.steps >= verdict.steps_lower_bound);
        CHECK(verdict.transmissions >= verdict.transmissions_lower_bound);
        CHECK_NOTHROW(judged(trace, problem, d, PortModel::all));
    });
}

TEST_CASE("judge: on one node an empty trace is complete, on more it is not", "[judge][negative]")
{
    for (const Collective collective : all_collectives) {
        CAPTURE(name(collective));
        if (!needs_two(collective))
            CHECK(judged("", example(collective, 0), 0).steps == 0);
        CHECK(rejected_line({}, example(collective, 1), 1) == 0);
    }
}

TEST_CASE("judge: a dropped line is missed, there or later", "[judge][negative]")
{
    change_each_line(
        [](Trace& trace, std::size_t i, const Problem&, unsigned) {
            trace.erase(trace.begin() + static_cast<std::ptrdiff_t>(i));
            return true;
        },
        is_not_earlier);
}

TEST_CASE("judge: a doubled line is rejected at its copy", "[judge][negative]")
{
    change_each_line(
        [](Trace& trace, std::size_t i, const Problem&, unsigned) {
            trace.insert(trace.begin() + static_cast<std::ptrdiff_t>(i), Record(trace[i]));
            return true;
        },
        [](std::uint64_t changed, std::uint64_t line, const Problem&) { CHECK(line == changed + 1); });
}

TEST_CASE("judge: a line doubled in a step of its own is rejected, as nothing is delivered twice", "[judge][negative]")
{
    for_all_small([](const Problem& problem, unsigned d, const Trace& trace) {
        for (const Record& record : trace) {
            Trace changed = trace;
            changed.push_back(record);
            changed.back().step = trace.back().step + 1;
            CAPTURE(text(record));
            CHECK(rejected_line(changed, problem, d) == changed.size());
        }
    });
}

TEST_CASE("judge: a line moved to the step before is rejected there", "[judge][negative]")
{
    change_each_line(
        [](Trace& trace, std::size_t i, const Problem&, unsigned) {
            --trace[i].step;
            return true;
        },
        [](std::uint64_t changed, std::uint64_t line, const Problem& problem) {
            // A partial sum that leaves too early leaves without what comes later: that is missing in the end.
            CHECK((line == changed || (problem.collective == Collective::reduce && line == 0)));
        });
}

TEST_CASE("judge: another receiver or another port is rejected there", "[judge][negative]")
{
    change_each_line(
        [](Trace& trace, std::size_t i, const Problem&, unsigned) {
            trace[i].to ^= 1U << 3;
            return true;
        },
        is_named);
    change_each_line(
        [](Trace& trace, std::size_t i, const Problem&, unsigned d) {
            trace[i].to = trace[i].from ^ (1U << (trace[i].port + 1) % d);
            return d > 1;
        },
        is_named);
    change_each_line(
        [](Trace& trace, std::size_t i, const Problem&, unsigned) {
            ++trace[i].port;
            return true;
        },
        is_named);
}

TEST_CASE("judge: a packet sent to another neighbour is missed, there or later", "[judge][negative]")
{
    change_each_line(
        [](Trace& trace, std::size_t i, const Problem&, unsigned d) {
            trace[i].port = (trace[i].port + 1) % d;
            trace[i].to = trace[i].from ^ (1U << trace[i].port);
            return d > 1;
        },
        is_not_earlier);
}

TEST_CASE("judge: another origin or target is rejected", "[judge][negative]")
{
    change_each_line(
        [](Trace& trace, std::size_t i, const Problem&, unsigned) {
            Node& origin = trace[i].pieces[0].origin;
            origin = origin ? Node() : Node(0);
            return true;
        },
        is_named);
    change_each_line(
        [](Trace& trace, std::size_t i, const Problem&, unsigned) {
            Node& target = trace[i].pieces[0].target;
            target = target ? Node() : Node(0);
            return true;
        },
        is_named);
    change_each_line(
        [](Trace& trace, std::size_t i, const Problem&, unsigned) {
            if (trace[i].pieces[0].origin)
                *trace[i].pieces[0].origin ^= 1;
            return trace[i].pieces[0].origin.has_value();
        },
        is_not_earlier);
    change_each_line(
        [](Trace& trace, std::size_t i, const Problem&, unsigned) {
            if (trace[i].pieces[0].target)
                *trace[i].pieces[0].target ^= 1;
            return trace[i].pieces[0].target.has_value();
        },
        is_not_earlier);
    change_each_line(
        [](Trace& trace, std::size_t i, const Problem&, unsigned d) {
            if (trace[i].pieces[0].origin)
                *trace[i].pieces[0].origin += 1U << d;
            return trace[i].pieces[0].origin.has_value();
        },
        is_named);
}

TEST_CASE("judge: another offset, length or number of bytes is rejected", "[judge][negative]")
{
    const auto with = [](const std::function<void(Record&)>& change) {
        return [change](Trace& trace, std::size_t i, const Problem&, unsigned) {
            change(trace[i]);
            return true;
        };
    };
    change_each_line(with([](Record& r) { ++r.pieces[0].offset; }), is_named);
    change_each_line(with([](Record& r) { r.pieces[0].offset = ~std::uint64_t{0} >> 1; }), is_named);
    change_each_line(with([](Record& r) { ++r.pieces[0].length; }), is_named);
    change_each_line(with([](Record& r) { --r.pieces[0].length; }), is_named);
    change_each_line(with([](Record& r) { ++r.bytes; }), is_named);
    change_each_line(with([](Record& r) { --r.bytes; }), is_named);
    change_each_line(with([](Record& r) { r.bytes = 0; }), is_named);
    change_each_line(with([](Record& r) { r.pieces.clear(); }), is_named);
    change_each_line(with([](Record& r) { r.bytes = 0, r.pieces.clear(); }), is_named);
    change_each_line(with([](Record& r) { r.bytes *= 2, r.pieces.push_back(r.pieces[0]); }), is_named);
    change_each_line(with([](Record& r) { r.bytes = --r.pieces[0].length; }), is_not_earlier);
    change_each_line(with([](Record& r) { r.bytes = --r.pieces[0].length, ++r.pieces[0].offset; }), is_not_earlier);
}

TEST_CASE("judge: what is missing in the end is named", "[judge][negative]")
{
    const auto error = [](Trace trace, const Problem& problem, unsigned d) {
        trace.pop_back();
        return error_of([&] { judged(trace, problem, d); });
    };
    const Problem exchange{.collective = Collective::all_to_all, .bytes = 4};
    CHECK(error(all_to_all(2, 4), exchange, 2) ==
          "in the end node 1 lacks byte 0 of the message from node 2 to node 1");
    const Problem broadcast_from_1{.collective = Collective::broadcast, .bytes = 4, .root = 1};
    CHECK(error(broadcast(2, 1, 4), broadcast_from_1, 2) ==
          "in the end node 2 lacks byte 0 of the message from node 1");
    const Problem sum{.collective = Collective::all_reduce, .bytes = 4};
    CHECK(error(all_reduce(2, 4), sum, 2) == "in the end node 1 lacks node 2's contribution to byte 0 of the sum");
}

TEST_CASE("judge: a schedule for all ports breaks the rules of one port", "[judge][negative]")
{
    const Problem problem{.collective = Collective::broadcast, .bytes = 1};
    const Trace send_twice = {line(1, 0, 0, 1, 0, {}), line(1, 0, 1, 1, 0, {}), line(2, 1, 1, 1, 0, {})};
    CHECK(judged(send_twice, problem, 2, PortModel::all).steps == 2);
    CHECK(rejected_line(send_twice, problem, 2) == 2);

    const Problem gather_both{.collective = Collective::gather, .bytes = 1};
    const Trace receive_twice = {line(1, 1, 0, 1, 1, 0), line(1, 2, 1, 1, 2, 0), line(1, 3, 0, 1, 3, 0),
                                 line(2, 2, 1, 1, 3, 0)};
    CHECK(judged(receive_twice, gather_both, 2, PortModel::all).steps == 2);
    CHECK(rejected_line(receive_twice, gather_both, 2) == 2);
}

TEST_CASE("judge: a link carries one packet a step each way", "[judge][negative]")
{
    const Problem problem{.collective = Collective::all_gather, .bytes = 1, .packets = 2};
    Trace trace = {line(1, 0, 0, 1, 0, {}), line(1, 1, 0, 1, 1, {}), line(2, 0, 0, 1, 0, {}, 1),
                   line(2, 1, 0, 1, 1, {}, 1)};
    CHECK(judged(trace, problem, 1, PortModel::all).steps == 2);
    trace[2].step = trace[3].step = 1;
    CHECK(rejected_line(trace, problem, 1, PortModel::all) == 3);
}

TEST_CASE("judge: nothing returns to where it comes from", "[judge][negative]")
{
    const Problem problem{.collective = Collective::broadcast, .bytes = 1};
    const Trace trace = {line(1, 0, 0, 1, 0, {}), line(2, 1, 0, 1, 0, {})};
    CHECK(rejected_line(trace, problem, 1) == 2);
}

TEST_CASE("judge: what arrives in a step leaves in the next one at the earliest", "[judge][negative]")
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
    CHECK(error_of([&] { judged(trace, problem, 1); }) == "in the end node 1 lacks byte 7 of the message from node 0");

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
    CHECK(error_of([&] { judged(trace, problem, 2); }) ==
          "line 5: node 1 sends byte 5 of the message from node 0 in step 4 and does not hold it before");
}

TEST_CASE("judge: a transmission is at most one packet", "[judge][negative]")
{
    const Problem problem{.collective = Collective::broadcast, .bytes = 4, .packets = 2};
    CHECK(rejected_line({line(1, 0, 0, 8, 0, {})}, problem, 1) == 1);
    CHECK(judged(Trace{line(1, 0, 0, 4, 0, {}), line(2, 0, 0, 4, 0, {}, 4)}, problem, 1).steps == 2);
}

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
        CHECK(error_of([&] {
                  judged(Trace{trace[0], trace[1], part(3, 1, 0, 4)}, problem, 1);
              }) == "in the end node 1 lacks node 0's contribution to byte 1 of the sum");
        CHECK(rejected_line({trace[0], trace[1], part(3, 0, 1, 2)}, problem, 1) == 3);
    }
}

TEST_CASE("judge: steps may be left out, and count", "[judge]")
{
    const Problem problem{.collective = Collective::broadcast, .bytes = 1};
    CHECK(judged(Trace{line(7, 0, 0, 1, 0, {})}, problem, 1).steps == 7);
    CHECK(judged(Trace{line(~Step{0}, 0, 0, 1, 0, {})}, problem, 1).steps == 4294967295U);
}

TEST_CASE("judge: a problem that is wrong or too large is refused before anything is read", "[judge][negative]")
{
    const auto refused = [](const Problem& problem, unsigned d) {
        std::istringstream in("no trace");
        CHECK_THROWS_AS(judge_trace(in, Topology::hypercube(d), PortModel::all, problem), InvalidArgument);
    };
    refused({.bytes = 0}, 1);
    refused({.collective = Collective::broadcast, .root = 2}, 1);
    refused({.collective = Collective::all_to_all, .bytes = 1}, 14);
    refused({.collective = Collective::all_to_all, .bytes = 1}, 24);
    refused({.collective = Collective::reduce_scatter, .bytes = 1}, 13);
    refused({.collective = Collective::all_reduce, .bytes = 1}, 20);
    refused({.collective = Collective::broadcast, .bytes = 1, .packets = std::size_t{1} << 40}, 1);
    refused(example(Collective::send, 0), 0);
    refused({.collective = Collective::permute, .bytes = 1}, 1);
    refused({.collective = Collective::matrix_transpose}, 1);
    Problem many{.collective = Collective::permute, .bytes = 1, .packets = std::size_t{1} << 20};
    many.permutation = permutation_by_name("identity", Topology::hypercube(22));
    refused(many, 22);  // 2^64 packets at nodes, though none of them has to move
}
