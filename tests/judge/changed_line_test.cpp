// The judge: every correct trace with one line changed, dropped or doubled is rejected.

#include "tests/judge/judged.hpp"
#include "tests/judge/timed_traces.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sizes.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

using namespace dcube;
using namespace small_traces;
using test_support::Sample;

namespace {

/// Calls `change` for each line of a copy of the trace, then `verdict` with the line's number and the one rejected.
template <class Change, class Check>
void change_each_line(const Change& change, const Check& check)
{
    Sample sample;
    for_all_small([&](const Problem& problem, unsigned d, const Trace& trace) {
        for (std::size_t i = 0; i < trace.size(); ++i) {
            if (!sample.takes_next())
                continue;
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

TEST_CASE("judge: a dropped line is detected, at its place or later", "[judge][negative]")
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
        if (is_scan(problem.collective))
            return;  // its sums may pass nodes that have them
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

TEST_CASE("judge: a packet sent to another neighbour is detected, at its place or later", "[judge][negative]")
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
        [](Trace& trace, std::size_t i, const Problem& problem, unsigned) {
            MaybeNode& origin = trace[i].pieces[0].origin;
            const dcube::Who who = dcube::traits(problem.collective).origin;
            const bool needed = !origin || who == dcube::Who::all || who == dcube::Who::ends;  // else the rest says it
            origin = origin ? MaybeNode() : MaybeNode(0);
            return needed;
        },
        is_named);
    change_each_line(
        [](Trace& trace, std::size_t i, const Problem& problem, unsigned) {
            MaybeNode& target = trace[i].pieces[0].target;
            const bool needed = !target || dcube::traits(problem.collective).target == dcube::Who::all;
            target = target ? MaybeNode() : MaybeNode(0);
            return needed;
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

TEST_CASE("judge: another set of contributors is rejected", "[judge][sums][negative]")
{
    // Contributors that a node does not hold are reported at once; those that it leaves out are missing, there or
    // later.
    for (NodeId node = 0; node < 8; ++node)
        change_each_line(
            [node](Trace& trace, std::size_t i, const Problem&, unsigned) {
                auto& told = trace[i].pieces[0].sum_of;
                if (!told || told->contains(node))
                    return false;
                told = test_support::nodes_of(test_support::bits_of(*told) | std::uint64_t{1} << node);
                return true;
            },
            is_named);
    for (NodeId node = 0; node < 8; ++node)
        change_each_line(
            [node](Trace& trace, std::size_t i, const Problem&, unsigned) {
                auto& told = trace[i].pieces[0].sum_of;
                if (!told || !told->contains(node))
                    return false;
                told = test_support::nodes_of(test_support::bits_of(*told) & ~(std::uint64_t{1} << node));
                return true;
            },
            is_not_earlier);
    // Bytes that are no sum's have none.
    change_each_line(
        [](Trace& trace, std::size_t i, const Problem& problem, unsigned) {
            trace[i].pieces[0].sum_of = test_support::nodes_of(1);
            return !is_reduction(problem.collective);
        },
        is_named);
}

TEST_CASE("judge: another offset, length or number of bytes is rejected", "[judge][negative][slow]")
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

TEST_CASE("link-bound judge: a line that is dropped, changed or without a time is rejected", "[judge][negative]")
{
    for (const Collective collective : all_collectives) {
        if (is_barrier(collective))
            continue;  // packets without pieces: barrier_test.cpp
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
