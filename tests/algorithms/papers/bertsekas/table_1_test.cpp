// The whole table, and what is counted beyond it, on the machine.

#include "tests/support/catch.hpp"
#include "tests/support/hypercube_run.hpp"
#include "tests/support/sizes.hpp"
#include "tests/support/table_1.hpp"

#include <array>
#include <utility>

using namespace dcube;
using namespace test_support;

TEST_CASE("runs on all ports need exactly the steps and transmissions of the literature, and that is optimal",
          "[algorithms][bertsekas]")
{
    for (const Table1Row& row : table_1) {
        if (row.d > smaller(10U, 6U))
            break;
        for (const unsigned threads : {1U, 4U}) {
            CAPTURE(row.d, threads);
            const auto run_here = [&](Collective collective) {
                return run_one(row.d, PortModel::all, collective, 1, "auto", threads);
            };
            for (const auto& [collective, expected] : {std::pair{Collective::scatter, row.scatter},
                                                       {Collective::gather, row.scatter},
                                                       {Collective::all_gather, row.all_gather},
                                                       {Collective::reduce_scatter, row.all_gather},
                                                       {Collective::all_to_all, row.all_to_all},
                                                       {Collective::broadcast, Cost{row.d, (1U << row.d) - 1}},
                                                       {Collective::reduce, Cost{row.d, (1U << row.d) - 1}}}) {
                CAPTURE(name(collective));
                const Report report = run_here(collective);
                CHECK(counted(report) == expected);
                CHECK(report.steps_optimal());
                CHECK(report.transmissions_optimal());
            }
        }
    }
}

TEST_CASE("runs on one port need exactly the steps of the literature, and that is optimal", "[algorithms][bertsekas]")
{
    for (const Table1Row& row : table_1) {
        if (row.d > smaller(10U, 6U))
            break;
        CAPTURE(row.d);
        for (const auto& [collective, steps] : {std::pair{Collective::scatter, row.one_port_all_gather},
                                                {Collective::gather, row.one_port_all_gather},
                                                {Collective::all_gather, row.one_port_all_gather},
                                                {Collective::reduce_scatter, row.one_port_all_gather},
                                                {Collective::all_to_all, row.one_port_all_to_all},
                                                {Collective::broadcast, std::uint64_t{row.d}},
                                                {Collective::reduce, std::uint64_t{row.d}}}) {
            CAPTURE(name(collective));
            const Report report = run_one(row.d, PortModel::one, collective, 1, "auto", 2);
            CHECK(report.counts.steps == steps);
            CHECK(report.steps_optimal());
            CHECK(report.transmissions_optimal());
        }
    }
}

TEST_CASE("closed forms and bounds agree with the literature up to d = 14", "[algorithms][bertsekas]")
{
    for (const Table1Row& row : table_1) {
        CAPTURE(row.d);
        const Topology cube = Topology::hypercube(row.d);
        const auto cost = [&](PortModel ports, Collective collective) {
            const Problem problem{collective};
            return find_algorithm(cube, ports, problem).cost(cube, problem);
        };
        CHECK(cost(PortModel::all, Collective::scatter) == row.scatter);
        CHECK(cost(PortModel::all, Collective::reduce_scatter) == row.all_gather);
        CHECK(cost(PortModel::all, Collective::all_to_all) == row.all_to_all);
        CHECK(cost(PortModel::one, Collective::all_to_all).steps == row.one_port_all_to_all);
        const Problem blocks{Collective::all_reduce, 1, cube.nodes()};
        CHECK(find_algorithm(cube, PortModel::all, blocks, "reduce-scatter-all-gather").cost(cube, blocks).steps ==
              row.all_reduce_two_phases);
        CHECK(steps_bound(cube, PortModel::all, blocks).value == row.all_reduce_bound);
    }
}

TEST_CASE("scatter and all-gather of three packets need the steps of the literature", "[algorithms][bertsekas]")
{
    constexpr std::array<std::uint64_t, 10> steps{3, 5, 7, 12, 19, 32, 55, 96, 171, 307};
    for (unsigned d = 1; d <= smaller(10U, 6U); ++d) {
        CAPTURE(d);
        for (const Collective collective :
             {Collective::scatter, Collective::gather, Collective::all_gather, Collective::reduce_scatter}) {
            const Report report = run_one(d, PortModel::all, collective, 3, "auto", 2);
            CHECK(report.counts.steps == steps[d - 1]);
            CHECK(report.steps_optimal());
        }
    }
}

TEST_CASE("total exchange uses every link in every step, all-gather all but a few", "[algorithms][bertsekas]")
{
    for (unsigned d = 1; d <= smaller(8U, 5U); ++d) {
        CHECK(run_one(d, PortModel::all, Collective::all_to_all, 1, "auto", 1).link_utilisation() == 1.0);
        const double n = 1U << d;
        const Report gathered = run_one(d, PortModel::all, Collective::all_gather, 1, "auto", 1);
        CHECK(gathered.link_utilisation() == Approx((n - 1) / (d * static_cast<double>(gathered.counts.steps))));
    }
}
