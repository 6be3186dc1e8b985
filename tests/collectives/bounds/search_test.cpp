// Bounds against every schedule there is, on networks so small that all can be tried.

#include "tests/support/catch.hpp"
#include "tests/support/exhaustive_search.hpp"

#include <dcube/bounds.hpp>
#include <dcube/problem.hpp>

#include <utility>
#include <vector>

using namespace dcube;
using dcube::test::can_be_done;
using dcube::test::Delivery;
using dcube::test::total_exchange;

namespace {

struct LinkedNodes {
    const char* name;
    std::vector<std::pair<NodeId, NodeId>> edges;
};

Topology topology_of(const LinkedNodes& graph)
{
    return Topology::product({Graph::from_edges(graph.name, graph.edges)});
}

}  // namespace

TEST_CASE("bounds: no total exchange with one port that a search finds is faster than the bound", "[bounds]")
{
    const std::vector<LinkedNodes> graphs{{"path", {{0, 1}, {1, 2}}},
                                          {"triangle", {{0, 1}, {1, 2}, {2, 0}}},
                                          {"diamond", {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}}}};
    std::size_t by_prices = 0;
    for (const LinkedNodes& graph : graphs) {
        CAPTURE(graph.name);
        const Topology topology = topology_of(graph);
        const Problem problem{.collective = Collective::all_to_all};
        const auto bound = static_cast<unsigned>(steps_bound(topology, PortModel::one, problem).value);
        CHECK(!can_be_done(topology, PortModel::one, total_exchange(topology), bound - 1));
        for (const ExchangeBound& one : exchange_bounds(topology, PortModel::one)) {
            CHECK(one.steps <= bound);
            by_prices += one.name == "prices" && one.steps == bound ? 1 : 0;
        }
    }
    CHECK(by_prices > 0);
    const Topology paw = topology_of({"paw", {{0, 1}, {1, 2}, {2, 0}, {2, 3}}});  // node 2 sends 3, and passes 4 on
    CHECK(steps_bound(paw, PortModel::one, {.collective = Collective::all_to_all}).value == 7);
    CHECK(can_be_done(topology_of(graphs[0]), PortModel::one, total_exchange(topology_of(graphs[0])), 4));
    CHECK(can_be_done(topology_of(graphs[1]), PortModel::one, total_exchange(topology_of(graphs[1])), 2));
}

TEST_CASE("bounds: on cubes one message takes exactly what is proved, and no schedule takes less", "[bounds]")
{
    for (unsigned d = 1; d <= 3; ++d)
        for (NodeId peer = 1; peer < NodeId{1} << d; peer = 2 * peer + 1)  // one bit more is different
            for (unsigned m = 1; m <= 6; ++m) {
                CAPTURE(d, peer, m);
                const Topology cube = Topology::hypercube(d);
                const Problem problem{.collective = Collective::send, .packets = m, .peer = peer};
                const auto bound = static_cast<unsigned>(steps_bound(cube, PortModel::all, problem).value);
                CHECK(can_be_done(cube, PortModel::all, {{0, peer, m}}, bound));
                CHECK(!can_be_done(cube, PortModel::all, {{0, peer, m}}, bound - 1));
            }
}

TEST_CASE("bounds: no schedule of one message on networks with different nodes is faster than the bound", "[bounds]")
{
    const std::vector<LinkedNodes> graphs{{"paw", {{0, 1}, {1, 2}, {2, 0}, {2, 3}}},
                                          {"diamond", {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}}},
                                          {"house", {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {1, 4}}}};
    for (const LinkedNodes& graph : graphs)
        for (unsigned m = 1; m <= 5; ++m) {
            const Topology topology = topology_of(graph);
            for (const auto& [from, to] : std::vector<std::pair<NodeId, NodeId>>{{0, 1}, {1, 0}, {0, 2}, {3, 1}}) {
                CAPTURE(graph.name, from, to, m);
                const Problem problem{.collective = Collective::send, .packets = m, .root = from, .peer = to};
                const auto bound = static_cast<unsigned>(steps_bound(topology, PortModel::all, problem).value);
                CHECK(!can_be_done(topology, PortModel::all, {{from, to, m}}, bound - 1));
            }
        }
    const Problem around{.collective = Collective::send, .packets = 4, .root = 0, .peer = 1};
    const Bound bound = steps_bound(Topology::parse("ring:5"), PortModel::all, around);
    CHECK(bound.value == 4);  // the ring's other path has four links: 4 + 1 in four steps
    CHECK_THAT(bound.reason, Catch::Contains("not on a shortest path"));
}

TEST_CASE("bounds: on a ring of four, one hop forward is three hops back", "[bounds]")
{
    const Topology square = Topology::hypercube(2);
    const std::vector<NodeId> turned{2, 0, 3, 1};
    const auto packets = [&](unsigned m) {
        std::vector<Delivery> all;
        for (NodeId node = 0; node < 4; ++node)
            all.push_back({node, turned[node], m});
        return all;
    };
    const auto bound = [&](unsigned m) {
        const Problem problem{.collective = Collective::permute, .packets = m, .permutation = turned};
        return steps_bound(square, PortModel::all, problem);
    };
    CHECK(can_be_done(square, PortModel::all, packets(4), static_cast<unsigned>(bound(4).value)));
    for (unsigned m = 2; m <= 4; ++m)
        CHECK(!can_be_done(square, PortModel::all, packets(m), static_cast<unsigned>(bound(m).value) - 1));
    CHECK(bound(6).value == 5);  // 6 * 4 packets pay 3 each, and 4 * 4 a step can be paid
    CHECK(bound(6).reason == "round cycles of four nodes, one hop forward is three hops back");
    CHECK(bound(400).value == 300);
}

TEST_CASE("bounds: corners are free: meshes with one port", "[bounds]")
{
    const auto prices = [](const char* network) -> ExchangeBound {
        for (const ExchangeBound& one : exchange_bounds(Topology::parse(network), PortModel::one))
            if (one.name == "prices")
                return one;
        return {};
    };
    CHECK(prices("mesh:3x5").value == Rational{444, 11});
    CHECK(prices("mesh:3x5").steps == 41);
    CHECK(prices("mesh:4x4").steps == 43);
    CHECK(prices("torus:4x5").steps == 0);
    const Problem problem{.collective = Collective::all_to_all, .packets = 3};
    CHECK(steps_bound(Topology::parse("mesh:3x5"), PortModel::one, problem).value == 122);  // 3 * 888 / 22, rounded up
}

TEST_CASE("bounds: a quarter turn of submatrices takes three quarters of a node's bytes", "[bounds]")
{
    for (const MatrixLayout layout : {MatrixLayout::submatrices, MatrixLayout::submatrices_gray})
        for (const unsigned d : {2U, 4U, 6U}) {
            const Topology cube = Topology::hypercube(d);
            Problem problem{.collective = Collective::matrix_quarter_turn, .layout = layout};
            problem.type = ElementType::uint8;
            problem.rows = problem.columns = std::size_t{16} << (d / 2);  // 256 bytes per node
            problem.link = {.kind = LinkKind::link_bound, .tau = {1, 1}, .beta = {10, 1}};
            CAPTURE(d, name(layout));
            CHECK(time_bound(cube, problem).value == Rational{202, 1});
        }
}
