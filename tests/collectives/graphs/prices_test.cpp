// Bounds by prices: the figures of networks that are known, and the proof gone through again.

#include "tests/support/any_networks.hpp"
#include "tests/support/catch.hpp"

#include "collectives/graphs/prices.hpp"

#include <dcube/topology.hpp>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

using namespace dcube;
using namespace dcube::detail;

namespace {

std::vector<Message> all_to_all(NodeId nodes, std::uint64_t packets = 1)
{
    std::vector<Message> messages;
    for (NodeId from = 0; from < nodes; ++from)
        for (NodeId to = 0; to < nodes; ++to)
            if (from != to)
                messages.push_back({from, to, packets});
    return messages;
}

std::vector<Message> permutation(std::string_view network, std::uint64_t packets)
{
    std::vector<Message> messages;
    const std::vector<NodeId> targets = dcube::test::any_permutation(network);
    for (NodeId from = 0; from < targets.size(); ++from)
        messages.push_back({from, targets[from], packets});  // some to themselves
    return messages;
}

std::uint64_t steps(const Topology& topology, PortModel ports, const std::vector<Message>& messages)
{
    return static_cast<std::uint64_t>(std::ceil(priced_bound(Arcs(topology), ports, messages).value));
}

// The cost of all messages on their cheapest paths, over the most that a step can pay: Floyd and Warshall's distances.
double bound_of(const Arcs& arcs, PortModel ports, const std::vector<Message>& messages,
                const std::vector<double>& prices)
{
    const std::size_t n = arcs.nodes();
    std::vector<double> distance(n * n, std::numeric_limits<double>::infinity());
    for (ArcId arc = 0; arc < arcs.size(); ++arc)
        distance[arcs.from(arc) * n + arcs.to(arc)] =
            ports == PortModel::all ? prices[arc] : prices[arcs.from(arc)] + prices[n + arcs.to(arc)];
    for (std::size_t through = 0; through < n; ++through)
        for (std::size_t from = 0; from < n; ++from)
            for (std::size_t to = 0; to < n; ++to)
                distance[from * n + to] =
                    std::min(distance[from * n + to], distance[from * n + through] + distance[through * n + to]);
    double paid = 0;
    for (const Message& message : messages)
        if (message.from != message.to)
            paid += static_cast<double>(message.packets) * distance[message.from * n + message.to];
    double all = 0;
    for (const double price : prices)
        all += price;
    return paid / all;
}

}  // namespace

TEST_CASE("prices: one-port total exchange of meshes has the expected bounds", "[graphs][prices]")
{
    const std::pair<const char*, std::uint64_t> figures[] = {{"mesh:3x3", 18}, {"mesh:4x4", 43}, {"mesh:3x5", 41},
                                                             {"mesh:2x6", 36}, {"mesh:4x6", 82}, {"mesh:5x5", 85}};
    for (const auto& [name, expected] : figures) {
        CAPTURE(name);
        const Topology mesh = Topology::parse(name);
        CHECK(steps(mesh, PortModel::one, all_to_all(mesh.nodes())) == expected);
    }
}

TEST_CASE("prices: bounds that can be counted by hand are found", "[graphs][prices]")
{
    // A hub sends what its leaves exchange, and its own.
    CHECK(steps(dcube::test::any_network("hub9"), PortModel::one, all_to_all(10)) == 9 * 9);
    // All links carry the sum of the distances; in every dimension half of all packets cross.
    CHECK(steps(Topology::parse("hypercube:4"), PortModel::all, all_to_all(16)) == 8);
    CHECK(steps(Topology::parse("hypercube:4"), PortModel::one, all_to_all(16)) == 32);
    // Each half of a path sends its nodes' packets over one link: 3 * 3, each of 5 packets.
    CHECK(steps(Topology::parse("path:6"), PortModel::all, all_to_all(6, 5)) == 45);
    // The middle passes on what it gets.
    CHECK(steps(Topology::parse("path:3"), PortModel::one, std::vector<Message>{{0, 2, 7}, {2, 0, 7}}) == 14);
    CHECK(steps(Topology::parse("path:3"), PortModel::all, std::vector<Message>{{0, 2, 7}, {2, 0, 7}}) == 7);
    CHECK(steps(Topology::parse("path:3"), PortModel::all, std::vector<Message>{{1, 1, 9}}) == 0);
    CHECK(steps(Topology::parse("hypercube:0"), PortModel::all, {}) == 0);
}

TEST_CASE("prices: the value is what its prices prove", "[graphs][prices]")
{
    for (const char* const name : {"random20", "petring4", "cube6-1n", "bintree31"}) {
        const Topology topology = dcube::test::any_network(name);
        const Arcs arcs(topology);
        for (const PortModel ports : {PortModel::all, PortModel::one})
            for (const auto& messages : {all_to_all(topology.nodes()), permutation(name, 17)}) {
                CAPTURE(name, dcube::name(ports), messages.size());
                const PriceBound bound = priced_bound(arcs, ports, messages, 50);
                REQUIRE(bound.prices.size() == (ports == PortModel::all ? arcs.size() : 2 * arcs.nodes()));
                const double proved = bound_of(arcs, ports, messages, bound.prices);
                CHECK(bound.value < proved);
                CHECK(bound.value > proved * (1 - 1e-8));
            }
    }
}

TEST_CASE("prices: more rounds give no worse bound, and the same bound every time", "[graphs][prices]")
{
    const Arcs arcs(dcube::test::any_network("random20"));
    const std::vector<Message> messages = permutation("random20", 17);
    const PriceBound few = priced_bound(arcs, PortModel::all, messages, 10);
    const PriceBound many = priced_bound(arcs, PortModel::all, messages, 300);
    CHECK(few.value <= many.value);
    CHECK(priced_bound(arcs, PortModel::all, messages, 300).prices == many.prices);
}

TEST_CASE("prices: no bound is above what a routing in parts carries, which is not far above", "[graphs][prices]")
{
    for (const char* const name : {"random20", "petring4", "bintree31"}) {
        const Arcs arcs(dcube::test::any_network(name));
        for (const PortModel ports : {PortModel::all, PortModel::one}) {
            CAPTURE(name, dcube::name(ports));
            const std::vector<Message> messages = permutation(name, 3);
            const double bound = priced_bound(arcs, ports, messages).value;
            const double load = load_in_parts(arcs, ports, messages);
            CHECK(load >= bound);
            CHECK(load < 2 * bound);
            CHECK(load_in_parts(arcs, ports, std::vector<Message>{}) == 0);
        }
    }
}
