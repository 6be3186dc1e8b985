// Rules for single transmissions: ports, links and sizes.

#include "tests/judge/judged.hpp"
#include "tests/support/catch.hpp"

using namespace dcube;
using namespace small_traces;

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

TEST_CASE("judge: a transmission is at most one packet", "[judge][negative]")
{
    const Problem problem{.collective = Collective::broadcast, .bytes = 4, .packets = 2};
    CHECK(rejected_line({line(1, 0, 0, 8, 0, {})}, problem, 1) == 1);
    CHECK(judged(Trace{line(1, 0, 0, 4, 0, {}), line(2, 0, 0, 4, 0, {}, 4)}, problem, 1).steps == 2);
}
