// Traces of scans: every node must be able to make the sum of the nodes before it, and of no others.

#include "tests/judge/judged.hpp"
#include "tests/support/catch.hpp"

#include <cstdint>

using namespace dcube;
using namespace small_traces;

namespace {

const Problem inclusive{.collective = Collective::scan, .bytes = 4};
const Problem exclusive{.collective = Collective::exscan, .bytes = 4};

Record scan_part(Step step, NodeId from, Port port, const std::vector<NodeId>& nodes)
{
    Record record = line(step, from, port, 4, {}, {});
    record.pieces[0].sum_of = std::make_shared<const Contributors>(Contributors::of(nodes));
    return record;
}

std::string why_no_scan(const Trace& trace, const Problem& problem)
{
    return test_support::error_of([&] { judged(trace, problem, 2, PortModel::all); });
}

// Up a tree to node 3, and down.
Trace up_and_down()
{
    return {scan_part(1, 0, 0, {0}), scan_part(1, 2, 0, {2}), scan_part(2, 1, 1, {0, 1}), scan_part(3, 3, 0, {0, 1})};
}

}  // namespace

TEST_CASE("judge: a scan needs only the sums of the nodes before each", "[judge][scan]")
{
    CHECK(why_no_scan(up_and_down(), inclusive).empty());
    CHECK(why_no_scan(up_and_down(), exclusive).empty());
    CHECK(judged(up_and_down(), inclusive, 2, PortModel::all).transmissions_lower_bound == 4);
}

TEST_CASE("judge: a scan that lacks a contribution is refused, whichever packet is missing", "[judge][scan][negative]")
{
    for (const Problem& problem : {inclusive, exclusive})
        for (std::size_t missing = 0; missing < up_and_down().size(); ++missing) {
            Trace trace = up_and_down();
            trace.erase(trace.begin() + static_cast<std::ptrdiff_t>(missing));
            CAPTURE(name(problem.collective), missing);
            CHECK_FALSE(why_no_scan(trace, problem).empty());
        }
    Trace late = up_and_down();
    late.pop_back();
    CHECK(why_no_scan(late, inclusive) == "at the end node 2 lacks node 0's contribution to byte 0 of the sum");
}

TEST_CASE("judge: a sum with a later node's contribution is no use in a scan", "[judge][scan][negative]")
{
    // Node 2 is told the sum of all, from which its own cannot be taken away.
    Trace trace = up_and_down();
    trace.back() = scan_part(3, 3, 0, {0, 1, 3});
    CHECK(test_support::contains(why_no_scan(trace, inclusive), "at the end node 2 cannot make byte 0 of the sum"));
}

TEST_CASE("judge: a sum that its sender cannot make is refused in a scan", "[judge][scan][negative]")
{
    Trace trace = up_and_down();
    trace[2] = scan_part(2, 1, 1, {0, 1, 2});
    CHECK(test_support::contains(why_no_scan(trace, inclusive), "node 1 sends node 2's contribution"));
}
