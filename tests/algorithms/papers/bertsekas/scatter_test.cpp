// Worked examples move by move, d = 3 and d = 4, built from the rules of Bertsekas et al. 1991, section 3, by hand.

#include "algorithms/papers/bertsekas/scatter.hpp"
#include "algorithms/programs/cube.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sizes.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

using namespace dcube;
using namespace dcube::detail;
using namespace test_support;

namespace {

using Lines = std::vector<std::string>;

// "x(parent)" in the order of the root's queues, a line per port.
Lines scatter_rows(unsigned d)
{
    const Topology cube = Topology::hypercube(d);
    const ScatterTree tree = scatter_tree(d);
    const Schedule schedule = scatter_schedule(cube, 1);
    std::map<std::pair<Port, Step>, NodeId> queue;
    for (const Hop& hop : schedule.hops)
        if (hop.from == 0)
            queue[{hop.port, hop.step}] = hop.packet.target;
    Lines rows(d);
    for (const auto& [at, node] : queue)
        rows[at.first] += fmt::format("{:0{}b}({:0{}b}) ", node, d, tree.parent[node], d);
    return rows;
}

}  // namespace

TEST_CASE("scatter trees and queues are those of the worked examples", "[algorithms][bertsekas]")
{
    CHECK(scatter_rows(3) == Lines{"111(011) 011(001) 001(000) ", "110(010) 010(000) ", "101(100) 100(000) "});
    const Lines rows = scatter_rows(4);
    CHECK(rows[3] == "1011(1001) 1001(1000) 1000(0000) ");
    CHECK(rows[2] == "1111(1101) 1101(1100) 1100(0100) 0100(0000) ");
    // The order of nodes of one level in a queue is free.
    const auto sorted = [](std::string row) {
        Lines words;
        for (std::size_t at = 0; at < row.size(); at += 11)
            words.push_back(row.substr(at, 11));
        std::ranges::sort(words);
        return words;
    };
    CHECK(sorted(rows[0]) == sorted("0111(0011) 0011(0001) 0101(0001) 0001(0000) "));
    CHECK(sorted(rows[1]) == sorted("1110(0110) 0110(0010) 1010(0010) 0010(0000) "));
}

TEST_CASE("scatter trees consist of shortest paths and are perfectly balanced", "[algorithms][bertsekas]")
{
    for (unsigned d = 1; d <= smaller(14U, 10U); ++d) {
        CAPTURE(d);
        const ScatterTree tree = scatter_tree(d);
        std::vector<NodeId> sizes(d);
        bool sound = true;
        for (NodeId node = 1; node < bit(d); ++node) {
            const NodeId parent = tree.parent[node];
            ++sizes[tree.port[node]];
            sound = sound && std::has_single_bit(node ^ parent) && (node & parent) == parent &&
                    (parent == 0 ? node == bit(tree.port[node]) : tree.port[parent] == tree.port[node]);
        }
        CHECK(sound);
        for (unsigned port = 0; port < d; ++port)
            CHECK(sizes[port] == (bit(d) - 1) / d + (port < (bit(d) - 1) % d ? 1 : 0));
    }
}
