// The worked examples of Bertsekas et al. 1991, move by move, for d = 3 and d = 4.

#include "algorithms/bertsekas/all_gather.hpp"
#include "algorithms/bertsekas/all_reduce_two_centre.hpp"
#include "algorithms/bertsekas/all_to_all.hpp"
#include "algorithms/bertsekas/scatter.hpp"
#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/tree_pipeline.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/schedule_trace.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>

using namespace dcube;
using namespace dcube::detail;
using namespace test_support;

namespace {

using Lines = std::vector<std::string>;

// "step: node <- parent p port ..." for root 0 of an all-gather.
Lines all_gather_rows(unsigned d)
{
    const Schedule schedule = all_gather_schedule(Topology::hypercube(d), PortModel::all, 1);
    Lines rows(schedule.steps);
    for (const Hop& hop : schedule.hops) {
        const NodeId parent = hop.packet.origin;  // the sender, seen from the packet's origin
        rows[hop.step - 1] += fmt::format("{:0{}b}<-{:0{}b} p{} ", parent ^ bit(hop.port), d, parent, d, hop.port);
    }
    return rows;
}

// "x(parent)" in the order of the root's queues, a line a port.
Lines scatter_rows(unsigned d)
{
    const Topology cube = Topology::hypercube(d);
    const ScatterTree tree = scatter_tree(d);
    const Schedule schedule = scatter_schedule(cube, PortModel::all, 1);
    std::map<std::pair<Port, Step>, NodeId> queue;
    for (const Hop& hop : schedule.hops)
        if (hop.from == 0)
            queue[{hop.port, hop.step}] = hop.packet.target;
    Lines rows(d);
    for (const auto& [at, node] : queue)
        rows[at.first] += fmt::format("{:0{}b}({:0{}b}) ", node, d, tree.parent[node], d);
    return rows;
}

// "origin>destination" on ports 0, 1, .. at node 0, a line a step.
Lines all_to_all_rows(unsigned d)
{
    const Schedule schedule = all_to_all_schedule(Topology::hypercube(d), PortModel::all);
    Lines rows(schedule.steps);
    for (const Hop& hop : schedule.hops)
        rows[hop.step - 1] += fmt::format("{}>{} ", hop.packet.origin, hop.packet.target);
    return rows;
}

}  // namespace

TEST_CASE("all-gather on the 3-cube and the 4-cube goes as in the worked examples", "[examples]")
{
    CHECK(all_gather_rows(3) ==
          Lines{"001<-000 p0 010<-000 p1 100<-000 p2 ", "011<-010 p0 110<-100 p1 101<-001 p2 ", "111<-110 p0 "});
    CHECK(all_gather_rows(4) == Lines{"0001<-0000 p0 0010<-0000 p1 0100<-0000 p2 1000<-0000 p3 ",
                                      "0011<-0010 p0 0110<-0100 p1 1100<-1000 p2 1001<-0001 p3 ",
                                      "0101<-0100 p0 1010<-1000 p1 1101<-1001 p2 1011<-0011 p3 ",
                                      "0111<-0110 p0 1110<-1100 p1 1111<-1011 p2 "});
}

TEST_CASE("all-gather of two packets on the 3-cube numbers the copies as in the worked example", "[examples]")
{
    const Schedule schedule = all_gather_schedule(Topology::hypercube(3), PortModel::all, 2);
    std::string numbers;
    for (const Hop& hop : schedule.hops)
        numbers += fmt::format("{}:{} ", hop.packet.copy, hop.packet.origin ^ bit(hop.port));
    CHECK(numbers == "0:1 0:2 0:4 1:1 1:2 1:4 0:3 0:6 0:5 1:3 1:6 1:5 1:7 0:7 ");
    CHECK(schedule.steps == 5);
}

TEST_CASE("scatter trees and queues are those of the worked examples", "[examples]")
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

TEST_CASE("scatter trees consist of shortest paths and are perfectly balanced", "[algorithms]")
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

TEST_CASE("total exchange on the 3-cube and the 4-cube goes as in the worked examples", "[examples]")
{
    CHECK(all_to_all_rows(3) == Lines{"0>1 0>3 0>5 ", "2>1 0>2 0>7 ", "4>1 4>3 0>6 ", "6>1 4>2 0>4 "});
    CHECK(all_to_all_rows(4) == Lines{"0>1 0>3 0>5 0>9 ", "2>1 0>2 0>7 0>11 ", "4>1 4>3 0>6 0>13 ", "6>1 4>2 0>4 0>10 ",
                                      "8>1 8>3 8>5 0>15 ", "10>1 8>2 8>7 0>14 ", "12>1 12>3 8>6 0>12 ",
                                      "14>1 12>2 8>4 0>8 "});
}

TEST_CASE("order tables are read row by row from the smaller ones", "[examples]")
{
    const std::vector<std::vector<NodeId>> tables = order_tables(4);
    CHECK(tables[0] == std::vector<NodeId>{1});
    CHECK(tables[1] == std::vector<NodeId>{0b11, 0b10});
    CHECK(tables[2] == std::vector<NodeId>{0b101, 0b111, 0b110, 0b100});
    CHECK(tables[3] == std::vector<NodeId>{0b1001, 0b1011, 0b1101, 0b1010, 0b1111, 0b1110, 0b1100, 0b1000});
}

TEST_CASE("the local rules make exactly the hops of the table", "[algorithms]")
{
    for (unsigned d = 0; d <= smaller(8U, 5U); ++d) {
        CAPTURE(d);
        const auto trace = [d](const char* algorithm) {
            std::vector<std::tuple<Step, NodeId, Port, NodeId, NodeId>> hops;
            Machine machine(Topology::hypercube(d), {.threads = 2});
            CallOptions options;
            options.algorithm = algorithm;
            options.run.trace = [&hops](const Transmission& t) {
                hops.emplace_back(t.step, t.from, t.port, t.pieces[0].origin.value(), t.pieces[0].target.value());
            };
            Trial trial;
            trial.measure_memcpy = false;
            run_verified(machine, {Collective::all_to_all, 2}, trial, options);
            return hops;
        };
        CHECK(trace("optimal") == trace("local-rules"));
    }
}

TEST_CASE("the first broadcast tree of the 3-cube is that of the worked example", "[examples]")
{
    const auto link = [](NodeId x) {
        const auto [parent, stage] = tree_link(3, 0, x, true);
        return fmt::format("{:03b}/{}", parent, stage);
    };
    CHECK(link(0b001) == "000/0");
    CHECK(link(0b011) == "001/1");
    CHECK(link(0b101) == "001/1");
    CHECK(link(0b111) == "011/2");
    CHECK(link(0b100) == "000/1");
    CHECK(link(0b110) == "100/2");
    CHECK(link(0b010) == "011/2");
}

TEST_CASE("the d broadcast trees use every directed link that does not enter the root exactly once", "[algorithms]")
{
    for (unsigned d = 1; d <= 9; ++d) {
        std::map<std::pair<NodeId, NodeId>, int> uses;
        for (unsigned tree = 0; tree < d; ++tree)
            for (NodeId x = 1; x < bit(d); ++x)
                ++uses[{tree_link(d, tree, x, false).parent, x}];
        CHECK(uses.size() == std::size_t{d} * (bit(d) - 1));
    }
}

TEST_CASE("spread tables keep their rules, those found and those printed", "[algorithms]")
{
    for (const unsigned d : {2U, 3U, 5U, 7U, 11U}) {
        if (d > smaller(11U, 7U))
            break;
        CAPTURE(d);
        CHECK(spread_table_fault(d, spread_table(d)).empty());
    }
    const SpreadTable three{{1, 0, 1}, {1, 1, 1}, {1, 1, 2}, {2, 5, 0}, {2, 5, 1}, {2, 2, 2}};
    CHECK(spread_table_fault(3, three).empty());
    const SpreadTable five{{1, 0, 1},  {1, 1, 1},  {1, 0, 2},  {1, 0, 3},  {1, 0, 4},  {2, 4, 0},
                           {2, 8, 1},  {2, 3, 2},  {2, 3, 3},  {2, 3, 4},  {3, 19, 0}, {3, 11, 1},
                           {3, 10, 2}, {3, 5, 3},  {3, 10, 4}, {4, 19, 1}, {4, 26, 1}, {4, 18, 2},
                           {4, 19, 3}, {4, 5, 4},  {5, 14, 0}, {5, 14, 1}, {5, 27, 2}, {5, 21, 3},
                           {5, 14, 4}, {6, 29, 0}, {6, 22, 1}, {6, 2, 2},  {6, 17, 3}, {6, 7, 4}};
    CHECK(spread_table_fault(5, five).empty());
}

TEST_CASE("a spread table that breaks a rule is found out", "[algorithms][negative]")
{
    const SpreadTable right{{1, 0, 1}, {1, 1, 1}, {1, 1, 2}, {2, 5, 0}, {2, 5, 1}, {2, 2, 2}};
    for (std::size_t row = 0; row < right.size(); ++row) {
        SpreadTable wrong = right;
        wrong[row].x ^= 4;
        CHECK_FALSE(spread_table_fault(3, wrong).empty());
        wrong = right;
        wrong[row].k = (wrong[row].k + 1) % 3;
        CHECK_FALSE(spread_table_fault(3, wrong).empty());
        wrong.pop_back();
        CHECK_FALSE(spread_table_fault(3, wrong).empty());
    }
}
