// Worked examples move by move, d = 3 and d = 4, built from the rules of Bertsekas et al. 1991, section 4, by hand.

#include "algorithms/papers/bertsekas/all_to_all.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/hypercube_run.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <fmt/format.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace dcube;
using namespace dcube::detail;
using namespace test_support;

namespace {

using Lines = std::vector<std::string>;

// "origin>destination" on ports 0, 1, .. at node 0, a line per step.
Lines all_to_all_rows(unsigned d)
{
    const Schedule schedule = all_to_all_schedule(Topology::hypercube(d));
    Lines rows(schedule.steps);
    for (const Hop& hop : schedule.hops)
        rows[hop.step - 1] += fmt::format("{}>{} ", hop.packet.origin, hop.packet.target);
    return rows;
}

}  // namespace

TEST_CASE("total exchange on the 3-cube and the 4-cube goes as in the worked examples", "[algorithms][bertsekas]")
{
    CHECK(all_to_all_rows(3) == Lines{"0>1 0>3 0>5 ", "2>1 0>2 0>7 ", "4>1 4>3 0>6 ", "6>1 4>2 0>4 "});
    CHECK(all_to_all_rows(4) == Lines{"0>1 0>3 0>5 0>9 ", "2>1 0>2 0>7 0>11 ", "4>1 4>3 0>6 0>13 ", "6>1 4>2 0>4 0>10 ",
                                      "8>1 8>3 8>5 0>15 ", "10>1 8>2 8>7 0>14 ", "12>1 12>3 8>6 0>12 ",
                                      "14>1 12>2 8>4 0>8 "});
}

TEST_CASE("order tables are read row by row from the smaller ones", "[algorithms][bertsekas]")
{
    const std::vector<std::vector<NodeId>> tables = order_tables(4);
    CHECK(tables[0] == std::vector<NodeId>{1});
    CHECK(tables[1] == std::vector<NodeId>{0b11, 0b10});
    CHECK(tables[2] == std::vector<NodeId>{0b101, 0b111, 0b110, 0b100});
    CHECK(tables[3] == std::vector<NodeId>{0b1001, 0b1011, 0b1101, 0b1010, 0b1111, 0b1110, 0b1100, 0b1000});
}

TEST_CASE("the local rules make exactly the hops of the table", "[algorithms][bertsekas][slow]")
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
            VerifiedRunOptions trial;
            run_verified(machine, {Collective::all_to_all, 2}, trial, options);
            return hops;
        };
        CHECK(trace("optimal") == trace("local-rules"));
    }
}

TEST_CASE("total exchange keeps 2^(d-2) + 2d - 5 blocks in transit", "[algorithms][bertsekas][slow]")
{
    for (const auto& [d, blocks] :
         {std::pair{1U, 0U}, {2U, 1U}, {3U, 4U}, {4U, 7U}, {6U, 23U}, {8U, 75U}, {10U, 271U}}) {
        if (d > smaller(10U, 6U))
            break;
        for (const char* const algorithm : {"optimal", "local-rules"})
            CHECK(run_one(d, PortModel::all, Collective::all_to_all, 1, algorithm, 2).counts.largest_storage_bytes ==
                  blocks);
    }
}
