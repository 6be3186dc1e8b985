// The phases of the algorithms for links that take time, held against traces of real runs.

#include "tests/support/catch.hpp"
#include "tests/support/link_bound.hpp"
#include "tests/support/phased_run.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

using namespace dcube;
using namespace test_support;

namespace {

Problem timed(Collective collective, std::size_t bytes, NodeId root = 0)
{
    Problem problem{.collective = collective, .bytes = bytes, .root = root, .type = ElementType::uint8};
    problem.link = link_bound(1, 10);
    return problem;
}

// Bits i, i + 1, .. of d, k of them, cyclically.
NodeId run_of_bits(unsigned i, unsigned k, unsigned d)
{
    NodeId bits = 0;
    for (unsigned j = 0; j < k; ++j)
        bits |= NodeId{1} << (i + j) % d;
    return bits;
}

}  // namespace

TEST_CASE("a wave's phases are the distances of its senders from the root", "[phases]")
{
    for (unsigned d = 1; d <= most_dimensions; ++d)
        for (const auto& [algorithm, behind] : {std::pair("wave", 0U), {"two-waves", 1U}}) {
            const NodeId root = (NodeId{1} << d) / 3;
            const PhasedRun run =
                phased_run(Topology::hypercube(d), timed(Collective::broadcast, 12 * d, root), algorithm);
            CAPTURE(d, algorithm);
            CHECK(run.phases.size() == d + 1 - behind);
            for (const AlgorithmPhase& phase : run.phases) {
                const unsigned k = number_after(phase.name, "distance ").value();
                std::set<unsigned> senders;
                for (const PhasedSend& sent : run.during(phase))
                    senders.insert(distance(sent.from, root));
                CHECK(senders == (behind == 1 && k > 0 ? std::set{k - 1, k} : std::set{k}));
            }
        }
}

TEST_CASE("the rotated broadcast doubles the holders of every part in each of its phases", "[phases]")
{
    for (unsigned d = 1; d <= most_dimensions; ++d) {
        const PhasedRun run = phased_run(Topology::hypercube(d), timed(Collective::broadcast, 2 * d), "rotated");
        for (unsigned k = 0; k < d; ++k) {
            const Steps steps = run.steps_of(fmt::format("{} to {} nodes", 1 << k, 2 << k));
            CHECK(steps == Steps{k + 1, k + 1});
            std::map<std::uint64_t, int> sent_on;  // by part
            for (const PhasedSend& sent : run.during(run.phases[k])) {
                ++sent_on[sent.pieces[0].offset];
                CHECK(sent.port == (sent.pieces[0].offset / 2 + k) % d);
            }
            CHECK(sent_on.size() == d);
            CHECK(std::ranges::all_of(sent_on, [k](const auto& part) { return part.second == 1 << k; }));
        }
    }
}

TEST_CASE("a group of a pipelined broadcast moves in its own phase, and in the second wave if it is the last",
          "[phases]")
{
    for (unsigned d = 2; d <= most_dimensions; ++d)
        for (const std::size_t g : {1U, 2U, 5U})
            for (const auto& [collective, algorithm] : {std::pair(Collective::broadcast, "pipelined"),
                                                        {Collective::broadcast, "pipelined-pruned"},
                                                        {Collective::broadcast, "edge-disjoint-trees"},
                                                        {Collective::reduce, "pipelined"}}) {
                Problem problem = timed(collective, d * g * 3);
                problem.tuning.groups = g;
                const PhasedRun run = phased_run(Topology::hypercube(d), problem, algorithm);
                const bool by_tree = std::string_view(algorithm) == "edge-disjoint-trees";
                CAPTURE(d, g, algorithm, name(collective));
                for (std::size_t q = 0; q < g; ++q) {
                    const auto of_group = [&](const PhasedSend& sent) {
                        const std::uint64_t packet = sent.pieces[0].offset / 3;
                        return (by_tree ? packet % g : packet / d) == q;
                    };
                    const Steps moves = run.steps_with(of_group);
                    CHECK(run.steps_of(fmt::format("group {}", q + 1)) == moves);
                    const Steps at_root = run.steps_with([&](const PhasedSend& sent) {
                        return of_group(sent) && (collective == Collective::reduce ? sent.to : sent.from) == 0;
                    });
                    if (collective == Collective::reduce)
                        CHECK(at_root.last == moves.last);
                    else
                        CHECK(at_root.first == moves.first);
                }
            }
}

TEST_CASE("farthest-first sends one distance a phase, and the other way round receives one", "[phases]")
{
    for (unsigned d = 1; d <= most_dimensions; ++d)
        for (const char* const algorithm : {"farthest-first", "farthest-first-even"})
            for (const Collective collective : {Collective::scatter, Collective::gather}) {
                const PhasedRun run = phased_run(Topology::hypercube(d), timed(collective, 60, 1), algorithm);
                CAPTURE(d, algorithm, name(collective));
                for (const AlgorithmPhase& phase : run.phases) {
                    std::set<unsigned> distances;
                    for (const PhasedSend& sent : run.during(phase))
                        for (const Piece& piece : sent.pieces)
                            if (collective == Collective::scatter ? sent.from == 1 : sent.to == 1)
                                distances.insert(
                                    distance(1, collective == Collective::scatter ? *piece.target : *piece.origin));
                    CHECK(distances == std::set{number_after(phase.name, "distance ").value()});
                }
            }
}

TEST_CASE("a wave of a scatter lasts until its last message arrives", "[phases]")
{
    for (const char* const waves : {"432|1", "43|21", "4|3|2|1", "4321"})
        for (const Collective collective : {Collective::scatter, Collective::gather}) {
            Problem problem = timed(collective, 60);
            problem.tuning.waves = waves;
            const PhasedRun run = phased_run(Topology::hypercube(4), problem, "waves");
            CAPTURE(waves, name(collective));
            const std::string text = waves;
            std::size_t wave = 0;
            for (std::size_t at = 0; at < text.size(); ++wave) {
                const std::size_t end = std::min(text.find('|', at), text.size());
                const unsigned most = static_cast<unsigned>(text[at] - '0');
                const unsigned least = static_cast<unsigned>(text[end - 1] - '0');
                const auto in_wave = [&](const PhasedSend& sent) {
                    return std::ranges::any_of(sent.pieces, [&](const Piece& piece) {
                        const unsigned far =
                            distance(0, collective == Collective::scatter ? *piece.target : *piece.origin);
                        return least <= far && far <= most;
                    });
                };
                CHECK(run.steps_of(most == least ? fmt::format("wave {}: distance {}", wave + 1, most)
                                                 : fmt::format("wave {}: distances {} to {}", wave + 1, most, least)) ==
                      run.steps_with(in_wave));
                at = end + 1;
            }
        }
}

TEST_CASE("a packet of the complete broadcast has parts of as many messages as its phase says", "[phases]")
{
    for (unsigned d = 1; d <= most_dimensions; ++d) {
        const PhasedRun all = phased_run(Topology::hypercube(d), timed(Collective::all_gather, 2 * d), "rotated");
        const PhasedRun sums = phased_run(Topology::hypercube(d), timed(Collective::reduce_scatter, 2 * d), "rotated");
        CAPTURE(d);
        for (const AlgorithmPhase& phase : all.phases)
            for (const PhasedSend& sent : all.during(phase))
                CHECK(phase.name == fmt::format("{} to {} holders", sent.pieces.size(), 2 * sent.pieces.size()));
        for (const AlgorithmPhase& phase : sums.phases)
            for (const PhasedSend& sent : sums.during(phase))
                CHECK(
                    phase.name.starts_with(fmt::format("{} to {} block", 2 * sent.pieces.size(), sent.pieces.size())));
    }
}

TEST_CASE("the complete exchange corrects bit i + k of every part i in its k-th phase", "[phases]")
{
    for (unsigned d = 1; d <= most_dimensions; ++d) {
        const PhasedRun run = phased_run(Topology::hypercube(d), timed(Collective::all_to_all, 2 * d), "rotated");
        for (const AlgorithmPhase& phase : run.phases) {
            const unsigned k = number_after(phase.name, "turn ").value() - 1;
            CAPTURE(d, phase.name);
            for (const PhasedSend& sent : run.during(phase)) {
                const NodeId corrected = run_of_bits((sent.port + d - k) % d, k, d);
                CHECK(std::ranges::all_of(sent.pieces, [&](const Piece& piece) {
                    return ((*piece.origin ^ sent.from) & ~corrected) == 0 &&
                           ((*piece.target ^ sent.from) & corrected) == 0 &&
                           ((*piece.target ^ sent.from) >> sent.port & 1) != 0;
                }));
            }
        }
    }
}

TEST_CASE("a send's phases tell how far its bytes have come", "[phases]")
{
    int phases = 0;
    for_each_link_bound_case(1, smaller(4U, 3U), {24}, [&](const Case& one) {
        const auto hops_before = [&one](const AlgorithmPhase& phase) {
            auto far = number_after(phase.name, "hop ");
            if (far)
                --*far;
            else if (has_peer(one.problem.collective))
                far = number_after(phase.name, "distance ");
            return far;
        };
        INFO(words(one));
        if (std::ranges::none_of(one.algorithm.phases(one.topology, one.problem),
                                 [&](const AlgorithmPhase& phase) { return hops_before(phase).has_value(); }))
            return;
        const PhasedRun run = phased_run(one);
        for (const AlgorithmPhase& phase : run.phases) {
            const auto far = hops_before(phase);
            if (!far)
                continue;
            INFO(phase.name);
            ++phases;
            for (const PhasedSend& sent : run.during(phase))
                for (const Piece& piece : sent.pieces)
                    CHECK(distance(piece.origin.value(), sent.from) == *far);
        }
    });
    CHECK(phases > smaller(100, 12));
}

TEST_CASE("a detour goes out from the source, and back to the target", "[phases]")
{
    const Topology cube = Topology::hypercube(4);
    for (const NodeId target : {1U, 3U, 7U})
        for (const std::size_t g : {1U, 3U})
            for (const auto& [algorithm, part] : {std::pair("detour-groups", ""), {"subcubes", "detours: "}}) {
                Problem problem = timed(Collective::send, 480);
                problem.peer = target;
                problem.tuning.groups = problem.tuning.detour_groups = g;
                const PhasedRun run = phased_run(cube, problem, algorithm);
                const auto leaves_cube = [target](const PhasedSend& sent) {
                    return ((sent.from ^ sent.to) & ~target) != 0;
                };
                CAPTURE(target, g, algorithm);
                CHECK(run.steps_of(std::string(part) + "out") ==
                      run.steps_with([&](const PhasedSend& sent) { return leaves_cube(sent) && sent.from == 0; }));
                CHECK(run.steps_of(std::string(part) + "back") ==
                      run.steps_with([&](const PhasedSend& sent) { return leaves_cube(sent) && sent.to == target; }));
                CHECK(run.steps_of(std::string(part) + "through") == run.steps_with([&](const PhasedSend& sent) {
                    return !leaves_cube(sent) && (sent.from & ~target) != 0;
                }));
            }
}

TEST_CASE("a transpose's packets make second hops a step after first ones", "[phases]")
{
    for (const unsigned d : {2U, 4U})
        for (const std::size_t x : {2U, 4U, 7U}) {
            Problem problem = timed(Collective::matrix_transpose, 1);
            problem.rows = problem.columns = 56;
            problem.layout = MatrixLayout::submatrices;
            problem.tuning.groups = x;
            const PhasedRun run = phased_run(Topology::hypercube(d), problem, "logical-cubes");
            const auto bits_made = [](const PhasedSend& sent) {
                return distance(*sent.pieces[0].origin, sent.from) % 2;
            };
            CAPTURE(d, x);
            CHECK(run.steps_of("first hops") ==
                  run.steps_with([&](const PhasedSend& sent) { return bits_made(sent) == 0; }));
            CHECK(run.steps_of("second hops") ==
                  run.steps_with([&](const PhasedSend& sent) { return bits_made(sent) == 1; }));
        }
}

TEST_CASE("a quarter turn one way crosses a position a phase", "[phases]")
{
    for (const unsigned d : {2U, 4U}) {
        Problem problem = timed(Collective::matrix_quarter_turn, 1);
        problem.rows = problem.columns = 32;
        problem.layout = MatrixLayout::submatrices;
        const PhasedRun run = phased_run(Topology::hypercube(d), problem, "one-way");
        for (const PhasedSend& sent : run.sent)
            CHECK(run.steps_of(fmt::format("position {} of {}", distance(*sent.pieces[0].origin, sent.from) + 1,
                                           d / 2)) == Steps{sent.step, sent.step});
    }
}
