#pragma once
// Known values for some networks, and for total exchange there: one table for bounds and algorithms.
//
// N, average status, average distance and diameter are their factors' closed forms (docs/optimality.md). L1 and L2 are
// the average status over N, or over the packets that can move at once, rounded up; `all_ports` is the strongest bound
// on all ports, L5 (cuts of a factor) except where it says L6 (all links). The steps of factor-by-factor (A2),
// homogeneous (A3), interleaved and edge-colouring are the closed forms at the head of each algorithm's file, worked
// out apart from dcube; for all networks except the last four, schedules of that length were also made by a program
// apart from dcube, and checked there hop by hop. Greedy is the best of a few seeds of a plain farthest-first search in
// that program.

#include <dcube/link.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <optional>

namespace dcube::test {

struct NetworkRow {
    const char* network;
    NodeId nodes;
    Rational average_status;
    double average_distance;
    unsigned diameter;
    std::uint64_t l1;
    std::uint64_t l2;
    std::uint64_t all_ports;
    const char* bound;  // the name of that one
    std::uint64_t factor_by_factor;
    std::optional<std::uint64_t> homogeneous;
    std::uint64_t interleaved;
    std::optional<std::uint64_t> edge_colouring;
    std::optional<std::uint64_t> greedy;
};

inline constexpr std::nullopt_t none = std::nullopt;

inline const NetworkRow networks_table[] = {
    {"hypercube:3", 8, {12, 1}, 1.7143, 3, 12, 12, 4, "L5", 12, none, 4, 4, 5},
    {"hypercube:4", 16, {32, 1}, 2.1333, 4, 32, 32, 8, "L5", 32, 8, 8, 8, 10},
    {"hypercube:5", 32, {80, 1}, 2.5806, 5, 80, 80, 16, "L5", 80, none, 16, 16, 20},
    {"hypercube:8", 256, {1024, 1}, 4.0157, 8, 1024, 1024, 128, "L5", 1024, 128, 128, 128, 160},
    {"torus:3x4", 12, {20, 1}, 1.8182, 3, 20, 20, 6, "L5", 20, none, 6, 6, 7},
    {"torus:4x6", 24, {60, 1}, 2.6087, 5, 60, 60, 18, "L5", 60, none, 20, 18, 20},
    {"torus:5x5", 25, {60, 1}, 2.5000, 4, 60, 60, 15, "L5", 60, 15, 15, 15, 18},
    {"torus:6x5", 30, {81, 1}, 2.7931, 5, 81, 81, 23, "L5", 81, none, 25, 23, 27},
    {"torus:6x6", 36, {108, 1}, 3.0857, 6, 108, 108, 27, "L5", 108, 30, 30, 27, 33},
    {"kary:3^3", 27, {54, 1}, 2.0769, 3, 54, 54, 9, "L5", 54, none, 9, 9, 12},
    {"kary:3^4", 81, {216, 1}, 2.7000, 4, 216, 216, 27, "L5", 216, 27, 27, 27, none},
    {"kary:4^3", 64, {192, 1}, 3.0476, 6, 192, 192, 32, "L5", 192, none, 32, 32, 40},
    {"torus:5x4x3", 60, {172, 1}, 2.9153, 5, 172, 172, 36, "L5", 172, none, 36, 36, 41},
    {"ghc:4x4", 16, {24, 1}, 1.6000, 2, 24, 24, 4, "L5", 24, 4, 4, 4, 6},
    {"ghc:3x4x5", 60, {133, 1}, 2.2542, 3, 133, 133, 20, "L5", 133, none, 20, 20, 25},
    {"complete:4*ring:5*complete:2", 40, {98, 1}, 2.5128, 4, 98, 98, 24, "L5", 98, none, 24, 24, 28},
    {"mesh:3x3", 9, {16, 1}, 2.0000, 4, 16, 18, 6, "L5", 24, 6, 6, none, 7},
    {"mesh:4x4", 16, {40, 1}, 2.6667, 6, 40, 40, 16, "L5", 56, 16, 16, none, 18},
    {"mesh:3x5", 15, {112, 3}, 2.6667, 6, 38, 40, 18, "L5", 56, none, 18, none, 19},
    {"mesh:3x3x3", 27, {72, 1}, 2.7692, 6, 72, 75, 18, "L5", 108, none, 18, none, 23},
    {"mesh:3x4x5", 60, {673, 3}, 3.8023, 9, 225, 225, 72, "L5", 329, none, 72, none, 78},
    {"path:4*ring:3", 12, {23, 1}, 2.0909, 4, 23, 23, 12, "L5", 29, none, 12, none, 13},
    {"path:5*ring:7", 35, {116, 1}, 3.4118, 7, 116, 116, 42, "L5", 144, none, 42, none, 45},
    {"star:4*ring:3", 72, {234, 1}, 3.2958, 5, 234, 234, 62, "L6", 234, none, 63, none, none},
    {"hypercube:10", 1024, {5120, 1}, 5.0049, 10, 5120, 5120, 512, "L5", 5120, none, 512, 512, none},
    {"torus:16x16", 256, {2048, 1}, 8.0314, 16, 2048, 2048, 512, "L5", 2048, 512, 512, 512, none},
    {"ghc:8x8x8", 512, {1344, 1}, 2.6301, 3, 1344, 1344, 64, "L5", 1344, none, 64, 64, none},
    {"mesh:16x16", 256, {2720, 1}, 10.6667, 30, 2720, 2720, 1024, "L5", 4064, 1024, 1024, none, none},
};

}  // namespace dcube::test
