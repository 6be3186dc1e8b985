// Traces of networks whose nodes or links differ: each link's own times, and switches that add nothing up.

#include "tests/judge/timed_traces.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include <dcube/contributors.hpp>
#include <dcube/judge.hpp>
#include <dcube/topology.hpp>

#include <memory>
#include <sstream>
#include <string>

using namespace dcube;
using namespace small_traces;
using test_support::contains;
using test_support::error_of;

namespace {

// Nodes 0, 1 and 2 round switch 3; the link of node 2 takes 1 ns per byte, the others 2, and 3 ns per packet.
const Topology& star()
{
    static const Topology network = Topology::product({Graph::from_text("star", "0 3\n1 3\n2 3 1 3\nswitch 3\n")});
    return network;
}

Record sum(Step step, NodeId from, Port port, NodeId to, std::int64_t start, std::int64_t end,
           std::initializer_list<NodeId> nodes)
{
    Record record = at(line(step, from, port, 4, {}, 0), start, end);
    record.to = to;
    record.pieces[0].sum_of = std::make_shared<const Contributors>(Contributors::of(std::vector<NodeId>(nodes)));
    return record;
}

const Problem timed_reduce = timed({.collective = Collective::reduce, .bytes = 4});

std::string verdict_of(const Trace& trace)
{
    return error_of([&] {
        std::istringstream in(text(trace));
        judge_trace(in, star(), PortModel::all, timed_reduce);
    });
}

}  // namespace

TEST_CASE("judge: links have their own times, and switches pass sums on", "[judge][fabric]")
{
    const Trace trace = {sum(1, 1, 0, 3, 0, 11, {1}), sum(1, 2, 0, 3, 0, 7, {2}), sum(2, 3, 0, 0, 7, 18, {2}),
                         sum(3, 3, 0, 0, 18, 29, {1})};
    std::istringstream in(text(trace));
    CHECK(judge_trace(in, star(), PortModel::all, timed_reduce).virtual_time_ns == whole(29));

    Trace wrong_time = trace;
    wrong_time[1] = sum(1, 2, 0, 3, 0, 11, {2});
    CHECK(contains(verdict_of(wrong_time), "1 ns per byte and 3 ns per packet are needed"));

    const Trace added = {trace[0], trace[1], sum(2, 3, 0, 0, 11, 22, {1, 2})};
    CHECK(contains(verdict_of(added), "which has not come to it: it is a switch, and adds nothing up"));

    Trace of_switch = trace;
    of_switch[0] = sum(1, 1, 0, 3, 0, 11, {1, 3});
    CHECK(contains(verdict_of(of_switch), "a piece is a sum of node 3, which is a switch"));

    const Trace one_is_left_out = {trace[0], sum(2, 3, 0, 0, 11, 22, {1})};
    CHECK(contains(verdict_of(one_is_left_out), "at the end node 0 lacks node 2's contribution"));
}
