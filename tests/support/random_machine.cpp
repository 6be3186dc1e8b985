#include "tests/support/random_machine.hpp"

#include "tests/support/networks.hpp"
#include "tests/support/random_draw.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace test_support {

using namespace dcube;

namespace {

Rational rational(std::size_t numerator, std::size_t denominator)
{
    const std::size_t common = std::gcd(numerator, denominator);
    return {static_cast<std::int64_t>(numerator / common), static_cast<std::int64_t>(denominator / common)};
}

}  // namespace

Topology random_network(Draw& draw)
{
    static const std::vector<std::string> some{
        "hypercube:0", "hypercube:1",   "hypercube:2", "hypercube:3", "hypercube:4",     "hypercube:5", "hypercube:6",
        "hypercube:7", "torus:9x10",    "ring:3",      "ring:6",      "ring:17",         "torus:3x4",   "torus:4x4x2",
        "torus:8x8",   "mesh:4x6",      "mesh:2x3x3",  "path:9",      "star:4",          "complete:5",  "complete:20",
        "ccc:3",       "ring:5*path:4", "petersen",    "ghc:3x4",     "circulant:13,1,5"};
    if (draw.chance(60))
        return Topology::parse(draw.one_of(some));
    const auto seed = static_cast<unsigned>(draw.word());
    if (draw.chance(30))
        return test::random_product(seed);
    return Topology::product({test::random_graph(seed, static_cast<NodeId>(2 + draw.below(60)))});
}

Topology random_symmetric_network(Draw& draw)
{
    static const std::vector<std::string> some{
        "hypercube:1", "hypercube:2", "hypercube:3", "hypercube:4", "hypercube:5", "hypercube:6",
        "hypercube:7", "torus:9x10",  "ring:5",      "ring:16",     "torus:4x4",   "torus:3x5",
        "torus:8x4",   "star:4",      "complete:6",  "ccc:3",       "mesh:3x4",    "petersen"};
    return Topology::parse(draw.one_of(some));
}

std::size_t random_capacity(Draw& draw)
{
    return 1 + draw.below(draw.chance(20) ? 64 : 3);
}

void choose_machine(RandomProgram& made, Draw& draw)
{
    MachineOptions& machine = made.machine;
    machine.channel_capacity = random_capacity(draw);
    machine.watch_lent_bytes = draw.chance(40);
    if (draw.chance(40)) {
        machine.link.kind = LinkKind::link_bound;
        machine.link.tau = rational(draw.below(5), 1 + draw.below(3));
        machine.link.beta = rational(draw.below(50), 1 + draw.below(3));
        machine.link.clock = draw.chance(30) ? LinkClock::lockstep : LinkClock::data_driven;
        if (draw.chance(6)) {  // the end of time
            machine.link.tau = {draw.chance(50) ? 1 : std::int64_t{1} << 61, 1};
            machine.link.beta = {std::int64_t{1} << 62, 1};
        }
    } else if (draw.chance(30)) {
        machine.ports = PortModel::one;
    }
    made.traced = draw.chance(40);
    made.counted = draw.chance(70);
    if (made.counted && draw.chance(10))
        made.stop_after = static_cast<Step>(1 + draw.below(20));
}

void choose_labels(RandomProgram& made, Draw& draw)
{
    made.labels.resize(made.topology.nodes());
    if (!made.traced)
        return;
    for (NodeId node = 0; node < made.topology.nodes(); ++node) {
        std::size_t at = draw.chance(80) ? 0 : draw.below(100);
        std::uint64_t offset = draw.below(100);
        while (at < filled_bytes && !draw.chance(10)) {  // one behind the other: some continue the one before
            Labelled label{at, {node, std::nullopt, offset, std::min(1 + draw.below(60), filled_bytes - at)}};
            if (draw.chance(20))
                label.piece.origin = std::nullopt;
            if (draw.chance(50))
                label.piece.target = static_cast<NodeId>(draw.below(made.topology.nodes()));
            made.labels[node].push_back(label);
            at += label.piece.length + (draw.chance(10) ? 1 : 0);
            offset += draw.chance(50) ? label.piece.length : 1000;
        }
    }
}

}  // namespace test_support
