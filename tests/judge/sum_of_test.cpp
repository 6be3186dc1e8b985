// Traces that tell who is in their sums: a node may keep sums apart and make any of them that it can.

#include "tests/judge/judged.hpp"
#include "tests/judge/timed_traces.hpp"
#include "tests/support/catch.hpp"

#include "judge/ledger.hpp"

#include <cstdint>

using namespace dcube;
using namespace small_traces;

namespace {

using Ids = std::vector<NodeId>;

Record told(Record line, const Ids& nodes)
{
    line.pieces[0].sum_of = std::make_shared<const Contributors>(Contributors::of(nodes));
    return line;
}

const Problem to_node_0{.collective = Collective::reduce, .bytes = 4};
const Problem to_all{.collective = Collective::all_reduce, .bytes = 4};

/// A sum of 4 bytes for node 0.
Record share_of(Step step, NodeId from, Port port, const Ids& nodes)
{
    return told(line(step, from, port, 4, {}, 0), nodes);
}

/// The same for all nodes.
Record part(Step step, NodeId from, Port port, const Ids& nodes)
{
    return told(line(step, from, port, 4, {}, {}), nodes);
}

std::uint64_t sent(const Trace& trace, const Problem& problem)
{
    return judged(trace, problem, 2, PortModel::all).transmissions;
}

std::string why(const Trace& trace, const Problem& problem)
{
    return test_support::error_of([&] { judged(trace, problem, 2, PortModel::all); });
}

Trace untold(Trace trace)
{
    for (Record& record : trace)
        record.pieces[0].sum_of = nullptr;
    return trace;
}

}  // namespace

TEST_CASE("judge: a node may send its own share and others' apart", "[judge][sums]")
{
    const Trace trace = {share_of(1, 1, 0, {1}), share_of(1, 3, 0, {3}), share_of(2, 2, 1, {2}),
                         share_of(3, 2, 1, {3})};
    CHECK(sent(trace, to_node_0) == 4);
    CHECK(why(untold(trace), to_node_0) ==
          "line 4: byte 0 of the sum for node 0 is delivered to node 0, which has it complete");
    const Trace other_order = {share_of(1, 1, 0, {1}), share_of(1, 3, 0, {3}), share_of(2, 2, 1, {3}),
                               share_of(3, 2, 1, {2})};
    CHECK(sent(other_order, to_node_0) == 4);
}

TEST_CASE("judge: a node may keep a sum back, for good", "[judge][sums]")
{
    // Node 3's share goes both ways, and only node 1 adds it to its own.
    const Trace trace = {share_of(1, 3, 0, {3}), share_of(1, 3, 1, {3}), share_of(2, 1, 0, {1, 3}),
                         share_of(2, 2, 1, {2})};
    CHECK(sent(trace, to_node_0) == 4);
    CHECK(why(untold(trace), to_node_0) ==
          "line 4: contribution counted twice: node 3's, in byte 0 of the sum for node 0 at node 0");
    Trace twice = trace;
    twice[3] = share_of(2, 2, 1, {2, 3});
    CHECK(why(twice, to_node_0) == "at the end node 0 cannot make byte 0 of the sum for node 0 of what it holds: that "
                                   "counts node 3's contribution twice");
}

TEST_CASE("judge: a node may send different sums over different ports, and the same one to several", "[judge][sums]")
{
    // Step 1: all to both neighbours. Step 2: over port 0 what came over port 1.
    Trace trace;
    for (NodeId node = 0; node < 4; ++node)
        for (Port port = 0; port < 2; ++port)
            trace.push_back(part(1, node, port, {node}));
    for (NodeId node = 0; node < 4; ++node)
        trace.push_back(part(2, node, 0, {node ^ 2U}));
    CHECK(sent(trace, to_all) == 12);
    // The same in sums of two: node ^ 1's neighbours have node ^ 2's and node ^ 3's.
    for (NodeId node = 0; node < 4; ++node) {
        trace[8 + node] = part(2, node, 0, {node, node ^ 2U});
        trace.push_back(part(2, node, 1, {node, node ^ 1U}));
    }
    CHECK(sent(trace, to_all) == 16);
    CHECK_FALSE(why(untold(trace), to_all).empty());
}

TEST_CASE("judge: sums that overlap are alternatives", "[judge][sums]")
{
    // Node 0 has nodes 0 and 1 as parts, and twice in a sum with others; it makes the complete sum of those that fit.
    const Trace trace = {part(1, 1, 0, {1}),       part(1, 1, 1, {1}),    part(1, 3, 0, {3}),
                         part(2, 2, 1, {2, 3}),    part(2, 3, 0, {1, 3}), part(3, 2, 1, {1, 2, 3}),
                         part(4, 0, 0, {0, 2, 3}), part(4, 0, 1, {0, 1}), part(5, 1, 1, {0, 1, 2, 3})};
    CHECK(sent(trace, to_all) == 9);
    Trace wrong = trace;
    wrong[6] = part(4, 0, 0, {0, 1, 3});
    CHECK(why(wrong, to_all) == "line 7: node 0 sends byte 0 of the sum, summed over nodes 0-1 and 3, which cannot be "
                                "made of what it holds: it has node 3's contribution only added to node 2's");
}

TEST_CASE("judge: a sum that its sender cannot have is refused, with node, byte and contributor",
          "[judge][sums][negative]")
{
    CHECK(why({share_of(1, 1, 0, {1, 3})}, to_node_0) ==
          "line 1: node 1 sends node 3's contribution to byte 0 of the sum "
          "for node 0 in step 1 but does not have it yet");
    // A sum that arrives in a step cannot leave in it.
    CHECK(why({share_of(1, 3, 1, {3}), share_of(1, 1, 0, {1, 3})}, to_node_0) ==
          "line 2: node 1 sends node 3's contribution to byte 0 of the sum for node 0 in step 1 but does not have "
          "it yet");
    // Nor can a node send without its own what it has only in a sum.
    CHECK(why({part(1, 3, 1, {3}), part(2, 1, 0, {1, 3}), part(3, 0, 1, {3})}, to_all) ==
          "line 3: node 0 sends byte 0 of the sum, summed over node 3, which cannot be made of what it holds: it has "
          "node 3's contribution only added to node 1's");
    // Node 0 has nodes 1 and 3 in one sum, and 2 and 3 in another.
    CHECK(why({part(1, 3, 1, {3}), part(1, 3, 0, {3}), part(2, 1, 0, {1, 3}), part(2, 2, 1, {2, 3}),
               part(3, 0, 0, {0, 1, 2, 3})},
              to_all) == "line 5: node 0 sends byte 0 of the sum, summed over nodes 0-3, which cannot be made of what "
                         "it holds: that counts node 3's contribution twice");
    // Another byte of the sum is no help.
    Trace half = {share_of(1, 3, 1, {3}), share_of(2, 1, 0, {1, 3})};
    half[0].bytes = half[0].pieces[0].length = 2;
    CHECK(why(half, to_node_0) == "line 2: node 1 sends node 3's contribution to byte 2 of the sum for node 0 in step "
                                  "2 but does not have it yet");
}

TEST_CASE("judge: contributors are nodes, one or more, of sums", "[judge][sums][negative]")
{
    CHECK(why({share_of(1, 1, 0, {})}, to_node_0) == "line 1: a piece is the sum of no node: expected one or more");
    CHECK(why({share_of(1, 1, 0, {1, 4})}, to_node_0) ==
          "line 1: a piece is a sum of node 4: nodes 0 to 3 are allowed");
    const Problem gather{.collective = Collective::gather, .bytes = 4};
    CHECK(why({told(line(1, 1, 0, 4, 1, 0), {1})}, gather) ==
          "line 1: a piece has \"sum_of\": only those of sums are allowed to");
}

TEST_CASE("judge: the same sum is not delivered twice, but under the link-bound model", "[judge][sums][negative]")
{
    CHECK(why({part(1, 1, 0, {1}), part(2, 1, 0, {1})}, to_all) ==
          "line 2: byte 0 of the sum, summed over node 1, is delivered to node 0, which has it");
    CHECK(why({part(1, 1, 0, {1}), part(2, 0, 0, {1})}, to_all) ==
          "line 2: byte 0 of the sum, summed over node 1, is delivered to node 1, which has it");
    const Problem timed_sum = timed(to_node_0);  // 11 ns per packet
    const Trace again = {at(share_of(1, 1, 0, {1}), 0, 11), at(share_of(2, 1, 0, {1}), 11, 22)};
    CHECK(why(again, timed_sum) == "at the end node 0 lacks node 2's contribution to byte 0 of the sum for node 0");
}

TEST_CASE("link-bound judge: a sum leaves when the last of its own parts has arrived", "[judge][sums][negative]")
{
    const Problem problem = timed(to_node_0);
    const Trace trace = {at(share_of(1, 1, 0, {1}), 0, 11), at(share_of(1, 3, 0, {3}), 5, 16),
                         at(share_of(2, 2, 1, {2}), 0, 11), at(share_of(3, 2, 1, {3}), 16, 27)};
    CHECK(judged(trace, problem, 2).virtual_time_ns == whole(27));
    Trace early = trace;
    early[3] = at(share_of(3, 2, 1, {3}), 15, 26);
    CHECK(complaint(early, problem, 2) == "line 4: node 2 sends node 3's contribution to byte 0 of the sum for node 0 "
                                          "before the packet that brought it has ended");
    // If a sum can be made in two ways, the one that is there in time counts: node 3's share came early, and again
    // later.
    const Trace late = {at(share_of(1, 3, 0, {3}), 0, 11), at(share_of(2, 3, 0, {3}), 40, 51),
                        at(share_of(3, 2, 1, {2, 3}), 11, 22), at(share_of(3, 1, 0, {1}), 0, 11)};
    CHECK(judged(late, problem, 2).virtual_time_ns == whole(51));
}

TEST_CASE("judge: lines with and without contributors may follow each other", "[judge][sums]")
{
    // A sum without a list is all that the sender has; its parts can be listed later, too.
    const Trace trace = {untold({share_of(1, 3, 0, {3})})[0], share_of(2, 2, 1, {2}), share_of(3, 2, 1, {3}),
                         untold({share_of(4, 1, 0, {1})})[0]};
    CHECK(sent(trace, to_node_0) == 4);
    // Overlapping shares are no sum.
    CHECK(why({part(1, 3, 0, {3}), part(1, 3, 1, {3}), part(2, 1, 0, {1, 3}), part(2, 2, 1, {2, 3}),
               untold({part(3, 0, 0, {0})})[0]},
              to_all) == "line 5: contribution counted twice: node 3's, in byte 0 of the sum at node 0");
}

TEST_CASE("judge: who is in which sum takes no more memory than allowed", "[judge][sums][negative]")
{
    const auto ledger = make_sum_ledger(to_node_0, Topology::hypercube(2), 1000);
    const auto fill = [&] {
        for (Step step = 1; step < 1000; ++step) {
            Record record = share_of(step, 1, 0, {1});
            record.line = step;
            ledger->carry(record, untold({record})[0].pieces[0]);
        }
    };
    CHECK_FALSE(test_support::error_of(fill).empty());
}
