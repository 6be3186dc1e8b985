// The judge of transmissions in memory: it says what it says of the same as lines.

#include "tests/judge/judged.hpp"
#include "tests/judge/timed_traces.hpp"
#include "tests/support/catch.hpp"

#include <dcube/judge.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace dcube;
using namespace small_traces;
using test_support::error_of;

namespace {

/// The list of a trace, which must outlive it. Times are those of halves(): a tick is half a ns.
std::vector<Transmission> list_of(const Trace& trace)
{
    const auto ticks = [](const std::optional<Rational>& time) {
        return time ? static_cast<Time>(time->numerator * 2 / time->denominator) : 0;
    };
    std::vector<Transmission> list;
    for (const Record& one : trace)
        list.push_back({.step = one.step,
                        .from = one.from,
                        .to = one.to,
                        .port = one.port,
                        .bytes = one.bytes,
                        .start = ticks(one.start_ns),
                        .end = ticks(one.end_ns),
                        .pieces = one.pieces,
                        .lost = one.lost});
    return list;
}

TraceQuestion question(const Problem& problem, unsigned d)
{
    return {Topology::hypercube(d), PortModel::all, problem};
}

void check_same(const Verdict& a, const Verdict& b)
{
    CHECK(a.steps == b.steps);
    CHECK(a.transmissions == b.transmissions);
    CHECK(a.bytes == b.bytes);
    CHECK(a.steps_lower_bound == b.steps_lower_bound);
    CHECK(a.transmissions_lower_bound == b.transmissions_lower_bound);
    CHECK(a.virtual_time_ns == b.virtual_time_ns);
    CHECK(a.time_lower_bound_ns == b.time_lower_bound_ns);
}

}  // namespace

TEST_CASE("judge of a list: the verdict is the same as for lines", "[judge]")
{
    for_all_small([](const Problem& problem, unsigned d, const Trace& trace) {
        check_same(judge_list(list_of(trace), question(problem, d)), judged(trace, problem, d, PortModel::all));
    });
}

TEST_CASE("judge of a list: times are judged where the first transmission has some", "[judge]")
{
    const Problem problem = timed(example(Collective::all_gather, 2), {1, 2}, {1, 2});
    const Trace trace = in_lockstep(make(problem, 2));
    check_same(judge_list(list_of(trace), question(problem, 2)), judged(trace, problem, 2));

    std::vector<Transmission> late = list_of(trace);
    ++late[3].end;
    CHECK(error_of([&] { judge_list(late, question(problem, 2)); }).starts_with("transmission 3: a packet of 4 bytes"));
    late.front().start = late.front().end = 0;
    CHECK_FALSE(judge_list(late, question(problem, 2)).virtual_time_ns);
}

TEST_CASE("judge of a list: ports, sizes and ends may be left out, and are found", "[judge]")
{
    for_all_small([](const Problem& problem, unsigned d, const Trace& trace) {
        if (is_matrix(problem.collective))  // their messages are cut here as the packets are
            return;
        Trace shorter = trace;
        std::vector<Transmission> list = list_of(shorter);
        for (std::size_t i = 0; i < list.size(); ++i) {
            Piece& piece = shorter[i].pieces.front();
            piece.length = size_left_out;
            if (has_root(problem.collective) && piece.origin == problem.root)
                piece.origin.reset();
            list[i].bytes = size_left_out;
            list[i].port = port_left_out;
        }
        std::size_t i = 0;
        bool same = true;
        JudgeOptions how;
        how.accepted = [&](const Transmission& one) {
            const Record& full = trace[i++];
            same = same && one.port == full.port && one.bytes == full.bytes && one.pieces[0] == full.pieces[0];
        };
        check_same(judge_list(list, question(problem, d), how), judged(trace, problem, d, PortModel::all));
        CHECK(same);
    });
}

TEST_CASE("judge of a list: errors name the transmission, counted from 0", "[judge][negative]")
{
    const Problem problem{.collective = Collective::broadcast, .bytes = 4};
    const auto why = [&](Trace trace, std::uint64_t line, bool whole = false) {
        try {
            judge_list(list_of(trace), question(problem, 2));
        } catch (const TraceError& error) {
            CHECK(error.line == line);
            CHECK(std::string(error.what()).starts_with(whole ? "node" : "transmission"));
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    const Trace right = broadcast(2, 0, 4);
    CHECK(why({right[0], right[1]}, 0, true) == "node 3 never received byte 0 of the message from node 0");
    CHECK(why({right[0], right[0]}, 2) == "transmission 1: a second packet from node 0 over port 0 in step 1");
    CHECK(why({right[1], right[0]}, 2) == "transmission 1: packets are not sorted by step: step 1 stands after step 2");
    CHECK(why({right[2], right[0]}, 2).starts_with("transmission 1: packets are not sorted"));
    CHECK(why({line(1, 7, 0, 4, 0, {})}, 1) == "transmission 0: \"from\" is 7: a node from 0 to 3 is allowed");
    Trace far{right[0]};
    far[0].to = 3;
    std::vector<Transmission> list = list_of(far);
    list[0].port = port_left_out;
    CHECK(error_of([&] { judge_list(list, question(problem, 2)); }) == "transmission 0: node 0 has no link to node 3");
}

TEST_CASE("judge of a list: changed traces are rejected for the same reason as lines", "[judge][negative][slow]")
{
    const auto same = [](const Trace& trace, const Problem& problem, unsigned d) {
        const auto why = [](const auto& judge) {
            try {
                judge();
            } catch (const TraceError& error) {
                const std::string text = error.what();
                return std::pair(error.line, error.line == 0 ? text : text.substr(text.find(": ")));
            }
            return std::pair(accepted, std::string());
        };
        return why([&] { judge_list(list_of(trace), question(problem, d)); }) ==
               why([&] { judged(trace, problem, d, PortModel::all); });
    };
    for_all_small([&](const Problem& problem, unsigned d, const Trace& trace) {
        bool all = true;
        for (std::size_t i = 0; i < trace.size(); ++i) {
            const auto changed = [&](const auto& change) {
                Trace other = trace;
                change(other);
                all = all && same(other, problem, d);
            };
            const auto at = static_cast<std::ptrdiff_t>(i);
            changed([&](Trace& t) { t.erase(t.begin() + at); });
            changed([&](Trace& t) { t.insert(t.begin() + at, t[i]); });
            changed([&](Trace& t) { ++t[i].step; });
            changed([&](Trace& t) { t[i].from = 1U << d; });
            changed([&](Trace& t) { t[i].to ^= 1; });
            changed([&](Trace& t) { ++t[i].bytes; });
            changed([&](Trace& t) { ++t[i].pieces[0].offset; });
            changed([&](Trace& t) { t[i].pieces.clear(); });
        }
        CHECK(all);
    });
}

TEST_CASE("judge of a list: a rejected transmission is shown with the rest of its step", "[judge]")
{
    const Problem problem{.collective = Collective::broadcast, .bytes = 4};
    Trace trace = broadcast(2, 0, 4);
    trace[1].pieces[0].offset = 4;
    std::size_t rejected = 0;
    std::size_t after = 0;
    JudgeOptions how;
    how.rejected = [&](const Transmission&, bool later) { ++(later ? after : rejected); };
    CHECK_THROWS_AS(judge_list(list_of(trace), question(problem, 2), how), TraceError);
    CHECK(rejected == 1);
    CHECK(after == 1);
    how.rejected = {};
    CHECK_THROWS_AS(judge_list(list_of(trace), question(problem, 2), how), TraceError);
}
