// Bounds on networks of any shape: the table of specified numbers, and what is behind it on small networks.

#include "tests/support/any_networks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/bounds.hpp>
#include <dcube/problem.hpp>

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

using namespace dcube;
using dcube::test::any_network;
using dcube::test::any_permutation;

namespace {

using enum Collective;

struct Column {
    Collective collective;
    PortModel ports;
    std::size_t packets;
};

constexpr PortModel all = PortModel::all;
constexpr PortModel one = PortModel::one;

// "before>here/bound": what was taken before, what schedules take that a checker has replayed, and the bound where that
// is less.
const std::vector<Column> first_columns{{broadcast, all, 17},  {broadcast, all, 100}, {broadcast, one, 17},
                                        {broadcast, one, 100}, {all_gather, all, 5},  {all_gather, one, 5},
                                        {scatter, all, 17},    {send, all, 17},       {exchange, one, 17}};
const std::vector<std::string_view> first_table{
    "ghc2x5x7 18>5 101>12 189>23 1104>107/106 35>32 345>345 124>107 8>5 19>19",
    "torus4x6 19>9 102>29 69>22/21 401>106/104 30>29 115>115 102>98 10>7 18>18",
    "torus8x8 20>12 103>33/32 74>26/24 408>111/107 80>79 315>315 276>268 10>8 18>18",
    "mesh4x6 21>16 104>57 38>26/24 204>111/107 70>58 170>115 204>196 20>16 24>24",
    "hub9 17>17 100>100 153>153 900>900 45>45 405>405 17>17 17>17 17>17",
    "petring4 18>7 101>24 90>23/22 507>106/105 50>39 250>195 155>133 15>7 19>19",
    "random20 19>19 102>102 170>55/45 1000>307/249 95>95 420>227/203 45>37 17>10 17>17",
    "random64 19>11 102>53 194>26/22 1173>127/105 165>158 590>315 157>119 18>8 35>19/18",
    "random128 19>9 102>36 225>25/23 1304>110/106 235>212 1105>635 218>167 5>5 19>19",
    "cube6-3l 19>8 102>24 107>24/22 604>107/105 70>63 390>315 190>179 12>8 54>22",
    "cube6-1n 19>8 102>24 106>24/22 603>107/105 70>62 395>322/320 187>176 12>8 54>22",
    "torus8x8-3l 23>13 106>41 73>26/24 406>111/107 125>105 380>315 276>268 10>8 35>18",
    "bintree31 20>20 103>103 40>40/37 206>206/203 150>150 365>326/315 255>255 20>20 52>37",
    "cube6 8>8 22>22 22>24/22 105>108/105 53>53 315>315 179>179 12>8 22>22"};

const std::vector<Column> second_columns{
    {all_to_all, all, 1}, {all_to_all, one, 1},  {permute, all, 17},     {permute, all, 100},   {permute, one, 17},
    {all_reduce, all, 5}, {all_reduce, all, 17}, {all_reduce, all, 100}, {all_reduce, one, 17}, {all_reduce, one, 100}};
const std::vector<std::string_view> second_table{
    "ghc2x5x7 35>36/35 151>152/151 26>10/8 151>50/42 85>39/37 6>6/4 8>6/5 28>18 54>37/34 276>198",
    "torus4x6 18>19/18 60>60 27>16/13 156>80/74 70>47/44 10>9/6 14>10/9 60>48 50>34/33 230>192",
    "torus8x8 64>65/64 256>257/256 49>26/22 294>139/124 138>77/73 16>15/9 18>15/12 64>50 48>37/34 252>198/197",
    "mesh4x6 36>36 110>82 47>27/25 276>151/149 121>67/63 16>11/10 22>18/16 100>77/61 52>36/33 248>192",
    "hub9 11>10/9 153>81 18>18 101>101 153>153 10>6 32>18 180>101 276>162/153 1620>909/900",
    "petring4 20>21/20 100>101/100 32>13/11 185>67/60 85>46/43 10>8/5 14>10/7 44>39 48>35/34 228>196/195",
    "random20 19>19 182>89 36>21/20 203>104/103 170>86/85 12>10/8 32>22/20 190>105/103 142>62/51 840>328/298",
    "random64 48>32 392>177/174 47>13/12 269>68/54 188>57/51 12>8/7 20>18/13 102>59/54 76>41/34 368>198/197",
    "random128 82>52/47 838>350/341 40>11/9 234>57/39 170>51/47 10>8/6 18>14/10 72>44/38 118>39/34 360>200/199",
    "cube6-3l 40>35 247>193 22>13/11 133>66/60 187>51/49 12>11/6 14>11/9 42>40/34 52>37/34 236>198/197",
    "cube6-1n 39>33/32 241>193/192 26>13/10 144>64/57 202>53/50 12>11/6 14>11/9 42>40/34 50>37/34 234>206/200",
    "torus8x8-3l 88>69 353>258 52>25/22 312>141/125 222>79/73 16>15/9 20>15/13 78>66/51 50>37/34 238>198/197",
    "bintree31 240>240 1083>576 171>171/170 1001>1001/1000 459>409/408 14>12 34>24 194>107 84>72/51 444>321/300",
    "cube6 32>33/32 192>193/192 23>13/11 133>66/63 103>51/49 6>11/6 18>11/8 42>34/33 102>36/34 252>198/197"};

Problem problem_of(const Column& column, std::string_view network, const Topology& topology)
{
    Problem problem{.collective = column.collective, .packets = column.packets};
    if (has_permutation(column.collective))
        problem.permutation = any_permutation(network);
    if (has_peer(column.collective))
        problem.peer = topology.nodes() - 1;
    return problem;
}

// The bound is no less than the one of the table, and no more than what has been achieved.
void check_rows(const std::vector<std::string_view>& rows, const std::vector<Column>& columns)
{
    test_support::Sample sample(7, 2);
    for (const std::string_view row : rows) {
        if (!sample.takes_next())
            continue;
        std::istringstream cells{std::string(row)};
        std::string network;
        cells >> network;
        const Topology topology = any_network(network);
        for (const Column& column : columns) {
            std::string cell;
            REQUIRE(cells >> cell);
            const std::string here = cell.substr(cell.find('>') + 1);
            const std::size_t slash = here.find('/');
            const std::uint64_t steps = std::stoul(here);
            const std::uint64_t expected = slash == std::string::npos ? steps : std::stoul(here.substr(slash + 1));
            const Bound bound = steps_bound(topology, column.ports, problem_of(column, network, topology));
            CAPTURE(network, name(column.collective), name(column.ports), column.packets, bound.reason);
            CHECK(bound.value >= expected);
            CHECK(bound.value <= steps);
        }
    }
}

}  // namespace

TEST_CASE("bounds: broadcast, all-gather, scatter, send and exchange have the bounds of the first table", "[bounds]")
{
    check_rows(first_table, first_columns);
}

TEST_CASE("bounds: all-to-all, permutations and all-reduce have the bounds of the second table", "[bounds][long]")
{
    check_rows(second_table, second_columns);
}

TEST_CASE("bounds: a collective and its reverse have the same bound", "[bounds]")
{
    for (const char* const network : {"random20", "hub9", "bintree31", "mesh4x6", "cube6-1n"})
        for (const PortModel ports : {all, one})
            for (const std::size_t packets : {1U, 5U, 17U}) {
                const Topology topology = any_network(network);
                const auto steps = [&](Collective collective) {
                    return steps_bound(topology, ports, {.collective = collective, .packets = packets, .root = 3})
                        .value;
                };
                CAPTURE(network, name(ports), packets);
                CHECK(steps(Collective::broadcast) == steps(Collective::reduce));
                CHECK(steps(Collective::scatter) == steps(Collective::gather));
                CHECK(steps(Collective::all_gather) == steps(Collective::reduce_scatter));
            }
}

TEST_CASE("bounds: all-reduce on cubes has the table's bounds", "[bounds]")
{
    struct Row {
        unsigned d;
        std::size_t packets;
        PortModel ports;
        std::uint64_t bound;
    };
    const std::vector<Row> rows{{6, 17, all, 8},    {6, 40, all, 14},   {6, 100, all, 33}, {7, 17, all, 9},
                                {7, 100, all, 29},  {8, 40, all, 12},   {8, 100, all, 25}, {9, 40, all, 13},
                                {10, 40, all, 13},  {10, 100, all, 20}, {5, 17, one, 33},  {6, 17, one, 34},
                                {6, 100, one, 197}, {8, 40, one, 80}};
    for (const Row& row : rows) {
        CAPTURE(row.d, row.packets, name(row.ports));
        const Problem problem{.collective = Collective::all_reduce, .packets = row.packets};
        CHECK(steps_bound(Topology::hypercube(row.d), row.ports, problem).value == row.bound);
    }
}

TEST_CASE("bounds: prices give bounds for permutations of cubes", "[bounds]")
{
    const Topology cube = Topology::hypercube(6);
    const auto steps = [&](PortModel ports, std::size_t packets) {
        return steps_bound(cube, ports,
                           {.collective = permute, .packets = packets, .permutation = any_permutation("cube6")})
            .value;
    };
    CHECK(steps(all, 17) == 11);
    CHECK(steps(all, 100) == 63);
    CHECK(steps(one, 17) == 49);
}
