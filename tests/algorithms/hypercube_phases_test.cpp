// The phases of the algorithms for hypercubes and unit steps, held against traces of real runs.

#include "tests/support/catch.hpp"
#include "tests/support/phased_run.hpp"
#include "tests/support/sizes.hpp"
#include "tests/support/sums_apart.hpp"

#include <dcube/dcube.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

using namespace dcube;
using namespace test_support;

namespace {

Problem small(Collective collective, std::size_t packets = 1, NodeId root = 0)
{
    return {.collective = collective, .bytes = 2, .packets = packets, .root = root, .type = ElementType::uint16};
}

}  // namespace

TEST_CASE("in a phase of dimension k only port k is used", "[phases]")
{
    int phases = 0;
    const auto check = [&](const Case& one) {
        INFO(words(one));
        if (std::ranges::none_of(one.algorithm.phases(one.topology, one.problem),
                                 [](const AlgorithmPhase& phase) { return phase.dimension.has_value(); }))
            return;
        const PhasedRun run = phased_run(one);
        for (const AlgorithmPhase& phase : run.phases) {
            if (!phase.dimension)
                continue;
            INFO(phase.name);
            CHECK(one.topology.is_hypercube());
            const Port k = *phase.dimension;
            const std::vector<PhasedSend> sent = run.during(phase);
            CHECK(std::ranges::any_of(sent, [k](const PhasedSend& packet) { return packet.port == k; }));
            const auto is_beside = [&phase](const AlgorithmPhase& other) {
                return other != phase && other.first <= phase.last && phase.first <= other.last;
            };
            if (std::ranges::none_of(run.phases, is_beside))
                CHECK(std::ranges::all_of(sent, [k](const PhasedSend& packet) { return packet.port == k; }));
            ++phases;
        }
    };
    for_each_unit_case(3, check);
    for_each_link_bound_case(1, 3, {6}, check);
    CHECK(phases > smaller(100, 20));
}

TEST_CASE("in the optimal total exchange what is inside stays in its half, and what goes across does so all the time",
          "[phases]")
{
    for (const char* const algorithm : {"optimal", "local-rules"})
        for (unsigned d = 2; d <= most_dimensions; ++d) {
            const unsigned top = d - 1;
            const PhasedRun run = phased_run(Topology::hypercube(d), small(Collective::all_to_all), algorithm);
            const auto crosses = [top](const PhasedSend& sent) { return sent.port == top; };
            const auto between_halves = [top](const PhasedSend& sent) {
                return ((*sent.pieces[0].origin ^ *sent.pieces[0].target) >> top & 1) != 0;
            };
            CAPTURE(algorithm, d);
            CHECK(run.steps_of(fmt::format("across dimension {}", top)) == run.steps_with(crosses));
            CHECK(run.steps_of("inside the halves") ==
                  run.steps_with([&](const PhasedSend& sent) { return !between_halves(sent); }));
            CHECK(run.steps_of("inside again") ==
                  run.steps_with([&](const PhasedSend& sent) { return between_halves(sent) && !crosses(sent); }));
            for (const PhasedSend& sent : run.sent)
                if (crosses(sent))
                    CHECK(*sent.pieces[0].origin == sent.from);
            CHECK(std::ranges::count_if(run.sent, crosses) == (1 << d) << top);
        }
}

TEST_CASE("several packets a message repeat the phases, packet after packet", "[phases]")
{
    const PhasedRun run = phased_run(Topology::hypercube(3), small(Collective::all_to_all, 3), "optimal");
    for (unsigned packet = 1; packet <= 3; ++packet) {
        const auto is_it = [packet](const PhasedSend& sent) {
            return sent.port == 2 && sent.pieces[0].offset == 2 * (packet - 1);
        };
        CHECK(run.steps_of(fmt::format("packet {}: across dimension 2", packet)) == run.steps_with(is_it));
    }
}

TEST_CASE("a scatter's and a gather's phases are the distances that the root sends to, or hears from", "[phases]")
{
    for (unsigned d = 1; d <= most_dimensions; ++d) {
        const NodeId root = (NodeId{1} << d) / 3;
        for (const auto& [collective, algorithm] : {std::pair(Collective::scatter, "balanced-tree"),
                                                    {Collective::scatter, "farthest-first"},
                                                    {Collective::gather, "balanced-tree"},
                                                    {Collective::gather, "nearest-first"}}) {
            const PhasedRun run = phased_run(Topology::hypercube(d), small(collective, 1, root), algorithm);
            CAPTURE(d, algorithm);
            CHECK(run.phases.size() == d);
            for (unsigned h = 1; h <= d; ++h)
                CHECK(run.steps_of(fmt::format("distance {}", h)) == run.steps_with([&](const PhasedSend& sent) {
                    const Piece& piece = sent.pieces[0];
                    return collective == Collective::scatter ? sent.from == root && distance(*piece.target, root) == h
                                                             : sent.to == root && distance(*piece.origin, root) == h;
                }));
        }
    }
}

TEST_CASE("of several packets a message the balanced tree's phases are the root's sends of each", "[phases]")
{
    for (unsigned d = 2; d <= most_dimensions; ++d)
        for (const std::size_t packets : {2U, 5U}) {
            const PhasedRun run =
                phased_run(Topology::hypercube(d), small(Collective::scatter, packets), "balanced-tree");
            CAPTURE(d, packets);
            for (std::size_t packet = 0; packet < packets; ++packet)
                CHECK(run.steps_of(fmt::format("packet {}", packet + 1)) == run.steps_with([&](const PhasedSend& sent) {
                    return sent.from == 0 && sent.pieces[0].offset == 2 * packet;
                }));
        }
}

TEST_CASE("the rotated trees' phases are the distances that packets have come, or sums still have to go", "[phases]")
{
    for (unsigned d = 1; d <= most_dimensions; ++d)
        for (const std::size_t packets : {1U, 3U})
            for (const Collective collective : {Collective::all_gather, Collective::reduce_scatter}) {
                const PhasedRun run = phased_run(Topology::hypercube(d), small(collective, packets), "rotated-trees");
                CAPTURE(d, packets, name(collective));
                for (unsigned k = 1; k <= d; ++k)
                    CHECK(run.steps_of(fmt::format("distance {}", k)) == run.steps_with([&](const PhasedSend& sent) {
                        const Piece& piece = sent.pieces[0];
                        return collective == Collective::all_gather ? distance(sent.to, *piece.origin) == k
                                                                    : distance(sent.from, *piece.target) == k;
                    }));
            }
}

TEST_CASE("recursive doubling passes on 2^k origins in dimension k, and halving sums for 2^k targets", "[phases]")
{
    for (unsigned d = 1; d <= most_dimensions; ++d)
        for (const auto& [collective, algorithm] : {std::pair(Collective::all_gather, "recursive-doubling"),
                                                    {Collective::reduce_scatter, "recursive-halving"}}) {
            const PhasedRun run = phased_run(Topology::hypercube(d), small(collective, 2), algorithm);
            for (const AlgorithmPhase& phase : run.phases) {
                std::set<NodeId> whose;
                for (const PhasedSend& sent : run.during(phase))
                    if (sent.from == 0)
                        whose.insert(sent.pieces[0].origin ? *sent.pieces[0].origin : *sent.pieces[0].target);
                CHECK(whose.size() == std::size_t{1} << phase.dimension.value());
                CHECK(phase.last - phase.first + 1 == 2 * whose.size());
            }
        }
}

TEST_CASE("the first half of an all-reduce carries partial sums, the second one whole ones", "[phases]")
{
    int whole = 0;
    int partial = 0;
    const auto check = [&](const Case& one) {
        if (one.problem.collective != Collective::all_reduce || keeps_sums_apart(one.algorithm))
            return;
        INFO(words(one));
        const PhasedRun run = phased_run(one);
        std::map<Step, std::vector<std::string>> names;
        for (const AlgorithmPhase& phase : run.phases)
            for (Step step = phase.first; step <= phase.last; ++step)
                names[step].push_back(phase.name);
        const std::size_t bytes = one.problem.bytes * one.problem.packets;
        follow_sums(run, one.topology, bytes, [&](const PhasedSend& sent, const std::set<NodeId>& terms) {
            const bool complete = terms.size() == one.topology.nodes();
            const auto is_there = [&](const char* name) { return std::ranges::count(names[sent.step], name) > 0; };
            if (is_there("sums to the centres") && is_there("sums to all"))
                return;  // some blocks are on their way back while others still move to their centres
            for (const std::string& name : names[sent.step]) {
                CAPTURE(name, sent.step, sent.from, sent.port);
                if (name.starts_with("all-gather") || name.starts_with("doubling") || name == "sums to all") {
                    CHECK(complete);
                    ++whole;
                } else if (name.starts_with("reduce-scatter") || name.starts_with("halving") ||
                           name == "sums to the centres" || name == "sums to one node") {
                    CHECK_FALSE(complete);
                    ++partial;
                }
            }
        });
    };
    for_each_unit_case(3, check);
    for_each_link_bound_case(1, 3, {6, 24}, check);
    CHECK(whole > smaller(1000, 80));
    CHECK(partial > smaller(1000, 80));
}

TEST_CASE("an exchange of sums has 2^s terms in its step s", "[phases]")
{
    for (unsigned d = 1; d <= most_dimensions; ++d)
        for (const auto& [algorithm, packets] :
             {std::pair("exchange", 1U), {"exchange", d}, {"exchange-one-port", 1U}}) {
            const PhasedRun run = phased_run(Topology::hypercube(d), small(Collective::all_reduce, packets), algorithm);
            CAPTURE(d, algorithm, packets);
            REQUIRE(run.phases.size() == d);
            follow_sums(run, Topology::hypercube(d), 2 * packets,
                        [&](const PhasedSend& sent, const std::set<NodeId>& terms) {
                            const AlgorithmPhase& phase = run.phases[sent.step - 1];
                            CHECK(phase.first == sent.step);
                            CHECK(phase.sentence.find(fmt::format("{} term", terms.size())) != std::string::npos);
                        });
        }
}

TEST_CASE("the nodes of two-centre call its phases as the catalogue does", "[phases]")
{
    for (const unsigned d : {2U, 3U, 5U}) {
        const PhasedRun run =
            phased_run(Topology::hypercube(d), small(Collective::all_reduce, std::size_t{1} << d), "two-centre");
        std::vector<Phase> told;
        for (const AlgorithmPhase& phase : run.phases)
            told.push_back({phase.name, phase.first, phase.last});
        CHECK(told == run.report.counts.phases);
        for (const PhasedSend& sent : run.sent)
            CHECK(run.steps_of(sent.phase).first <= sent.step);
    }
}

// First by a forward run: a packet that the root has not sent before leaves it in every step of the first phase.
TEST_CASE("the root of a pipelined broadcast has new packets as long as its phase says", "[phases]")
{
    for (unsigned d = 1; d <= most_dimensions; ++d)
        for (const std::size_t packets : {1U, 2U, 5U, 11U})
            for (const char* const algorithm : {"pipelined", "pipelined-trees"}) {
                const PhasedRun run =
                    phased_run(Topology::hypercube(d), small(Collective::broadcast, packets), algorithm);
                CAPTURE(d, packets, algorithm);
                std::set<std::uint64_t> seen;
                std::set<Step> steps;
                for (const PhasedSend& sent : run.sent)
                    if (sent.from == 0 && seen.insert(sent.pieces[0].offset).second)
                        steps.insert(sent.step);
                CHECK(run.steps_of("the root sends") == Steps{*steps.begin(), *steps.rbegin()});
                CHECK(steps.size() == *steps.rbegin());
                CHECK(run.phases.back().last == run.report.counts.steps);
            }
}

TEST_CASE("the root of a pipelined reduction completes a sum in every step of its phase", "[phases]")
{
    for (unsigned d = 1; d <= most_dimensions; ++d)
        for (const std::size_t packets : {1U, 2U, 5U, 11U})
            for (const auto& [algorithm, phase] :
                 {std::pair("pipelined", "the root receives"), {"pipelined-trees", "the root completes sums"}}) {
                const PhasedRun run = phased_run(Topology::hypercube(d), small(Collective::reduce, packets), algorithm);
                CAPTURE(d, packets, algorithm);
                std::map<std::uint64_t, Step> completed;
                for (const PhasedSend& sent : run.sent)
                    if (sent.to == 0)
                        completed[sent.pieces[0].offset] = sent.step;
                std::set<Step> steps;
                for (const auto& [packet, step] : completed)
                    steps.insert(step);
                const Steps told = run.steps_of(phase);
                CHECK(told == Steps{*steps.begin(), *steps.rbegin()});
                CHECK(steps.size() == told.last - told.first + 1);
            }
}
