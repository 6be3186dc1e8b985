// Schedules of other tools, as they write them: without dcube's comments.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include <dcube/judge.hpp>
#include <dcube/topology.hpp>

#include <sstream>
#include <string>

using namespace dcube;
using namespace test_support;

namespace {

Verdict foreign_verdict(const std::string& text, const std::string& network, const Problem& problem,
                        PortModel ports = PortModel::all)
{
    std::istringstream file(text);
    return judge_trace(file, Topology::parse(network), ports, problem);
}

std::string why_refused(const std::string& text, const std::string& network, const Problem& problem)
{
    return error_of([&] { foreign_verdict(text, network, problem); });
}

std::string with_change(std::string text, const std::string& from, const std::string& to)
{
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

// A binomial tree on four ranks, as generators of such schedules write it.
const std::string binomial_tree = R"(// binomial broadcast
num_ranks 4

rank 0 {
l1: send 64b to 1 tag 7 cpu 0
l2: send 64b to 2 tag 7 cpu 0
l2 requires l1
}

rank 1 {
l1: recv 64b from 0 tag 7
l2: calc 100
l3: send 64b to 3 tag 7
l2 requires l1
l3 requires l2
}

/* the leaves
   only receive */
rank 2 {
l1: recv 64b from -1 tag -1
}
rank 3 {
recv 64b from 1 tag 7
}
)";

const Problem broadcast_once{.collective = Collective::broadcast};

// A ring of three all-gathers: every rank sends its own chunk, then the one that came. Written as msccl-tools does.
std::string ring_of_three()
{
    std::string xml = R"(<algo name="ring" proto="Simple" nchannels="1" nchunksperloop="3" ngpus="3" coll="allgather" )"
                      R"(inplace="1" outofplace="0" minBytes="0" maxBytes="0">)"
                      "\n";
    for (int gpu = 0; gpu < 3; ++gpu) {
        const auto n = [](int number) { return std::to_string(number); };
        const int next = (gpu + 1) % 3;
        const int before = (gpu + 2) % 3;
        const auto step = [&](int s, const std::string& type, int chunk) {
            return "      <step s=\"" + n(s) + "\" type=\"" + type + R"(" srcbuf="o" srcoff=")" + n(chunk) +
                   R"(" dstbuf="o" dstoff=")" + n(chunk) + R"(" cnt="1" depid="-1" deps="-1" hasdep="0"/>)" + "\n";
        };
        xml += "  <gpu id=\"" + n(gpu) + R"(" i_chunks="0" o_chunks="3" s_chunks="0">)" + "\n";
        xml += "    <tb id=\"0\" send=\"" + n(next) + "\" recv=\"" + n(before) + "\" chan=\"0\">\n";
        xml += step(0, "s", gpu) + step(1, "rcs", before) + step(2, "r", next);
        xml += "    </tb></gpu>\n";
    }
    return xml + "</algo>\n";
}

const Problem gathered_once{.collective = Collective::all_gather};

}  // namespace

TEST_CASE("foreign schedules: a tree in GOAL is a broadcast, and its packets leave as soon as they can", "[judge]")
{
    const Verdict all = foreign_verdict(binomial_tree, "hypercube:2", broadcast_once);
    CHECK(all.steps == 2);
    CHECK(all.transmissions == 3);
    CHECK(foreign_verdict(binomial_tree, "hypercube:2", broadcast_once, PortModel::one).steps == 2);
    // Two packets take two steps on a link; the binomial_tree is then stored and forwarded.
    CHECK(
        foreign_verdict(binomial_tree, "hypercube:2", {.collective = Collective::broadcast, .bytes = 32, .packets = 2})
            .steps == 4);
}

TEST_CASE("foreign schedules: what is wrong in GOAL is said with its line", "[judge][negative]")
{
    CHECK(why_refused(binomial_tree, "hypercube:3", broadcast_once) ==
          "line 2: the file has 4 ranks: the network has 8 nodes");
    CHECK(why_refused(binomial_tree, "path:4", broadcast_once) == "line 6: node 0 has no link to node 2");
    CHECK(why_refused(with_change(binomial_tree, "recv 64b from 1 tag 7", "recv 64b from 1 tag 8"), "hypercube:2",
                      broadcast_once) == "line 13: node 1 sends to node 3, which never receives it");
    CHECK(why_refused(with_change(binomial_tree, "l3: send 64b to 3 tag 7", "l3: calc 5"), "hypercube:2",
                      broadcast_once) == "line 24: node 3 waits for ever for what node 1 never sends");
    CHECK(why_refused(with_change(binomial_tree, "l2 requires l1", "l2 requires l9"), "hypercube:2", broadcast_once) ==
          "line 7: GOAL: rank 0 has no label 'l9' above");
    CHECK(why_refused(with_change(binomial_tree, "l2 requires l1", "l1 requires l2\nl2 requires l1"), "hypercube:2",
                      broadcast_once) == "line 12: node 1 waits for ever for what node 0 never sends");
    CHECK(why_refused(with_change(binomial_tree, "64b to 1", "64 to 1"), "hypercube:2", broadcast_once) ==
          "line 5: GOAL: '64' is not a size such as 64b");
    CHECK(why_refused(with_change(binomial_tree, "to 1", "to 4"), "hypercube:2", broadcast_once) ==
          "line 5: GOAL: rank 4: ranks 0 to 3 are allowed");
    CHECK(why_refused(with_change(binomial_tree, "calc 100", "work 100"), "hypercube:2", broadcast_once) ==
          "line 12: GOAL: 'work' is not a statement: send, recv, calc, requires and irequires are");
    CHECK(why_refused("num_ranks 2\nrank 0 {\n}\n", "hypercube:1", broadcast_once) ==
          "line 3: GOAL: there are 2 ranks, and rank 1 is missing");
    CHECK(why_refused("// nothing\n", "hypercube:1", broadcast_once) == "line 1: GOAL: there is no num_ranks");
}

TEST_CASE("foreign schedules: a ring in MSCCL's XML, in place, is an all-gather", "[judge]")
{
    const Verdict all = foreign_verdict(ring_of_three(), "ring:3", gathered_once);
    CHECK(all.steps == 2);
    CHECK(all.transmissions == 6);
    // Three packets per message, which the file's one chunk is cut into.
    CHECK_THAT(why_refused(ring_of_three(), "ring:3", {.collective = Collective::all_gather, .bytes = 8, .packets = 3}),
               Catch::Contains("a chunk has 24 bytes, and a packet at most 8"));
}

TEST_CASE("foreign schedules: what is wrong in MSCCL's XML is said with its line", "[judge][negative]")
{
    const std::string xml = ring_of_three();
    CHECK(why_refused(xml, "ring:4", gathered_once) == "line 1: the file has 3 of 3 GPUs: the network has 4 nodes");
    CHECK(why_refused(xml, "ring:3", {}) == "line 1: the file is of allgather, not of all-to-all");
    CHECK(why_refused(with_change(xml, R"(type="rcs")", R"(type="r")"), "ring:3", gathered_once) ==
          "line 12: node 1 waits for ever for what node 0 never sends");
    CHECK(why_refused(with_change(xml, R"(type="r" srcbuf="o" srcoff="1" dstbuf="o" dstoff="1")",
                                  R"(type="r" srcbuf="o" srcoff="1" dstbuf="o" dstoff="0")"),
                      "ring:3",
                      gathered_once) == "at the end chunk 0 of GPU 0's output is another one, or not the sum of all");
    CHECK(why_refused(with_change(xml, R"(srcoff="0")", R"(srcoff="1")"), "ring:3", gathered_once) ==
          "line 4: GPU 0 reads chunk 1 of its output before anything is there");
    CHECK(why_refused(with_change(xml, R"(dstoff="2")", R"(dstoff="3")"), "ring:3", gathered_once) ==
          "line 5: GPU 0 has no chunk 3 in its output");
    CHECK(why_refused(with_change(xml, R"(type="s")", R"(type="t")"), "ring:3", gathered_once) ==
          "line 4: a step of type 't': s, r, rcs, rrs, rrc, rrcs, cpy, re and nop are allowed");
    CHECK(why_refused(with_change(xml, R"(depid="-1")", R"(depid="5")"), "ring:3", gathered_once) ==
          "line 4: the step waits for step -1 of thread block 5, which there is not");
    CHECK(why_refused("<algo name=\"x\" coll=\"allgather\"", "ring:3", gathered_once) ==
          "line 1: XML: a tag does not end");
    CHECK(why_refused("<gpu>", "ring:3", gathered_once) ==
          "line 1: <gpu> is not expected here: MSCCL's XML begins with <algo>");
    CHECK(why_refused("<algo ngpus=\"3\">", "ring:3", gathered_once) == "line 1: <algo> has no coll");
}

TEST_CASE("foreign schedules: a compressed file is refused with what to do", "[judge][negative]")
{
    CHECK(why_refused("\x1f\x8b\x08", "ring:3", gathered_once) ==
          "line 1: the file is compressed: expected text, as of gunzip -c FILE | dcube replay -");
}
