// The expected numbers of the literature, d = 1..10: Table I of Bertsekas et al. 1991 and what is counted beyond it.

#include "tests/support/catch.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/dcube.hpp>

#include <array>

using namespace dcube;
using namespace test_support;

namespace {

struct Row {
    unsigned d;
    Cost scatter;
    Cost all_gather;
    Cost all_to_all;
    std::uint64_t one_port_all_gather;
    std::uint64_t one_port_all_to_all;
    std::uint64_t all_reduce_two_phases;
    std::uint64_t all_reduce_bound;
};

constexpr Row rows[] = {
    {1, {1, 1}, {1, 2}, {1, 2}, 1, 1, 2, 2},
    {2, {2, 4}, {2, 12}, {2, 16}, 3, 4, 4, 3},
    {3, {3, 12}, {3, 56}, {4, 96}, 7, 12, 6, 5},
    {4, {4, 32}, {4, 240}, {8, 512}, 15, 32, 8, 8},
    {5, {7, 80}, {7, 992}, {16, 2560}, 31, 80, 14, 13},
    {6, {11, 192}, {11, 4032}, {32, 12288}, 63, 192, 22, 21},
    {7, {19, 448}, {19, 16256}, {64, 57344}, 127, 448, 38, 37},
    {8, {32, 1024}, {32, 65280}, {128, 262144}, 255, 1024, 64, 64},
    {9, {57, 2304}, {57, 261632}, {256, 1179648}, 511, 2304, 114, 114},
    {10, {103, 5120}, {103, 1047552}, {512, 5242880}, 1023, 5120, 206, 205},
    {11, {187, 11264}, {187, 4192256}, {1024, 23068672}, 2047, 11264, 374, 373},
    {12, {342, 24576}, {342, 16773120}, {2048, 100663296}, 4095, 24576, 684, 683},
    {13, {631, 53248}, {631, 67100672}, {4096, 436207616}, 8191, 53248, 1262, 1261},
    {14, {1171, 114688}, {1171, 268419072}, {8192, 1879048192}, 16383, 114688, 2342, 2341},
};

Report run_one(unsigned d, PortModel ports, Collective collective, std::size_t packets, const std::string& algorithm,
               unsigned threads)
{
    Machine machine(Topology::hypercube(d), {.ports = ports, .threads = threads});
    Trial trial;
    trial.measure_memcpy = false;
    CallOptions options;
    options.algorithm = algorithm;
    return run_verified(machine, {collective, 1, packets}, trial, options);
}

Cost counted(const Report& report)
{
    return {report.counts.steps, report.counts.transmissions};
}

}  // namespace

namespace Catch {
template <>
struct StringMaker<Cost> {
    static std::string convert(const Cost& cost)
    {
        return std::to_string(cost.steps) + " steps, " + std::to_string(cost.transmissions) + " transmissions";
    }
};
}  // namespace Catch

TEST_CASE("runs on all ports need exactly the steps and transmissions of the literature, and that is optimal",
          "[figures]")
{
    for (const Row& row : rows) {
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

TEST_CASE("runs on one port need exactly the steps of the literature, and that is optimal", "[figures]")
{
    for (const Row& row : rows) {
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

TEST_CASE("closed forms and bounds agree with the literature up to d = 14", "[figures]")
{
    for (const Row& row : rows) {
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

TEST_CASE("all-reduce of N blocks meets the bound by two centres where (N-1) mod d = 1", "[figures]")
{
    for (const Row& row : rows) {
        if (row.d > smaller(10U, 5U))
            break;
        CAPTURE(row.d);
        const std::size_t blocks = std::size_t{1} << row.d;
        const Report two_phases =
            run_one(row.d, PortModel::all, Collective::all_reduce, blocks, "reduce-scatter-all-gather", 2);
        CHECK(two_phases.counts.steps == row.all_reduce_two_phases);
        CHECK(two_phases.transmissions_optimal());
        const bool two_centres = row.d >= 2 && (blocks - 1) % row.d == 1;
        const bool exchange_is_faster = row.d <= 1;
        const Report best = run_one(row.d, PortModel::all, Collective::all_reduce, blocks, "auto", 2);
        if (two_centres) {
            CHECK(best.steps_optimal());
            CHECK((best.transmissions_optimal() || best.algorithm != "two-centre"));
            const Report centres = run_one(row.d, PortModel::all, Collective::all_reduce, blocks, "two-centre", 2);
            CHECK(counted(centres) == Cost{row.all_reduce_bound, 2 * blocks * (blocks - 1)});
        } else if (!exchange_is_faster) {
            CHECK(best.counts.steps == row.all_reduce_two_phases);
        }
    }
}

TEST_CASE("broadcasts of several packets need the steps of the literature", "[figures]")
{
    for (unsigned d = 1; d <= smaller(10U, 5U); ++d) {
        const std::array packets{1U, d, d + 1, 2 * d + 1};
        const std::array all_ports{d, d, d + 1, d + 2};
        const std::array one_port{d, 2 * d - 1, 2 * d, 3 * d};
        for (std::size_t i = 0; i < packets.size(); ++i) {
            if (d == 1 && i > 1)
                continue;  // with one port all ports are one
            CAPTURE(d, packets[i]);
            for (const Collective collective : {Collective::broadcast, Collective::reduce}) {
                CHECK(run_one(d, PortModel::all, collective, packets[i], "auto", 2).counts.steps == all_ports[i]);
                CHECK(run_one(d, PortModel::one, collective, packets[i], "auto", 2).counts.steps == one_port[i]);
            }
        }
    }
}

TEST_CASE("scatter and all-gather of three packets need the steps of the literature", "[figures]")
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

TEST_CASE("total exchange uses every link in every step, all-gather all but a few", "[figures]")
{
    for (unsigned d = 1; d <= smaller(8U, 5U); ++d) {
        CHECK(run_one(d, PortModel::all, Collective::all_to_all, 1, "auto", 1).link_utilisation() == 1.0);
        const double n = 1U << d;
        const Report gathered = run_one(d, PortModel::all, Collective::all_gather, 1, "auto", 1);
        CHECK(gathered.link_utilisation() == Approx((n - 1) / (d * static_cast<double>(gathered.counts.steps))));
    }
}

TEST_CASE("total exchange keeps 2^(d-2) + 2d - 5 blocks in transit", "[figures]")
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
