// The messages that the pieces of a trace may name.

#include "tests/judge/judged.hpp"
#include "tests/judge/timed_traces.hpp"
#include "tests/support/catch.hpp"

#include <dcube/matrix.hpp>

#include <cstdint>

using namespace dcube;
using namespace small_traces;

TEST_CASE("link-bound judge: pieces of point-to-point and matrix collectives may name only what these have",
          "[judge][negative]")
{
    const auto refusal = [](Problem problem, Record record) {
        return complaint({at(record, 0, 2 * static_cast<std::int64_t>(record.bytes) + 3)}, timed(problem), 2);
    };
    Problem ends{.collective = Collective::send, .bytes = 4, .root = 1, .peer = 2};
    CHECK(refusal(ends, line(1, 1, 0, 4, 2, 1)) == "line 1: a piece has origin 2: the root, 1, is allowed");
    CHECK(refusal(ends, line(1, 1, 0, 4, 1, 3)) == "line 1: a piece has target 3: the peer, 2, is allowed");
    CHECK(refusal(ends, line(1, 1, 0, 4, 1, 2)) == "node 2 never received byte 0 of the message from node 1 to node 2");
    ends.collective = Collective::exchange;
    CHECK(refusal(ends, line(1, 1, 0, 4, 0, 1)) ==
          "line 1: a piece has origin 0: the root, 1, or the peer, 2, is allowed");
    CHECK(refusal(ends, line(1, 1, 0, 4, 2, 2)) == "line 1: a piece has target 2: node 2's target, 1, is allowed");
    Problem permute{.collective = Collective::permute, .bytes = 4};
    permute.permutation = {0, 2, 3, 1};
    CHECK(refusal(permute, line(1, 1, 0, 4, 1, 3)) == "line 1: a piece has target 3: node 1's target, 2, is allowed");
    CHECK(refusal(permute, line(1, 1, 0, 4, 4, 3)) == "line 1: a piece has origin 4: a node from 0 to 3 is allowed");
    CHECK(refusal(permute, line(1, 2, 0, 4, 2, 3)) ==
          "node 2 never received byte 0 of the message from node 1 to node 2");

    Problem uneven{.collective = Collective::matrix_relayout, .type = ElementType::int16};
    uneven.rows = 24;
    uneven.columns = 1;
    uneven.to_layout = MatrixLayout::rows_striped;
    CHECK(refusal(uneven, line(1, 0, 0, 4, 0, 1)) == "node 0 never received byte 0 of the message from node 1 to node "
                                                     "0");
    CHECK(refusal(uneven, line(1, 0, 0, 5, 0, 1)) ==
          "line 1: a piece of 5 bytes at offset 0 does not lie within a message, which has 4 bytes");
    CHECK(refusal(uneven, line(1, 0, 0, 2, 0, 2, 2)) ==
          "line 1: a piece of 2 bytes at offset 2 does not lie within a message, which has 2 bytes");
}
