// The rank of cuts, and the bounds of scans that follow.

#include "collectives/bounds/scan.hpp"
#include "tests/support/catch.hpp"

#include <dcube/bounds.hpp>
#include <dcube/collective.hpp>

#include <fmt/format.h>

#include <set>
#include <utility>
#include <vector>

using namespace dcube;

namespace {

// The sets of nodes inside before each node outside, counted one by one.
std::uint64_t counted_rank(const std::vector<bool>& inside)
{
    std::set<std::vector<NodeId>> sets;
    std::vector<NodeId> before;
    for (NodeId node = 0; node < inside.size(); ++node)
        if (inside[node])
            before.push_back(node);
        else if (!before.empty())
            sets.insert(before);
    return sets.size();
}

std::vector<bool> nodes_of(unsigned mask, std::size_t nodes)
{
    std::vector<bool> inside(nodes);
    for (std::size_t node = 0; node < nodes; ++node)
        inside[node] = (mask >> node & 1) != 0;
    return inside;
}

std::uint64_t scan_steps(const char* network, PortModel ports, std::size_t blocks)
{
    return steps_bound(Topology::parse(network), ports, {Collective::scan, 1, blocks}).value;
}

std::uint64_t scan_transmissions(const char* network, std::size_t blocks)
{
    return transmissions_bound(Topology::parse(network), {Collective::exscan, 1, blocks}).value;
}

// The rank of any cut over its links is a bound: none may exceed the one that is claimed to be the widest on cubes.
std::uint64_t steps_by_all_cuts(const Topology& topology, std::uint64_t blocks)
{
    std::uint64_t most = 0;
    for (unsigned mask = 1; mask + 1 < 1U << topology.nodes(); ++mask) {
        const std::vector<bool> inside = nodes_of(mask, topology.nodes());
        std::uint64_t links = 0;
        for (NodeId node = 0; node < topology.nodes(); ++node)
            for (Port port = 0; inside[node] && port < topology.ports(node); ++port)
                links += inside[topology.neighbour(node, port)] ? 0 : 1;
        most = std::max(most, (blocks * counted_rank(inside) + links - 1) / links);
    }
    return most;
}

}  // namespace

TEST_CASE("rank of a cut: the different sums that nodes outside need, of every cut of up to ten nodes", "[judge][scan]")
{
    for (std::size_t nodes = 1; nodes <= 10; ++nodes)
        for (unsigned mask = 0; mask < 1U << nodes; ++mask) {
            const std::vector<bool> inside = nodes_of(mask, nodes);
            CHECK(rank_of_cut(inside) == counted_rank(inside));
        }
    for (const std::uint64_t periods : {1U, 2U, 3U, 5U})
        for (unsigned mask = 0; mask < 16; ++mask) {
            const std::vector<bool> inside = nodes_of(mask, 4);
            std::vector<bool> all;
            for (std::uint64_t period = 0; period < periods; ++period)
                all.insert(all.end(), inside.begin(), inside.end());
            CHECK(rank_of_cut(inside, periods) == counted_rank(all));
        }
}

TEST_CASE("scan bounds: on hypercubes m steps for many blocks, d for one, 2(N-1) - d transmissions a block",
          "[judge][scan]")
{
    for (unsigned d = 1; d <= 10; ++d) {
        const std::string cube = fmt::format("hypercube:{}", d);
        const std::uint64_t n = std::uint64_t{1} << d;
        for (const std::size_t m : {std::size_t{1}, std::size_t{d}, std::size_t{d} + 1, std::size_t{4} * d}) {
            CAPTURE(d, m);
            CHECK(scan_steps(cube.c_str(), PortModel::all, m) == std::max<std::uint64_t>(m, (m + d - 1) / d + d - 1));
            CHECK(scan_transmissions(cube.c_str(), m) == m * (2 * (n - 1) - d));
            CHECK(scan_steps(cube.c_str(), PortModel::one, m) ==
                  std::max<std::uint64_t>(m + d - 1, (m * (2 * (n - 1) - d) + n - 1) / n));
        }
    }
}

TEST_CASE("scan bounds: no cut of a cube of eight nodes says more than that of dimension 0", "[judge][scan][slow]")
{
    for (const std::size_t blocks : {3U, 8U, 20U})
        CHECK(steps_by_all_cuts(Topology::hypercube(3), blocks) == blocks);
}

TEST_CASE("scan bounds: paths, meshes and other networks", "[judge][scan]")
{
    CHECK(scan_steps("path:7", PortModel::all, 1) == 6);
    CHECK(scan_steps("path:7", PortModel::all, 10) == 15);
    CHECK(scan_steps("mesh:3x4", PortModel::all, 20) == 20);
    CHECK(scan_steps("complete:5", PortModel::all, 1) == 1);
    CHECK(scan_transmissions("path:7", 3) == 18);
    CHECK(scan_transmissions("mesh:3x4", 1) == 2 + 3 * 5);
    CHECK(scan_transmissions("petersen", 2) == 18);
    CHECK(scan_transmissions("hypercube:0", 2) == 0);
    CHECK(scan_transmissions("ring:5*path:2", 1) == 4 + 9);
}

TEST_CASE("scan bounds: missing nodes do not count, and the order of the rest does", "[judge][scan]")
{
    CHECK(scan_transmissions("path:7 without 6", 1) == 5);
    CHECK(scan_steps("path:7 without 6", PortModel::all, 1) == 5);
    CHECK(scan_steps("hypercube:2 without 3", PortModel::all, 5) >= 5);
}

TEST_CASE("scan bounds: the reasons name what binds", "[judge][scan]")
{
    const auto reason = [](PortModel ports, std::size_t blocks) {
        return steps_bound(Topology::hypercube(3), ports, {Collective::scan, 1, blocks}).reason;
    };
    CHECK(reason(PortModel::all, 1) == "node 7 is 3 links away from node 0");
    CHECK(reason(PortModel::all, 8) == "nodes across a cut need 4 different sums of every block, over 4 links");
    CHECK(reason(PortModel::one, 8) == "every block needs 11 transmissions, and at most 8 packets can move at once");
}
