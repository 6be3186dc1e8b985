#pragma once
// Table I of Bertsekas et al. 1991 evaluated for d = 1 .. 14 (N = 2^d): scatter ceil((N-1)/d) steps and d 2^(d-1)
// transmissions, all-gather (multinode broadcast) ceil((N-1)/d) and N(N-1), all-to-all (total exchange) 2^(d-1) and
// d 2^(2d-1). The columns for one port, N-1 and d 2^(d-1), and for all-reduce of N blocks, 2 ceil((N-1)/d) steps by two
// phases against the bound ceil(2(N-1)/d), are not the paper's; docs/optimality.md derives them.

#include <dcube/catalogue.hpp>

#include <cstdint>

namespace test_support {

using dcube::Cost;

struct Table1Row {
    unsigned d;
    Cost scatter;
    Cost all_gather;
    Cost all_to_all;
    std::uint64_t one_port_all_gather;
    std::uint64_t one_port_all_to_all;
    std::uint64_t all_reduce_two_phases;
    std::uint64_t all_reduce_bound;
};

inline constexpr Table1Row table_1[] = {
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

}  // namespace test_support
