// Bounds on networks so small that every schedule, or every algorithm, can be tried.

#include "tests/support/catch.hpp"
#include "tests/support/exhaustive_search.hpp"
#include "tests/support/exhaustive_spread.hpp"
#include "tests/support/sizes.hpp"
#include "tests/support/small_graphs.hpp"

#include <dcube/bounds.hpp>
#include <dcube/permutation.hpp>
#include <dcube/problem.hpp>

#include <vector>

using namespace dcube;
using dcube::test::can_be_done;
using dcube::test::Delivery;
using dcube::test::least_steps_to_spread;
using dcube::test::total_exchange;
using test_support::small_graphs;
using test_support::smaller;
using test_support::SmallGraph;
using test_support::topology_of;

namespace {

unsigned bound_of(const Topology& topology, PortModel ports, const Problem& problem)
{
    return static_cast<unsigned>(steps_bound(topology, ports, problem).value);
}

constexpr PortModel both[] = {PortModel::all, PortModel::one};

}  // namespace

TEST_CASE("bounds: one message takes exactly what is proved, on any network", "[bounds]")
{
    for (const SmallGraph& graph : small_graphs) {
        const Topology topology = topology_of(graph);
        for (NodeId to = 1; to < topology.nodes(); ++to)
            for (unsigned m = 1; m <= 6; ++m)
                for (const PortModel ports : both) {
                    CAPTURE(graph.name, to, m, name(ports));
                    const unsigned bound =
                        bound_of(topology, ports, {.collective = Collective::send, .packets = m, .peer = to});
                    CHECK(can_be_done(topology, ports, {{0, to, m}}, bound));
                    CHECK(!can_be_done(topology, ports, {{0, to, m}}, bound - 1));
                }
    }
}

TEST_CASE("bounds: no exchange of two messages is faster than the bound, and most are as fast, on any network",
          "[bounds]")
{
    std::size_t exact = 0;
    std::size_t tried = 0;
    for (const SmallGraph& graph : small_graphs) {
        const Topology topology = topology_of(graph);
        for (NodeId to = 1; to < topology.nodes(); ++to)
            for (unsigned m = 1; m <= smaller(3U, 2U); ++m)
                for (const PortModel ports : both) {
                    CAPTURE(graph.name, to, m, name(ports));
                    const std::vector<Delivery> packets{{0, to, m}, {to, 0, m}};
                    const unsigned bound =
                        bound_of(topology, ports, {.collective = Collective::exchange, .packets = m, .peer = to});
                    CHECK(!can_be_done(topology, ports, packets, bound - 1));
                    exact += can_be_done(topology, ports, packets, bound) ? 1 : 0;
                    ++tried;
                }
    }
    CHECK(exact * 10 >= tried * 9);
}

TEST_CASE("bounds: a scatter and a gather take exactly what is proved, on any network", "[bounds]")
{
    for (const SmallGraph& graph : small_graphs) {
        const Topology topology = topology_of(graph);
        for (NodeId root = 0; root < topology.nodes(); ++root)
            for (unsigned m = 1; m <= (topology.nodes() < 5 ? 2U : 1U); ++m)
                for (const PortModel ports : both) {
                    CAPTURE(graph.name, root, m, name(ports));
                    std::vector<Delivery> packets;
                    for (NodeId to = 0; to < topology.nodes(); ++to)
                        if (to != root)
                            packets.push_back({root, to, m});
                    const unsigned bound =
                        bound_of(topology, ports, {.collective = Collective::scatter, .packets = m, .root = root});
                    CHECK(can_be_done(topology, ports, packets, bound));
                    CHECK(!can_be_done(topology, ports, packets, bound - 1));
                    CHECK(bound_of(topology, ports, {.collective = Collective::gather, .packets = m, .root = root}) ==
                          bound);
                }
    }
}

TEST_CASE("bounds: no schedule of a permutation on a small network is faster than the bound", "[bounds][long]")
{
    for (const SmallGraph& graph : small_graphs) {
        const Topology topology = topology_of(graph);
        for (unsigned seed = 1; seed <= 4; ++seed)
            for (unsigned m = 1; m <= 2; ++m)
                for (const PortModel ports : both) {
                    const Problem problem{.collective = Collective::permute,
                                          .packets = m,
                                          .permutation = permutation_by_name("random", topology, seed)};
                    CAPTURE(graph.name, seed, m, name(ports));
                    std::vector<Delivery> packets;
                    for (NodeId from = 0; from < topology.nodes(); ++from)
                        if (problem.permutation[from] != from)
                            packets.push_back({from, problem.permutation[from], m});
                    if (!packets.empty())
                        CHECK(!can_be_done(topology, ports, packets, bound_of(topology, ports, problem) - 1));
                }
    }
}

TEST_CASE("bounds: no schedule of a broadcast or an all-gather on a small network is faster than the bound", "[bounds]")
{
    std::size_t exact = 0;
    std::size_t tried = 0;
    const auto compare = [&](const Topology& topology, PortModel ports, const Problem& problem,
                             const std::vector<std::uint16_t>& held, unsigned packets) {
        CAPTURE(topology.name(), name(problem.collective), name(ports), problem.root, problem.packets);
        const unsigned least = least_steps_to_spread(topology, ports, held, packets);
        CHECK(bound_of(topology, ports, problem) <= least);
        exact += bound_of(topology, ports, problem) == least ? 1 : 0;
        ++tried;
    };
    for (const SmallGraph& graph : small_graphs) {
        const Topology topology = topology_of(graph);
        const NodeId n = topology.nodes();
        for (const PortModel ports : both) {
            for (NodeId root = 0; root < n; ++root)
                for (unsigned m = 1; m <= 3; ++m) {
                    std::vector<std::uint16_t> held(n, 0);
                    held[root] = static_cast<std::uint16_t>((1U << m) - 1);
                    compare(topology, ports, {.collective = Collective::broadcast, .packets = m, .root = root}, held,
                            m);
                }
            if (n > 4)
                continue;
            std::vector<std::uint16_t> held;
            for (NodeId node = 0; node < n; ++node)
                held.push_back(static_cast<std::uint16_t>(1U << node));
            compare(topology, ports, {.collective = Collective::all_gather}, held, n);
        }
    }
    CHECK(exact * 10 >= tried * 8);
}
