// Traces of barriers: packets are empty, and what each says follows from who sent it and when.

#include "judge/heard.hpp"
#include "tests/judge/judged.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <sstream>

using namespace dcube;
using namespace small_traces;

namespace {

const Problem waiting{.collective = Collective::barrier};

Record signal(Step step, NodeId from, Port port)
{
    Record record = line(step, from, port, 0, {}, {});
    record.pieces.clear();
    return record;
}

// On a 2-cube: up a tree to node 0, and down.
Trace to_node_0_and_back()
{
    return {signal(1, 3, 0), signal(1, 1, 0), signal(2, 2, 1), signal(3, 0, 1), signal(3, 0, 0), signal(4, 2, 0)};
}

}  // namespace

TEST_CASE("judge: a barrier's empty packets are counted, and compared with the bounds", "[judge][barrier]")
{
    for (unsigned d = 1; d <= 3; ++d) {
        const Verdict verdict = judged(barrier(d), waiting, d);
        CHECK(verdict.steps == d);
        CHECK(verdict.steps_lower_bound == d);
        CHECK(verdict.transmissions == std::uint64_t{d} << d);
        CHECK(verdict.transmissions_lower_bound == 2 * ((1U << d) - 1));
        CHECK(verdict.bytes == 0);
    }
    CHECK(judged(to_node_0_and_back(), waiting, 2, PortModel::all).transmissions == 6);
}

TEST_CASE("judge: a barrier without one of its packets is refused, whichever it is", "[judge][barrier][negative]")
{
    for (const Trace& whole : {barrier(2), to_node_0_and_back()})
        for (std::size_t missing = 0; missing < whole.size(); ++missing) {
            Trace trace = whole;
            trace.erase(trace.begin() + static_cast<std::ptrdiff_t>(missing));
            CAPTURE(missing);
            CHECK(rejected_line(trace, waiting, 2, PortModel::all) == 0);
        }
    Trace late = to_node_0_and_back();
    late.pop_back();
    CHECK(test_support::error_of([&] { judged(late, waiting, 2, PortModel::all); }) ==
          "at the end node 3 has not heard that node 0 has begun");
}

TEST_CASE("judge: what arrives in a step is no news before the next one", "[judge][barrier][negative]")
{
    Trace early = to_node_0_and_back();
    early[2].step = 1;  // node 2 signals in the step in which it hears of node 3
    std::stable_sort(early.begin(), early.end(), [](const Record& a, const Record& b) { return a.step < b.step; });
    CHECK(test_support::error_of([&] { judged(early, waiting, 2, PortModel::all); }) ==
          "at the end node 0 has not heard that node 3 has begun");
}

TEST_CASE("judge: packets of a barrier have no bytes and no pieces, and keep the rules", "[judge][barrier][negative]")
{
    const auto why = [](const auto& change) {
        Trace trace = barrier(2);
        change(trace);
        return complaint(trace, waiting, 2);
    };
    CHECK(why([](Trace& t) { t[1].bytes = 4; }) == "line 2: \"bytes\" is 4, but the pieces have 4 fewer");
    CHECK(why([](Trace& t) {
              t[1].pieces = {{0, {}, 0, 1}};
          }) == "line 2: the packet has a piece: the packets of a barrier are empty");
    CHECK(why([](Trace& t) { t[1].from = t[0].from, t[1].to = t[0].to; }) ==
          "line 2: a second packet from node 0 over port 0 in step 1");
    CHECK(why([](Trace& t) { t[5].to ^= 3; }) == "line 6: port 1 of node 1 leads to node 3, not to node 0");
    CHECK(why([](Trace& t) { t[0].step = 0; }) == "line 1: step 0: steps begin at 1");
    const Problem others{.collective = Collective::all_reduce};
    CHECK(complaint(barrier(1), others, 1) == "line 1: the transmission carries nothing");
}

TEST_CASE("judge: a line without pieces is a packet of a barrier like any other", "[judge][barrier]")
{
    std::istringstream trace("{\"step\":1,\"from\":0,\"to\":1}\n{\"step\":1,\"from\":1,\"to\":0}\n");
    const Verdict verdict = judge_trace(trace, Topology::hypercube(1), PortModel::one, waiting);
    CHECK(verdict.transmissions == 2);
    CHECK(verdict.bytes == 0);
}

TEST_CASE("heard: on links that take time news leave when they have arrived, whatever the order of the packets",
          "[judge][barrier]")
{
    const Topology path = Topology::parse("path:4");
    const auto unheard_at_the_end = [&](Time second_start) {
        Heard heard(path, LinkKind::link_bound);
        heard.carry(1, 0, 1, 0, 10);
        heard.carry(2, 1, 2, second_start, second_start + 10);
        heard.carry(3, 2, 3, 40, 50);
        return heard.first_unheard(3);
    };
    CHECK_FALSE(unheard_at_the_end(10));
    CHECK(unheard_at_the_end(9) == NodeId{0});
    // A packet of a later step that leaves earlier, over another link, knows no more than it did then.
    Heard heard(path, LinkKind::link_bound);
    heard.carry(1, 0, 1, 0, 10);
    heard.carry(2, 1, 0, 20, 30);
    heard.carry(3, 1, 2, 5, 15);
    CHECK(heard.first_unheard(2) == NodeId{0});
}

TEST_CASE("heard: missing nodes are not waited for", "[judge][barrier]")
{
    const Topology topology = Topology::parse("hypercube:2 without 0");
    Heard heard(topology, LinkKind::unit);
    heard.carry(1, 1, 3, 1, 1);
    heard.carry(1, 2, 3, 1, 1);
    CHECK_FALSE(heard.first_unheard(3));
    CHECK(heard.first_unheard(1) == NodeId{2});
}
