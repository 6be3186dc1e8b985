#pragma once
// The tables that dcube_clock prints.

#include "bench/clock/clock_simulation.hpp"
#include "bench/clock/scaling.hpp"

#include <string>
#include <vector>

namespace dcube::bench {

/// What is simulated: every number of workers with every step's work, in each design.
struct SimulationTable {
    ClockCosts costs;
    std::vector<double> handovers_ns;  ///< each instead of the costs' own
    std::vector<unsigned> workers;
    std::vector<double> works_ns;
    std::size_t chunks_of_a_worker = 1;
    double spread = 0;
    unsigned steps = 1;
    std::uint64_t seed = 1;
    std::vector<ClockDesign> designs;
};
std::string text_of(const SimulationTable& table);

/// What is predicted: total exchanges of 2^d nodes in 2^(d-1) steps, on every number of cores.
struct PredictionTable {
    ScalingConstants constants;
    std::vector<unsigned> dimensions;
    std::size_t bytes = 0;
    std::vector<unsigned> cores;
};
std::string text_of(const PredictionTable& table);

}  // namespace dcube::bench
