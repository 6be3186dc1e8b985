// MSCCL's XML, executed by its rules.

#include "tests/support/catalogue_cases.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/msccl_machine.hpp"
#include "tests/support/recorded.hpp"
#include "tests/support/sizes.hpp"
#include "tests/support/sums_apart.hpp"

#include <set>
#include <string>

using namespace dcube;
using namespace dcube::test;
using namespace test_support;

namespace {

bool known(Collective collective)
{
    const std::set<Collective> all{Collective::broadcast,      Collective::reduce,     Collective::all_gather,
                                   Collective::reduce_scatter, Collective::all_reduce, Collective::all_to_all};
    return all.contains(collective);
}

// One term from every node, or the root's.
TermSet terms(const Case& one, std::uint64_t chunk)
{
    TermSet all;
    for (NodeId node = 0; node < one.topology.nodes(); ++node)
        all.emplace(node, chunk);
    return all;
}

// The expected content of chunk c of a node's output, by NCCL's definition of the collective; empty: not used.
TermSet demanded(const Case& one, NodeId node, std::uint64_t c, std::uint64_t k)
{
    const auto message = static_cast<std::uint32_t>(c / k);
    const Collective collective = one.problem.collective;
    if (collective == Collective::broadcast)
        return {{one.problem.root, c}};
    if (collective == Collective::reduce && node != one.problem.root)
        return {};
    if (collective == Collective::all_gather)
        return {{message, c % k}};
    if (collective == Collective::all_to_all)
        return {{message, node * k + c % k}};
    return terms(one, collective == Collective::reduce_scatter ? node * k + c : c);
}

void check(const Case& one, const Recording& recording, std::size_t lag)
{
    INFO(words(one));
    const MscclResult result = executed(text_of(*msccl_export(recording)), lag);
    const bool many =
        one.problem.collective == Collective::all_gather || one.problem.collective == Collective::all_to_all;
    REQUIRE(result.outputs.size() == one.topology.nodes());
    for (NodeId node = 0; node < one.topology.nodes(); ++node) {
        const std::uint64_t chunks = result.output_chunks[node];
        const std::uint64_t k = many ? chunks / one.topology.nodes() : chunks;
        for (std::uint64_t c = 0; c < chunks; ++c) {
            const TermSet expected = demanded(one, node, c, k);
            const auto found = result.outputs[node].find(c);
            if (!expected.empty() && (found == result.outputs[node].end() || found->second != expected))
                FAIL("chunk " << c << " of node " << node << " is wrong");
        }
    }
}

}  // namespace

TEST_CASE("msccl: every chunk of every output is right, however far senders run ahead", "[export][long]")
{
    int cases = 0;
    for_each_unit_case(2, [&](const Case& one) {
        if (!known(one.problem.collective) || keeps_sums_apart(one.algorithm))
            return;
        const Recording recording = recorded(one);
        check(one, recording, 8);
        if (!sanitized)
            check(one, recording, 1);
        ++cases;
    });
    CHECK(cases > 100);
}

TEST_CASE("msccl: messages that are cut and joined come out whole", "[export]")
{
    int cases = 0;
    for_each_link_bound_case(1, smaller(3U, 2U), {24}, [&](const Case& one) {
        if (!known(one.problem.collective))
            return;
        check(one, recorded(one), 1);
        ++cases;
    });
    CHECK(cases > smaller(20, 5));
}

TEST_CASE("msccl: the file of an exchange of two nodes has the expected text", "[export]")
{
    const Problem problem{.collective = Collective::all_gather};
    Recording recording = recorded("hypercube:1", problem, "rotated-trees");
    recording.report.reset();  // without the comment that says what is run
    CHECK(text_of(*msccl_export(recording)) ==
          R"(<algo name="rotated-trees" proto="Simple" nchannels="1" nchunksperloop="2" ngpus="2" coll="allgather" )"
          R"(inplace="0" outofplace="1" minBytes="0" maxBytes="1099511627776">
  <gpu id="0" i_chunks="1" o_chunks="2" s_chunks="0">
    <tb id="0" send="1" recv="-1" chan="0">
      <!-- steps 1 -->
      <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
    <tb id="1" send="-1" recv="1" chan="0">
      <step s="0" type="r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
    <tb id="2" send="-1" recv="-1" chan="0">
      <step s="0" type="cpy" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
  <gpu id="1" i_chunks="1" o_chunks="2" s_chunks="0">
    <tb id="0" send="0" recv="-1" chan="0">
      <!-- steps 1 -->
      <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
    <tb id="1" send="-1" recv="0" chan="0">
      <step s="0" type="r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
    <tb id="2" send="-1" recv="-1" chan="0">
      <step s="0" type="cpy" srcbuf="i" srcoff="0" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
</algo>
)");
}

TEST_CASE("msccl: chunks that a runtime does not take are cut or spread over channels, other limits are noted",
          "[export]")
{
    const auto exported = [](const std::string& network, const Problem& problem) {
        const Recording recording = recorded(network, problem);
        const auto xml = msccl_export(recording);
        CHECK_NOTHROW(executed(text_of(*xml), 8));
        return std::pair(text_of(*xml), xml->notes());
    };
    // 72 chunks at once are refused.
    const auto [cut, cut_notes] =
        exported("hypercube:1", {.collective = Collective::all_gather, .bytes = 4, .packets = 72});
    CHECK_THAT(cut, !Catch::Contains(R"(cnt="72")"));
    CHECK(cut_notes[1] == "72 steps in a thread block: RCCL takes at most 64, unless built for more");
    // 33 peers in a channel are too many.
    const auto [wide, wide_notes] = exported("complete:34", {.collective = Collective::all_gather, .bytes = 4});
    CHECK_THAT(wide, Catch::Contains(R"(nchannels="2")"));
    CHECK(wide_notes.size() == 1);
    const auto [wider, wider_notes] = exported("complete:110", {.collective = Collective::all_gather, .bytes = 4});
    CHECK_THAT(wider, Catch::Contains(R"(nchannels="4")"));
    CHECK(wider_notes[1] == "219 thread blocks of a GPU: MSCCL takes at most 216, unless built for more");
    const auto [longer, longer_notes] =
        exported("hypercube:3", {.collective = Collective::broadcast, .bytes = 4, .packets = 280});
    CHECK(longer_notes[1] == "94 steps in a thread block: RCCL takes at most 64, unless built for more");
    const auto [longest, longest_notes] =
        exported("hypercube:1", {.collective = Collective::broadcast, .bytes = 4, .packets = 300});
    CHECK(longest_notes[1] ==
          "300 steps in a thread block: RCCL takes at most 64, MSCCL takes at most 256, unless built for more");
}

TEST_CASE("msccl: the checking machine detects wrong files", "[export][negative]")
{
    const Problem problem{.collective = Collective::all_gather};
    const std::string xml = text_of(*msccl_export(recorded("hypercube:2", problem)));
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string text = xml;
        const std::size_t at = text.find(from);
        REQUIRE(at != std::string::npos);
        return text.replace(at, from.size(), to);
    };
    CHECK_NOTHROW(executed(xml, 1));
    CHECK_THROWS(executed(changed("hasdep=\"1\"", "hasdep=\"0\""), 1));
    CHECK_THROWS(executed(changed("type=\"r\"", "type=\"nop\""), 1));
    CHECK_THROWS(executed(changed("depid=\"3\" deps=\"0\"", "depid=\"-1\" deps=\"-1\""), 1));
    CHECK_THROWS(executed(changed("o_chunks=\"4\"", "o_chunks=\"2\""), 1));
}

TEST_CASE("msccl: collectives that the format does not have are refused", "[export][negative]")
{
    const Recording scattered = recorded("hypercube:2", {.collective = Collective::scatter});
    CHECK(
        error_of([&] { msccl_export(scattered); }) ==
        "MSCCL does not support scatter: broadcast, reduce, all-gather, reduce-scatter, all-reduce and all-to-all are "
        "possible");
}

TEST_CASE("msccl: a network that lacks nodes, or is in groups, and messages that differ are refused",
          "[export][negative]")
{
    const Recording all = recorded("hypercube:3 without 5", {.collective = Collective::all_gather});
    CHECK(error_of([&] { msccl_export(all); }) ==
          "MSCCL cannot express hypercube:3 without 5: its collectives are of all nodes");
    Problem uneven{.collective = Collective::all_gather};
    uneven.counts = {1, 2, 0, 1, 1, 1, 1, 3};
    const Recording of_counts = recorded("hypercube:3", uneven);
    CHECK(error_of([&] { msccl_export(of_counts); }) ==
          "MSCCL cannot express messages of different lengths, as its chunks have one size: export goal can");
    Problem rows{.collective = Collective::all_gather};
    rows.within = {0, 1};
    const Recording in_groups = recorded("hypercube:3", rows);
    CHECK_THAT(error_of([&] { msccl_export(in_groups); }),
               Catch::Contains("MSCCL's collectives are of all nodes together"));
}
