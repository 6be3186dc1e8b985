// The phases of the algorithms for any products, held against traces of real runs.

#include "tests/support/catch.hpp"
#include "tests/support/phased_run.hpp"

#include <dcube/dcube.hpp>

#include <fmt/format.h>

#include <map>
#include <optional>
#include <tuple>

using namespace dcube;
using namespace test_support;

namespace {

const Problem exchange{.collective = Collective::all_to_all, .bytes = 1};

// The factor that a transmission moves in.
unsigned factor_of(const Topology& topology, const PhasedSend& sent)
{
    unsigned i = 0;
    while (topology.digit(sent.from, i) == topology.digit(sent.to, i))
        ++i;
    return i;
}

NodeId offset_of(const Topology& topology, const PhasedSend& sent)
{
    return topology.untranslate(*sent.pieces[0].target, *sent.pieces[0].origin);
}

// The one phase of these names that holds the step.
std::optional<unsigned> round_at(const PhasedRun& run, Step step, const std::string& factors, const std::string& round)
{
    for (const AlgorithmPhase& phase : run.phases)
        if (phase.name.starts_with(factors) && step >= phase.first && step <= phase.last)
            return number_after(phase.name, round);
    return std::nullopt;
}

}  // namespace

TEST_CASE("factor-by-factor moves in its batches what has their offset, in the factors named", "[phases]")
{
    for (const char* const text : {"torus:3x4", "mesh:2x3", "ring:5*path:2", "ring:3*complete:4*path:2", "mesh:3x5"}) {
        const Topology topology = Topology::parse(text);
        const PhasedRun run = phased_run(topology, exchange, "factor-by-factor");
        const std::string others =
            topology.dimension() == 2 ? "coordinate 2" : fmt::format("coordinates 2 to {}", topology.dimension());
        CAPTURE(text);
        for (const PhasedSend& sent : run.sent) {
            const bool first = factor_of(topology, sent) == 0;
            const NodeId offset = offset_of(topology, sent);
            const NodeId across = first ? offset % topology.stride(0) : offset / topology.stride(0);
            CAPTURE(sent.step, sent.from, sent.to);
            CHECK(round_at(run, sent.step, first ? "coordinate 1: " : others, "batch ") == across + 1);
            CHECK(round_at(run, sent.step, first ? others : "coordinate 1: ", "batch ") == std::nullopt);
        }
    }
}

TEST_CASE("row-by-row carries what began in the row named, then exchanges it in all rows", "[phases]")
{
    for (const char* const text : {"torus:3x4", "mesh:2x3", "ring:3*complete:3*path:2"}) {
        const Topology topology = Topology::parse(text);
        const PhasedRun run = phased_run(topology, exchange, "row-by-row");
        CAPTURE(text);
        for (NodeId row = 0; row < topology.stride(0); ++row) {
            const auto moves = [&](unsigned in_first) {
                return [&, in_first](const PhasedSend& sent) {
                    return *sent.pieces[0].origin % topology.stride(0) == row &&
                           (factor_of(topology, sent) == 0 ? 1U : 0U) == in_first;
                };
            };
            CHECK(run.steps_of(fmt::format("from row {}", row)) == run.steps_with(moves(0)));
            CHECK(run.steps_of(fmt::format("exchange of row {}'s", row)) == run.steps_with(moves(1)));
        }
    }
}

TEST_CASE("a packet moves in some factors in one of their rounds only", "[phases]")
{
    for (const auto& [text, algorithm, first, second] :
         {std::tuple("torus:3x4", "interleaved", "coordinate 1:", "coordinate 2:"),
          {"mesh:2x3", "interleaved", "coordinate 1:", "coordinate 2:"},
          {"mesh:5x2", "interleaved", "coordinate 1:", "coordinate 2:"},
          {"ring:5*path:4*complete:3", "interleaved", "coordinates 1 to 2:", "coordinate 3:"},
          {"ring:3*path:3*path:4", "grouped", "coordinates 1 to 2:", "coordinate 3:"},
          {"path:3*ring:4", "grouped", "coordinate 2:", "coordinate 1:"}}) {
        const Topology topology = Topology::parse(text);
        const PhasedRun run = phased_run(topology, exchange, algorithm);
        std::map<std::tuple<NodeId, NodeId, bool>, unsigned> round_of;
        CAPTURE(text, algorithm);
        for (const PhasedSend& sent : run.sent) {
            const std::string moved = fmt::format("coordinate {}:", factor_of(topology, sent) + 1);
            const bool in_second = moved == second;
            const auto round = round_at(run, sent.step, in_second ? second : first, "round ");
            CAPTURE(sent.step, sent.from, sent.to);
            REQUIRE(round);
            const auto [known, added] =
                round_of.insert({{*sent.pieces[0].origin, *sent.pieces[0].target, in_second}, *round});
            CHECK(known->second == *round);
        }
    }
}

TEST_CASE("homogeneous: what one half brings the other takes on in the next round", "[phases]")
{
    for (const char* const text : {"torus:3x3", "mesh:4x4", "torus:6x6", "mesh:2x2x2x2"}) {
        const Topology topology = Topology::parse(text);
        const PhasedRun run = phased_run(topology, exchange, "homogeneous");
        struct Rounds {
            unsigned a = 0;
            unsigned b = 0;
        };
        std::map<std::pair<NodeId, NodeId>, Rounds> of_packet;
        for (const PhasedSend& sent : run.sent) {
            const unsigned round = round_at(run, sent.step, "round ", "round ").value();
            const bool in_a = factor_of(topology, sent) < topology.dimension() / 2;
            Rounds& rounds = of_packet[{*sent.pieces[0].origin, *sent.pieces[0].target}];
            unsigned& known = in_a ? rounds.a : rounds.b;
            CHECK((known == 0 || known == round));
            known = round;
        }
        const auto n = static_cast<unsigned>(run.phases.size());
        CAPTURE(text, n);
        for (const auto& [packet, rounds] : of_packet) {
            if (rounds.b == 0)
                CHECK(rounds.a == 1);
            else if (rounds.a == 0)
                CHECK(rounds.b == n);
            else
                CHECK(rounds.a == rounds.b + 1);
        }
    }
}

TEST_CASE("digit-rounds: a packet moves in one factor in a round", "[phases]")
{
    for (const char* const text : {"torus:3x3", "mesh:3x3x3", "torus:4x4"}) {
        const Topology topology = Topology::parse(text);
        const PhasedRun run = phased_run(topology, exchange, "digit-rounds");
        std::map<std::tuple<NodeId, NodeId, unsigned>, unsigned> factor_in;
        std::map<std::tuple<NodeId, NodeId, unsigned>, unsigned> round_in;
        CAPTURE(text);
        for (const PhasedSend& sent : run.sent) {
            const unsigned round = round_at(run, sent.step, "round ", "round ").value();
            const unsigned factor = factor_of(topology, sent);
            const NodeId origin = *sent.pieces[0].origin;
            const NodeId target = *sent.pieces[0].target;
            CHECK(factor_in.insert({{origin, target, round}, factor}).first->second == factor);
            CHECK(round_in.insert({{origin, target, factor}, round}).first->second == round);
        }
    }
}

TEST_CASE("shortest paths: the root sends, or receives, in the steps told", "[phases]")
{
    for (const char* const text : {"torus:3x4", "mesh:2x3", "petersen", "star:3"})
        for (const char* const algorithm : {"shortest-paths", "shortest-paths-one"})
            for (const std::size_t packets : {1U, 4U}) {
                const Topology topology = Topology::parse(text);
                const NodeId root = topology.nodes() / 2;
                const auto run_of = [&](Collective collective) {
                    return phased_run(
                        topology, {.collective = collective, .bytes = 1, .packets = packets, .root = root}, algorithm);
                };
                CAPTURE(text, algorithm, packets);
                for (const Collective collective : {Collective::broadcast, Collective::scatter}) {
                    const PhasedRun run = run_of(collective);
                    CHECK(run.steps_of("the root sends") ==
                          run.steps_with([root](const PhasedSend& sent) { return sent.from == root; }));
                }
                for (const Collective collective : {Collective::reduce, Collective::gather}) {
                    const PhasedRun run = run_of(collective);
                    CHECK(run.steps_of("the root receives") ==
                          run.steps_with([root](const PhasedSend& sent) { return sent.to == root; }));
                }
            }
}
